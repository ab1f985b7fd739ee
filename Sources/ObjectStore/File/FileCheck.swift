import StoreDatabase

/// Reads a class of a file and compares it with its checksums, whatever the store knows of it.
struct FileCheck {
  private let database: Database
  private let entry: FileClass
  private let progress: FileProgress

  init(_ database: Database, _ entry: FileClass, _ progress: FileProgress) {
    self.database = database
    self.entry = entry
    self.progress = progress
  }

  func run() throws {
    let layout = entry.layout
    let table = Table(index: 0, layout: layout, defaults: NoDefaults())
    let known = FileTable(name: entry.name, layout: layout, attributes: entry.attributes)
    var loader = TableLoader(database, entry, table, FileMapping(known, entry), progress)
    try loader.read()
  }
}

/// A class that lacks nothing.
private final class NoDefaults: RowDefaults {
  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError) {}
}
