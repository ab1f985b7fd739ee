import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Assignments by name` {
  enum Mood: String, PersistableEnum { case calm, cross }

  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var floor: Int8 = 0
    @Persisted var since = Date(timeIntervalSince1970: 0)
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var age: Int16 = 0
    @Persisted var height: Float = 0
    @Persisted var weight: Double?
    @Persisted var balance: Decimal = 0
    @Persisted var token: UUID?
    @Persisted var page: URL?
    @Persisted var mood = Mood.calm
    @Persisted var address: Address?
    @Persisted var places: List<Address>
    @Persisted var friend: Person?
    @Persisted var friends: List<Person>
    @Persisted var scores: List<Int32>
    @Persisted var byName: Map<String, Person?>
  }

  private let store: Store
  private let person: Person

  init() throws {
    let store = try Store()
    self.store = store
    person = try store.write { try store.create(Person.self, value: ["id": 1]) }
  }

  private func assign(_ name: String, _ value: Any?) throws {
    try store.write { person[name] = value }
  }

  @Test func `an assignment by name converts numbers of other widths`() throws {
    try assign("age", 41)
    try assign("height", 1.5)
    try assign("weight", Float(80.5))
    try assign("balance", 3)
    try assign("scores", [1, 2])
    #expect(person.age == 41 && person.height == 1.5 && person.weight == 80.5)
    #expect(person.balance == 3 && person.scores == [1, 2])
    try assign("weight", UInt8(81))
    #expect(person.weight == 81)
  }

  @Test func `an assignment by name converts numbers of an unmanaged object`() {
    let person = Person()
    person["age"] = 41
    person["height"] = 1.5
    person["weight"] = Float(80.5)
    #expect(person.age == 41 && person.height == 1.5 && person.weight == 80.5)
  }

  @Test func `an assignment by name accepts strings and raw values`() throws {
    try assign("token", "11111111-2222-3333-4444-555555555555")
    try assign("page", "https://example.org/a")
    try assign("mood", "cross")
    #expect(person.token?.uuidString == "11111111-2222-3333-4444-555555555555")
    #expect(person.page?.path == "/a" && person.mood == .cross)
    try assign("mood", Mood.calm)
    #expect(person.mood == .calm)
  }

  @Test func `an assignment by name creates embedded objects from dictionaries`() throws {
    try assign("address", ["street": "Main St", "floor": 2] as [String: Any?])
    #expect(person.address?.street == "Main St" && person.address?.floor == 2)
    #expect(person.address?.since == Date(timeIntervalSince1970: 0))
    try assign("address", ["street": "High St"] as UpdateDictionary)
    #expect(person.address?.street == "High St" && person.address?.floor == 0)
    try assign("places", [["street": "a"], ["street": "b"]])
    #expect(person.places.map(\.street) == ["a", "b"])
    try assign("places", nil)
    try assign("address", nil)
    #expect(person.places.isEmpty && person.address == nil)
    store.checkInvariants()
  }

  @Test func `an assignment by name finds or creates linked objects by their keys`() throws {
    try assign("friend", ["id": 2, "age": 20])
    try assign("friends", [["id": 2], ["id": 3, "friend": ["id": 1, "age": 5]]])
    try assign("byName", ["x": ["id": 3], "y": nil] as [String: Any?])
    #expect(person.friend?.id == 2 && person.friend?.age == 20 && person.age == 5)
    #expect(person.friends.map(\.id) == [2, 3])
    #expect(person.byName["x"]??.id == 3 && person.byName.keys == ["x", "y"])
    #expect(store.objects(Person.self).count == 3)
    store.checkInvariants()
  }

  @Test(
    arguments: [
      ("age", 40_000, "Person.age: 40000 is outside the range of Int16"),
      ("age", "old", #"Person.age: expected Int16, found String "old""#),
      ("age", 1.5, "Person.age: expected Int16, found Double 1.5"),
      ("mood", "sad", #"Person.mood: expected Mood, found String "sad""#),
      ("address", ["stret": "x"], "Address: 'stret' is not an attribute; did you mean 'street'?"),
      ("address", 3, "Person.address: expected Address?, found Int 3"),
      ("friend", ["age": 3], "Person: the update has no value for the primary key 'id'"),
      ("scores", [1, nil] as [Int?], "Person.scores: null for an attribute that is not optional"),
    ] as [(String, any Sendable, String)])
  func `a write throws for an assignment by name that an update would reject`(
    _ name: String, _ value: any Sendable, _ text: String
  ) throws {
    let error = #expect(throws: StoreError.self) { try assign(name, value) }
    #expect(error?.description == text)
    #expect(store.version == 1 && store.objects(Person.self).count == 1)
  }

  @Test func `assigning nil by name to a non-optional attribute makes the write throw`() throws {
    let error = #expect(throws: StoreError.self) { try assign("age", nil) }
    #expect(error?.description == "Person.age: null for an attribute that is not optional")
  }
}
