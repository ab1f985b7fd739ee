import Foundation
import ObjectStore
import TestSupport
import Testing

private final class Flat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var owner: Owner?
  @Persisted var home: Dwelling?
}

private final class Dwelling: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var keeper: Owner?
  @Persisted var owners: List<Owner>
  @Persisted var address: Address?
}

@Suite struct `Swapping attribute values` {
  private func flats(_ store: Store) throws -> (Flat, Flat) {
    func home(_ name: String, _ owner: UpdateValue) -> UpdateValue {
      [
        "street": .init(name), "keeper": owner, "owners": [owner],
        "address": ["street": .init(name)],
      ]
    }
    return try store.write {
      (
        try store.create(
          Flat.self, value: ["id": 1, "owner": ["id": 1], "home": home("a", ["id": 1])],
          update: .modified),
        try store.create(
          Flat.self, value: ["id": 2, "owner": ["id": 2], "home": home("b", ["id": 2])],
          update: .modified)
      )
    }
  }

  @Test func `swap exchanges links of two objects`() throws {
    let store = try Store()
    let (p, q) = try flats(store)
    try store.write { swap(&p.owner, &q.owner) }
    #expect(p.owner?.id == 2 && q.owner?.id == 1)
    try store.write {
      q.owner = nil
      swap(&p.owner, &q.owner)
    }
    #expect(p.owner == nil && q.owner?.id == 2)
  }

  @Test func `swap exchanges embedded objects with all of their contents`() throws {
    let store = try Store()
    let (p, q) = try flats(store)
    try store.write { swap(&p.home, &q.home) }
    #expect(p.home?.street == "b" && q.home?.street == "a")
    #expect(p.home?.address?.street == "b" && q.home?.address?.street == "a")
    #expect(p.home?.keeper?.id == 2 && q.home?.keeper?.id == 1)
    #expect(q.home?.owners.map(\.id) == [1])
    store.checkInvariants()
    try store.write {
      p.home = nil
      swap(&p.home, &q.home)
    }
    #expect(p.home?.street == "a" && q.home == nil)
    store.checkInvariants()
  }

  @Test func `assigning a replaced embedded object omits links to objects deleted since`()
    throws
  {
    let store = try Store()
    let (p, q) = try flats(store)
    try store.write {
      let old = try #require(p.home)
      p.home = nil
      store.delete(try #require(store.object(ofType: Owner.self, forPrimaryKey: 1)))
      q.home = old
    }
    #expect(q.home?.street == "a" && q.home?.keeper == nil && q.home?.owners.isEmpty == true)
    store.checkInvariants()
  }

  @Test func `an embedded object deleted by an earlier write cannot be assigned`() throws {
    let store = try Store()
    let (p, q) = try flats(store)
    let old = p.home
    try store.write { p.home = nil }
    let error = #expect(throws: StoreError.self) { try store.write { q.home = old } }
    #expect(error?.description == "Dwelling: the object was deleted or rolled back")
  }
}
