/// What SQLite refused, as it says it.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// SQLite's words.
  package let message: String

  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (SQLite \(code))" }

  /// The code without what extends it.
  package var primaryCode: Int32 { code & 0xFF }

  /// The content of the file is not what SQLite wrote: `SQLITE_CORRUPT`, `SQLITE_NOTADB`.
  package var isDamage: Bool { primaryCode == 11 || primaryCode == 26 }

  /// The file is none of SQLite's: `SQLITE_NOTADB`.
  package var isNoDatabase: Bool { primaryCode == 26 }

  /// Who watched it ended it: `SQLITE_INTERRUPT`.
  package var isInterruption: Bool { primaryCode == 9 }

  /// The system could not make sure of what was written: `SQLITE_IOERR_FSYNC` and
  /// `SQLITE_IOERR_DIR_FSYNC`. What is on the disk is unknown then.
  package var isUncertain: Bool { code == 1034 || code == 1290 }
}
