import Foundation
import StoreDatabase

// What is done with a file as a whole.

extension StoreFile {
  /// Writes what waits, and makes sure that all of it is on the disk.
  func flush(_ engine: StoreEngine) throws(StoreError) {
    if options.isReadOnly { return }
    try queue?.drain(self, engine)
    try run {
      // Not left to a checkpoint, which does nothing while another process reads.
      try FileSync.sync(path + "-wal")
      try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  func compact(_ engine: StoreEngine) throws(StoreError) {
    if options.isReadOnly { throw StoreError(.readOnlyStore(path: path)) }
    try queue?.drain(self, engine)
    try run {
      statements = [:]
      catalogStatements = nil
      try database.execute("VACUUM")
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  func copy(to other: String, _ engine: StoreEngine) throws(StoreError) {
    try queue?.drain(self, engine)
    try run {
      guard !FileManager.default.fileExists(atPath: other) else {
        throw StoreError(.fileFailed(path: other, reason: "there is a file already"))
      }
      // Under another name until it is whole.
      let unfinished = other + ".unfinished"
      do {
        try? FileManager.default.removeItem(atPath: unfinished)
        let statement = try database.prepare("VACUUM INTO ?")
        statement.bindTextCopy(1, Array(unfinished.utf8))
        try statement.run()
        try FileSync.sync(unfinished)
        try FileManager.default.moveItem(atPath: unfinished, toPath: other)
      } catch {
        for end in ["", "-journal"] {
          try? FileManager.default.removeItem(atPath: unfinished + end)
        }
        throw StoreError(.fileFailed(path: other, reason: "\(error)"))
      }
    }
  }

  /// Does something with the connection.
  private func run(_ body: () throws -> Void) throws(StoreError) {
    try lock.withLock { () throws(StoreError) in
      if let closed { throw closed }
      do {
        try body()
      } catch {
        throw self.error(error)
      }
    }
  }

  /// Reads all of it.
  func check(_ engine: StoreEngine) throws(StoreError) {
    try queue?.drain(self, engine)
    try run {
      let statement = try database.prepare("PRAGMA integrity_check(1)")
      while try statement.step() {
        let found = statement.string(0)
        if found != "ok" { throw FileCatalog.Damage(details: found) }
      }
      let written = try FileCatalog(database)
      for entry in written.classes.values.sorted(by: { $0.name < $1.name }) {
        try FileCheck(database, entry).run()
      }
    }
  }

  /// Deletes a file that nobody has open, and what belongs to it.
  static func delete(_ path: String) throws(StoreError) {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) || manager.fileExists(atPath: path + ".lock") else {
      return
    }
    do {
      let lock = try FileLock(path + ".lock")
      for end in ["-wal", "-shm", "", ".lock"] where manager.fileExists(atPath: path + end) {
        try manager.removeItem(atPath: path + end)
      }
      withExtendedLifetime(lock) {}
    } catch FileLock.Failure.isHeld {
      throw StoreError(.fileInUse(path: path))
    } catch {
      throw StoreError(.fileFailed(path: path, reason: "\(error)"))
    }
  }
}

/// Reads a class of a file and compares it with its checksums, whatever the store knows of it.
struct FileCheck {
  private let database: Database
  private let entry: FileClass
  private let values = FileValues()

  init(_ database: Database, _ entry: FileClass) {
    self.database = database
    self.entry = entry
  }

  func run() throws {
    let layout = entry.layout
    let table = Table(index: 0, layout: layout, defaults: NoDefaults())
    let known = FileTable(name: entry.name, layout: layout, attributes: entry.attributes)
    var loader = TableLoader(database, entry, table, FileMapping(known, entry))
    try loader.read()
  }
}

/// A class that lacks nothing.
private final class NoDefaults: RowDefaults {
  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError) {}
}
