import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Round trips` {
  /// The complete content of the tested classes as text.
  private func dump(_ store: Store) throws -> String {
    let coder = StoreCoder(store: store)
    return try [
      coder.encodeArray(store.objects(AllTypes.self).sorted { $0.id < $1.id }),
      coder.encodeArray(store.objects(Leaf.self).sorted { $0.id < $1.id }),
    ].map(\.text).joined(separator: "\n") + "\n\(store.objects(Remark.self).count) remarks"
  }

  @Test(arguments: 1...40)
  func `decoding an encoded object changes nothing in its store`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    let store = coder.store
    let object = randomAllTypes(&random)
    try store.write { try store.add(object) }
    let before = try dump(store)
    let version = store.version
    try coder.decode(AllTypes.self, from: coder.encode(object))
    #expect(store.version == version)
    #expect(try dump(store) == before)
  }

  @Test(arguments: 1...40)
  func `a decoded body is encoded to the same text`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let payload = try makeCoder().encode(randomAllTypes(&random))
    let coder = try makeCoder()
    #expect(try coder.encode(coder.decode(AllTypes.self, from: payload)).text == payload.text)
  }

  @Test(
    arguments: [
      StoreCoder.OutputFormatting.prettyPrinted, .sortedKeys, [.prettyPrinted, .sortedKeys], [],
    ])
  func `output of every formatting reads back`(formatting: StoreCoder.OutputFormatting) throws {
    var random = SeededRandom(seed: 5)
    let coder = try makeCoder { $0.outputFormatting = formatting }
    for _ in 0..<20 {
      let object = try coder.decode(AllTypes.self, from: coder.encode(randomAllTypes(&random)))
      let version = coder.store.version
      try coder.decode(AllTypes.self, from: coder.encode(object))
      #expect(coder.store.version == version)
    }
  }

  // MARK: - Update dictionaries

  /// The way a decoded update is applied to a store.
  enum Way: CaseIterable {
    /// Unchanged, to the store it was decoded for, which reuses its cells.
    case own
    /// To another store, which creates values from it.
    case another
    /// After a change, so that it has its own names and values.
    case changed
  }

  @Test(arguments: 1...15, Way.allCases)
  func `applying an update dictionary has the same effect as decode`(
    seed: UInt64, way: Way
  ) throws {
    var random = SeededRandom(seed: seed)
    let writer = try makeCoder()
    let decoded = try makeCoder()
    let applied = try makeCoder()
    let reader = way == .another ? try makeCoder() : applied

    for round in 0..<3 {
      let object = randomAllTypes(&random)
      // The first two rounds insert an object each; the third updates the second object.
      if round > 0 { object.id = 7 }
      let payload = try writer.encode(object)
      try decoded.decode(AllTypes.self, from: payload)
      var update = try reader.updateDictionary(for: AllTypes.self, from: payload)
      if way == .changed {
        update["no"] = nil
        let id = update["id"]
        update["id"] = 0
        update["id"] = id
      }
      try applied.store.write {
        _ = try applied.store.create(AllTypes.self, value: update, update: .modified)
      }
      #expect(try dump(applied.store) == dump(decoded.store))
      let version = applied.store.version
      try applied.decode(AllTypes.self, from: payload)
      #expect(applied.store.version == version)
    }
  }

  @Test func `updateDictionary returns the values of the payload without changing the store`()
    throws
  {
    let coder = try makeCoder()
    let update = try coder.updateDictionary(
      for: Coding.BareUser.self,
      from: Data(
        #"""
        { "id": "a", "rank": 3, "address": null, "joined": "2018-05-18T14:53:37Z", "x": 1,
          "publisher": { "identifier": 1 }, "tags": ["t"], "friends": [{ "id": "b" }], "role": "admin" }
        """#.utf8))
    #expect(
      update == [
        "objId": "a", "rank": 3, "address": nil,
        "joined": .init(Date(timeIntervalSince1970: 1_526_655_217)),
        "publisher": ["identifier": 1], "tags": ["t"], "friends": [["objId": "b"]], "role": "admin",
      ])
    #expect(
      update.keys == [
        "objId", "rank", "address", "joined", "publisher", "tags", "friends", "role",
      ])
    #expect(coder.store.objects(Coding.BareUser.self).isEmpty)
    #expect(coder.store.version == (try Store().version))
  }

  @Test(arguments: ["http://é.de/ü", "http://a.de/b c", "HTTP://A.de/%7e", "a", "?q=ü"])
  func `an update dictionary stores the same URL string as decode`(url: String) throws {
    let coder = try makeCoder()
    let payload = Data(#"{"id":1,"url":"\#(url)"}"#.utf8)
    let values = try coder.decode(AllTypes.self, from: payload)
    #expect(try coder.text(values).contains("\"url\":\"\(url)\""))
    let version = coder.store.version
    try coder.store.write {
      try coder.store.create(
        AllTypes.self,
        value: coder.updateDictionary(for: AllTypes.self, from: payload), update: .modified)
    }
    #expect(coder.store.version == version)
    #expect(try coder.text(values).contains("\"url\":\"\(url)\""))
  }

  @Test func `the update dictionaries of a list are in the order of its elements`() throws {
    let coder = try makeCoder()
    let updates = try coder.updateDictionaries(
      for: Coding.User.self, from: Data(#"{ "users": [{ "id": "b" }, { "id": "a" }] }"#.utf8))
    #expect(updates == [["objId": "b"], ["objId": "a"]])
    #expect(
      message {
        _ = try coder.updateDictionaries(
          for: Coding.User.self, from: Data(#"{ "users": [{}] }"#.utf8))
      } == "users[0]: no key of the object belongs to User, found no keys at line 1, column 13")
  }
}
