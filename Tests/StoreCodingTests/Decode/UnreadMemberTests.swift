import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Members that no attribute reads` {
  final class Part: EmbeddedObject {
    @Persisted var size = 0
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(json: "address.city") var city: String?
    @Persisted(json: "address.geo.lat") var latitude: Double?
    @Persisted(json: "note", .aliases("remark")) var note: String?
    @Persisted(.local) var draft = ""
    @Persisted var part: Part?
    @Persisted(.unread) var rest: JSONValue = [:]

    override class var codableIgnoredAttributes: [String] { ["name"] }
  }

  final class Keyless: Object {
    @Persisted var name = ""
    @Persisted(.unread) var rest: JSONValue
  }

  final class Corner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/box/0/x") var x: Int?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  final class Grid: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/2/x") var number: Int?
    @Persisted(json: "/pos/2") var third: Int?
    @Persisted(json: "/pos/10") var last: Int?
    @Persisted(json: "/box/0/x") var x: Int?
    @Persisted(json: "/box/0/y/1") var y: Int?
    @Persisted(.unread) var rest: JSONValue = [:]
    override class var tracksEdits: Bool { true }
  }

  final class Wrong: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "a", .unread, .local) var a: JSONValue
    @Persisted(.unread, .aliases("c")) var b: JSONValue
    override class var codableKeys: [String: String] { ["b": "x"] }
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  @Test(arguments: [(#"{"a":1}"#, "{}"), ("[1]", "[]"), (#"{"a":[1]}"#, #"{"a":[]}"#)])
  func `an unread member that becomes empty or is no longer empty is stored`(
    full: String, empty: String
  ) throws {
    for value in [full, empty, full] {
      let order = try coder.decode(Order.self, #"{"id":1,"x":\#(value)}"#)
      #expect(try coder.text(order) == #"{"id":1,"x":\#(value)}"#)
    }
  }

  @Test func `a key that is repeated in an unread member is reported, also if its value is stored`()
    throws
  {
    try coder.decode(Order.self, #"{"id":1,"x":{"a":1}}"#)
    let result = try coder.read(Order.self, from: Data(#"{"id":1,"x":{"a":1,"a":1}}"#.utf8))
    #expect(result.issues.map(\.path) == ["x.a"])
  }

  @Test func `an unread member that is not JSON throws an error with its key`() throws {
    let order = Order()
    order.rest = ["a": 1, "b": [0, .double(.infinity)]]
    #expect(
      message { _ = try coder.encode(order) } == "b (Order.rest): JSON has no number for inf")
  }

  @Test func `unread members are kept and encoded again`() throws {
    let order = try coder.decode(
      Order.self,
      #"""
      {"b": [1, {"x": 1.50}], "id": 1, "name": "n", "address": {"zip": "1", "city": "C", "geo": {"lng": 2, "lat": 1}},
       "remark": "r", "draft": "d", "part": {"unit": "kg", "size": 3}, "A": null}
      """#)
    #expect(
      order.rest == [
        "b": [1, ["x": 1.5]], "address": ["zip": "1", "geo": ["lng": 2]], "draft": "d", "A": .null,
      ])
    #expect(order.part?.rest == ["unit": "kg"])
    let text =
      #"{"id":1,"address":{"city":"C","geo":{"lat":1,"lng":2},"zip":"1"},"note":"r","#
      + #""part":{"size":3,"unit":"kg"},"A":null,"b":[1,{"x":1.50}],"draft":"d"}"#
    #expect(try coder.text(order) == text)
    #expect(try coder.encode(order.frozen()).text == text)
    let version = coder.store.version
    #expect(try coder.read(Order.self, from: Data(text.utf8)).unchanged == 1)
    #expect(coder.store.version == version)
  }

  @Test func `unread members keep the notation of their numbers when they are merged`() throws {
    let order = try coder.decode(
      Order.self, #"{"id":1,"a":0.40,"b":{"x":1e2},"address":{"zip":1.0,"zap":-0}}"#)
    #expect(order.rest["a"] == 0.4)
    try coder.decode(Order.self, #"{"id":1,"c":2.50,"address":{"zip":1.00}}"#)
    let text =
      #"{"id":1,"address":{"zap":-0,"zip":1.00},"a":0.40,"b":{"x":1e2},"c":2.50}"#
    #expect(try coder.text(order) == text)
    try coder.decodeArray(Order.self, #"[{"id":1,"d":1.10},{"id":1,"b":{"x":1E2}}]"#)
    #expect(
      try coder.text(order)
        == #"{"id":1,"address":{"zap":-0,"zip":1.00},"a":0.40,"b":{"x":1E2},"c":2.50,"d":1.10}"#)
    let version = coder.store.version
    try coder.decode(Order.self, #"{"id":1,"d":1.10,"a":0.40}"#)
    #expect(coder.store.version == version)
  }

  @Test func `sorted keys include unread members`() throws {
    let coder = try makeCoder { $0.outputFormatting = [.sortedKeys] }
    let order = Order()
    (order.id, order.city) = (1, "C")
    order.rest = [
      "zz": 1, "b": 2, "address": ["a": 1, "d": ["y": 1, "x": 2]], "name": "x", "id": 2,
    ]
    #expect(
      try coder.text(order)
        == #"{"address":{"a":1,"city":"C","d":{"x":2,"y":1}},"b":2,"id":1,"zz":1}"#)
  }

  @Test func `a payload sets the members that it contains and leaves the others`() throws {
    let first = #"{"id": 1, "a": {"x": 1}, "b": 1, "address": {"zip": "1", "geo": {"lng": 1}}}"#
    let second =
      #"{"id": 1, "a": {"y": 2}, "c": null, "address": {"geo": {"alt": 2, "lng": 3}, "city": "C"}}"#
    let expected: JSONValue = [
      "a": ["y": 2], "b": 1, "c": .null, "address": ["zip": "1", "geo": ["lng": 3, "alt": 2]],
    ]
    try coder.decode(Order.self, first)
    #expect(try coder.decode(Order.self, second).rest == expected)
    let version = coder.store.version
    try coder.decode(Order.self, second)
    #expect(coder.store.version == version)
    try coder.decode(Order.self, #"{"id": 1, "name": "x"}"#)
    #expect(coder.store.object(ofType: Order.self, forPrimaryKey: 1)?.rest == expected)

    let other = try makeCoder()
    try other.decodeArray(Order.self, "[\(first), {\"id\": 0}, \(second)]")
    #expect(other.store.object(ofType: Order.self, forPrimaryKey: 1)?.rest == expected)

    let updated = try makeCoder()
    for text in [first, second] {
      let update = try updated.updateDictionary(for: Order.self, from: Data(text.utf8))
      try updated.store.write {
        _ = try updated.store.create(Order.self, value: update, update: .modified)
      }
    }
    #expect(updated.store.object(ofType: Order.self, forPrimaryKey: 1)?.rest == expected)
  }

  @Test func `an object without a primary key is replaced together with its unread members`() throws
  {
    try coder.decode(Order.self, #"{"id": 1, "part": {"size": 1, "unit": "kg"}}"#)
    let order = try coder.decode(Order.self, #"{"id": 1, "part": {"size": 1, "color": "red"}}"#)
    #expect(order.part?.rest == ["color": "red"])
    #expect(try coder.decode(Keyless.self, #"{"name": "x"}"#).rest == .null)
    #expect(try coder.decode(Keyless.self, #"{"name": "x", "y": 1}"#).rest == ["y": 1])
  }

  @Test func `the last of duplicate members counts, also of the objects along a path`() throws {
    let result = try coder.read(
      Order.self,
      from: Data(
        #"{"id": 1, "x": 1, "x": 2, "address": {"zip": 1, "zap": 1}, "address": {"zip": 2}, "y": {"z": 1, "z": 2}}"#
          .utf8))
    #expect(result.objects[0].rest == ["x": 2, "address": ["zip": 2], "y": ["z": 2]])
    #expect(
      result.issues.map(\.description).sorted() == [
        "address (id 1): the key 'address' occurs twice in one object at line 1, column 60",
        "x (Order.rest, id 1): the key 'x' occurs twice in one object at line 1, column 19",
        "y.z (Order.rest, id 1): the key 'z' occurs twice in one object at line 1, column 97",
      ])
    let strict = try makeCoder { $0.duplicateKeys = .fail }
    let text = #"{"id": 1, "x": {"a": 1}, "y": {"a": 1}, "address": {"a": 1, "y": {"a": 1}}}"#
    #expect(
      try strict.decode(Order.self, text).rest == [
        "x": ["a": 1], "y": ["a": 1], "address": ["a": 1, "y": ["a": 1]],
      ])
  }

  @Test
  func `members of a replaced object along a path are discarded together with those below it`()
    throws
  {
    let text = #"""
      {"id": 1, "address": {"a": 1, "geo": {"b": 1}}, "c": 1,
       "address": {"d": 1, "geo": {"e": 1}, "geo": {"f": 1}, "g": 1}, "address": {"geo": {"h": 1}, "i": 1}, "j": 1}
      """#
    let expected: JSONValue = ["c": 1, "address": ["geo": ["h": 1], "i": 1], "j": 1]
    #expect(try coder.decode(Order.self, text).rest == expected)
    let emptied = #"{"id": 2, "address": {"a": 1}, "address": {}}"#
    #expect(try coder.decode(Order.self, emptied).rest == [:])
  }

  @Test func `null in place of an object along a path removes its unread members`() throws {
    let full =
      #"{"id": 1, "x": 1, "address": {"city": "C", "zip": 1, "geo": {"lat": 1, "lng": 2}}}"#
    let order = try coder.decode(Order.self, full)
    #expect(order.rest == ["x": 1, "address": ["zip": 1, "geo": ["lng": 2]]])
    try coder.decode(Order.self, #"{"id": 1, "address": {"geo": null}}"#)
    #expect(order.rest == ["x": 1, "address": ["zip": 1]])
    let result = try coder.read(Order.self, from: Data(#"{"id": 1, "address": null}"#.utf8))
    #expect(result.outcomes == [.updated])
    #expect(order.rest == ["x": 1])
    #expect(try coder.text(order) == #"{"id":1,"x":1}"#)
    let version = coder.store.version
    try coder.decode(Order.self, #"{"id": 1, "address": null}"#)
    #expect(coder.store.version == version)

    // In one payload: before and after other values of the same object, and in a new object.
    try coder.decodeArray(
      Order.self,
      "[\(full), {\"id\": 1, \"address\": null}, {\"id\": 1, \"address\": {\"zip\": 2}}]")
    #expect(order.rest == ["x": 1, "address": ["zip": 2]])
    try coder.decode(
      Order.self, #"{"id": 1, "address": {"a": 1}, "address": null, "y": 2}"#)
    #expect(order.rest == ["x": 1, "y": 2])
    try coder.decode(Order.self, #"{"id": 1, "address": null, "address": {"a": 1}}"#)
    #expect(order.rest == ["x": 1, "y": 2, "address": ["a": 1]])
    #expect(try coder.decode(Order.self, #"{"id": 2, "address": null}"#).rest == [:])
    #expect(try coder.decode(Corner.self, #"{"id": 2, "box": null, "y": 1}"#).rest == ["y": 1])
  }

  @Test func `an update dictionary of one store merges members in another`() throws {
    let other = try makeCoder()
    try other.decode(Order.self, #"{"id": 1, "keep": 1, "address": {"zip": 1, "geo": {"lng": 1}}}"#)
    let update = try coder.updateDictionary(
      for: Order.self, from: Data(#"{"id": 1, "new": 2, "address": {"geo": null}}"#.utf8))
    try other.store.write {
      _ = try other.store.create(Order.self, value: update, update: .modified)
    }
    #expect(
      other.store.object(ofType: Order.self, forPrimaryKey: 1)?.rest
        == ["keep": 1, "new": 2, "address": ["zip": 1]])
  }

  @Test func `members of elements with the same key are merged in order`() throws {
    try coder.decode(
      Order.self, #"{"id": 1, "a": 0, "b": 0, "address": {"x": 0, "geo": {"v": 0}}}"#)
    let result = try coder.read(
      [Order].self,
      from: Data(
        #"""
        [{"id": 1, "a": 1, "address": {"geo": {"w": 1}}}, {"id": 2, "z": 1}, {"id": 1, "note": "n"},
         {"id": 1, "c": 2, "address": {"y": 2, "geo": {"w": 2}}}, {"id": 1, "c": {"d": 3}, "address": {"city": "C"}}]
        """#.utf8))
    #expect((result.updated, result.inserted, result.merged) == (1, 1, 3))
    #expect(
      result.objects[0].rest == [
        "a": 1, "b": 0, "c": ["d": 3], "address": ["x": 0, "y": 2, "geo": ["v": 0, "w": 2]],
      ])
    #expect(result.objects[1].rest == ["z": 1])
  }

  @Test func `an object with unread members only can get its key from outside`() throws {
    let data = Data(#"{"x": 1}"#.utf8)
    #expect(try coder.decode(Order.self, from: data, key: 7).rest == ["x": 1])
    let document = try coder.read(
      ["orders": .keyed(Order.self)], from: Data(#"{"orders": {"8": {"x": 2}}}"#.utf8))
    #expect(document[Order.self].objects.map(\.rest) == [["x": 2]])
    #expect(
      message { try coder.decode(Order.self, from: data) }
        == "(Order.id): no value for the primary key 'id', found the key 'x' at line 1, column 1")
  }

  @Test func `issues of unread members are in payload order`() throws {
    let coder = try makeCoder { $0.mismatches = .skipAttribute }
    let result = try coder.read(
      Order.self, from: Data(#"{"id": 1, "u": {"x": 1, "x": 2}, "note": 5}"#.utf8))
    #expect(
      result.issues.map(\.description) == [
        "u.x (Order.rest, id 1): the key 'x' occurs twice in one object at line 1, column 25",
        "note (Order.note, id 1): expected String?, found number 5 at line 1, column 42",
      ])
  }

  /// Payloads with `count` unread members whose merging could take quadratic time.
  private static func heavyPayload(_ kind: String, _ count: Int) -> String {
    func list(_ element: (Int) -> String) -> String {
      (0..<count).map(element).joined(separator: ",")
    }
    return switch kind {
    case "a repeated object along a path":
      #"[{"id":1,\#(list { #""address":{"m\#($0)":1}"# })}]"#
    case "a repeated key of elements": "[\(list { #"{"id":1,"m\#($0)":1}"# })]"
    case "a repeated key of elements with members along a path":
      "[\(list { #"{"id":1,"address":{"m\#($0)":1}}"# })]"
    default: #"[{"id":1,\#(list { #""m\#($0)":1"# })}]"#
    }
  }

  @Test(arguments: [
    "a repeated object along a path", "a repeated key of elements",
    "a repeated key of elements with members along a path", "new members between stored ones",
  ])
  func `unread members are merged in linear time`(kind: String) throws {
    func seconds(_ count: Int) throws -> Double {
      let payload = Data(Self.heavyPayload(kind, count).utf8)
      let stored = #"{"id":1,\#((0..<count).map { #""m\#($0)x":1"# }.joined(separator: ","))}"#
      return try threadSeconds {
        for _ in 0..<1600 / count {
          let coder = try makeCoder()
          try coder.decode(Order.self, stored)
          _ = try coder.read([Order].self, from: payload)
        }
      }
    }
    // Both have the same content. Quadratic time would take 16 times as long.
    #expect(try seconds(1600) < 5 * seconds(100))
  }

  /// Payloads with some of a few members, also along paths.
  private static func randomPayload(_ random: inout SeededRandom) -> String {
    func members(_ names: [String]) -> [String] {
      names.filter { _ in random.once(in: 2) }.shuffled(using: &random).map { name in
        let value =
          ["1", "null", "{}", #"{"a":1}"#, #"[1,{"b":null}]"#, #""t""#].randomElement(
            using: &random) ?? "1"
        return #""\#(name)":\#(value)"#
      }
    }
    let names = ["a", "b", "é", "z", "name2", ""]
    var all = members(names) + [#""id":1"#]
    switch random.below(4) {
    case 0: all.append(#""address":null"#)
    case 1:
      let geo = #""geo":{\#(members(names).joined(separator: ","))}"#
      let inner = (members(names) + [geo]).shuffled(using: &random)
      all.append(#""address":{\#(inner.joined(separator: ","))}"#)
    default: break
    }
    return "{\(all.shuffled(using: &random).joined(separator: ","))}"
  }

  @Test(arguments: SeededRandom.seeds(1...30))
  func `payloads that are decoded one by one and in one list leave the same members`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let payloads = (0..<1 + random.below(6)).map { _ in Self.randomPayload(&random) }
    let single = try makeCoder()
    for payload in payloads { try single.decode(Order.self, payload) }
    try coder.decodeArray(Order.self, "[\(payloads.joined(separator: ","))]")
    let (one, many) = (single.store.objects(Order.self)[0], coder.store.objects(Order.self)[0])
    #expect(one.rest == many.rest, "\(payloads)")
    let version = single.store.version
    try single.decode(Order.self, payloads[payloads.count - 1])
    #expect(single.store.version == version, "\(payloads)")
  }

  @Test(
    arguments: [
      (#""address":{"b":2},"a":{"y":[true,null,"t",1.5,12345678901234567890123],"x":1}"#, false),
      (#""a":{"x":1,"y":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":2}"#, false),
      (#""address":{"b":2}"#, false),
      (#""a":{"x":1,"y":[true,null,"t",1.50,12345678901234567890123]},"address":{"b":2}"#, true),
      (#""a":{"x":1.0,"y":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":2}"#, true),
      (#""a":{"x":1,"y":[true,null,"t",1.5]},"address":{"b":2}"#, true),
      (#""a":{"x":1,"y":[true,null,"t",1.5,12345678901234567890123,0]},"address":{"b":2}"#, true),
      (#""a":{"x":1,"y":[true,null,"T",1.5,12345678901234567890123]},"address":{"b":2}"#, true),
      (#""a":{"y":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":2}"#, true),
      (
        #""a":{"x":1,"y":[true,null,"t",1.5,12345678901234567890123],"z":{}},"address":{"b":2}"#,
        true
      ),
      (#""a":{"x":1,"z":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":2}"#, true),
      (#""a":{"x":1,"y":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":"2"}"#, true),
      (#""a":[],"address":{"b":2}"#, true), (#""a":{},"address":{"b":2,"c":{}}"#, true),
    ])
  func `members are compared exactly with the stored ones`(members: String, differs: Bool) throws {
    // Without this comparison.
    let other = try makeCoder { $0.duplicateKeys = .fail }
    for coder in [coder, other] {
      let base =
        #"{"id":1,"a":{"x":1,"y":[true,null,"t",1.5,12345678901234567890123]},"address":{"b":2}}"#
      try coder.decode(Order.self, base)
      let version = coder.store.version
      try coder.decode(Order.self, "{\(members),\"id\":1}")
      #expect((coder.store.version != version) == differs)
    }
    #expect(coder.store.objects(Order.self)[0].rest == other.store.objects(Order.self)[0].rest)
    let repeated = #"{"id":1,"a":{"x":1,"x":1},"a":{"x":1,"x":1}}"#
    #expect(try coder.read(Order.self, from: Data(repeated.utf8)).issueCount > 0)
  }

  @Test func `more unread members of one object than the limit reject the payload`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    try coder.decode(Order.self, #"{"id":1,"a":1,"address":{"b":2,"geo":{"c":3}}}"#)
    #expect(
      message { try coder.decode(Order.self, #"{"id":2,"a":1,"address":{"b":2},"c":3,"d":4}"#) }
        == "(Order.rest, id 2): the limit of 3 unread members is exceeded: found 4 at line 1, column 1"
    )
    #expect(coder.store.objects(Order.self).count == 1)
    try makeCoder { $0.limits.unreadMemberCount = nil }.decode(
      Order.self, Self.heavyPayload("", 10_001).replacing("[", with: "").replacing("]", with: ""))
  }

  @Test func `members of earlier payloads that exceed the limit are dropped with an issue`() throws
  {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    let order = try coder.decode(Order.self, #"{"id":1,"a":1,"b":2,"address":{"c":3}}"#)
    let result = try coder.read([Order].self, from: Data(#"[{"id":1,"b":5,"d":4}]"#.utf8))
    #expect(order.rest == ["b": 5, "d": 4])
    #expect(
      result.issues.map(\.description) == [
        "(Order.rest, id 1): the limit of 3 unread members is exceeded at line 1, column 2; "
          + "the members of earlier payloads were dropped"
      ])
    let document = try coder.read(
      ["": .list(Order.self)], from: Data(#"[{"id":1,"e":5,"f":4}]"#.utf8))
    #expect(document.issueCount == 1 && order.rest == ["e": 5, "f": 4])
    #expect(try coder.read(Order.self, from: Data(#"{"id":1,"g":4}"#.utf8)).issues.isEmpty)
  }

  @Test func `elements with the same key keep no more members than the limit`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    let text = #"[{"id":1,"a":1,"b":2},{"id":1,"b":3,"c":4,"d":5}]"#
    let result = try coder.read([Order].self, from: Data(text.utf8))
    #expect(result.objects[0].rest == ["b": 3, "c": 4, "d": 5])
    #expect(result.issues.contains { $0.kind == .limitExceeded })
  }

  @Test func `members of earlier payloads are dropped before those of earlier elements`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    try coder.decode(Order.self, #"{"id":1,"d":1,"c":2}"#)
    let text = Data(#"[{"id":1,"a":1,"b":2},{"id":1,"c":1}]"#.utf8)
    let result = try coder.read([Order].self, from: text)
    #expect(result.objects[0].rest == ["a": 1, "b": 2, "c": 1])
    let version = coder.store.version
    let again = try coder.read([Order].self, from: text)
    #expect(!again.issues.contains { $0.kind == .limitExceeded })
    #expect(coder.store.version == version)
  }

  @Test func `a member that occurs several times counts once for the limit`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    let order = try coder.decode(Order.self, #"{"id":1,"a":1,"a":2,"a":3,"address":{"a":4,"a":5}}"#)
    #expect(order.rest == ["a": 3, "address": ["a": 5]])
  }

  @Test func `a null in place of an object counts as no member`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 3 }
    let order = try coder.decode(Order.self, #"{"id":1,"a":1,"b":2,"c":3,"address":null}"#)
    #expect(order.rest == ["a": 1, "b": 2, "c": 3])
  }

  @Test func `payloads with other names each time are decoded in linear time`() throws {
    func seconds(_ count: Int) throws -> Double {
      try threadSeconds {
        for _ in 0..<1600 / count {
          let coder = try makeCoder { $0.limits.unreadMemberCount = 50 }
          for index in 0..<count { try coder.decode(Order.self, #"{"id":1,"k\#(index)":1}"#) }
        }
      }
    }
    // Both decode as many payloads. Quadratic time would take 16 times as long.
    #expect(try seconds(1600) < 5 * seconds(100))
  }

  @Test func `members of array elements along a pointer are not kept`() throws {
    let corner = try coder.decode(Corner.self, #"{"id": 1, "box": [{"x": 1, "y": 2}, 3], "z": 4}"#)
    #expect(corner.rest == ["z": 4])
    #expect(try coder.text(corner) == #"{"id":1,"box":[{"x":1}],"z":4}"#)
  }

  @Test func `members of array elements along a pointer do not count for the limit`() throws {
    let coder = try makeCoder { $0.limits.unreadMemberCount = 1 }
    let corner = try coder.decode(Corner.self, #"{"id":1,"box":[{"x":1,"a":1,"b":2}],"z":4}"#)
    #expect(corner.rest == ["z": 4])
  }

  @Test(arguments: [
    (#"{"id":1,"2":{"x":1,"y":2}}"#, #"{"id":1,"2":{"x":1,"y":2}}"#),
    (#"{"id":1,"pos":{"q":1}}"#, #"{"id":1,"pos":{"q":1}}"#),
    (#"{"id":1,"pos":{"q":{"0":[1]},"2":3}}"#, #"{"id":1,"pos":{"2":3,"q":{"0":[1]}}}"#),
    (
      #"{"id":1,"box":{"0":{"x":1,"y":{"1":2,"a":3},"b":4},"1":5}}"#,
      #"{"id":1,"box":{"0":{"x":1,"y":{"1":2,"a":3},"b":4},"1":5}}"#
    ),
    (
      #"{"id":1,"box":{"0":{"x":1,"y":[0,2],"b":4}}}"#,
      #"{"id":1,"box":{"0":{"x":1,"y":[null,2],"b":4}}}"#
    ),
    (
      #"{"id":1,"box":[{"x":1,"y":{"1":2,"a":3},"b":4}]}"#,
      #"{"id":1,"box":[{"x":1,"y":[null,2]}]}"#
    ),
  ])
  func `an object at a pointer with an index stays an object with its other members`(
    payload: String, body: String
  ) throws {
    let grid = try coder.decode(Grid.self, payload)
    #expect(try coder.text(grid) == body)
    #expect(try coder.encode(grid.frozen()).text == body)
    for text in [payload, body] {
      let version = coder.store.version
      try coder.decode(Grid.self, text)
      #expect(coder.store.version == version)
    }
    #expect(try coder.text(makeCoder().decode(Grid.self, body)) == body)
  }

  @Test(arguments: [
    ([#""pos":{"2":1,"q":1}"#, #""pos":{"r":2}"#], #""pos":{"2":1,"q":1,"r":2}"#),
    ([#""pos":{"2":1,"q":1}"#, #""pos":[0,0,3]"#], #""pos":[null,null,3]"#),
    ([#""pos":{"2":1,"q":1}"#, #""pos":[]"#, #""pos":{"r":2}"#], #""pos":{"r":2}"#),
    (
      [#""u":1"#, #""pos":{"2":1,"q":1},"u":1"#, #""pos":[0,0,3],"u":1"#],
      #""pos":[null,null,3],"u":1"#
    ),
    ([#""pos":{"2":1,"q":1}"#, #""pos":null"#], ""),
    ([#""pos":[0,0,3]"#, #""pos":{"q":1}"#], #""pos":{"2":3,"q":1}"#),
    (
      [#""box":{"0":{"y":{"1":2,"a":3},"b":4}}"#, #""box":{"0":{"y":[0,5]}}"#],
      #""box":{"0":{"y":[null,5],"b":4}}"#
    ),
    ([#""pos":{"a":1},"pos":[0,0,3]"#], #""pos":[null,null,3]"#),
    ([#""pos":[0,0,3],"pos":{"a":1}"#], #""pos":{"a":1}"#),
  ])
  func `an array takes the place of an object, and an object that of an array`(
    payloads: [String], expected: String
  ) throws {
    let body = expected.isEmpty ? #"{"id":1}"# : "{\"id\":1,\(expected)}"
    let elements = payloads.map { "{\"id\":1,\($0)}" }
    for element in elements { try coder.decode(Grid.self, element) }
    #expect(try coder.encodeArray(coder.store.objects(Grid.self)).text == "[\(body)]")
    let many = try makeCoder()
    let objects = try many.decodeArray(Grid.self, "[\(elements.joined(separator: ","))]")
    #expect(try many.text(objects[0]) == body)
  }

  @Test func `sorted keys sort the members of an object at a pointer with an index by name`() throws
  {
    let coder = try makeCoder { $0.outputFormatting = [.sortedKeys] }
    let grid = try coder.decode(Grid.self, #"{"id":1,"pos":{"2":1,"10":2,"z":3,"1":4}}"#)
    #expect(try coder.text(grid) == #"{"id":1,"pos":{"1":4,"10":2,"2":1,"z":3}}"#)
    #expect(try coder.encode(grid, only: \.third).text == #"{"id":1,"pos":{"10":2,"2":1}}"#)
  }

  /// The server's object, changed attributes, and the object that a patch results in.
  private static let changes:
    [(payload: String, change: @Sendable (Grid) -> Void, result: String)] =
      [
        (
          #"{"id":1,"2":{"x":1,"y":2},"pos":{"2":1,"q":1},"box":{"0":{"x":1,"u":2,"y":{"1":3,"z":1}}}}"#,
          { ($0.number, $0.third, $0.last, $0.x, $0.y) = (3, 4, 5, 6, 7) },
          #"{"id":1,"2":{"x":3,"y":2},"pos":{"2":4,"10":5,"q":1},"box":{"0":{"x":6,"u":2,"y":{"1":7,"z":1}}}}"#
        ),
        (
          #"{"id":1,"2":{"x":1,"y":2},"pos":{"2":1,"q":1},"box":{"0":{"x":1,"u":2}}}"#,
          { ($0.number, $0.third, $0.x) = (nil, nil, nil) },
          #"{"id":1,"2":{"y":2},"pos":{"q":1},"box":{"0":{"u":2}}}"#
        ),
        (
          #"{"id":1,"2":{"y":2},"pos":{"q":1},"box":{"0":{"u":2}}}"#,
          { ($0.number, $0.last, $0.x) = (3, 5, 6) },
          #"{"id":1,"2":{"x":3,"y":2},"pos":{"10":5,"q":1},"box":{"0":{"x":6,"u":2}}}"#
        ),
      ]

  @Test(arguments: changes.indices)
  func `patches of an object at a pointer with an index keep its other members`(index: Int) throws {
    let (payload, change, result) = Self.changes[index]
    let (document, goal) = try (parsedJSON(Data(payload.utf8)), parsedJSON(Data(result.utf8)))
    let grid = try coder.decode(Grid.self, payload)
    let before = grid.frozen()
    try coder.store.write { change(grid) }
    func expect(_ body: (CodingConfiguration.BodyFormat) throws -> Data?) throws {
      let merge = try parsedJSON(#require(try body(.mergePatch)))
      #expect(PatchReference.merging(merge, into: document) == goal, "\(merge)")
      let patch = try parsedJSON(#require(try body(.jsonPatch())))
      #expect(try PatchReference.applying(patch, to: document) == goal, "\(patch)")
      // The attributes of a pointer's array are written together.
      let changes = try parsedJSON(#require(try body(.changes)))
      #expect(changes["pos"]?["2"] ?? .null == goal["pos"]?["2"] ?? .null, "\(changes)")
      #expect(
        changes["box"]?["0"]?["x"] ?? .null == goal["box"]?["0"]?["x"] ?? .null, "\(changes)")
    }
    try expect { try coder.patch(from: before, to: grid, as: $0) }
    let edit = try #require(try coder.store.takeEdit(of: grid))
    try expect { try coder.encode(edit, as: $0) }
    try coder.store.settle(edit, .later)
    let again = try #require(try coder.store.takeEdit(of: grid))
    try expect { try coder.encode(again, as: $0) }
  }

  @Test func `a JSON Patch adds the null of an attribute in an object in place of an array`() throws
  {
    let grid = try coder.decode(Grid.self, #"{"id":1,"pos":{"q":1}}"#)
    try coder.store.markEdited(grid, \.third)
    let edit = try #require(try coder.store.takeEdit(of: grid))
    #expect(
      try coder.encode(edit, as: .jsonPatch()).text
        == #"[{"op":"add","path":"/pos/2","value":null}]"#)
  }

  @Test func `a rejected object leaves no members to other objects`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    try coder.decodeArray(
      Order.self,
      #"[{"a": 1, "id": "x"}, {"id": 1, "b": 1, "part": {"u": 1, "size": "x"}}, {"id": 2, "c": 3}]"#
    )
    #expect(coder.store.objects(Order.self).map(\.rest) == [["c": 3]])
  }

  @Test func `an unread member that cannot be kept rejects the payload`() throws {
    let coder = try makeCoder { $0.limits.depth = 1_000 }
    #expect(
      message { try coder.decode(Order.self, #"{"id": 1, "x": tru}"#) }
        == #"x (id 1): expected a JSON value, found "tru" at line 1, column 19"#)
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    #expect(
      message { try coder.decode(Order.self, #"{"id": 1, "x": \#(deep)}"#) }
        == "(id 1): the limit of 512 nested arrays and objects in a JSONValue is exceeded at line 1, column 527"
    )
    #expect(coder.store.objects(Order.self).isEmpty)
  }

  @Test func `wrong declarations are reported`() throws {
    #expect(
      message { try coder.check(Wrong.self) } == """
        Wrong: more than one attribute is 'unread': a, b
        Wrong.a: an attribute for unread keys has no JSON key
        Wrong.b: an attribute for unread keys has no JSON key
        Wrong.a: 'unread' cannot be combined with 'local'
        """)
    let schema = ObjectSchema(
      "User",
      [Property("id", .int, isPrimaryKey: true), Property("rest", .string, options: [.unread])])
    #expect(
      message { _ = try Store(configuration: .inMemory(), schemas: [schema]) }
        == "User.rest: the type is String, but the option requires a JSONValue")
    #expect(
      coder.explain(Keyless.self).contains("rest       –          JSONValue  unread keys  name"))
  }

  /// Decodes random payloads of the same objects and compares with members merged by a dictionary.
  @Test(arguments: SeededRandom.seeds(1...30))
  func `random payloads merge like dictionaries`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var expected: [Int: [String: JSONValue]] = [:]
    for _ in 0..<20 {
      let elements = (0..<1 + random.below(3)).map { _ -> String in
        let id = random.below(3)
        var members: [String] = [#""id":\#(id)"#]
        for name in ["a", "b", "c"] where random.once(in: 2) {
          let value = random.below(4)
          members.append(#""\#(name)":\#(value)"#)
          expected[id, default: [:]][name] = .int(Int64(value))
        }
        if random.once(in: 6) {
          members.append(#""address":null"#)
          expected[id] = expected[id, default: [:]].filter { !$0.key.hasPrefix("address.") }
          members.shuffle(using: &random)
          return "{\(members.joined(separator: ","))}"
        }
        var address: [String] = []
        for name in ["zip", "zone"] where random.once(in: 3) {
          let value = random.below(4)
          address.append(#""\#(name)":\#(value)"#)
          expected[id, default: [:]]["address." + name] = .int(Int64(value))
        }
        if random.once(in: 2) { address.append(#""city":"C""#) }
        address.shuffle(using: &random)
        members.append(#""address":{\#(address.joined(separator: ","))}"#)
        members.shuffle(using: &random)
        if expected[id] == nil { expected[id] = [:] }
        return "{\(members.joined(separator: ","))}"
      }
      try coder.decodeArray(Order.self, "[\(elements.joined(separator: ","))]")
    }
    for (id, members) in expected {
      var flat: [String: JSONValue] = [:]
      let rest = try #require(coder.store.object(ofType: Order.self, forPrimaryKey: id)).rest
      guard case .object(let object) = rest else {
        Issue.record("\(rest)")
        continue
      }
      for (name, value) in object {
        guard name == "address", case .object(let below) = value else {
          flat[name] = value
          continue
        }
        for (name, value) in below { flat["address." + name] = value }
      }
      #expect(flat == members)
    }
    let copy = try makeCoder()
    let all = try coder.encodeArray(coder.store.objects(Order.self))
    let decoded = try copy.decodeArray(Order.self, from: all)
    #expect(try copy.encodeArray(decoded).text == all.text)
  }

  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String?
    @Persisted(json: "address.city") var city: String?
    @Persisted(.unread) var rest: JSONValue = [:]
    override class var tracksEdits: Bool { true }
  }

  @Test func `members of an object that was deleted locally are merged, too`() throws {
    let coder = try makeCoder()
    let note = try coder.decode(Note.self, #"{"id":1,"a":1,"b":2,"address":{"c":3}}"#)
    try coder.store.write { coder.store.delete(note) }
    _ = try coder.read([Note].self, from: Data(#"[{"id":1,"a":5}]"#.utf8))
    _ = try coder.read([Note].self, from: Data(#"[{"id":1,"address":null}]"#.utf8))
    let restored = try coder.store.revertDeletion(of: Note.self, key: 1)
    #expect(restored?.rest == ["a": 5, "b": 2])
  }

  @Test func `members in another order at every level do not slow a payload down`() throws {
    var value = "[\(Array(repeating: "1", count: 20_000).joined(separator: ","))]"
    let others = (0..<50).reversed().map { "\"z\($0)\":1" }.joined(separator: ",")
    for _ in 0..<200 { value = "{\(others),\"a\":\(value)}" }
    let coder = try makeCoder()
    func time() throws -> Duration {
      try ContinuousClock().measure {
        try coder.decode(Order.self, #"{"id":1,"x":\#(value)}"#)
      }
    }
    let first = try time()
    #expect(try time() < first * 10)
  }
}
