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
  private let folder: TemporaryFolder
  private let url: URL
  private var columns: URL { folder.file("mapped.store.columns") }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("mapped.store")
  }

  /// The content of the file, read from the database only.
  private func expected() throws -> [String: [String]] {
    // Copies of files have no column files for so few rows.
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: url))
    defer { #expect(store.damage == []) }
    return Mapped.content(of: store)
  }

  /// Opens a store, and closes it after `body`.
  private func withStore(
    _ configuration: StoreConfiguration? = nil, _ body: (ObjectStore.Store) throws -> Void
  ) throws {
    var file: StoreFile?
    do {
      let store = try ObjectStore.Store(
        configuration: configuration ?? Mapped.configuration(url))
      file = store.handle.core.file
      try body(store)
    }
    // Closing writes column files in the background.
    file?.columnQueue.sync {}
  }

  private func open() throws -> ObjectStore.Store {
    try ObjectStore.Store(configuration: Mapped.configuration(url))
  }

  /// Creates a store with 1,200 items, shelves and 700 notes, and writes the column files.
  private func fill(seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    try withStore { store in
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      try store.write {
        for id in 0..<700 {
          let value: UpdateDictionary = ["id": .int(Int64(id)), "text": .string("note \(id)")]
          try store.create(Mapped.Note.self, value: value, update: .modified)
        }
      }
      store.handle.core.file?.updateColumnFiles()
    }
  }

  /// Opens the store and compares it with the database. Returns the mapped classes.
  @discardableResult
  private func check(_ comment: Comment? = nil) throws -> [String] {
    let store = try open()
    #expect(try Mapped.content(of: store) == expected(), comment)
    for id in stride(from: 0, to: 2200, by: 37) {
      let found = store.object(ofType: Mapped.Item.self, forPrimaryKey: id)
      #expect(found?.id == store.objects(Mapped.Item.self).where { $0.id == id }.first?.id, comment)
    }
    #expect(store.damage == [], comment)
    let broken = store.handle.engine.newest.brokenInvariants(store.handle.engine)
    #expect(broken == [], comment)
    return Mapped.mappedClasses(store)
  }

  @Test func `classes are mapped, except their last rows`() throws {
    try fill()
    #expect(try check().contains("Item"))
  }

  @Test(arguments: SeededRandom.seeds(1...4))
  func `a mapped store equals the database after random changes`(seed: UInt64) throws {
    let durability = Durability.allCases[Int(seed % 3)]
    var random = SeededRandom(seed: seed)
    var mapped = 0
    for round in 0..<(SeededRandom.steps.map { $0 / 10 } ?? 3) {
      for file in (try? FileManager.default.contentsOfDirectory(atPath: columns.path)) ?? []
      where random.once(in: 4) {
        try flipBit(columns.appending(path: file), &random)
      }
      do {
        let store = try ObjectStore.Store(configuration: Mapped.configuration(url, durability))
        _ = Mapped.content(of: store)
        mapped += Mapped.mappedClasses(store).count
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
      try check("seed \(seed), round \(round)")
    }
    #expect(mapped > 0)
  }

  @Test func `rows that change after a column file was written are read from the database`() throws
  {
    try fill()
    try withStore { store in
      try store.write {
        let item = try #require(store.objects(Mapped.Item.self).first)
        item.name = "changed"
        store.delete(try #require(store.objects(Mapped.Item.self).last))
        try store.create(Mapped.Item.self, value: ["id": 5000, "name": "new"])
      }
    }
    #expect(try check().contains("Item"))
    #expect(
      try expected()["items"]?.filter { $0.contains("changed") || $0.contains("new") }.count == 2)
  }

  /// The column file of a class.
  private func file(of name: String) throws -> URL {
    let files = try FileManager.default.contentsOfDirectory(atPath: columns.path)
    return columns.appending(path: try #require(files.first { $0.hasPrefix(name + "-") }))
  }

  /// Flips a bit of a file.
  private func flipBit(_ file: URL, _ random: inout SeededRandom) throws {
    var bytes = try Data(contentsOf: file)
    bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
    try bytes.write(to: file)
  }

  /// Flips a bit in the block of each chunk of a class.
  private func damageAllChunks(of name: String) throws {
    let file = try file(of: name)
    var bytes = try Data(contentsOf: file)
    func word(_ offset: Int) -> Int {
      bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
    func header(_ field: ColumnFile.Header) -> Int { word(8 * field.rawValue) }
    let entrySize = header(.directoryByteCount) / header(.chunkCount)
    for chunk in 0..<header(.chunkCount) {
      let entry = header(.directoryOffset) + chunk * entrySize
      bytes[word(entry + 8) + word(entry + 16) / 2] ^= 4
    }
    try bytes.write(to: file)
  }

  @Test func `a damaged column file is ignored`() throws {
    try fill()
    let file = try file(of: "Item")
    let bytes = try Data(contentsOf: file)
    let goal = try expected()
    var random = SeededRandom(seed: 5)
    let count = ProcessInfo.processInfo.environment["STORE_FLIPS"].flatMap(Int.init) ?? 20
    for index in 0..<count {
      if index % 3 == 0 {
        try bytes.dropLast(1 + random.below(bytes.count)).write(to: file)
      } else {
        try bytes.write(to: file)
        try flipBit(file, &random)
      }
      var configuration = StoreConfiguration.file(url, readOnly: true)
      configuration.file.columnFileRows = 1
      let store = try ObjectStore.Store(configuration: configuration)
      #expect(Mapped.content(of: store) == goal)
      #expect(store.damage == [])
    }
  }

  /// The notes of the database, as text, and the last one, which is never in the column file.
  private func notes() throws -> (all: [String], lastID: Int) {
    let all = try #require(try expected()["notes"])
    let last = try #require(all.last)
    return (all, try #require(Int(last.prefix { $0 != " " })))
  }

  @Test func `a damaged chunk that is read after commits is read from the database`() throws {
    try fill()
    let (goal, lastID) = try notes()
    try damageAllChunks(of: "Note")
    try withStore { store in
      let last = try #require(store.object(ofType: Mapped.Note.self, forPrimaryKey: lastID))
      #expect(Mapped.mappedClasses(store).contains("Note"))
      try store.write {
        last.text = "changed"
        try store.create(Mapped.Note.self, value: ["id": 9000])
      }
      try store.write { store.delete(last) }
      let notes = store.objects(Mapped.Note.self)
      #expect(notes.map { "\($0.id) \($0.text)" } == goal.dropLast() + ["9000 "])
      #expect(store.damage == [])
    }
    try check()
  }

  @Test func `rows that are damaged in both files are missing and reported`() throws {
    try fill()
    let (goal, lastID) = try notes()
    try damageAllChunks(of: "Note")
    try withStore { store in
      let last = try #require(store.object(ofType: Mapped.Note.self, forPrimaryKey: lastID))
      try EditedFile.execute("UPDATE Note SET text = 'edited' WHERE _row = 1", in: url)
      let found = store.objects(Mapped.Note.self).map { "\($0.id) \($0.text)" }
      #expect(found == goal.suffix(found.count))
      #expect(goal.count - 256..<goal.count ~= found.count)
      let error = StoreError(
        .fileFailed(
          path: url.path(percentEncoded: false),
          reason: "Note: the rows 1 to 256 are damaged in the column file and were changed in the "
            + "database"))
      #expect(store.damage == [error])
      #expect(throws: error) { try store.write { last.text = "" } }
    }
  }

  @Test func `a damaged chunk is read once while other threads change its rows`() throws {
    for _ in 0..<5 {
      try? FileManager.default.removeItem(at: url)
      try fill()
      let goal = try notes().all
      try damageAllChunks(of: "Note")
      try withStore { store in
        let notes = store.objects(Mapped.Note.self).frozen()
        let texts = Mutex<[[String]]>([])
        DispatchQueue.global().async {
          let found = notes.map { "\($0.id) \($0.text)" }
          texts.withLock { $0.append(found) }
        }
        for id in stride(from: 0, to: 700, by: 100) {
          try store.write {
            store.object(ofType: Mapped.Note.self, forPrimaryKey: id)?.text = "changed"
          }
        }
        while texts.withLock({ $0.isEmpty }) { usleep(1000) }
        #expect(texts.withLock { $0 } == [goal])
        #expect(store.damage == [])
      }
      try check()
    }
  }

  /// Creates a store with notes only, and writes their column file.
  private func fillNotes(_ count: Int) throws {
    try withStore { store in
      try store.write {
        for id in 0..<count {
          try store.create(Mapped.Note.self, value: ["id": .int(Int64(id)), "text": "a"])
        }
      }
      store.handle.core.file?.updateColumnFiles()
    }
  }

  @Test func `a damaged chunk of an in-memory copy is read from the copy`() throws {
    try fillNotes(8192)
    try damageAllChunks(of: "Note")
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: url))
    let first = store.object(ofType: Mapped.Note.self, forPrimaryKey: 0)
    #expect(first?.text == "a")
    try ObjectStore.Store.deleteFiles(Mapped.configuration(url))
    #expect(store.objects(Mapped.Note.self).map(\.id) == Array(0..<8192))
    #expect(store.damage == [])
    let copy = store.handle.engine.commitLog as? FileCopy
    #expect(copy?.file.mappedClasses == ["Note"])
  }

  @Test(arguments: [0, 600])
  func `a class is mapped although its last chunks have lost all rows`(insertedCount: Int) throws {
    try fillNotes(2570)
    try withStore { store in
      let notes = store.objects(Mapped.Note.self)
      try store.write {
        for id in 0..<insertedCount {
          try store.create(Mapped.Note.self, value: ["id": .int(Int64(10_000 + id))])
        }
      }
      try store.write { store.delete(Array(notes.dropFirst(2560))) }
    }
    #expect(try check() == ["Note"])
    #expect(try notes().all.count == 2560)
  }

  @Test func `chunks that are first read by several threads are read once`() async throws {
    try fill()
    for isDamaged in [false, true] {
      if isDamaged { for name in ["Item", "Note"] { try damageAllChunks(of: name) } }
      let goal = try expected()
      try withStore { store in
        let notes = store.objects(Mapped.Note.self).frozen()
        let texts = Mutex<[[String]]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          let found = notes.map { "\($0.id) \($0.text)" }
          texts.withLock { $0.append(found) }
        }
        for found in texts.withLock({ $0 }) { #expect(found == goal["notes"]) }
      }
    }
  }

  @Test func `deleting all rows of mapped chunks removes them for good`() throws {
    try fill()
    var left: [Int] = []
    try withStore { store in
      let notes = store.objects(Mapped.Note.self)
      let before = notes.frozen()
      let count = notes.count
      let deleted = Array(notes.limit(600))
      let ids = deleted.map(\.id)
      try store.write { store.delete(deleted) }
      for round in 0..<3 { try store.write { notes.last?.text = "\(round)" } }
      #expect(notes.count == count - 600)
      #expect(ids.allSatisfy { store.object(ofType: Mapped.Note.self, forPrimaryKey: $0) == nil })
      #expect(before.map(\.id).prefix(600) == ids[...])
      try store.write { try store.create(Mapped.Note.self, value: ["id": .int(Int64(ids[0]))]) }
      left = notes.map(\.id)
      let broken = store.handle.engine.newest.brokenInvariants(store.handle.engine)
      #expect(broken == [])
    }
    try check()
    try withStore { #expect($0.objects(Mapped.Note.self).map(\.id) == left) }
  }

  @Test func `a column file of an earlier state or of another store is ignored`() throws {
    try fill()
    let old = folder.file("old")
    try FileManager.default.copyItem(at: columns, to: old)
    try withStore { store in
      var random = SeededRandom(seed: 8)
      for _ in 0..<5 { try Mapped.change(store, &random, count: 400) }
      store.handle.core.file?.updateColumnFiles()
      try Mapped.change(store, &random, count: 5)
    }
    // The list of changes is that since the later file.
    try FileManager.default.removeItem(at: columns)
    try FileManager.default.copyItem(at: old, to: columns)
    #expect(try !check().contains("Item"))
    let other = folder.file("other.store")
    try withStore(Mapped.configuration(other)) { store in
      var random = SeededRandom(seed: 9)
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      store.handle.core.file?.updateColumnFiles()
    }
    try FileManager.default.removeItem(at: columns)
    try FileManager.default.copyItem(at: folder.file("other.store.columns"), to: columns)
    #expect(try check() == [])
  }

  @Test func `an edit of another tool is noticed`() throws {
    try fill()
    try EditedFile.execute("UPDATE Item SET name = 'edited' WHERE _row < 20", in: url)
    do {
      let store = try open()
      _ = store.objects(Mapped.Item.self).count
      let path = url.path(percentEncoded: false)
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
    if isCounted { try fill() }
    var random = SeededRandom(seed: 6)
    try withStore { store in
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      try EditedFile.execute("UPDATE Item SET name = 'edited' WHERE _row < 20", in: url)
      store.handle.core.file?.updateColumnFiles()
    }
    try withStore { store in
      _ = store.objects(Mapped.Item.self).count
      #expect(store.damage.map { "\($0)".contains("Item.name: the checksum is wrong") } == [true])
    }
  }

  @Test func `an accepted edit of another tool is read, and mapped later`() throws {
    try fill()
    try EditedFile.execute(
      "UPDATE Item SET name = 'edited' WHERE _row < 20; DELETE FROM 'Item.tags'", in: url)
    var configuration = StoreConfiguration.file(url, externalEdits: .accept)
    configuration.file.columnFileRows = 1
    try withStore(configuration) { store in
      #expect(store.objects(Mapped.Item.self).where { $0.name == "edited" }.count > 10)
      #expect(store.objects(Mapped.Item.self).allSatisfy { $0.tags.isEmpty })
      #expect(!Mapped.mappedClasses(store).contains("Item"))
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try check().contains("Item"))
  }

  @Test func `a key that changed unnoticed since a column file was written is found`() throws {
    // The last rows are always read from the database, and the file has another key for them.
    try fill()
    let old = folder.file("old")
    try FileManager.default.copyItem(at: columns, to: old)
    var key = 0
    try withStore { store in
      let last = try #require(store.objects(Mapped.Item.self).last)
      key = last.id
      try store.write { try store.rekey(Mapped.Item.self, from: key, to: 90_000) }
      store.handle.core.file?.updateColumnFiles()
    }
    try EditedFile.execute("DELETE FROM store_changed_chunks WHERE chunk >= 0", in: url)
    try FileManager.default.removeItem(at: columns)
    try FileManager.default.copyItem(at: old, to: columns)
    try withStore { store in
      #expect(store.object(ofType: Mapped.Item.self, forPrimaryKey: key) == nil)
      #expect(store.object(ofType: Mapped.Item.self, forPrimaryKey: 90_000)?.id == 90_000)
      #expect(Mapped.mappedClasses(store).contains("Item"))
    }
  }

  @Test func `column files written at the same time lose no change`() async throws {
    try fill()
    try withStore { store in
      var random = SeededRandom(seed: 4)
      let file = try #require(store.handle.core.file)
      for _ in 0..<5 {
        for _ in 0..<2 { DispatchQueue.global().async { file.updateColumnFiles() } }
        try Mapped.change(store, &random, count: 200)
      }
    }
    try check()
  }

  @Test func `a pipe in place of a column file does not stop the store`() throws {
    try fill()
    for name in try FileManager.default.contentsOfDirectory(atPath: columns.path) {
      try FileManager.default.removeItem(at: columns.appending(path: name))
      #expect(mkfifo(columns.appending(path: name).path, 0o600) == 0)
      #expect(mkfifo(columns.appending(path: name + ".unfinished").path, 0o600) == 0)
    }
    try withStore { store in
      _ = Mapped.content(of: store)
      #expect(Mapped.mappedClasses(store) == [])
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try check().contains("Item"))
  }

  @Test func `a column file has the permissions of the database`() throws {
    try fill()
    try FileManager.default.removeItem(at: columns)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    try withStore { store in
      _ = Mapped.content(of: store)
      store.handle.core.file?.updateColumnFiles()
    }
    func permissions(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions].flatMap {
        ($0 as? NSNumber)?.intValue
      }
    }
    #expect(try permissions(columns) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: columns.path) {
      #expect(try permissions(columns.appending(path: name)) == 0o600)
    }
  }

  @Test func `a class whose declaration has changed is read from the database`() throws {
    try fill()
    let names = try expected()["items"]?.count
    try withStore { store in
      let items = store.objects(Mapped.ChangedItem.self)
      #expect(items.count == names)
      #expect(items.allSatisfy { $0.added == "default" })
      #expect(Mapped.mappedClasses(store) == [])
      try store.write { items[0].added = "changed" }
      store.handle.core.file?.updateColumnFiles()
    }
    #expect(try !check().contains("Item"))
  }

  @Test func `deleting the files of a store deletes its column files`() throws {
    try fill()
    #expect(FileManager.default.fileExists(atPath: columns.path))
    try ObjectStore.Store.deleteFiles(Mapped.configuration(url))
    #expect(!FileManager.default.fileExists(atPath: columns.path))
  }

  @Test func `a process that is killed while it writes column files leaves no wrong row`()
    async throws
  {
    let path = folder.url.path(percentEncoded: false)
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
      try check()
    }
  }
}
