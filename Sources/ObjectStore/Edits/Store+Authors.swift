extension Store {
  /// The author of the changes of a write, for classes that track edits; see ``Object/tracksEdits``.
  public enum Author: Sendable, Hashable {
    /// The user of the app. Changes are edits, which are kept until the server confirms them.
    case user
    /// The server. Values of edited attributes become their base values; other values are stored as they are.
    case server
  }

  /// Runs `body` as one transaction whose changes are those of an author; see ``write(_:)``.
  ///
  ///     try store.write(as: .server) { order.total = message.total }
  ///
  /// ``write(_:)`` is the user's. A write inside another one has its own author. What a `StoreCoder` decodes is the
  /// server's wherever it is called.
  ///
  /// - Throws: The errors of ``write(_:)``.
  @discardableResult
  public func write<R>(as author: Author, _ body: () throws -> R) throws -> R {
    try handle.write {
      let transaction = try handle.writableTransaction()
      return try transaction.run(as: author == .user ? .user : .server, body)
    }
  }

  /// Runs `body` in the open write; its changes are the server's. Unlike a nested write, it is no savepoint.
  ///
  /// - Throws: The errors of `body`; `notWriting`.
  package func asServer<R>(_ body: () throws -> R) throws -> R {
    try handle.writableTransaction().run(as: .server, body)
  }

  /// Runs `body`, whose changes are the server's, in the open write. Returns true if they give other values to an object that
  /// the user has deleted.
  package func changesDeletedObject(_ body: () throws -> Void) throws -> Bool {
    let transaction = try handle.writableTransaction()
    transaction.edits.conflicts = []
    try asServer(body)
    return transaction.edits.conflicts.contains(where: \.isDeletedLocally)
  }
}
