/// The rows of one class in a file.
// Sendable: immutable; the file has its own lock.
final class FileRows: RowSource, Sendable {
  private let file: StoreFile
  private let name: String

  init(_ file: StoreFile, _ name: String) {
    self.file = file
    self.name = name
  }

  var firstFreeSlot: Int {
    file.lock.withLock { (file.catalog.classes[name]?.nextRow ?? file.catalog.firstRow) - 1 }
  }

  var firstVersion: UInt64 { file.lock.withLock { file.firstVersion } }

  func load(_ table: Table) -> TableVersion { file.load(name, table) }
}
