import Foundation
import ObjectStore
import TestSupport
import Testing

class Being: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var friend: Being?
  @Persisted var friends: List<Being>
  @Persisted var map: Map<String, Being?>
}
final class Part: EmbeddedObject {
  @Persisted var part: Part?
}
final class Holder: Object {
  @Persisted var part: Part?
}
final class Person: Being {
  @Persisted var job = ""
}

@Suite struct `Links between objects` {
  @Test func `assigning an unmanaged object to a link adds it`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    let (owner, mother) = (Owner(id: 2, name: "Ann"), Animal(id: 3))
    try store.write {
      try store.add(animal)
      animal.owner = owner
      animal.mother = mother
      mother.mother = Animal(id: 4)
    }
    #expect(owner.isManaged && mother.isManaged)
    #expect(animal.owner == owner && animal.owner?.name == "Ann")
    #expect(animal.mother?.mother?.id == 4)
    try store.write { animal.owner = nil }
    #expect(animal.owner == nil && !owner.isInvalidated)
  }

  @Test func `adding an unmanaged object adds all objects reachable from it`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    let animal = Animal(id: 1)
    animal.owner = Owner(id: 1)
    animal.owner?.home = Address(street: "S")
    animal.mother = Animal(id: 2)
    animal.mother?.mother = animal
    try store.write {
      try store.add(farm)
      farm.animals.append(animal)
    }
    #expect(store.objects(Animal.self).count == 2)
    #expect(animal.owner?.home?.street == "S")
    #expect(animal.mother?.mother == animal)
  }

  @Test func `assigning an embedded object that has an owner copies it`() throws {
    let store = try Store()
    let (a, b, c) = (Farm(name: "A"), Farm(name: "B"), Farm(name: "C"))
    a.address = Address(street: "S", city: "T")
    try store.write {
      try store.add([a, b, c])
      b.address = a.address
      c.fields = [a.address, a.address].compactMap { $0 }.reduce(into: List()) { $0.append($1) }
      b.address?.street = "changed"
    }
    #expect(a.address?.street == "S")
    #expect(b.address?.street == "changed" && b.address?.city == "T")
    #expect(c.fields.map(\.street) == ["S", "S"])
    try store.write { store.delete(a) }
    #expect(c.fields.map(\.street) == ["S", "S"])
  }

  @Test func `an unmanaged embedded object with two owners is stored twice`() throws {
    let store = try Store()
    let (a, b) = (Farm(name: "A"), Farm(name: "B"))
    let address = Address(street: "S")
    a.address = address
    b.address = address
    b.fields = [address, address]
    try store.write {
      try store.add([a, b])
      b.address?.street = "B"
      b.fields[0].street = "F"
    }
    #expect(a.address?.street == "S")
    #expect(b.address?.street == "B")
    #expect(b.fields.map(\.street) == ["F", "S"])
    try store.write { store.delete(a) }
    #expect(b.address?.isInvalidated == false)
  }

  @Test func `replacing an embedded object deletes the old one`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.address = Address(street: "old")
    try store.write { try store.add(farm) }
    let old = try #require(farm.address)
    try store.write { farm.address = Address(street: "new") }
    #expect(old.isInvalidated && farm.address?.street == "new")
    let new = try #require(farm.address)
    try store.write { farm.address = farm.address }
    #expect(farm.address?.street == "new" && !new.isInvalidated)
    try store.write { farm.address = nil }
    #expect(new.isInvalidated)
  }

  @Test func `reordering a list keeps its embedded objects`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.fields = [Address(street: "3"), Address(street: "1"), Address(street: "2")]
    try store.write {
      try store.add(farm)
      farm.fields.sort { $0.street < $1.street }
    }
    #expect(farm.fields.map(\.street) == ["1", "2", "3"])
    try store.write {
      farm.fields.reverse()
      farm.fields.swapAt(0, 1)
      farm.fields.move(from: 2, to: 0)
    }
    #expect(farm.fields.map(\.street) == ["1", "2", "3"])
    let second = farm.fields[1]
    try store.write { farm.fields.remove(at: 1) }
    #expect(second.isInvalidated && farm.fields.map(\.street) == ["1", "3"])
  }

  @Test func `inverse links are correct before and after their index exists`() throws {
    let store = try Store()
    let (a, b) = (Farm(name: "A"), Farm(name: "B"))
    let (one, two) = (Animal(id: 1), Animal(id: 2))
    a.animals = [one, two, one]
    b.animals = [one]
    try store.write { try store.add([a, b]) }
    #expect(Array(one.farms) == [a, b] && Array(two.farms) == [a])
    try store.write { b.animals.append(two) }
    #expect(Array(two.farms) == [a, b])
    try store.write { a.animals.remove(at: 0) }
    #expect(Array(one.farms) == [a, b])
    try store.write { a.animals = [two] }
    #expect(Array(one.farms) == [b])
    try store.write { store.delete(b) }
    #expect(one.farms.isEmpty && Array(two.farms) == [a])
    try store.write {
      one.mother = two
      #expect(Array(two.children) == [one])
      one.mother = nil
      #expect(two.children.isEmpty)
    }
    store.refresh()
    #expect(two.children.isEmpty && two.farms.count == 1 && two.farms[0] == a)
  }

  @Test func `inverse links are correct in the write that creates the objects`() throws {
    let store = try Store()
    try store.write {
      let (one, two) = (Animal(id: 1), Animal(id: 2))
      two.mother = one
      try store.add(two)
      #expect(Array(one.children) == [two])
      store.delete(two)
      #expect(one.children.isEmpty)
    }
  }

  @Test func `an embedded object that contains itself is rejected`() throws {
    let store = try Store()
    let (holder, part) = (Holder(), Part())
    part.part = part
    holder.part = part
    let error = #expect(throws: StoreError.self) { try store.write { try store.add(holder) } }
    #expect(error?.description == "Part: an embedded object cannot contain itself")
    part.part = Part()
    try store.write { try store.add(holder) }
    #expect(holder.part?.part?.isManaged == true && holder.part?.part?.part == nil)
  }

  @Test func `an embedded element appended to its own list is a copy`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.address = Address(street: "a")
    farm.fields = [Address(street: "f")]
    try store.write {
      try store.add(farm)
      farm.fields.append(farm.fields[0])
      farm.fields[1].street = "copy"
      if let address = farm.address { farm.fields.append(address) }
      farm.fields[2].street = "other"
      farm.fields = [farm.fields[2], farm.fields[2]]
      farm.fields[0].street = "again"
    }
    #expect(farm.address?.street == "a")
    #expect(farm.fields.map(\.street) == ["again", "other"])
  }

  @Test func `adding an object with a subclass instance in a link to the superclass throws`() throws
  {
    let store = try Store()
    let being = Being()
    being.friend = Person()
    let error = #expect(throws: StoreError.self) { try store.write { try store.add(being) } }
    #expect(error?.description == "Being.friend: expected Being?, found Person")
    being.friend = nil
    being.friends = [Person()]
    let second = #expect(throws: StoreError.self) { try store.write { try store.add(being) } }
    #expect(second?.description == "Being.friends: expected List<Being>, found Person")
    being.friends = []
    being.map = ["x": Person()]
    let third = #expect(throws: StoreError.self) { try store.write { try store.add(being) } }
    #expect(third?.description == "Being.map: expected Map<String, Being?>, found Person")
    #expect(store.objects(Being.self).isEmpty && store.objects(Person.self).isEmpty)
  }

  @Test func `assigning a subclass instance to a link to the superclass is misuse`() async {
    let link = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      try store.write { try store.create(Being.self, value: ["id": 1]).friend = Person() }
    }
    link.says("Being: the link cannot be assigned: Being.friend: expected Being?, found Person")
    let list = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      try store.write { try store.create(Being.self, value: ["id": 1]).friends.append(Person()) }
    }
    list.says(
      "Being: the elements cannot be assigned: "
        + "Being.friends: expected List<Being>, found Person")
  }
}
