import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Embedded objects that are updated in place` {
  final class Geo: EmbeddedObject {
    @Persisted var lat: Double?
    @Persisted var lon: Double?
    @Persisted var source = "none"
  }

  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city: String?
    @Persisted var floors = 1
    @Persisted(json: "meta.zone") var zone: String?
    @Persisted var geo: Geo?
    @Persisted var history: List<Geo>
    @Persisted var owner: Person?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(.inPlace) var address: Address?
    @Persisted var former: Address?
    override class var tracksEdits: Bool { true }
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  @discardableResult
  private func person(_ text: String, _ absent: AbsentAttributes = .keep) throws -> Person {
    try coder.decode(Person.self, from: Data(text.utf8), absent: absent)
  }

  private static let full = """
    {"id":7,"name":"n","address":{"street":"s","city":"c","floors":3,"meta":{"zone":"z"},\
    "geo":{"lat":1,"lon":2},"history":[{"lat":3,"lon":4}],"owner":{"id":8,"name":"o"},"tag":"t"}}
    """

  // MARK: - Values

  @Test func `a payload keeps the members that it lacks, at every depth`() throws {
    let person = try person(Self.full)
    let address = try #require(person.address)
    let geo = try #require(address.geo)
    try self.person(
      #"{"id":7,"address":{"city":"d","geo":{"lon":9},"owner":{"id":8},"history":[{"lat":5}]}}"#)
    #expect(person.address == address && address.geo == geo)
    #expect(address.city == "d" && address.street == "s" && address.floors == 3)
    #expect(address.zone == "z" && address.rest == ["tag": "t"])
    #expect(geo.lat == 1 && geo.lon == 9 && address.owner?.name == "o")
    // A collection is replaced.
    #expect(address.history.map(\.lat) == [5] && address.history.map(\.lon) == [nil])
    #expect(
      try coder.text(person) == """
        {"id":7,"name":"n","address":{"street":"s","city":"d","floors":3,"meta":{"zone":"z"},\
        "geo":{"lat":1,"lon":9},"history":[{"lat":5}],"owner":{"id":8,"name":"o"},"tag":"t"}}
        """)
  }

  @Test func `without the option the object is replaced`() throws {
    let person = try person(#"{"id":7,"former":{"street":"s","city":"c"}}"#)
    try self.person(#"{"id":7,"former":{"city":"d"}}"#)
    #expect(person.former?.street == "" && person.former?.city == "d")
  }

  @Test func `null removes the object, and a payload without it leaves it unchanged`() throws {
    let person = try person(Self.full)
    let address = try #require(person.address)
    try self.person(#"{"id":7,"name":"m"}"#)
    #expect(person.address == address)
    try self.person(#"{"id":7,"address":{"geo":null}}"#)
    #expect(address.geo == nil && address.city == "c")
    try self.person(#"{"id":7,"address":null}"#)
    #expect(person.address == nil && address.isInvalidated)
    try self.person(#"{"id":7,"address":{"city":"d"}}"#)
    #expect(person.address?.street == "" && person.address?.unknownAttributes.count == 6)
  }

  @Test func `attributes that no payload contained stay unknown`() throws {
    let person = try person(#"{"id":7,"address":{"city":"c"}}"#)
    try self.person(#"{"id":7,"address":{"street":"","geo":{"lat":1}}}"#)
    let address = try #require(person.address)
    #expect(address.unknownAttributes == ["floors", "zone", "history", "owner"])
    #expect(address.geo?.unknownAttributes == ["lon", "source"])
    #expect(
      try coder.text(person)
        == #"{"id":7,"address":{"street":"","city":"c","geo":{"lat":1}}}"#)
  }

  @Test func `unread members are merged`() throws {
    let person = try person(#"{"id":7,"address":{"city":"c","a":1,"b":{"x":1}}}"#)
    try self.person(#"{"id":7,"address":{"b":2,"c":3}}"#)
    #expect(person.address?.rest == ["a": 1, "b": 2, "c": 3])
    let version = store.version
    try self.person(#"{"id":7,"address":{"c":3}}"#)
    #expect(store.version == version)
    // Those of an edited object are added to the server's.
    try store.write { person.address?.city = "mine" }
    try self.person(#"{"id":7,"address":{"d":4}}"#)
    #expect(person.address?.rest == ["a": 1, "b": 2, "c": 3])
    try store.revertEdits(of: person)
    #expect(person.address?.rest == ["a": 1, "b": 2, "c": 3, "d": 4])
  }

  @Test func `objects with the same key in one payload are merged in order`() throws {
    let people = try coder.decodeArray(
      Person.self,
      from: Data(
        """
        [{"id":7,"address":{"city":"c","geo":{"lat":1}}},{"id":3},
         {"id":7,"address":{"street":"s","geo":{"lon":2}}}]
        """.utf8))
    let address = try #require(people[0].address)
    #expect(address.city == "c" && address.street == "s")
    #expect(address.geo?.lat == 1 && address.geo?.lon == 2)
  }

  /// The members that payloads gave an address and its position; a value is nil for null.
  private struct Model: Equatable {
    var members: [String: String?] = [:]
    var geo: [String: String?]?
  }

  @Test(arguments: SeededRandom.seeds(1...3))
  func `random payloads give the values of a naive model`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var model: Model?
    func members(_ names: [String], quotes: Bool) -> [String: String?] {
      var members: [String: String?] = [:]
      for name in names where random.once(in: 2) {
        let value = "\(random.below(3))"
        let isNull = name != "street" && random.once(in: 4)
        members.updateValue(isNull ? nil : quotes ? "\"\(value)\"" : value, forKey: name)
      }
      return members
    }
    func text(_ members: [String: String?]) -> [String] {
      members.map { "\"\($0)\":\($1 ?? "null")" }
    }
    for step in 0..<SeededRandom.steps(800) {
      var object = "null"
      if random.once(in: 10) {
        model = nil
      } else {
        let new = members(["street", "city"], quotes: true)
        var texts = text(new)
        var next = model ?? Model()
        next.members.merge(new) { $1 }
        if random.once(in: 6) {
          texts.append("\"geo\":null")
          next.geo = nil
        } else if random.once(in: 2) {
          let geo = members(["lat", "lon"], quotes: false)
          texts.append("\"geo\":{\(text(geo).joined(separator: ","))}")
          next.geo = (next.geo ?? [:]).merging(geo) { $1 }
        }
        model = next
        object = "{\(texts.joined(separator: ","))}"
      }
      let person = try person("{\"id\":7,\"address\":\(object)}")
      let stored = person.address.map { address in
        func known(_ name: String, _ isKnown: Bool, _ text: String?) -> [String: String?] {
          isKnown ? [name: text] : [:]
        }
        var model = Model()
        model.members = known("street", address.isKnown(\.street), "\"\(address.street)\"")
          .merging(known("city", address.isKnown(\.city), address.city.map { "\"\($0)\"" })) { $1 }
        model.geo = address.geo.map { geo in
          known("lat", geo.isKnown(\.lat), geo.lat.map { "\(Int($0))" })
            .merging(known("lon", geo.isKnown(\.lon), geo.lon.map { "\(Int($0))" })) { $1 }
        }
        return model
      }
      #expect(stored == model, "seed \(seed), step \(step): \(object)")
      if stored != model { return }
    }
  }

  // MARK: - Versions and observers

  @Test func `equal members create no version, and others are reported for the owner`() throws {
    let person = try person(Self.full)
    let version = store.version
    let same = try coder.read(
      Person.self, from: Data(#"{"id":7,"address":{"city":"c","geo":{"lat":1}}}"#.utf8))
    #expect(same.unchanged == 1 && store.version == version)
    var names: [String] = []
    let token = person.observe { change in
      if case .change(let changed) = change { names += changed }
    }
    defer { token.cancel() }
    store.refresh()
    let other = try coder.read(
      Person.self, from: Data(#"{"id":7,"address":{"geo":{"lat":5}}}"#.utf8))
    store.refresh()
    #expect(other.updated == 1 && names == ["address"])
  }

  @Test func `a member that becomes known is stored and reported to no observer`() throws {
    let person = try person(#"{"id":7,"address":{"city":"c"}}"#)
    let version = store.version
    var count = 0
    let token = person.observe { _ in count += 1 }
    defer { token.cancel() }
    store.refresh()
    let result = try coder.read(Person.self, from: Data(#"{"id":7,"address":{"floors":1}}"#.utf8))
    store.refresh()
    #expect(result.unchanged == 1 && count == 0 && store.version != version)
    #expect(person.address?.isKnown(\.floors) == true)
  }

  // MARK: - Complete payloads

  @Test func `a complete payload clears the members that it lacks`() throws {
    let person = try person(Self.full)
    let address = try #require(person.address)
    let text = #"{"id":7,"address":{"city":"d","geo":{"lon":9},"new":1}}"#
    try self.person(text, .clear)
    #expect(person.address == address && address.street == "" && address.floors == 1)
    #expect(address.zone == nil && address.owner == nil && address.history.isEmpty)
    #expect(address.geo?.lat == nil && address.geo?.lon == 9 && address.rest == ["new": 1])
    #expect(address.isWhole && address.geo?.isWhole == true)
    #expect(try coder.text(person) == text)
    let version = store.version
    try self.person(text, .clear)
    #expect(store.version == version)
    try self.person(#"{"id":7,"address":{"city":"d","geo":{}}}"#, .clear)
    #expect(address.rest == [:] && address.geo?.lon == nil)
  }

  // MARK: - Updates by code

  @Test func `an update dictionary updates in place, and an assignment replaces`() throws {
    let person = try person(Self.full)
    let address = try #require(person.address)
    try store.write {
      try store.create(Person.self, value: ["id": 7, "address": ["city": "d"]], update: .modified)
    }
    #expect(person.address == address && address.city == "d" && address.street == "s")
    try store.write {
      let new = Address()
      new.city = "e"
      person.address = new
    }
    #expect(address.isInvalidated && person.address?.street == "" && person.address?.city == "e")
  }

  @Test func `an update dictionary of a payload updates in place`() throws {
    let person = try person(Self.full)
    let update = try coder.updateDictionary(
      for: Person.self,
      from: Data(#"{"id":7,"address":{"city":"d","geo":{"lat":5},"tag":"u"}}"#.utf8))
    try store.write(as: .server) {
      try store.create(Person.self, value: update, update: .modified)
    }
    #expect(person.address?.city == "d" && person.address?.street == "s")
    #expect(person.address?.geo?.lat == 5 && person.address?.geo?.lon == 2)
    #expect(person.address?.rest == ["tag": "u"])
  }

  // MARK: - Edits

  @Test func `a payload updates the base of an edited object in place`() throws {
    let person = try person(Self.full)
    try store.write { person.address?.city = "mine" }
    let result = try coder.read(
      Person.self, from: Data(#"{"id":7,"address":{"street":"t","geo":{"lat":5}}}"#.utf8))
    #expect(result.conflicts.count == 1 && person.address?.city == "mine")
    #expect(person.address?.street == "s" && person.address?.geo?.lat == 1)
    try store.revertEdits(of: person)
    let address = try #require(person.address)
    #expect(address.city == "c" && address.street == "t" && address.floors == 3)
    #expect(address.geo?.lat == 5 && address.geo?.lon == 2)
    try self.person(#"{"id":7,"address":{"city":"x"}}"#)
    #expect(address.city == "x" && person.editState == .clean)
  }

  @Test func `a payload updates the object of a tombstone in place`() throws {
    let person = try person(Self.full)
    try store.write { store.delete(person) }
    _ = try coder.read([Person].self, from: Data(#"[{"id":7,"address":{"city":"d"}}]"#.utf8))
    try store.revertDeletion(of: Person.self, key: 7)
    let again = try #require(store.object(ofType: Person.self, forPrimaryKey: 7))
    #expect(again.address?.city == "d" && again.address?.street == "s")
  }

  // MARK: - Declarations

  @Test func `the option needs an embedded object`() throws {
    let id = Property("id", .int, isPrimaryKey: true)
    let item = ObjectSchema("Item", [id])
    for (property, message) in [
      (
        Property("item", .object("Item"), options: [.inPlace]),
        "Order.item: 'inPlace' needs an embedded object; Item is not embedded"
      ),
      (
        Property("name", .string, options: [.inPlace]),
        "Order.name: the type is String, but the option requires an embedded object"
      ),
    ] {
      let error = #expect(throws: StoreError.self) {
        try Store(
          configuration: .inMemory(), schemas: [item, ObjectSchema("Order", [id, property])])
      }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
  }

  @Test func `the explanation names the option`() throws {
    #expect(coder.explain(Person.self).contains("in place"))
  }
}
