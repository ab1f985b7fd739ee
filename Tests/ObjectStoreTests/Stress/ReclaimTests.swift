import Foundation
import Testing
import TestSupport

@testable import ObjectStore

extension TableVersion {
  /// The number of present chunks.
  var chunkCount: Int {
    var chunks = 0
    forEachChunk { _ in
      chunks += 1
      return true
    }
    return chunks
  }

  /// The number of present branches of the directory.
  var branchCount: Int {
    var branches = 0
    for segment in 0..<segmentCount {
      guard let segment = segments[segment]?.takeUnretainedValue() else { continue }
      branches += 1 + (0..<DirectoryLayout.fanOut).count { segment.children[$0] != nil }
    }
    return branches
  }

  /// The bytes in the arenas of all chunks.
  var arenaBytes: Int {
    var bytes = 0
    forEachChunk { slots in
      let chunk = chunk(slots.lowerBound >> ChunkLayout.shift).takeUnretainedValue()
      for column in 0..<chunk.columnCount {
        let block = chunk.columns[column].block.takeUnretainedValue()
        bytes += (block.text?.capacity ?? 0) + (block.elements?.capacity ?? 0)
      }
      return true
    }
    return bytes
  }
}

@Suite struct `Reclaimed memory` {
  let store: Store
  let text = String(repeating: "x", count: 1000)

  init() throws {
    store = try Store()
    try store.write { try store.create(EngineOwner.self, value: ["id": "tick"]) }
  }

  /// Makes a commit that does not change the notes.
  private func tick() throws {
    try store.write { try store.owner("tick").rank += 1 }
  }

  private func makeNotes(_ count: Int) throws -> [EngineNote] {
    try (0..<count).map { number in
      try store.create(
        EngineNote.self, value: ["text": .init(text), "stars": .int(Int64(number))])
    }
  }

  // R27
  @Test func `chunks of rows inserted and deleted in one write are reclaimed`() throws {
    for _ in 0..<40 {
      try store.write {
        try store.owner("tick").rank += 1
        store.delete(try makeNotes(100))
      }
    }
    try tick()
    let notes = try store.tableVersion(EngineNote.self)
    #expect(notes.liveCount == 0)
    #expect(notes.chunkCount <= 2)
    #expect(store.handle.engine.reclaimer.count <= 1)
    store.checkInvariants()
  }

  @Test func `chunks of rows of a rolled-back write are reclaimed`() throws {
    for round in 0..<40 {
      store.undone { _ = try makeNotes(100) }
      if round % 5 == 0 { try store.write { _ = try makeNotes(1) } }
    }
    try store.write { store.delete(store.objects(EngineNote.self)) }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineNote.self).chunkCount <= 2)
    store.checkInvariants()
  }

  @Test func `an emptied chunk that is not full accepts later rows`() throws {
    try store.write { _ = try makeNotes(200) }
    try store.write { store.delete(store.objects(EngineNote.self)) }
    for stars in [2, 3] as [Int64] {
      try store.write { try store.create(EngineNote.self, value: ["stars": .int(stars)]) }
    }
    #expect(store.objects(EngineNote.self).map(\.stars) == [2, 3])
    store.checkInvariants()
  }

  @Test func `a row does not retain the strings of deleted rows of its chunk`() throws {
    for _ in 0..<8 {
      var notes: [EngineNote] = []
      try store.write { notes = try makeNotes(256) }
      notes.remove(at: 77)
      try store.write { store.delete(notes) }
      try tick()
    }
    try tick()
    let version = try store.tableVersion(EngineNote.self)
    #expect(version.liveCount == 8)
    // 8 strings of 1,000 bytes, and the capacity of the open chunk.
    #expect(version.arenaBytes < 20_000)
    #expect(store.objects(EngineNote.self).allSatisfy { $0.text == text && $0.stars == 77 })
    store.checkInvariants()
  }

  @Test func `a large replaced string is reclaimed`() throws {
    try store.write { _ = try makeNotes(200) }
    try store.write { for note in store.objects(EngineNote.self) { note.text = "short" } }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineNote.self).arenaBytes < 5000)
    #expect(store.objects(EngineNote.self).allSatisfy { $0.text == "short" })
    store.checkInvariants()
  }

  @Test func `a large emptied list is reclaimed`() throws {
    try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 1])
      for number in 0..<5000 { animal.doses.append(Double(number)) }
    }
    try store.write { try store.animal(1).doses.removeAll() }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineAnimal.self).arenaBytes < 2000)
    store.checkInvariants()
  }

  @Test func `list elements inserted and removed in one write are reclaimed`() throws {
    var animals: [EngineAnimal] = []
    try store.write {
      for id in 0..<20 as Range<Int64> {
        let animal = try store.create(EngineAnimal.self, value: ["id": .int(id)])
        animal.doses.append(contentsOf: (0..<4000).map(Double.init))
        animal.doses.removeSubrange(2..<3999)
        animals.append(animal)
      }
    }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineAnimal.self).arenaBytes < 5000)
    #expect(animals.allSatisfy { Array($0.doses) == [0, 1, 3999] })
    store.checkInvariants()
  }

  @Test(arguments: [true, false])
  func `list elements removed one per write are reclaimed`(atFront: Bool)
    throws
  {
    let animal = try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 1])
      animal.doses.append(contentsOf: (0..<2000).map(Double.init))
      animal.tags.append(contentsOf: (0..<2000).map { "name of an animal \($0)" })
      return animal
    }
    for _ in 0..<1990 {
      try store.write {
        animal.doses.remove(at: atFront ? 0 : animal.doses.count - 1)
        animal.tags.remove(at: atFront ? 0 : animal.tags.count - 1)
      }
    }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineAnimal.self).arenaBytes < 20_000)
    #expect(animal.doses.count == 10 && animal.tags.count == 10)
    #expect(animal.doses.first == (atFront ? 1990 : 0))
    store.checkInvariants()
  }

  @Test func `former values of a string that every write changes are reclaimed`() throws {
    try store.write { _ = try makeNotes(3) }
    let note = try #require(store.objects(EngineNote.self).first)
    for round in 0..<200 {
      try store.write { note.text = String(repeating: "abcdefgh", count: round % 7 * 50) }
    }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineNote.self).arenaBytes < 20_000)
    store.checkInvariants()
  }

  // R4
  @Test func `rows that a version shows are kept while it is held`() throws {
    var notes: [EngineNote] = []
    try store.write { notes = try makeNotes(256) }
    var frozen: FrozenResults<EngineNote>? = store.objects(EngineNote.self).frozen()
    let survivor = notes.remove(at: 77)
    try store.write { store.delete(notes) }
    for _ in 0..<5 { try tick() }
    #expect(notes.allSatisfy { $0.isInvalidated && $0.text == text })
    #expect(frozen?.count == 256)
    #expect(frozen?[255].text == text)
    // Rows inserted and deleted since are reclaimed meanwhile: the held version never showed them.
    try store.write { notes = try makeNotes(512) }
    try store.write { store.delete(notes) }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineNote.self).chunkCount <= 2)
    frozen = nil
    try tick()
    #expect(notes.allSatisfy { $0.isInvalidated && $0.text == "" && $0.stars == nil })
    #expect(survivor.text == text)
    #expect(try store.tableVersion(EngineNote.self).arenaBytes < 5000)
    store.checkInvariants()
  }

  @Test
  func
    `a row deleted after other rows of its chunk stays readable in versions between the deletions`()
    throws
  {
    var notes: [EngineNote] = []
    try store.write { notes = try makeNotes(256) }
    var first: FrozenResults<EngineNote>? = store.objects(EngineNote.self).frozen()
    try store.write { store.delete(notes.prefix(200)) }
    let long = String(repeating: "y", count: 5000)
    try store.write { for note in notes.suffix(56) { note.text = long } }
    let second = store.objects(EngineNote.self).frozen()
    // Too little garbage to pack the chunk, which is already waiting.
    try store.write { store.delete(notes[255]) }
    try store.write { for note in notes[200..<255] { note.text = "short" } }
    #expect(first?.count == 256)
    first = nil
    for _ in 0..<5 { try tick() }
    #expect(second.last?.text == long)
    #expect(notes[255].isInvalidated && notes[255].text == long && notes[255].stars == 255)
    store.checkInvariants()
  }

  @Test func `small strings that were replaced are reclaimed`() throws {
    let text = String(repeating: "z", count: 20)
    try store.write {
      for _ in 0..<256 { try store.create(EngineNote.self, value: ["text": .init(text)]) }
    }
    try store.write { for note in store.objects(EngineNote.self) { note.text = "" } }
    try tick()
    try tick()
    #expect(try store.tableVersion(EngineNote.self).arenaBytes < 1000)
  }

  @Test func `a commit frees all empty chunks but packs only 64 sparse ones`() throws {
    var notes: [EngineNote] = []
    try store.write { notes = try makeNotes(256 * 160) }
    let isSurvivor: (Int) -> Bool = { $0 % 512 == 0 }
    try store.write {
      store.delete(notes.indices.filter { !isSurvivor($0) }.map { notes[$0] })
    }
    notes = []
    let reclaimer = { store.handle.engine.reclaimer.count }
    #expect(reclaimer() == 160)
    try tick()
    #expect(reclaimer() == 80 - 64)
    try tick()
    #expect(reclaimer() == 0)
    #expect(try store.tableVersion(EngineNote.self).chunkCount == 80)
    #expect(try store.tableVersion(EngineNote.self).arenaBytes < 80 * 1100 + 5000)
    #expect(store.objects(EngineNote.self).count == 80)
    store.checkInvariants()
  }
}

// R28
@Suite struct `The version registry` {
  @Test func `the version registry counts the live versions`() throws {
    let store = try Store()
    try store.write { try store.create(EngineOwner.self, value: ["id": "o"]) }
    let owner = try store.owner("o")
    let registry = store.handle.engine.registry
    var held: [Frozen<EngineOwner>] = []
    for round in 1...300 {
      try store.write { owner.rank = round }
      held.append(owner.frozen())
    }
    #expect(registry.count == 300)
    #expect(held.map(\.rank) == Array(1...300))
    for index in stride(from: 298, through: 0, by: -2) { held.remove(at: index) }
    #expect(registry.count == 150)
    held = []
    #expect(registry.count == 1)
    try store.write { owner.rank = 0 }
    #expect(registry.count == 1)
  }

  @Test func `the version registry finds live versions by number in any order of release`() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<50 {
      let registry = VersionRegistry()
      var model: [UInt64] = []
      for number in 0..<UInt64(1 + random.below(120)) {
        registry.register(number)
        model.append(number)
        while model.count > 1, random.once(in: 2) {
          registry.unregister(model.remove(at: random.below(model.count)))
        }
        let low = UInt64(random.below(Int(number) + 2))
        let range = low..<low + UInt64(random.below(20))
        #expect(registry.watch(newestIn: range) == model.last { range.contains($0) })
        #expect(registry.count == model.count)
      }
    }
  }

  @Test func `the version registry reports the release of watched versions`() {
    let registry = VersionRegistry()
    for number in 0..<5 as Range<UInt64> { registry.register(number) }
    #expect(registry.watch(newestIn: 1..<4) == 3)
    registry.unregister(2)
    #expect(registry.takeReleased() == [])
    registry.unregister(3)
    #expect(registry.takeReleased() == [3])
    #expect(registry.takeReleased() == [])
    #expect(registry.watch(newestIn: 1..<4) == 1)
    #expect(registry.watch(newestIn: 2..<4) == nil)
    #expect(registry.watch(newestIn: 4..<4) == nil)
  }
}
