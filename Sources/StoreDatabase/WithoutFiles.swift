#if !Files
  /// Never called: no instance exists.
  private func nobody() -> Never { fatalError("a database without SQLite") }

  /// Replaces the connection if the package is built without its trait `Files`. No instance can be created.
  package final class Database {
    package enum Access: Sendable {
      case create, read, readImmutable
    }

    package init(path: String, _ access: Access) throws(DatabaseError) {
      throw DatabaseError(
        code: 1, message: "StoreCoder was built without files: its package trait 'Files' is off")
    }

    package func close() {}
    package func execute(_ sql: String) throws(DatabaseError) { nobody() }
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement { nobody() }
    package func watching<R>(
      every stepCount: Int32, _ goesOn: () -> Bool, _ body: () throws -> R
    ) rethrows -> R { nobody() }
    package func copyAll(to other: Database) throws(DatabaseError) { nobody() }
    package var changedRowCount: Int { nobody() }
    package var isInTransaction: Bool { nobody() }
    package var hasMoved: Bool { nobody() }
    package func setBusyTimeout(milliseconds: Int32) { nobody() }
  }

  /// Replaces the statement. No instance can be created.
  package final class Statement {
    package enum ValueType: Sendable {
      case null, integer, real, text, blob
    }

    private init() {}

    package func bindNull(_ parameter: Int) { nobody() }
    package func bind(_ parameter: Int, _ value: Int64) { nobody() }
    package func bindReal(_ parameter: Int, _ value: Double) { nobody() }
    package func bindText(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { nobody() }
    package func bindTextCopy(_ parameter: Int, _ bytes: [UInt8]) { nobody() }
    package func bindTextCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { nobody() }
    package func bindBlob(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { nobody() }
    package func bindBlobCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) { nobody() }
    package func step() throws(DatabaseError) -> Bool { nobody() }
    package func run() throws(DatabaseError) { nobody() }
    package func reset() { nobody() }
    package func type(_ column: Int) -> ValueType { nobody() }
    package func int64(_ column: Int) -> Int64 { nobody() }
    package func double(_ column: Int) -> Double { nobody() }
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer { nobody() }
    package func string(_ column: Int) -> String { nobody() }
  }
#endif
