/// A SQLite error.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// SQLite's message.
  package let message: String

  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (SQLite \(code))" }

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
