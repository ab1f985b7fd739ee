import Foundation
import ObjectStore
import TestSupport
import Testing

/// The store's error that `body` throws. For use inside another `#expect`, which cannot be nested.
func thrown(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}

@Suite struct `Transactions` {
  @Test func `write commits the changes of its body and returns its result`() throws {
    let store = try Store()
    let count = try store.write {
      #expect(store.isInWriteTransaction)
      try store.add(Animal(id: 1))
      return store.objects(Animal.self).count
    }
    #expect(count == 1 && store.version == 1 && !store.isInWriteTransaction)
  }

  @Test func `write rolls back and rethrows an error of its body`() throws {
    let store = try Store()
    #expect(throws: Undo.self) {
      try store.write {
        try store.add(Animal(id: 1))
        throw Undo()
      }
    }
    #expect(store.objects(Animal.self).isEmpty && store.version == 0)
    #expect(!store.isInWriteTransaction)
    try store.write { try store.add(Animal(id: 1)) }
  }

  @Test func `commitWrite stores and cancelWrite discards the changes since beginWrite`() throws {
    let store = try Store()
    try store.beginWrite()
    try store.add(Animal(id: 1))
    try store.commitWrite()
    try store.beginWrite()
    try store.add(Animal(id: 2))
    store.cancelWrite()
    #expect(store.objects(Animal.self).map(\.id) == [1])
    store.cancelWrite()
    let error = #expect(throws: StoreError.self) { try store.commitWrite() }
    #expect(
      error?.description
        == "this handle has no open write; call this inside `write`, or after `beginWrite`")
  }

  @Test func `the body of a write can end the write`() throws {
    let store = try Store()
    try store.write {
      try store.add(Animal(id: 1))
      try store.commitWrite()
    }
    try store.write {
      try store.add(Animal(id: 2))
      store.cancelWrite()
    }
    #expect(store.objects(Animal.self).map(\.id) == [1] && !store.isInWriteTransaction)
  }

  @Test func `a nested write that throws undoes only its own changes`() throws {
    let store = try Store()
    let (kept, undone) = (Animal(id: 1, name: "kept"), Animal(id: 2, name: "undone"))
    try store.write {
      try store.add(kept)
      kept.legs = 3
      do {
        try store.write {
          kept.legs = 2
          kept.tags.append("inner")
          try store.add(undone)
          kept.mother = undone
          throw Undo()
        }
      } catch is Undo {}
      #expect(kept.legs == 3 && kept.tags.isEmpty && kept.mother == nil)
      #expect(kept.isManaged && !undone.isManaged && undone.name == "undone")
      try store.write { kept.name = "both" }
    }
    #expect(store.objects(Animal.self).map(\.name) == ["both"] && store.version == 1)
  }

  @Test func `savepoints can be nested 20 levels deep`() throws {
    let store = try Store()
    func descend(_ depth: Int) throws {
      try store.write {
        try store.add(Animal(id: depth))
        if depth < 20 { try? descend(depth + 1) }
        if depth % 2 == 1 { throw Undo() }
      }
    }
    try descend(0)
    #expect(store.objects(Animal.self).map(\.id) == [0])
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 0) != nil)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 2) == nil)
  }

  @Test func `rolling back an outer write undoes a finished inner write`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    _ = try? store.write {
      try store.write { try store.add(animal) }
      throw Undo()
    }
    #expect(!animal.isManaged && store.objects(Animal.self).isEmpty)
  }

  @Test func `a write without changes creates no version`() throws {
    let store = try Store()
    let animal = Animal(id: 1, name: "Bella")
    try store.write { try store.add(animal) }
    try store.write {}
    try store.write {
      animal.name = "Bella"
      animal.tags = []
      animal.owner = nil
    }
    try store.write {
      try store.create(Animal.self, value: ["id": 1, "legs": 4], update: .modified)
    }
    #expect(store.version == 1)
    try store.write { animal.legs = 3 }
    #expect(store.version == 2)
  }

  // R21
  @Test func `a write on a second handle inside a write throws`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try store.write {
      let error = #expect(throws: StoreError.self) { try other.write {} }
      #expect(
        error?.description == "the same code has an open write on another handle of this store")
      #expect(throws: StoreError(.alreadyWriting)) { try other.beginWrite() }
      #expect(throws: StoreError(.alreadyWriting)) {
        try other.update(id: 1, \Animal.legs, 3)
      }
      try store.add(Animal(id: 1))
    }
    try other.write { try other.add(Animal(id: 2)) }
    store.refresh()
    #expect(store.objects(Animal.self).count == 2)
  }

  @Test func `a write begins from the newest version`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try other.write { try other.add(Animal(id: 1)) }
    #expect(store.objects(Animal.self).isEmpty)
    try store.write { #expect(store.objects(Animal.self).count == 1) }
    try other.write { try other.add(Animal(id: 2)) }
    #expect(store.objects(Animal.self).count == 1)
    store.refresh()
    #expect(store.objects(Animal.self).count == 2)
  }

  @Test func `objects show changes at once inside a write and after it`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    let results = store.objects(Animal.self)
    try store.write {
      try store.add(animal)
      let same = try #require(store.object(ofType: Animal.self, forPrimaryKey: 1))
      same.name = "seen"
      #expect(animal.name == "seen" && results.count == 1)
    }
    #expect(animal.name == "seen" && results.first?.name == "seen")
  }

  @Test func `handles share an in-memory store only if they have the same identifier`() throws {
    let name = UUID().uuidString
    let one = try Store(configuration: .inMemory(identifier: name))
    let two = try Store(configuration: .inMemory(identifier: name))
    let three = try Store()
    try one.write { try one.add(Animal(id: 1)) }
    two.refresh()
    #expect(two.objects(Animal.self).count == 1 && three.objects(Animal.self).isEmpty)
    #expect(one.configuration == two.configuration && one.configuration != three.configuration)
  }

  @Test(arguments: [
    "add", "create", "rekey", "commit",
  ])
  func `a call that needs a write throws outside a write`(_ verb: String) throws {
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    let error = #expect(throws: StoreError.self) {
      switch verb {
      case "add": try store.add(Animal(id: 2))
      case "create": try store.create(Animal.self, value: ["id": 2])
      case "rekey": try store.rekey(animal, to: 2)
      default: try store.commitWrite()
      }
    }
    #expect(
      error?.description
        == "this handle has no open write; call this inside `write`, or after `beginWrite`")
  }
}
