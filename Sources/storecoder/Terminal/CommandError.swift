import ObjectStore

/// An error that ends a command whose command line is valid.
struct CommandError: Error, CustomStringConvertible {
  let text: String
  /// True if a file of a store is damaged.
  var isDamage = false
  /// The exit status.
  var status: Int32 = 1
  var description: String { text }

  init(text: String, isDamage: Bool = false) {
    self.text = text
    self.isDamage = isDamage
  }

  /// Adds a line to an error, about the part of the work that was done.
  init(_ error: any Error, then line: String) {
    self.init(text: "\(error)\n\(line)", isDamage: Self.isDamage(error))
  }

  /// The error for a signal before the first object of a file was stored.
  static func interrupted(_ name: String) -> Self {
    Self(text: "interrupted: nothing of \(name) is in the store")
  }

  /// Calls `body`, whose errors end the command with another status than 1.
  static func withStatus<R>(_ status: Int32, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as UsageError {
      throw error
    } catch {
      var failure = CommandError(text: "\(error)", isDamage: isDamage(error))
      failure.status = status
      throw failure
    }
  }

  static func isDamage(_ error: any Error) -> Bool {
    if case .fileDamaged = (error as? StoreError)?.kind { return true }
    return (error as? CommandError)?.isDamage ?? false
  }
}

/// A command line that cannot be understood.
struct UsageError: Error {
  let text: String
  /// The command whose usage to show; nil for the usage of all commands.
  var command: String?
}

/// Ends a command with status 1 after its output, without a message: it found changes.
struct ChangesFound: Error {}
