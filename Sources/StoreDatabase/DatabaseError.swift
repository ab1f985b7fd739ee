#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A SQLite error.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// SQLite's message.
  package let message: String

  /// The system's error number (`errno`); 0 if SQLite does not know it.
  package let systemCode: Int32

  package init(code: Int32, message: String, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemCode = systemCode
  }

  package var description: String {
    "\(isDiskFull ? "the disk is full" : message) (SQLite \(code))"
  }

  /// True if the disk or the user's quota is full. SQLite has the code `SQLITE_FULL` only for writing to the file and its
  /// log.
  package var isDiskFull: Bool {
    primaryCode == 13 || systemCode == ENOSPC || systemCode == EDQUOT
  }

  /// True if a file of the database may be missing or inaccessible: `SQLITE_PERM`, `SQLITE_READONLY`, `SQLITE_IOERR`,
  /// `SQLITE_CANTOPEN`.
  package var concernsAccess: Bool { [3, 8, 10, 14].contains(primaryCode) && !isDiskFull }

  /// The code without its extension.
  package var primaryCode: Int32 { code & 0xFF }

  /// True if the content of the file is not what SQLite wrote: `SQLITE_CORRUPT`, `SQLITE_NOTADB`.
  package var isDamage: Bool { primaryCode == 11 || primaryCode == 26 }

  /// True if the file is not a SQLite database: `SQLITE_NOTADB`.
  package var isNoDatabase: Bool { primaryCode == 26 }

  /// True if the callback of ``Database/watching(every:_:_:)`` ended the statement: `SQLITE_INTERRUPT`.
  package var isInterruption: Bool { primaryCode == 9 }

  /// True if the system could not sync the file: `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_DIR_FSYNC`. The content of the
  /// disk is then unknown.
  package var isUncertain: Bool { code == 1034 || code == 1290 }
}
