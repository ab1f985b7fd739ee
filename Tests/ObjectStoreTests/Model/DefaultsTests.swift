import Foundation
import ObjectStore
import TestSupport
import Testing

private nonisolated(unsafe) var evaluations = 0

private func next() -> Int {
  evaluations += 1
  return evaluations
}

final class Ticket: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var made = Date()
  @Persisted var token: UUID
  @Persisted var number = next()
  @Persisted var legs = 4
  @Persisted var name = "none"
  @Persisted var note: String? = "empty"
  @Persisted var price: Double? = 0
  @Persisted var flag = true
  @Persisted var species: Species = .horse
  @Persisted var tags: List<String> = ["a", "b"]
  @Persisted var marks: MutableSet<Int> = [2, 1]
  @Persisted var map: Map<String, Int> = ["k": 1]
  @Persisted var json: JSONValue = ["x": [1]]
  @Persisted var born = Date(timeIntervalSince1970: 1000)
}

final class WithDefaultObject: Object {
  @Persisted var owner: Owner? = Owner(id: 9, name: "default")
  @Persisted var home: Address? = Address(street: "default")
}

@Suite struct DefaultsTests {
  @Test func `defaults that differ are evaluated for each object`() throws {
    let store = try Store()
    let (a, b) = try store.write {
      (try store.create(Ticket.self), try store.create(Ticket.self))
    }
    #expect(a.id != b.id)
    #expect(a.token != b.token)
    #expect(a.number != b.number)
    #expect(a.made <= b.made && a.made.timeIntervalSinceNow > -60)
    let (c, d) = (Ticket(), Ticket())
    #expect(c.id != d.id && c.token != d.token && c.number != d.number)
    let id = c.id
    try store.write { try store.add(c) }
    #expect(c.id == id && c.token == c.token)
  }

  @Test func `constant defaults stand in created and added objects alike`() throws {
    let store = try Store()
    let added = Ticket()
    let created = try store.write {
      try store.add(added)
      return try store.create(Ticket.self, value: ["name": "given"])
    }
    #expect(added.name == "none" && created.name == "given")
    for ticket in [added, created] {
      #expect(ticket.legs == 4)
      #expect(ticket.note == "empty")
      #expect(ticket.price == 0)
      #expect(ticket.flag)
      #expect(ticket.species == .horse)
      #expect(Array(ticket.tags) == ["a", "b"])
      #expect(Set(ticket.marks) == [1, 2])
      #expect(ticket.map.dictionary == ["k": 1])
      #expect(ticket.json == ["x": [1]])
      #expect(ticket.born == Date(timeIntervalSince1970: 1000))
    }
  }

  @Test func `null is not the default`() throws {
    let store = try Store()
    let ticket = try store.write {
      try store.create(Ticket.self, value: ["note": nil, "price": nil, "tags": nil])
    }
    #expect(ticket.note == nil && ticket.price == nil && ticket.tags.isEmpty)
  }

  @Test func `a default that is an object is added with its owner`() throws {
    let store = try Store()
    let object = WithDefaultObject()
    #expect(object.owner?.name == "default")
    try store.write { try store.add(object) }
    #expect(store.objects(Owner.self).map(\.id) == [9])
    #expect(object.home?.street == "default")
  }

  @Test func `create leaves a link whose default is an object nil`() throws {
    let store = try Store()
    let made = try store.write { try store.create(WithDefaultObject.self) }
    #expect(made.owner == nil && made.home == nil)
    #expect(store.objects(Owner.self).isEmpty)
  }
}
