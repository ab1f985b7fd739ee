import ObjectStore

/// What a command could not do with its data.
struct CommandError: Error, CustomStringConvertible {
  let text: String
  /// True if a file of a store is damaged.
  var isDamage = false
  var description: String { text }

  init(text: String, isDamage: Bool = false) {
    self.text = text
    self.isDamage = isDamage
  }

  /// Another error with a line about what was done nevertheless.
  init(_ error: any Error, then line: String) {
    self.init(text: "\(error)\n\(line)", isDamage: Self.isDamage(error))
  }

  static func isDamage(_ error: any Error) -> Bool {
    if case .fileDamaged = (error as? StoreError)?.kind { return true }
    return (error as? CommandError)?.isDamage ?? false
  }
}

/// A command line that cannot be understood.
struct UsageError: Error {
  let text: String
  /// Whose usage is to be shown; nil for all.
  var command: String?
}
