import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A store whose columns are mapped from files has exactly the rows of the database, whatever happens to the files. R33
///
/// `STORE_RANDOM_STEPS` sets ten times the number of openings per seed, `STORE_FLIPS` the number of damaged files.
@Suite struct `Column files` {
  private let mapped: MappedStore

  init() throws { mapped = try MappedStore() }

  @Test func `classes are mapped, except their last rows`() throws {
    try mapped.fill()
    #expect(try mapped.check().contains("Item"))
  }

  @Test(arguments: SeededRandom.seeds(1...4))
  func `a mapped store equals the database after random changes`(seed: UInt64) throws {
    let durability = StoreConfiguration.Durability.allCases[Int(seed % 3)]
    var random = SeededRandom(seed: seed)
    var mappedCount = 0
    for round in 0..<SeededRandom.steps(3, per: 10) {
      for file in try mapped.files() where random.once(in: 4) { try mapped.flipBit(file, &random) }
      do {
        let store = try ObjectStore.Store(
          configuration: Mapped.configuration(mapped.url, durability))
        _ = Mapped.content(of: store)
        mappedCount += Mapped.mappedClasses(store).count
        let held = store.objects(Mapped.Item.self).map { ($0.frozen(), Mapped.text(of: $0)) }
        for _ in 0..<1 + random.below(4) {
          try Mapped.change(store, &random, count: round == 0 ? 3000 : 1 + random.below(60))
          if random.once(in: 3) {
            try? store.write {
              try Mapped.change(store, &random, count: 20)
              throw CancellationError()
            }
          }
          if random.once(in: 4) { store.handle.core.file?.updateColumnFiles() }
        }
        for (item, text) in held { #expect(Mapped.text(of: item.object) == text) }
        if random.once(in: 2) { store.handle.core.file?.updateColumnFiles() }
      }
      try mapped.check("seed \(seed), round \(round)")
    }
    #expect(mappedCount > 0)
  }

  @Test func `rows that change after a column file was written are read from the database`() throws
  {
    try mapped.fill()
    try mapped.withStore { store in
      try store.write {
        let item = try #require(store.objects(Mapped.Item.self).first)
        item.name = "changed"
        store.delete(try #require(store.objects(Mapped.Item.self).last))
        try store.create(Mapped.Item.self, value: ["id": 5000, "name": "new"])
      }
    }
    #expect(try mapped.check().contains("Item"))
    #expect(
      try mapped.expected()["items"]?.filter { $0.contains("changed") || $0.contains("new") }.count
        == 2)
  }

  @Test func `a damaged column file is ignored`() throws {
    try mapped.fill()
    let file = try mapped.file(of: "Item")
    let bytes = try Data(contentsOf: file)
    let goal = try mapped.expected()
    var random = SeededRandom(seed: 5)
    let count = ProcessInfo.processInfo.environment["STORE_FLIPS"].flatMap(Int.init) ?? 20
    for index in 0..<count {
      if index % 3 == 0 {
        try bytes.dropLast(1 + random.below(bytes.count)).write(to: file)
      } else {
        try bytes.write(to: file)
        try mapped.flipBit(file, &random)
      }
      var configuration = StoreConfiguration.file(mapped.url, readOnly: true)
      configuration.file.columnFileRows = 1
      let store = try ObjectStore.Store(configuration: configuration)
      #expect(Mapped.content(of: store) == goal)
      #expect(store.damage == [])
    }
  }

  @Test func `a column file of an earlier state or of another store is ignored`() throws {
    try mapped.fill()
    let old = mapped.folder.file("old")
    try FileManager.default.copyItem(at: mapped.columns, to: old)
    try mapped.withStore { store in
      var random = SeededRandom(seed: 8)
      for _ in 0..<5 { try Mapped.change(store, &random, count: 400) }
      store.handle.core.file?.updateColumnFiles()
      try Mapped.change(store, &random, count: 5)
    }
    // The list of changes is that since the later file.
    try FileManager.default.removeItem(at: mapped.columns)
    try FileManager.default.copyItem(at: old, to: mapped.columns)
    #expect(try !mapped.check().contains("Item"))
    let other = mapped.folder.file("other.store")
    try mapped.withStore(Mapped.configuration(other)) { store in
      var random = SeededRandom(seed: 9)
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      store.handle.core.file?.updateColumnFiles()
    }
    try FileManager.default.removeItem(at: mapped.columns)
    try FileManager.default.copyItem(
      at: mapped.folder.file("other.store.columns"), to: mapped.columns)
    #expect(try mapped.check() == [])
  }

  @Test func `an edit of another tool is noticed`() throws {
    try mapped.fill()
    try EditedFile.execute("UPDATE Item SET name = 'edited' WHERE _row < 20", in: mapped.url)
    do {
      let store = try mapped.open()
      _ = store.objects(Mapped.Item.self).count
      let path = mapped.url.path(percentEncoded: false)
      #expect(
        store.damage.map(\.description) == [
          StoreError(
            .fileDamaged(
              path: path, details: "Item.name: the checksum is wrong", setAside: nil)
          ).description
        ])
    }
  }

  @Test(arguments: [false, true])
  func `an edit of another tool while the store is open is noticed later`(isCounted: Bool) throws {
    if isCounted { try mapped.fill() }
    var random = SeededRandom(seed: 6)
    try mapped.withStore { store in
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      try EditedFile.execute("UPDATE Item SET name = 'edited' WHERE _row < 20", in: mapped.url)
      store.handle.core.file?.updateColumnFiles()
    }
    try mapped.withStore { store in
      _ = store.objects(Mapped.Item.self).count
      #expect(store.damage.map { "\($0)".contains("Item.name: the checksum is wrong") } == [true])
    }
  }

  @Test func `an accepted edit of another tool is read, and mapped later`() throws {
    try mapped.fill()
    try EditedFile.execute(
      "UPDATE Item SET name = 'edited' WHERE _row < 20; DELETE FROM 'Item.tags'", in: mapped.url)
    var configuration = StoreConfiguration.file(mapped.url, externalEdits: .accept)
    configuration.file.columnFileRows = 1
    try mapped.withStore(configuration) { store in
      #expect(store.objects(Mapped.Item.self).where { $0.name == "edited" }.count > 10)
      #expect(store.objects(Mapped.Item.self).allSatisfy { $0.tags.isEmpty })
      #expect(!Mapped.mappedClasses(store).contains("Item"))
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try mapped.check().contains("Item"))
  }

  @Test func `a key that changed unnoticed since a column file was written is found`() throws {
    // The last rows are always read from the database, and the file has another key for them.
    try mapped.fill()
    let old = mapped.folder.file("old")
    try FileManager.default.copyItem(at: mapped.columns, to: old)
    var key = 0
    try mapped.withStore { store in
      let last = try #require(store.objects(Mapped.Item.self).last)
      key = last.id
      try store.write { try store.rekey(Mapped.Item.self, from: key, to: 90_000) }
      store.handle.core.file?.updateColumnFiles()
    }
    try EditedFile.execute("DELETE FROM store_changed_chunks WHERE chunk >= 0", in: mapped.url)
    try FileManager.default.removeItem(at: mapped.columns)
    try FileManager.default.copyItem(at: old, to: mapped.columns)
    try mapped.withStore { store in
      #expect(store.object(ofType: Mapped.Item.self, forPrimaryKey: key) == nil)
      #expect(store.object(ofType: Mapped.Item.self, forPrimaryKey: 90_000)?.id == 90_000)
      #expect(Mapped.mappedClasses(store).contains("Item"))
    }
  }

  @Test func `column files written at the same time lose no change`() async throws {
    try mapped.fill()
    try mapped.withStore { store in
      var random = SeededRandom(seed: 4)
      let file = try #require(store.handle.core.file)
      for _ in 0..<5 {
        for _ in 0..<2 { DispatchQueue.global().async { file.updateColumnFiles() } }
        try Mapped.change(store, &random, count: 200)
      }
    }
    try mapped.check()
  }

  @Test func `a pipe in place of a column file does not stop the store`() throws {
    try mapped.fill()
    for name in try FileManager.default.contentsOfDirectory(atPath: mapped.columns.path) {
      try FileManager.default.removeItem(at: mapped.columns.appending(path: name))
      #expect(mkfifo(mapped.columns.appending(path: name).path, 0o600) == 0)
      #expect(mkfifo(mapped.columns.appending(path: name + ".unfinished").path, 0o600) == 0)
    }
    try mapped.withStore { store in
      _ = Mapped.content(of: store)
      #expect(Mapped.mappedClasses(store) == [])
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try mapped.check().contains("Item"))
  }

  @Test func `a column file has the permissions of the database`() throws {
    try mapped.fill()
    try FileManager.default.removeItem(at: mapped.columns)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: mapped.url.path)
    try mapped.withStore { store in
      _ = Mapped.content(of: store)
      store.handle.core.file?.updateColumnFiles()
    }
    func permissions(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions].flatMap {
        ($0 as? NSNumber)?.intValue
      }
    }
    #expect(try permissions(mapped.columns) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: mapped.columns.path) {
      #expect(try permissions(mapped.columns.appending(path: name)) == 0o600)
    }
  }

  @Test func `a class whose declaration has changed is read from the database`() throws {
    try mapped.fill()
    let names = try mapped.expected()["items"]?.count
    try mapped.withStore { store in
      let items = store.objects(Mapped.ChangedItem.self)
      #expect(items.count == names)
      #expect(items.allSatisfy { $0.added == "default" })
      #expect(Mapped.mappedClasses(store) == [])
      try store.write { items[0].added = "changed" }
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try !mapped.check().contains("Item"))
  }

  @Test func `deleting the files of a store deletes its column files`() throws {
    try mapped.fill()
    #expect(FileManager.default.fileExists(atPath: mapped.columns.path))
    try ObjectStore.Store.deleteFiles(Mapped.configuration(mapped.url))
    #expect(!FileManager.default.fileExists(atPath: mapped.columns.path))
  }

  @Test func `a process that is killed while it writes column files leaves no wrong row`()
    async throws
  {
    let path = mapped.folder.url.path(percentEncoded: false)
    var random = SeededRandom(seed: 7)
    for _ in 0..<3 {
      let pause = 20_000 + random.below(300_000)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, pause = pause as Int] in
        let url = URL(filePath: path).appending(path: "mapped.store")
        let store = try ObjectStore.Store(configuration: Mapped.configuration(url))
        var random = SeededRandom(seed: UInt64(pause))
        try Mapped.change(store, &random, count: 500)
        killProcess(afterMicroseconds: pause)
        while true {
          try Mapped.change(store, &random, count: 100)
          store.handle.core.file?.updateColumnFiles()
        }
      }
      try mapped.check()
    }
  }
}
