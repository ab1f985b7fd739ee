import Foundation
import ObjectStore
import TestSupport
import Testing

private func storeWithAnimal() throws -> (Store, Animal) {
  let store = try Store()
  let animal = Animal(id: 1)
  try store.write { try store.add(animal) }
  return (store, animal)
}

@Suite struct `Misuse` {
  @Test func `assigning an attribute outside a write is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try storeWithAnimal().1.legs = 3
    }
    result.says("Animal: attributes of a managed object can only be changed inside `write`")
  }

  @Test func `appending to a list outside a write is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try storeWithAnimal().1.tags.append("a")
    }
    result.says("Animal: attributes of a managed object can only be changed inside `write`")
  }

  // R10
  @Test func `assigning the primary key is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, animal) = try storeWithAnimal()
      try store.write { animal.id = 2 }
    }
    result.says(
      "Animal: the primary key of a managed object cannot be assigned; use store.rekey(_:to:)")
  }

  @Test func `assigning an object of another store is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, animal) = try storeWithAnimal()
      let (_, other) = try storeWithAnimal()
      try store.write { animal.mother = other }
    }
    result.says(
      "Animal: the link cannot be assigned: "
        + "Animal: the object is unmanaged or frozen, or belongs to another store")
  }

  @Test func `assigning to a created object after its write is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      try store.write { try store.create(Owner.self, value: ["id": 1]) }.name = "x"
    }
    result.says("Owner: attributes of a managed object can only be changed inside `write`")
  }

  @Test func `an invalid index of a list is misuse`() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal(id: 1).tags[0]
    }
    unmanaged.says("List index must be in 0..<0 (was 0)")
    let managed = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try storeWithAnimal().1.tags[-1]
    }
    managed.says("List index must be in 0..<0 (was -1)")
    let inserted = await #expect(processExitsWith: .failure, observing: .misuseText) {
      Animal(id: 1).tags.insert("a", at: 3)
    }
    inserted.says("List range must be within 0..<0 (was 3..<3)")
    let moved = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, animal) = try storeWithAnimal()
      try store.write { animal.tags.move(from: 0, to: 2) }
    }
    moved.says("List index must be in 0..<0 (was 0)")
    let swapped = await #expect(processExitsWith: .failure, observing: .misuseText) {
      Animal(id: 1).tags.swapAt(-1, 0)
    }
    swapped.says("List index must be in 0..<0 (was -1)")
  }

  @Test func `an invalid index of a set or index path of sections is misuse`() async {
    let set = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = MutableSet(["a"])[1]
    }
    set.says("MutableSet index must be in 0..<1 (was 1)")
    let path = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let animals = try storeWithAnimal().0.objects(Animal.self)
      _ = animals.sectioned(by: \.name)[[0]]
    }
    path.says("SectionedResults index path must have a section and an item (was [0])")
  }

  @Test func `an invalid index of results, frozen results or inverse links is misuse`() async {
    let results = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try storeWithAnimal().0.objects(Animal.self)[1]
    }
    results.says("Results index must be in 0..<1 (was 1)")
    let frozen = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try storeWithAnimal().0.objects(Animal.self).frozen()[1]
    }
    frozen.says("FrozenResults index must be in 0..<1 (was 1)")
    let inverse = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try storeWithAnimal().1.children[0]
    }
    inverse.says("LinkingObjects index must be in 0..<0 (was 0)")
  }

  @Test func `deleting outside a write is misuse`() async {
    let one = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, animal) = try storeWithAnimal()
      store.delete(animal)
    }
    one.says("Store.delete: objects are deleted only inside `write`")
    let all = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try Store().deleteAll()
    }
    all.says("Store.deleteAll: objects are deleted only inside `write`")
  }

  @Test func `deleting an object that this store does not manage is misuse`() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      try store.write { store.delete(Animal(id: 1)) }
    }
    unmanaged.says("Store.delete: this Animal is not managed by this store")
    let foreign = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, (_, animal)) = (try Store(), try storeWithAnimal())
      try store.write { store.delete(animal) }
    }
    foreign.says("Store.delete: this Animal is not managed by this store")
  }

  @Test func `freezing or referencing an unmanaged object is misuse`() async {
    let frozen = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal(id: 1).frozen()
    }
    frozen.says("Animal.frozen(): the object is not managed")
    let reference = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Animal(id: 1).reference
    }
    reference.says("Animal.reference: the object is not managed by a store")
  }

  @Test func `querying the objects of a class with invalid declarations is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try Store().objects(Mistaken.TwoKeys.self)
    }
    result.says("TwoKeys: more than one primary key: a, b")
  }

  @Test func `changing a frozen object is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let (store, animal) = try storeWithAnimal()
      let frozen = animal.frozen()
      try store.write { frozen.withObject { $0.legs = 3 } }
    }
    result.says("Animal: attributes of a managed object can only be changed inside `write`")
  }

  @Test func `says(_:) accepts only the whole message`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      Animal(id: 1)["wings"] = 2
    }
    result.says("Animal: 'wings' is not an attribute")
    for text in ["'wings' is not an attribute", "Animal: 'wings'", ""] {
      withKnownIssue {
        result.says(text)
      } matching: { issue in
        issue.comments.first?.rawValue.hasPrefix("expected a process that exits with: \(text)\n")
          == true
      }
    }
  }

  nonisolated(unsafe) static var readsItself: () -> Int = { 0 }

  final class Curious: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var others = Misuse.readsItself()
  }

  @Test func `a default that reads its own class at the first use of the class is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      Misuse.readsItself = { store.objects(Curious.self).count }
      try store.write { _ = try store.create(Curious.self, value: ["id": 1]) }
    }
    result.says(
      "Curious: its defaults or its init() read objects of the same class while the class "
        + "is being inspected; assign such values after creating the object")
  }
}
