#if !Files
  /// Stands for the connection where the package is built without its trait `Files`: nobody ever has
  /// one.
  package final class Database {
    package enum Access: Sendable {
      case create, read, readImmutable
    }

    private let never: Never

    package init(path: String, _ access: Access) throws(DatabaseError) {
      throw DatabaseError(
        code: 1, message: "StoreCoder was built without files: its package trait 'Files' is off")
    }

    package func execute(_ sql: String) throws(DatabaseError) {}
    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {}
    package var isInTransaction: Bool {}
    package var hasMoved: Bool {}
    package func setBusyTimeout(milliseconds: Int32) {}
    package func interrupt() {}
  }

  /// Nobody has one of these either.
  package final class Statement {
    private let never: Never

    private init(_ never: Never) { self.never = never }

    package func bindNull(_ parameter: Int) {}
    package func bind(_ parameter: Int, _ value: Int64) {}
    package func bindReal(_ parameter: Int, _ value: Double) {}
    package func bindText(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {}
    package func bindTextCopy(_ parameter: Int, _ bytes: [UInt8]) {}
    package func bindBlob(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {}
    package func bindBlobCopy(_ parameter: Int, _ bytes: UnsafeRawBufferPointer) {}
    package func step() throws(DatabaseError) -> Bool {}
    package func run() throws(DatabaseError) {}
    package func reset() {}

    package enum ValueType: Sendable {
      case null, integer, real, text, blob
    }

    package func type(_ column: Int) -> ValueType {}
    package func int64(_ column: Int) -> Int64 {}
    package func double(_ column: Int) -> Double {}
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {}
    package func string(_ column: Int) -> String {}
    package var columnCount: Int {}
  }
#endif
