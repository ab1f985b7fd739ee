import StoreDatabase

/// Reads the rows of a class from a file and verifies their checksums. The class need not be declared.
struct FileCheck {
  private let database: Database
  private let entry: FileClass
  private let progress: FileProgress?

  init(_ database: Database, _ entry: FileClass, _ progress: FileProgress? = nil) {
    self.database = database
    self.entry = entry
    self.progress = progress
  }

  func run() throws {
    var loader = makeLoader()
    try loader.read()
  }

  /// Reads rows that another tool may have changed. Returns the class with its current counts and checksums.
  /// - Throws: `Damage` if the store could not have written them.
  func readExternallyChanged() throws -> FileClass {
    var loader = makeLoader()
    return try loader.readExternallyChanged()
  }

  private func makeLoader() -> TableLoader {
    let layout = entry.layout
    let table = Table(index: 0, layout: layout, defaults: NoDefaults())
    let known = FileTable(name: entry.name, layout: layout, attributes: entry.attributes)
    return TableLoader(database, entry, table, FileMapping(known, entry), progress)
  }
}

/// The defaults of a class whose rows lack no attributes.
private final class NoDefaults: RowDefaults {
  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError) {}
}
