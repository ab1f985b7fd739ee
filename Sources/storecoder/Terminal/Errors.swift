/// What a command could not do with its data.
struct CommandError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

/// A command line that cannot be understood.
struct UsageError: Error {
  let text: String
  /// Whose usage is to be shown; nil for all.
  var command: String?
}
