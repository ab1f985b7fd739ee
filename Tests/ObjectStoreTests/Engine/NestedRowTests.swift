import Testing
import TestSupport

@testable import ObjectStore

// R9
@Suite struct `Keyless rows` {
  let store: Store

  init() throws {
    store = try Store()
  }

  private func update(_ id: Int64, _ pairs: UpdateDictionary) throws -> EngineAnimal {
    var pairs = pairs
    pairs["id"] = .int(id)
    let animal = try store.write {
      try store.create(EngineAnimal.self, value: pairs, update: .modified)
    }
    store.checkInvariants()
    return animal
  }

  private func notes(_ texts: String...) -> UpdateValue {
    .array(texts.map { ["text": .string($0)] })
  }

  private var noteCount: Int { store.objects(EngineNote.self).count }

  /// Replaces the list `a, b, c` and checks which rows the new list keeps.
  @Test(
    arguments: [
      (["a", "b", "c"], [0, 1, 2]),
      (["a", "b", "c", "d"], [0, 1, 2, 3]),
      (["d", "a", "b", "c"], [3, 0, 1, 2]),
      (["a", "d", "c"], [0, 3, 2]),
      (["a", "b", "d", "c"], [0, 1, 3, 2]),
      (["a", "c"], [0, 2]),
      (["b", "c"], [1, 2]),
      (["a", "a", "b", "c"], [0, 3, 1, 2]),
      (["c", "b", "a"], [3, 4, 5]),
      (["a"], [0]),
      ([], []),
    ] as [([String], [Int])])
  func `an update keeps the rows of equal elements at the start and end of a list`(
    texts: [String], slots: [Int]
  ) throws {
    let animal = try update(1, ["notes": notes("a", "b", "c")])
    #expect(animal.notes.map(\.slot) == [0, 1, 2])
    _ = try update(1, ["notes": .array(texts.map { ["text": .string($0)] })])
    #expect(animal.notes.map(\.text) == texts)
    #expect(animal.notes.map(\.slot) == slots)
    // The replaced rows are deleted.
    #expect(noteCount == texts.count)
  }

  @Test func `an update with equal nested content changes nothing`() throws {
    let payload: UpdateDictionary = [
      "notes": [["text": "a", "stars": 1, "replies": [["text": "b"]]]],
      "note": ["text": "c", "author": ["id": "o"]], "collar": ["size": 3, "bells": [["tone": 1]]],
      "scores": ["x": 1], "colors": ["red", "blue"], "doses": [1.5, nil],
    ]
    _ = try update(1, payload)
    let version = store.version
    _ = try update(1, payload)
    #expect(store.version == version)
  }

  @Test func `nested content with 0 differs from content with nil`() throws {
    for stars in [nil, 0, nil] as [Int?] {
      let value: UpdateDictionary = ["id": 1, "note": ["text": "x", "stars": UpdateValue(stars)]]
      for _ in 0..<2 {
        try store.write { try store.create(EngineAnimal.self, value: value, update: .modified) }
      }
      #expect(try store.animal(1).note?.stars == stars)
    }
    #expect(store.objects(EngineNote.self).count == 1)
    store.checkInvariants()
  }

  @Test func `keyless rows count their references`() throws {
    let animal = try update(1, ["notes": notes("a")])
    let note = animal.notes[0]
    func references() throws -> UInt64 {
      try store.tableVersion(EngineNote.self).word(
        note.slot, try store.handle.entry(EngineNote.self).layout.referencesColumn)
    }
    #expect(try references() == 1)
    try store.write {
      animal.note = note
      animal.notes.append(note)
      animal.notes.append(note)
      try store.create(EngineAnimal.self, value: ["id": 2]).note = note
    }
    #expect(try references() == 5)
    try store.write {
      animal.notes.remove(at: 1)
      store.delete(try store.animal(2))
    }
    #expect(try references() == 3)
    store.checkInvariants()
  }

  @Test func `an update deletes a replaced keyless row once nothing else refers to it`() throws {
    let animal = try update(1, ["notes": notes("a", "b")])
    let note = animal.notes[0]
    try store.write { animal.note = note }
    _ = try update(1, ["notes": notes("c")])
    #expect(!note.isInvalidated)
    #expect(noteCount == 2)
    _ = try update(1, ["note": nil])
    #expect(note.isInvalidated)
    #expect(note.text == "a")
    #expect(noteCount == 1)
  }

  @Test func `keyless rows remain when their links are removed or their owner is deleted`() throws {
    let animal = try update(1, ["notes": notes("a", "b"), "note": ["text": "c"]])
    try store.write {
      animal.notes.removeAll()
      animal.note = nil
    }
    #expect(noteCount == 3)
    _ = try update(2, ["note": ["text": "d"]])
    try store.write { store.delete(try store.animal(2)) }
    #expect(noteCount == 4)
    store.checkInvariants()
  }

  @Test func `a replacement keeps keyless rows that were not created nested`() throws {
    let animal = try update(1, [:])
    let note = EngineNote()
    try store.write {
      animal.notes.append(note)
      animal.note = try store.create(EngineNote.self, value: ["text": "own"])
    }
    _ = try update(1, ["notes": notes("a"), "note": ["text": "b"]])
    #expect(!note.isInvalidated)
    #expect(noteCount == 4)
  }

  @Test func `rows nested in a replaced row are deleted with it`() throws {
    _ = try update(
      1, ["note": ["text": "a", "replies": [["text": "b", "replies": [["text": "c"]]]]]])
    #expect(noteCount == 3)
    _ = try update(1, ["note": ["text": "d"]])
    #expect(noteCount == 1)
  }

  @Test func `a keyless row may move to another attribute in the update that replaces it`() throws {
    let animal = try update(1, ["notes": notes("a", "b")])
    let note = animal.notes[0]
    _ = try update(1, ["notes": [], "collar": ["label": UpdateValue(note)]])
    #expect(!note.isInvalidated)
    #expect(animal.collar?.label == note)
    #expect(noteCount == 1)
  }

  @Test func `an equal map value keeps its row only under the same key`() throws {
    let farm = try store.write {
      try store.create(
        EngineFarm.self,
        value: ["id": 1, "notesByDay": ["mo": ["text": "a"], "tu": ["text": "b"]]])
    }
    let slots = farm.notesByDay.values.map(\.slot)
    try store.write {
      try store.create(
        EngineFarm.self,
        value: ["id": 1, "notesByDay": ["we": ["text": "a"], "tu": ["text": "b"]]],
        update: .modified)
    }
    #expect(farm.notesByDay["tu"]?.slot == slots[1])
    #expect(farm.notesByDay["we"]?.slot == 2)
    #expect(noteCount == 2)
    store.checkInvariants()
  }

  final class Shelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var notes: MutableSet<EngineNote>
    @Persisted var owners: List<EngineOwner?>
    @Persisted var ownerSet: MutableSet<EngineOwner?>
  }

  @Test func `keyless rows of a set are inserted by an update and kept if equal`() throws {
    func put(_ texts: String...) throws -> Shelf {
      let shelf = try store.write {
        try store.create(
          Shelf.self, value: ["id": 1, "notes": .array(texts.map { ["text": .string($0)] })],
          update: .modified)
      }
      store.checkInvariants()
      return shelf
    }
    let shelf = try put("a", "b")
    #expect(Set(shelf.notes.map(\.text)) == ["a", "b"])
    #expect(Set(shelf.notes.map(\.slot)) == [0, 1])
    let version = store.version
    _ = try put("b", "a")
    #expect(store.version == version)
    _ = try put("b", "c")
    #expect(Set(shelf.notes.map(\.slot)) == [1, 2])
    #expect(noteCount == 2)
  }

  @Test func `null elements of lists and sets of objects read as nil`() throws {
    let shelf = try store.write {
      try store.create(
        Shelf.self,
        value: ["id": 1, "owners": [nil, ["id": "a"], nil], "ownerSet": [["id": "a"], nil]],
        update: .modified)
    }
    store.checkInvariants()
    #expect(shelf.owners.map { $0?.id } == [nil, "a", nil])
    #expect(Set(shelf.ownerSet.map { $0?.id }) == [nil, "a"])
    try store.write {
      shelf.owners.append(nil)
      shelf.owners.append(try store.owner("a"))
    }
    #expect(shelf.owners.map { $0?.id } == [nil, "a", nil, nil, "a"])
    try store.write { store.delete(try store.owner("a")) }
    #expect(shelf.owners.map { $0?.id } == [nil, nil, nil])
    #expect(shelf.ownerSet.map { $0?.id } == [nil])
    store.checkInvariants()
  }
}

// R9
@Suite struct `An embedded row` {
  let store: Store
  let animal: EngineAnimal
  let farm: EngineFarm

  init() throws {
    let store = try Store()
    self.store = store
    (animal, farm) = try store.write {
      (
        try store.create(
          EngineAnimal.self,
          value: ["id": 1, "collar": ["size": 3, "bells": [["tone": 1], ["tone": 2]]]]),
        try store.create(EngineFarm.self, value: ["id": 1, "collars": [["size": 1], ["size": 2]]])
      )
    }
  }

  private func live<T: ObjectBase>(_ type: T.Type) throws -> Int {
    try store.tableVersion(type).liveCount
  }

  @Test func `an embedded row assigned to a second owner is copied with all rows it owns`() throws {
    try store.write { farm.collars.append(try #require(animal.collar)) }
    #expect(farm.collars.map(\.size) == [1, 2, 3])
    #expect(farm.collars[2] != animal.collar)
    #expect(farm.collars[2].bells.map(\.tone) == [1, 2])
    #expect(try live(EngineBell.self) == 4)
    try store.write { farm.collars[2].bells[0].tone = 9 }
    #expect(animal.collar?.bells[0].tone == 1)
    store.checkInvariants()
  }

  @Test func `an embedded row assigned to its owner a second time is copied`() throws {
    try store.write { farm.collars.append(farm.collars[0]) }
    #expect(farm.collars.map(\.size) == [1, 2, 1])
    #expect(Set(farm.collars.map(\.slot)).count == 3)
    store.checkInvariants()
    try store.write { farm.collars = List([farm.collars[1], farm.collars[1]]) }
    #expect(farm.collars.map(\.size) == [2, 2])
    #expect(try live(EngineCollar.self) == 3)
    store.checkInvariants()
  }

  @Test func `an embedded row keeps its row when its list is reordered`() throws {
    let slots = farm.collars.map(\.slot)
    try store.write { farm.collars.swapAt(0, 1) }
    #expect(farm.collars.map(\.slot) == slots.reversed())
    store.checkInvariants()
  }

  @Test func `an embedded row and the rows it owns are deleted with its only reference`() throws {
    let collar = try #require(animal.collar)
    let bell = collar.bells[0]
    try store.write { animal.collar = nil }
    #expect(collar.isInvalidated && bell.isInvalidated)
    #expect(collar.size == 3)
    #expect(try live(EngineBell.self) == 0)
    try store.write { farm.collars.remove(at: 0) }
    #expect(try live(EngineCollar.self) == 1)
    try store.write { store.delete(farm) }
    #expect(try live(EngineCollar.self) == 0)
    store.checkInvariants()
  }

  @Test func `an update replaces the whole embedded row unless its content is equal`() throws {
    let collar = try #require(animal.collar)
    let version = store.version
    let same: UpdateDictionary = [
      "id": 1, "collar": ["size": 3, "bells": [["tone": 1], ["tone": 2]]],
    ]
    try store.write { try store.create(EngineAnimal.self, value: same, update: .modified) }
    #expect(store.version == version)
    try store.write {
      try store.create(
        EngineAnimal.self, value: ["id": 1, "collar": ["color": "blue"]], update: .modified)
    }
    #expect(collar.isInvalidated)
    #expect(animal.collar?.size == 0)
    #expect(animal.collar?.bells.count == 0)
    store.checkInvariants()
  }
}
