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
      try Self.makeWhole(other) { unfinished in
        let statement = try database.prepare("VACUUM INTO ?")
        statement.bindTextCopy(1, Array(unfinished.utf8))
        try statement.run()
      }
    }
  }

  /// Writes a version of a store in memory into a new file.
  static func write(
    _ version: Version, _ tables: [FileTable], to path: String, _ engine: StoreEngine
  ) throws(StoreError) {
    try makeWhole(path) { unfinished in
      do {
        let file = try open(path: unfinished, FileOptions())
        for table in tables { _ = file.enter(table) }
        let nothing = Version(number: 0, touchedTables: [], pins: nil)
        try file.commit(nothing, version, engine)
      }
      try FileManager.default.removeItem(atPath: unfinished + ".lock")
    }
  }

  /// Makes a file under another name until it is whole.
  private static func makeWhole(
    _ path: String, _ body: (String) throws -> Void
  ) throws(StoreError) {
    let manager = FileManager.default
    guard !manager.fileExists(atPath: path) else {
      throw StoreError(.fileFailed(path: path, reason: "there is a file already"))
    }
    let unfinished = path + ".unfinished"
    func clear() {
      for end in ["", "-journal", "-wal", "-shm", ".lock"] {
        try? manager.removeItem(atPath: unfinished + end)
      }
    }
    clear()
    do {
      try body(unfinished)
      try FileSync.sync(unfinished)
      try manager.moveItem(atPath: unfinished, toPath: path)
    } catch {
      clear()
      throw StoreError(.fileFailed(path: path, reason: "\(error)"))
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
