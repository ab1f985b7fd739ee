import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// A chunk of a column file is verified by its first reader and, if it is damaged, read from the database. R33
///
/// `STORE_RANDOM_STEPS` sets ten times the number of openings per seed.
@Suite struct `Chunks of column files` {
  private let mapped: MappedStore

  init() throws { mapped = try MappedStore() }

  @Test func `a damaged chunk that is read after commits is read from the database`() throws {
    try mapped.fill()
    let (goal, lastID) = try mapped.notes()
    try mapped.damageAllChunks(of: "Note")
    try mapped.withStore { store in
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
    try mapped.check()
  }

  @Test func `rows that are damaged in both files are missing and reported`() throws {
    try mapped.fill()
    let (goal, lastID) = try mapped.notes()
    try mapped.damageAllChunks(of: "Note")
    try mapped.withStore { store in
      let last = try #require(store.object(ofType: Mapped.Note.self, forPrimaryKey: lastID))
      try EditedFile.execute("UPDATE Note SET text = 'edited' WHERE _row = 1", in: mapped.url)
      let found = store.objects(Mapped.Note.self).map { "\($0.id) \($0.text)" }
      #expect(found == goal.suffix(found.count))
      #expect(goal.count - 256..<goal.count ~= found.count)
      let error = StoreError(
        .fileFailed(
          path: mapped.url.path(percentEncoded: false),
          reason: "Note: the rows 1 to 256 are damaged in the column file and were changed in the "
            + "database"))
      #expect(store.damage == [error])
      #expect(throws: error) { try store.write { last.text = "" } }
    }
  }

  @Test func `a damaged chunk is read once while other threads change its rows`() throws {
    for _ in 0..<5 {
      try? FileManager.default.removeItem(at: mapped.url)
      try mapped.fill()
      let goal = try mapped.notes().all
      try mapped.damageAllChunks(of: "Note")
      try mapped.withStore { store in
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
      try mapped.check()
    }
  }

  @Test func `a damaged chunk of an in-memory copy is read from the copy`() throws {
    try mapped.fillNotes(8192)
    try mapped.damageAllChunks(of: "Note")
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: mapped.url))
    let first = store.object(ofType: Mapped.Note.self, forPrimaryKey: 0)
    #expect(first?.text == "a")
    try ObjectStore.Store.deleteFiles(Mapped.configuration(mapped.url))
    #expect(store.objects(Mapped.Note.self).map(\.id) == Array(0..<8192))
    #expect(store.damage == [])
    let copy = store.handle.engine.commitLog as? FileCopy
    #expect(copy?.file.mappedClasses == ["Note"])
  }

  @Test(arguments: [0, 600])
  func `a class is mapped although its last chunks have lost all rows`(insertedCount: Int) throws {
    try mapped.fillNotes(2570)
    try mapped.withStore { store in
      let notes = store.objects(Mapped.Note.self)
      try store.write {
        for id in 0..<insertedCount {
          try store.create(Mapped.Note.self, value: ["id": .int(Int64(10_000 + id))])
        }
      }
      try store.write { store.delete(Array(notes.dropFirst(2560))) }
    }
    #expect(try mapped.check() == ["Note"])
    #expect(try mapped.notes().all.count == 2560)
  }

  /// 65 chunks: the last one is alone in a node of the chunk directory.
  private static let nodeCount = 65 * 256

  @Test func `a write that inserts before it changes mapped rows leaves earlier versions alone`()
    throws
  {
    try mapped.fillNotes(Self.nodeCount)
    try mapped.withStore { store in
      let id = Self.nodeCount - 100
      let first = try #require(store.object(ofType: Mapped.Note.self, forPrimaryKey: 0))
      try store.write { first.text = "b" }
      let note = try #require(store.object(ofType: Mapped.Note.self, forPrimaryKey: id))
      let frozen = note.frozen()
      try? store.write {
        try store.create(Mapped.Note.self, value: ["id": -1])
        note.text = "rolled back"
        throw CancellationError()
      }
      #expect(note.text == "a")
      try store.write {
        try store.create(Mapped.Note.self, value: ["id": -1])
        note.text = "c"
      }
      #expect(frozen.text == "a")
    }
    let texts = try mapped.notes().all.suffix(101)
    #expect(texts.first == "\(Self.nodeCount - 100) c")
    #expect(texts.last == "-1 ")
    #expect(try mapped.check() == ["Note"])
  }

  @Test(arguments: SeededRandom.seeds(1...3))
  func `notes of several directory nodes equal a dictionary after random writes`(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    var model = Dictionary(uniqueKeysWithValues: (0..<Self.nodeCount).map { ($0, "a") })
    var next = Self.nodeCount
    try mapped.fillNotes(Self.nodeCount)
    for _ in 0..<SeededRandom.steps(3, per: 10) {
      for file in try mapped.files() where random.once(in: 2) { try mapped.flipBit(file, &random) }
      try mapped.withStore { store in
        for _ in 0..<8 {
          var changed = model
          let held = store.objects(Mapped.Note.self).frozen()
          let isRolledBack = random.once(in: 4)
          try? store.write {
            for _ in 0..<1 + random.below(4) {
              // Often in the last node of the column file.
              let isLast = random.once(in: 2)
              let id = isLast ? Self.nodeCount - 1 - random.below(256) : random.below(next)
              switch random.below(4) {
              case 0:
                for _ in 0..<1 + random.below(300) {
                  try store.create(Mapped.Note.self, value: ["id": .int(Int64(next))])
                  changed[next] = ""
                  next += 1
                }
              case 1:
                for id in id..<id + random.below(600) where changed[id] != nil {
                  store.object(ofType: Mapped.Note.self, forPrimaryKey: id).map(store.delete)
                  changed[id] = nil
                }
              default:
                store.object(ofType: Mapped.Note.self, forPrimaryKey: id)?.text = "\(next)"
                if changed[id] != nil { changed[id] = "\(next)" }
              }
            }
            if isRolledBack { throw CancellationError() }
          }
          let first = random.below(max(held.count, 1))
          for note in held.dropFirst(first).prefix(50) { #expect(note.text == model[note.id]) }
          if !isRolledBack { model = changed }
          if random.once(in: 5) { store.handle.core.file?.updateColumnFiles() }
        }
      }
      try mapped.withStore { store in
        let notes = store.objects(Mapped.Note.self)
        let found = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.text) })
        #expect(found == model)
        #expect(store.damage == [])
      }
    }
  }

  @Test func `chunks that are first read by several threads are read once`() async throws {
    try mapped.fill()
    for isDamaged in [false, true] {
      if isDamaged { for name in ["Item", "Note"] { try mapped.damageAllChunks(of: name) } }
      let goal = try mapped.expected()
      try mapped.withStore { store in
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
    try mapped.fill()
    var left: [Int] = []
    try mapped.withStore { store in
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
    try mapped.check()
    try mapped.withStore { #expect($0.objects(Mapped.Note.self).map(\.id) == left) }
  }
}
