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
  typealias Output = [any PartialKeyPath<ExitTest.Result> & Sendable]
  static var error: Output { [\.standardErrorContent] }

  @Test func `assigning outside a write`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      try storeWithAnimal().1.legs = 3
    }
    #expect(result.says("Animal: attributes of a managed object change only inside `write`"))
  }

  @Test func `appending to a list outside a write`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      try storeWithAnimal().1.tags.append("a")
    }
    #expect(result.says("Animal: attributes of a managed object change only inside `write`"))
  }

  @Test func `assigning the primary key`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      try store.write { animal.id = 2 }
    }
    #expect(
      result.says(
        "Animal: the primary key of a managed object cannot be assigned; use store.rekey(_:to:)"))
  }

  @Test func `assigning to a deleted object`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      try store.write {
        store.delete(animal)
        animal.legs = 2
      }
    }
    #expect(result.says("Animal: the object was deleted; its attributes cannot be assigned"))
  }

  @Test func `assigning an object of another store`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      let (_, other) = try storeWithAnimal()
      try store.write { animal.mother = other }
    }
    #expect(
      result.says(
        "Animal: the link cannot be assigned: "
          + "Animal: the object belongs to another store, or is frozen"))
  }

  @Test func `assigning a date that is no number`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      try store.write { animal.born = Date(timeIntervalSince1970: .nan) }
    }
    #expect(result.says("Animal.born: expected a finite Date, found one that is not"))
  }

  @Test func `assigning to an object that a write made, after it`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let store = try Store()
      try store.write { try store.create(Owner.self, value: ["id": 1]) }.name = "x"
    }
    #expect(result.says("Owner: attributes of a managed object change only inside `write`"))
  }

  @Test func `a wrong index of a list`() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = Animal(id: 1).tags[0]
    }
    #expect(unmanaged.says("List index must be < 0 (was 0)"))
    let managed = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = try storeWithAnimal().1.tags[-1]
    }
    #expect(managed.says("List index must be < 0 (was -1)"))
    let inserted = await #expect(processExitsWith: .failure, observing: Self.error) {
      Animal(id: 1).tags.insert("a", at: 3)
    }
    #expect(inserted.says("List range must be within 0..<0 (was 3..<3)"))
    let moved = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      try store.write { animal.tags.move(from: 0, to: 2) }
    }
    #expect(moved.says("List index must be < 0 (was 0)"))
    let swapped = await #expect(processExitsWith: .failure, observing: Self.error) {
      Animal(id: 1).tags.swapAt(-1, 0)
    }
    #expect(swapped.says("List index must be < 0 (was -1)"))
  }

  @Test func `a wrong index of results, frozen results and inverse links`() async {
    let results = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = try storeWithAnimal().0.objects(Animal.self)[1]
    }
    #expect(results.says("Results index must be < 1 (was 1)"))
    let frozen = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = try storeWithAnimal().0.objects(Animal.self).frozen()[1]
    }
    #expect(frozen.says("FrozenResults index must be < 1 (was 1)"))
    let inverse = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = try storeWithAnimal().1.children[0]
    }
    #expect(inverse.says("LinkingObjects index must be < 0 (was 0)"))
  }

  @Test func `deleting outside a write`() async {
    let one = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      store.delete(animal)
    }
    #expect(one.says("Store.delete: objects are deleted only inside `write`"))
    let all = await #expect(processExitsWith: .failure, observing: Self.error) {
      try Store().deleteAll()
    }
    #expect(all.says("Store.deleteAll: objects are deleted only inside `write`"))
  }

  @Test func `deleting an object that is not this store's`() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: Self.error) {
      let store = try Store()
      try store.write { store.delete(Animal(id: 1)) }
    }
    #expect(unmanaged.says("Store.delete: this Animal is not managed by this store"))
    let foreign = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, (_, animal)) = (try Store(), try storeWithAnimal())
      try store.write { store.delete(animal) }
    }
    #expect(foreign.says("Store.delete: this Animal is not managed by this store"))
  }

  @Test func `freezing or referring to an unmanaged object`() async {
    let frozen = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = Animal(id: 1).frozen()
    }
    #expect(frozen.says("Animal.frozen(): the object is not managed"))
    let reference = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = Animal(id: 1).reference
    }
    #expect(reference.says("Animal.reference: the object is not managed by a store"))
  }

  @Test func `asking for the objects of a mistaken class`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      _ = try Store().objects(Mistaken.TwoKeys.self)
    }
    #expect(result.says("TwoKeys: more than one primary key: a, b"))
  }

  @Test func `changing a frozen object`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let (store, animal) = try storeWithAnimal()
      let frozen = animal.frozen()
      try store.write { frozen.withObject { $0.legs = 3 } }
    }
    #expect(result.says("Animal: attributes of a managed object change only inside `write`"))
  }

  nonisolated(unsafe) static var readsItself: () -> Int = { 0 }

  final class Curious: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var others = Misuse.readsItself()
  }

  @Test func `a default that reads objects of its own class at its first use`() async {
    let result = await #expect(processExitsWith: .failure, observing: Self.error) {
      let store = try Store()
      Misuse.readsItself = { store.objects(Curious.self).count }
      try store.write { _ = try store.create(Curious.self, value: ["id": 1]) }
    }
    #expect(
      result.says(
        "Curious: its defaults or its init() read objects of the class itself, which is only just "
          + "looked at; assign such values where objects are made"))
  }
}
