#if !Files
  /// Never called: no instance exists.
  private func unreachable() -> Never {
    fatalError("unreachable: there is no database without SQLite")
  }

  /// A placeholder for the connection in builds without the package trait `Files`. No instance can be created.
  package final class Database {
    package enum Access: Sendable {
      case create, read, readImmutable
    }

    package static let temporaryPath = ""

    package init(path: String, _ access: Access) throws(DatabaseError) {
      throw DatabaseError(
        code: 1, message: "StoreCoder was built without files: its package trait 'Files' is off")
    }

    package func close() {}
    package func execute(_ sql: String) throws(DatabaseError) { unreachable() }
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement { unreachable() }
    package func watching<R>(
      every stepCount: Int32, _ shouldContinue: () -> Bool, _ body: () throws -> R
    ) rethrows -> R { unreachable() }
    package func copyAll(to other: Database) throws(DatabaseError) { unreachable() }
    package var changedRowCount: Int { unreachable() }
    package var isInTransaction: Bool { unreachable() }
    package var hasMoved: Bool { unreachable() }
    package func setBusyTimeout(milliseconds: Int32) { unreachable() }
  }

  /// A placeholder for the statement class. No instance can be created.
  package final class Statement {
    package enum ValueType: Sendable {
      case null, integer, real, text, blob
    }

    private init() {}

    package func bindNull(_ parameter: Int) { unreachable() }
    package func bind(_ parameter: Int, _ value: Int64) { unreachable() }
    package func bindReal(_ parameter: Int, _ value: Double) { unreachable() }
    package func bindText(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { unreachable() }
    package func bindTextCopy(_ parameter: Int, _ bytes: [UInt8]) { unreachable() }
    package func bindTextCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { unreachable() }
    package func bindBlob(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { unreachable() }
    package func bindBlobCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { unreachable() }
    package func step() throws(DatabaseError) -> Bool { unreachable() }
    package func run() throws(DatabaseError) { unreachable() }
    package func reset() { unreachable() }
    package func clearBindings() { unreachable() }
    package func type(_ column: Int) -> ValueType { unreachable() }
    package func int64(_ column: Int) -> Int64 { unreachable() }
    package func double(_ column: Int) -> Double { unreachable() }
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer { unreachable() }
    package func string(_ column: Int) -> String { unreachable() }
  }
#endif
