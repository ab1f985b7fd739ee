import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Round trips` {
  /// Everything a store has of the classes that take part, as text.
  private func dump(_ store: Store) throws -> String {
    let coder = StoreCoder(store: store)
    return try [
      coder.encodeArray(store.objects(Coding.Values.self)),
      coder.encodeArray(store.objects(Coding.Optionals.self)),
      coder.encodeArray(store.objects(Coding.Collections.self)),
      coder.encodeArray(store.objects(Coding.Leaf.self).sorted { $0.id < $1.id }),
    ].map(\.text).joined(separator: "\n") + "\n\(store.objects(Coding.Remark.self).count) remarks"
  }

  @Test(arguments: 1...40)
  func `decode after encode is the identity on the store`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    let store = coder.store
    let values = randomValues(&random)
    let optionals = randomOptionals(&random)
    let collections = randomCollections(&random)
    try store.write {
      try store.add(values)
      try store.add(optionals)
      try store.add(collections)
    }
    let before = try dump(store)
    let version = store.version
    try coder.decode(Coding.Values.self, from: coder.encode(values))
    try coder.decode(Coding.Optionals.self, from: coder.encode(optionals))
    try coder.decode(Coding.Collections.self, from: coder.encode(collections))
    #expect(store.version == version)
    #expect(try dump(store) == before)
  }

  @Test(arguments: 1...40)
  func `encode after decode is the identity on canonical payloads`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let writer = try makeCoder()
    let coder = try makeCoder()
    let values = try writer.encode(randomValues(&random))
    #expect(try coder.encode(coder.decode(Coding.Values.self, from: values)).text == values.text)
    let optionals = try writer.encode(randomOptionals(&random))
    #expect(
      try coder.encode(coder.decode(Coding.Optionals.self, from: optionals)).text == optionals.text)
    let collections = try writer.encode(randomCollections(&random))
    #expect(
      try coder.encode(coder.decode(Coding.Collections.self, from: collections)).text
        == collections.text)
  }

  @Test(
    arguments: [
      StoreCoder.OutputFormatting.prettyPrinted, .sortedKeys, [.prettyPrinted, .sortedKeys], [],
    ])
  func `every formatting is read back`(formatting: StoreCoder.OutputFormatting) throws {
    var random = SeededRandom(seed: 5)
    let coder = try makeCoder { $0.outputFormatting = formatting }
    for _ in 0..<20 {
      let object = try coder.decode(
        Coding.Collections.self, from: coder.encode(randomCollections(&random)))
      let version = coder.store.version
      try coder.decode(Coding.Collections.self, from: coder.encode(object))
      #expect(coder.store.version == version)
    }
  }

  // MARK: - Update dictionaries

  /// How an update of a decode comes to a store.
  enum Way: CaseIterable {
    /// As it is, to the store it was decoded for: its cells are taken over.
    case own
    /// To another store, which makes values of it.
    case another
    /// Changed before: its names and values stand by themselves.
    case changed
  }

  @Test(arguments: 1...15, Way.allCases)
  func `applying the update dictionary gives the store that decode gives`(
    seed: UInt64, way: Way
  ) throws {
    var random = SeededRandom(seed: seed)
    let writer = try makeCoder()
    let decoded = try makeCoder()
    let applied = try makeCoder()
    let reader = way == .another ? try makeCoder() : applied

    func apply<T: Object>(_ type: T.Type, _ payload: Data) throws {
      var update = try reader.updateDictionary(for: type, from: payload)
      if way == .changed {
        update["no"] = nil
        let id = update["id"]
        update["id"] = 0
        update["id"] = id
      }
      try applied.store.write {
        _ = try applied.store.create(type, value: update, update: .modified)
      }
    }

    for round in 0..<3 {
      let values = randomValues(&random)
      let optionals = randomOptionals(&random)
      let collections = randomCollections(&random)
      // The first rounds make objects, the last updates those of the one before.
      for object in [values, optionals, collections] as [Object] {
        if round > 0 { object["id"] = 7 }
      }
      let payloads = try [
        writer.encode(values), writer.encode(optionals), writer.encode(collections),
      ]
      try decoded.decode(Coding.Values.self, from: payloads[0])
      try decoded.decode(Coding.Optionals.self, from: payloads[1])
      try decoded.decode(Coding.Collections.self, from: payloads[2])
      try apply(Coding.Values.self, payloads[0])
      try apply(Coding.Optionals.self, payloads[1])
      try apply(Coding.Collections.self, payloads[2])
      #expect(try dump(applied.store) == dump(decoded.store))
      let version = applied.store.version
      try applied.decode(Coding.Values.self, from: payloads[0])
      try applied.decode(Coding.Optionals.self, from: payloads[1])
      try applied.decode(Coding.Collections.self, from: payloads[2])
      #expect(applied.store.version == version)
    }
  }

  @Test func `an update dictionary has what the payload has, and nothing is applied`() throws {
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
  func `an update dictionary stores the text of a URL that decode stores`(url: String) throws {
    let coder = try makeCoder()
    let payload = Data(#"{"id":1,"url":"\#(url)"}"#.utf8)
    let values = try coder.decode(Coding.Values.self, from: payload)
    #expect(try coder.text(values).contains("\"url\":\"\(url)\""))
    let version = coder.store.version
    try coder.store.write {
      try coder.store.create(
        Coding.Values.self,
        value: coder.updateDictionary(for: Coding.Values.self, from: payload), update: .modified)
    }
    #expect(coder.store.version == version)
    #expect(try coder.text(values).contains("\"url\":\"\(url)\""))
  }

  @Test func `the update dictionaries of a list come in its order`() throws {
    let coder = try makeCoder()
    let updates = try coder.updateDictionaries(
      for: Coding.User.self, from: Data(#"{ "users": [{ "id": "b" }, { "id": "a" }] }"#.utf8))
    #expect(updates == [["objId": "b"], ["objId": "a"]])
    #expect(
      message {
        _ = try coder.updateDictionaries(
          for: Coding.User.self, from: Data(#"{ "users": [{}] }"#.utf8))
      } == "users[0]: no key of the object belongs to User at line 1, column 13")
  }
}
