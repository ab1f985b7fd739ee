import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Update dictionaries read their values from the payload they were decoded from.
@Suite struct `Update dictionaries of a payload` {
  private static let payload = Data(
    #"""
    [{ "id": "a", "username": "Zo\u00eb", "rank": 3, "tags": ["x", "y"],
       "publisher": { "identifier": 1, "name": "A long name of a publisher" },
       "home": { "street": "S", "city": "C" }, "address": null },
     { "id": "b", "friends": [{ "id": "c", "username": "C" }, { "id": "a", "rank": 4 }] }]
    """#.utf8)

  private static let expected: [UpdateDictionary] = [
    [
      "objId": "a", "rank": 3, "username": "Zoë", "address": nil,
      "publisher": ["identifier": 1, "name": "A long name of a publisher"], "tags": ["x", "y"],
      "home": ["street": "S", "city": "C"],
    ],
    ["objId": "b", "friends": [["objId": "c", "username": "C"], ["objId": "a", "rank": 4]]],
  ]

  private func dump(_ store: Store) throws -> String {
    let coder = StoreCoder(store: store)
    return try coder.encodeArray(store.objects(Coding.BareUser.self)).text
      + coder.encodeArray(store.objects(Coding.User.self)).text
      + coder.encodeArray(store.objects(Coding.Publisher.self)).text
  }

  private static func updates() throws -> [UpdateDictionary] {
    // The store, the coder and these bytes do not outlive the call.
    let copy = payload + Data()
    return try makeCoder().updateDictionaries(for: Coding.BareUser.self, from: copy)
  }

  @Test func `decoded updates outlive the coder, the store and the payload`() throws {
    let updates = try Self.updates()
    #expect(updates == Self.expected)
    #expect(updates.map(\.hashValue) == Self.expected.map(\.hashValue))
    #expect(updates.map(\.description) == Self.expected.map(\.description))
    #expect(updates.map(\.count) == [7, 2])
    #expect(updates.map(\.keys) == Self.expected.map(\.keys))
    #expect(updates[0]["username"] == "Zoë")
    #expect(updates[0]["address"] == .some(.null))
    #expect(updates[0]["joined"] == nil)
    #expect(updates[0]["no"] == nil)
    #expect(updates[1].map(\.key) == ["objId", "friends"])
  }

  @Test func `changing a decoded update does not change its copies`() throws {
    let updates = try Self.updates()
    var one = updates[0]
    one["rank"] = 5
    one["username"] = .some(nil)
    one["home"] = nil
    #expect(one["rank"] == 5)
    #expect(one["username"] == .some(.null))
    #expect(one["home"] == nil)
    #expect(one.keys == ["objId", "rank", "username", "address", "publisher", "tags"])
    #expect(updates == Self.expected)
  }

  @Test func `decoded updates can be read by several tasks at once`() async throws {
    let updates = try Self.updates()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var isEqual = true
          for _ in 0..<50 {
            isEqual = isEqual && updates == Self.expected && updates[0].count == 7
          }
          return isEqual
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  @Test func `decoded updates are applied after their store has decoded another payload`() throws {
    let coder = try makeCoder()
    let updates = try coder.updateDictionaries(for: Coding.BareUser.self, from: Self.payload)
    try coder.decode(Coding.BareUser.self, #"{ "id": "d", "username": "another payload" }"#)
    for _ in 0..<2 {
      try coder.store.write {
        for update in updates.reversed() {
          try coder.store.create(Coding.BareUser.self, value: update, update: .modified)
        }
      }
    }
    let other = try makeCoder()
    try other.decode(Coding.BareUser.self, #"{ "id": "d", "username": "another payload" }"#)
    try other.store.write {
      for update in Self.expected.reversed() {
        try other.store.create(Coding.BareUser.self, value: update, update: .modified)
      }
    }
    #expect(try dump(coder.store) == dump(other.store))
    #expect(updates == Self.expected)
  }

  final class Repeated: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: Leaf?
    @Persisted var leaves: List<Leaf>
    @Persisted var byName: Map<String, Leaf?>
    @Persisted var last: Leaf?
  }

  @Test(arguments: [
    #""first":{"id":"1","name":"a"},"last":{"id":"1","name":"b"}"#,
    #""last":{"id":"1","name":"a"},"first":{"id":"1","name":"b"}"#,
    #""byName":{"k":{"id":"1","name":"a"}},"first":{"id":"1","name":"b"}"#,
    #""last":{"id":"1","name":"a"},"byName":{"n":null,"k":{"id":"1","name":"b"}},"leaves":[{"id":"1","name":"c"}]"#,
    #""leaves":[{"id":"1","name":"a"}],"last":null,"first":{"id":"1","name":"b"}"#,
  ])
  func `a decoded update with a repeated object has the same effect as decode`(_ members: String)
    throws
  {
    let payload = Data("{\"id\":1,\(members)}".utf8)
    let coder = try makeCoder()
    let other = try makeCoder()
    try coder.decode(Repeated.self, from: payload)
    try other.decode(Repeated.self, from: payload)
    let version = coder.store.version
    let update = try coder.updateDictionary(for: Repeated.self, from: payload)
    try coder.store.write {
      try coder.store.create(Repeated.self, value: update, update: .modified)
    }
    #expect(coder.store.version == version)
    try other.store.write {
      try other.store.create(Repeated.self, value: update, update: .modified)
    }
    #expect(other.store.version == version)
  }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var code = ""
    @Persisted var title = ""

    required init() {
      super.init()
      code = id.uuidString
    }
  }

  @Test
  func
    `a decoded update with a generated key keeps the defaults of the object that generated the key`()
    throws
  {
    let coder = try makeCoder()
    let update = try coder.updateDictionary(
      for: Ticket.self, from: Data(#"{ "title": "t" }"#.utf8))
    #expect(update.keys == ["id", "title"])
    let tickets = try coder.store.write {
      try (0..<2).map { _ in
        try coder.store.create(Ticket.self, value: update, update: .modified)
      }
    }
    #expect(tickets[0] == tickets[1])
    #expect(tickets[0].code == tickets[0].id.uuidString)
    #expect(tickets[0].title == "t")
  }

  @Test func `a decoded update can be applied to another class with the same attributes`() throws {
    let coder = try makeCoder()
    let update = try coder.updateDictionary(
      for: Coding.BareUser.self, from: Data(#"{ "id": "a", "rank": 3 }"#.utf8))
    try coder.store.write {
      let user = try coder.store.create(Coding.User.self, value: update, update: .modified)
      #expect(user.objId == "a" && user.rank == 3)
    }
    #expect(coder.store.objects(Coding.BareUser.self).isEmpty)
    #expect(
      message {
        try coder.store.write {
          _ = try coder.store.create(Coding.Publisher.self, value: update, update: .modified)
        }
      } == "Publisher: 'objId' is not an attribute")
  }
}
