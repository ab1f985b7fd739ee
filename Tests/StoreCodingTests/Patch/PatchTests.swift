import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Changes {
  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String?
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted(.writesNil) var comment: String?
    @Persisted var total = 0.0
    @Persisted var born: String?
    @Persisted var city: String?
    @Persisted var slash: String?
    @Persisted var first: String?
    @Persisted var second: String?
    @Persisted(.omitsEmpty) var tags: List<String>
    @Persisted var customer: Customer?
    @Persisted var address: Address?
    @Persisted var prices: Map<String, Int>
    @Persisted var extra: JSONValue = [:]
    @Persisted(.unread) var rest: JSONValue
    @Persisted var isFavourite = false
    override class var codableKeys: [String: String] {
      [
        "born": "profile.born_on", "city": "profile.city", "slash": "/a~1b/c~0d",
        "first": "/names/0", "second": "/names/1",
      ]
    }
    override class var codableIgnoredAttributes: [String] { ["isFavourite"] }
    override class var objectEnvelope: String? { "data.order" }
  }

  /// The object at `profile` has attributes that are never encoded.
  final class Partial: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "profile.city") var city: String?
    @Persisted(json: "profile.tags") var tags: List<String>
    @Persisted(json: "profile.customer") var customer: Customer?
    @Persisted(json: "profile.mark") var mark: String?
    override class var codableIgnoredAttributes: [String] { ["tags", "customer", "mark"] }
  }

  final class Tracked: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var box: Address?
    @Persisted var prices: Map<String, Int>
    @Persisted var extra: JSONValue = [:]
    override class var codableAlwaysEncoded: [String] { ["box", "prices", "extra"] }
  }

  final class Dog: EmbeddedObject {
    @Persisted var legs: Int? = 4
    @Persisted(.writesNil) var name: String?
  }

  final class Kennel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var dogs: List<Dog>
  }

  final class Versioned: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var version = 3
    @Persisted var tenant = "t"
    override class var codableKeys: [String: String] { ["tenant": "meta.tenant"] }
    override class var codableAlwaysEncoded: [String] { ["version", "tenant"] }
  }
}

@Suite struct `Patches between two states` {
  private typealias Order = Changes.Order

  /// Expects the patches for a change of the order in the JSON.
  private func check(
    _ json: String, changes: String?, merge: String?, patch: String?,
    _ change: (Order) throws -> Void
  ) throws {
    let coder = try makeCoder()
    let order = try coder.decode(Order.self, from: Data(json.utf8), at: "")
    let before = order.frozen()
    try coder.store.write { try change(order) }
    func text(_ format: CodingConfiguration.BodyFormat) throws -> String? {
      let body = try coder.patch(from: before, to: order, as: format)
      #expect(try coder.patch(from: before, to: order.frozen(), as: format) == body)
      return body?.text
    }
    #expect(try text(.changes) == changes)
    #expect(try text(.mergePatch) == merge)
    #expect(try text(.jsonPatch()) == patch)
    let operations = try text(.jsonPatch(tests: .none))
    #expect(operations.map { !$0.contains(#""test""#) } ?? (patch == nil))
  }

  @Test func `a patch of a JSON value keeps the sign of zero`() throws {
    try check(
      #"{"id":7,"extra":{"k":0.0}}"#, changes: #"{"id":7,"extra":{"k":-0.0}}"#,
      merge: #"{"extra":{"k":-0.0}}"#,
      patch: #"[{"op":"test","path":"/extra","value":{"k":0.0}},"#
        + #"{"op":"add","path":"/extra","value":{"k":-0.0}}]"#
    ) { $0.extra = ["k": .double(-0.0)] }
  }

  @Test func `a patch has numbers in their notation, which is no difference by itself`() throws {
    try check(
      #"{"id":7,"extra":{"a":0.40,"b":[1e2]}}"#,
      changes: #"{"id":7,"extra":{"a":0.4,"b":[100.0],"c":0.50}}"#, merge: #"{"extra":{"c":0.50}}"#,
      patch: #"[{"op":"test","path":"/extra","value":{"a":0.40,"b":[1e2]}},"#
        + #"{"op":"add","path":"/extra","value":{"a":0.4,"b":[100.0],"c":0.50}}]"#
    ) { $0.extra = ["a": 0.4, "b": [100.0], "c": .number("0.50")] }
  }

  @Test func `a value is set and nil is removed`() throws {
    try check(
      #"{"id":7,"note":"a","comment":"b"}"#,
      changes: #"{"id":7,"note":null,"comment":null,"total":2}"#,
      merge: #"{"comment":null,"note":null,"total":2}"#,
      patch:
        #"[{"op":"test","path":"/note","value":"a"},{"op":"test","path":"/comment","value":"b"},"#
        + #"{"op":"remove","path":"/note"},{"op":"add","path":"/comment","value":null},"#
        + #"{"op":"add","path":"/total","value":2}]"#
    ) {
      $0.note = nil
      $0.comment = nil
      $0.total = 2
    }
  }

  @Test func `states that differ only in what is never encoded have no patch`() throws {
    try check(#"{"id":7}"#, changes: nil, merge: nil, patch: nil) { $0.isFavourite = true }
    try check(#"{"id":7,"customer":{"id":1}}"#, changes: nil, merge: nil, patch: nil) {
      $0.customer?.name = "Ann"
    }
  }

  @Test func `of attributes below one path only the changed member is written`() throws {
    try check(
      #"{"id":7,"profile":{"born_on":"x","city":"Rome"}}"#,
      changes: #"{"id":7,"profile":{"city":"Oslo"}}"#, merge: #"{"profile":{"city":"Oslo"}}"#,
      patch: #"[{"op":"test","path":"/profile/city","value":"Rome"},"#
        + #"{"op":"add","path":"/profile/city","value":"Oslo"}]"#
    ) { $0.city = "Oslo" }
  }

  @Test func `an object along a path that is new is added whole`() throws {
    try check(
      #"{"id":7}"#, changes: #"{"id":7,"profile":{"city":"Oslo"}}"#,
      merge: #"{"profile":{"city":"Oslo"}}"#,
      patch: #"[{"op":"add","path":"/profile","value":{"city":"Oslo"}}]"#
    ) { $0.city = "Oslo" }
  }

  @Test(arguments: [#""tags":["a"]"#, #""customer":{"id":1}"#, #""mark":"x""#])
  func `an object along a path is not replaced if it has an attribute that is never encoded`(
    _ member: String
  ) throws {
    let coder = try makeCoder()
    let order = try coder.decode(Changes.Partial.self, #"{"id":7,"profile":{\#(member)}}"#)
    let before = order.frozen()
    try coder.store.write { order.city = "Oslo" }
    #expect(
      try coder.patch(from: before, to: order, as: .jsonPatch(tests: .none))?.text
        == #"[{"op":"add","path":"/profile/city","value":"Oslo"}]"#)
  }

  @Test func `an object along a path is not removed with its last attribute`() throws {
    try check(
      #"{"id":7,"profile":{"city":"Rome"}}"#, changes: #"{"id":7,"profile":{"city":null}}"#,
      merge: #"{"profile":{"city":null}}"#,
      patch: #"[{"op":"test","path":"/profile/city","value":"Rome"},"#
        + #"{"op":"remove","path":"/profile/city"}]"#
    ) { $0.city = nil }
  }

  @Test func `strings in different normal forms differ`() throws {
    try check(
      #"{"id":7,"note":"e\u0301","tags":["e\u0301"]}"#,
      changes: #"{"id":7,"note":"\#u{E9}","tags":["\#u{E9}"]}"#,
      merge: #"{"note":"\#u{E9}","tags":["\#u{E9}"]}"#,
      patch: #"[{"op":"test","path":"/note","value":"e\#u{301}"},"#
        + #"{"op":"test","path":"/tags","value":["e\#u{301}"]},"#
        + #"{"op":"add","path":"/note","value":"\#u{E9}"},"#
        + #"{"op":"add","path":"/tags","value":["\#u{E9}"]}]"#
    ) {
      $0.note = "\u{E9}"
      $0.tags[0] = "\u{E9}"
    }
  }

  @Test func `pointers are escaped`() throws {
    try check(
      #"{"id":7,"a/b":{"c~d":"x"}}"#, changes: #"{"id":7,"a/b":{"c~d":"y"}}"#,
      merge: #"{"a/b":{"c~d":"y"}}"#,
      patch: #"[{"op":"test","path":"/a~1b/c~0d","value":"x"},"#
        + #"{"op":"add","path":"/a~1b/c~0d","value":"y"}]"#
    ) { $0.slash = "y" }
  }

  @Test func `a JSON Patch changes the elements of an array that pointers lead to`() throws {
    try check(
      #"{"id":7,"names":["a","b","kept"]}"#, changes: #"{"id":7,"names":["a","c"]}"#,
      merge: #"{"names":["a","c"]}"#,
      patch: #"[{"op":"test","path":"/names/1","value":"b"},"#
        + #"{"op":"replace","path":"/names/1","value":"c"}]"#
    ) { $0.second = "c" }
    try check(
      #"{"id":7,"names":["a","b","kept"]}"#, changes: #"{"id":7,"names":[null,"b"]}"#,
      merge: #"{"names":[null,"b"]}"#,
      patch: #"[{"op":"test","path":"/names/0","value":"a"},"#
        + #"{"op":"replace","path":"/names/0","value":null}]"#
    ) { $0.first = nil }
    try check(
      #"{"id":7,"names":["a"]}"#, changes: #"{"id":7,"names":["a","c"]}"#,
      merge: #"{"names":["a","c"]}"#,
      patch: #"[{"op":"add","path":"/names/1","value":"c"}]"#
    ) { $0.second = "c" }
    try check(
      #"{"id":7}"#, changes: #"{"id":7,"names":[null,"c"]}"#, merge: #"{"names":[null,"c"]}"#,
      patch: #"[{"op":"add","path":"/names","value":[null,"c"]}]"#
    ) { $0.second = "c" }
  }

  @Test func `a list that becomes empty is written even if other bodies omit it`() throws {
    try check(
      #"{"id":7,"tags":["a"]}"#, changes: #"{"id":7,"tags":[]}"#, merge: #"{"tags":[]}"#,
      patch: #"[{"op":"test","path":"/tags","value":["a"]},{"op":"add","path":"/tags","value":[]}]"#
    ) { $0.tags.removeAll() }
    try check(
      #"{"id":7}"#, changes: #"{"id":7,"tags":["a"]}"#, merge: #"{"tags":["a"]}"#,
      patch: #"[{"op":"add","path":"/tags","value":["a"]}]"#
    ) { $0.tags.append("a") }
  }

  @Test func `a link is an object with a key`() throws {
    try check(
      #"{"id":7,"customer":{"id":1,"name":"Ann"}}"#, changes: #"{"id":7,"customer":{"id":2}}"#,
      merge: #"{"customer":{"id":2}}"#,
      patch: #"[{"op":"add","path":"/customer","value":{"id":2}}]"#
    ) {
      let other = Changes.Customer()
      other.id = 2
      $0.customer = other
    }
  }

  @Test func `owned objects, maps and JSON values change member by member in a merge patch`() throws
  {
    try check(
      #"{"id":7,"address":{"street":"A","city":"B"},"prices":{"x":1,"y":2},"extra":{"k":{"a":1,"b":2}}}"#,
      changes:
        #"{"id":7,"address":{"street":null,"city":"B"},"prices":{"y":3},"extra":{"k":{"b":2}}}"#,
      merge: #"{"address":{"street":null},"extra":{"k":{"a":null}},"prices":{"x":null,"y":3}}"#,
      patch: #"[{"op":"test","path":"/address/city","value":"B"},"#
        + #"{"op":"test","path":"/address/street","value":"A"},"#
        + #"{"op":"test","path":"/extra","value":{"k":{"a":1,"b":2}}},"#
        + #"{"op":"test","path":"/prices","value":{"x":1,"y":2}},"#
        + #"{"op":"add","path":"/address","value":{"city":"B"}},"#
        + #"{"op":"add","path":"/extra","value":{"k":{"b":2}}},"#
        + #"{"op":"add","path":"/prices","value":{"y":3}}]"#
    ) {
      $0.address?.street = nil
      $0.prices["x"] = Int?.none
      $0.prices["y"] = 3
      $0.extra = ["k": ["b": 2]]
    }
  }

  @Test func `members that no attribute reads are part of patches`() throws {
    try check(
      #"{"id":7,"own":1,"profile":{"city":"Rome","own":2}}"#, changes: nil,
      merge: #"{"own":5,"profile":{"own":null}}"#,
      patch:
        #"[{"op":"test","path":"/own","value":1},{"op":"test","path":"/profile/own","value":2},"#
        + #"{"op":"add","path":"/own","value":5},{"op":"remove","path":"/profile/own"}]"#
    ) { $0.rest = ["own": 5] }
  }

  @Test func `nil in the elements of an array is written as the attribute declares`() throws {
    let coder = try makeCoder()
    let kennel = try coder.decode(
      Changes.Kennel.self, #"{"id":1,"dogs":[{"name":"a"},{"legs":4,"name":"b"}]}"#)
    let before = kennel.frozen()
    try coder.store.write { (kennel.dogs[0].legs, kennel.dogs[1].name) = (nil, nil) }
    let dogs = #""dogs":[{"legs":null,"name":"a"},{"legs":4,"name":null}]"#
    #expect(
      try coder.patch(from: before, to: kennel, as: .mergePatch)?.text == "{\(dogs)}")
    #expect(try coder.patch(from: before, to: kennel)?.text == #"{"id":1,\#(dogs)}"#)
  }

  @Test func `a merge patch removes members of an attribute that is always encoded`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Changes.Tracked.self,
      #"{"id":1,"box":{"street":"a","city":"b"},"prices":{"p":1,"q":2},"extra":{"p":1,"q":{"r":1,"s":2}}}"#
    )
    let before = object.frozen()
    try coder.store.write {
      object.box?.city = nil
      object.prices["q"] = nil
      object.extra = ["p": 1, "q": ["r": 1]]
    }
    #expect(
      try coder.patch(from: before, to: object, as: .mergePatch)?.text
        == #"{"box":{"city":null,"street":"a"},"extra":{"p":1,"q":{"r":1,"s":null}},"prices":{"p":1,"q":null}}"#
    )
  }

  @Test func `the tests of a JSON Patch include the attributes that are always encoded`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Changes.Versioned.self, #"{"id":1,"note":"a","version":3,"meta":{"tenant":"t"}}"#)
    let before = object.frozen()
    try coder.store.write { object.note = "b" }
    let version = #"{"op":"test","path":"/version","value":3}"#
    let tenant = #"{"op":"test","path":"/meta/tenant","value":"t"}"#
    let note = #"{"op":"test","path":"/note","value":"a"}"#
    let change = #"{"op":"add","path":"/note","value":"b"}"#
    let patch = try coder.patch(from: before, to: object, as: .jsonPatch())?.text
    #expect(
      patch == "[\(note),\(version),\(tenant),\(change)]"
        || patch == "[\(note),\(tenant),\(version),\(change)]")
    #expect(
      try coder.patch(from: before, to: object, as: .jsonPatch(tests: .none))?.text == "[\(change)]"
    )
    try coder.store.write { object.version = 4 }
    let both = try coder.patch(from: before, to: object, as: .jsonPatch())?.text
    #expect(both?.ranges(of: version).count == 1)
  }

  @Test func `a merge patch contains the attributes that are in every body`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Changes.Versioned.self, #"{"id":1,"note":"a","version":3,"meta":{"tenant":"t"}}"#)
    let before = object.frozen()
    #expect(try coder.patch(from: before, to: object, as: .mergePatch) == nil)
    try coder.store.write { object.note = nil }
    #expect(
      try coder.patch(from: before, to: object, as: .mergePatch)?.text
        == #"{"meta":{"tenant":"t"},"note":null,"version":3}"#)
    #expect(
      try coder.patch(from: before, to: object)?.text
        == #"{"id":1,"note":null,"version":3,"meta":{"tenant":"t"}}"#)
    #expect(
      try coder.patch(from: before, to: object, as: .jsonPatch(tests: .none))?.text
        == #"[{"op":"remove","path":"/note"}]"#)
  }

  @Test func `a patch is that of a document with the envelope on request`() throws {
    let coder = try makeCoder()
    let order = try coder.decode(Order.self, from: Data(#"{"id":7,"note":"a"}"#.utf8), at: "")
    let before = order.frozen()
    try coder.store.write { order.note = nil }
    func text(_ format: CodingConfiguration.BodyFormat) throws -> String? {
      try coder.patch(from: before, to: order, as: format, useEnvelope: true)?.text
    }
    #expect(try text(.changes) == #"{"data":{"order":{"id":7,"note":null}}}"#)
    #expect(try text(.mergePatch) == #"{"data":{"order":{"note":null}}}"#)
    #expect(
      try text(.jsonPatch(tests: .none)) == #"[{"op":"remove","path":"/data/order/note"}]"#)
  }

  @Test(
    arguments: [
      (#"{"a":1}"#, #"{"a":null}"#, "extra.a: "), (#"[]"#, #"{"b":{"c":null}}"#, "extra.b.c: "),
      (#"{"a":null}"#, #"{"a":null,"b":[{"c":null}]}"#, nil), (#"{"a":null}"#, #"{}"#, nil),
    ] as [(String, String, String?)])
  func `a merge patch cannot set a member to null`(old: String, new: String, path: String?) throws {
    let coder = try makeCoder()
    let order = try coder.decode(
      Order.self, from: Data(#"{"id":7,"extra":\#(old)}"#.utf8), at: "")
    let before = order.frozen()
    _ = try coder.decode(Order.self, from: Data(#"{"id":7,"extra":\#(new)}"#.utf8), at: "")
    #expect(
      message { _ = try coder.patch(from: before, to: order, as: .mergePatch) }
        == (path.map { "\($0)a merge patch cannot set a member of an object to null" }
          ?? "no error"))
    #expect(try coder.patch(from: before, to: order, as: .jsonPatch()) != nil)
  }

  @Test func `an unmanaged object may be the new state, and another object may not`() throws {
    let coder = try makeCoder()
    let payload =
      #"{"id":7,"note":"a","comment":null,"total":0,"tags":[],"prices":{},"extra":{}}"#
    let before = try coder.decode(Order.self, from: Data(payload.utf8), at: "").frozen()
    let order = Order()
    order.id = 7
    #expect(try coder.patch(from: before, to: order)?.text == #"{"id":7,"note":null}"#)
    order.id = 8
    #expect(
      message { _ = try coder.patch(from: before, to: order) }
        == #"(Order): expected the object {"id":7}, found {"id":8}"#)
  }

  @Test(
    arguments: [
      (.changes, "application/json"), (.mergePatch, "application/merge-patch+json"),
      (.jsonPatch(tests: .none), "application/json-patch+json"),
    ] as [(CodingConfiguration.BodyFormat, String)])
  func `each format has its media type`(format: CodingConfiguration.BodyFormat, type: String) {
    #expect(format.contentType == type)
  }
}

/// Patches contain nothing that neither the server nor the user has said.
@Suite struct `Patches of attributes that are not known` {
  final class Line: EmbeddedObject {
    @Persisted var sku: String?
    @Persisted var count: Int?
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var note: String?
    @Persisted var isAdmin: Bool?
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted(.aliases("tel", "contact.phone")) var phone: String?
    @Persisted(json: "meta.owner") var owner: String?
    @Persisted(json: "meta.version", .writesNil) var version: Int?
    @Persisted(json: "seen.by", .aliases("reader")) var reader: String?
    @Persisted(json: "/names/0") var first: String?
    @Persisted(json: "/names/1") var second: String?
    @Persisted var line: Line?
    @Persisted var lines: List<Line>
    @Persisted var customer: Customer?
    override class var tracksEdits: Bool { true }
  }

  private static let formats: [CodingConfiguration.BodyFormat] = [
    .changes, .mergePatch, .jsonPatch(),
  ]
  private static let whole =
    #"{"id":7,"note":"n","phone":"1","meta":{"owner":"o","version":3},"seen":{"by":"r"},"#
    + #""names":["A","B"],"line":{"sku":"s","count":2},"lines":[{"sku":"s","count":2}],"#
    + #""customer":{"id":1,"name":"Ann","note":"x","isAdmin":true}}"#

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private func bodies(
    from base: Frozen<Order>, to order: Order,
    linkedObjects: CodingConfiguration.LinkedObjects = .key
  ) throws -> [String?] {
    try Self.formats.map {
      let body = try coder.patch(from: base, to: order, as: $0, linkedObjects: linkedObjects)
      let frozen = try coder.patch(
        from: base, to: order.frozen(), as: $0, linkedObjects: linkedObjects)
      #expect(frozen == body)
      return body?.text
    }
  }

  /// Creates the order again from a payload.
  private func recreate(_ order: Order, _ payload: String) throws -> Order {
    try coder.store.write(as: .server) { coder.store.delete(order) }
    return try coder.decode(Order.self, payload)
  }

  @Test func `patches do not name what an object that was created again lacks`() throws {
    let order = try coder.decode(Order.self, Self.whole)
    let before = order.frozen()
    #expect(
      try bodies(from: before, to: recreate(order, #"{"id":7,"note":"n"}"#)) == [nil, nil, nil])
  }

  @Test func `patches do not name what embedded objects and arrays on a path lack`() throws {
    let order = try coder.decode(Order.self, Self.whole)
    let before = order.frozen()
    let again = try recreate(
      order,
      #"{"id":7,"line":{"sku":"t"},"lines":[{"sku":"s"}],"names":["C"],"meta":{"version":4}}"#)
    #expect(
      try bodies(from: before, to: again) == [
        #"{"id":7,"meta":{"version":4},"names":["C"],"line":{"sku":"t"}}"#,
        #"{"line":{"sku":"t"},"meta":{"version":4},"names":["C","B"]}"#,
        #"[{"op":"test","path":"/line/sku","value":"s"},"#
          + #"{"op":"test","path":"/meta/version","value":3},{"op":"test","path":"/names/0","value":"A"},"#
          + #"{"op":"add","path":"/line/sku","value":"t"},"#
          + #"{"op":"add","path":"/meta/version","value":4},{"op":"replace","path":"/names/0","value":"C"}]"#,
      ])
  }

  @Test func `an edit does not name what a copied embedded object lacks`() throws {
    let order = try coder.decode(Order.self, Self.whole)
    let other = try coder.decode(Order.self, #"{"id":8,"line":{"sku":"t"}}"#)
    try coder.store.write { order.line = other.line }
    let edit = try #require(try coder.store.takeEdit(of: order))
    #expect(try coder.encode(edit, as: .mergePatch).text == #"{"line":{"sku":"t"}}"#)
  }

  @Test func `patches set what was not known to nil`() throws {
    let order = try coder.decode(Order.self, #"{"id":7}"#)
    let before = order.frozen()
    try coder.store.write { (order.note, order.owner, order.line) = (nil, nil, nil) }
    let expected = [
      #"{"id":7,"note":null,"meta":{"owner":null},"line":null}"#,
      #"{"line":null,"meta":{"owner":null},"note":null}"#,
      #"[{"op":"add","path":"/line","value":null},{"op":"add","path":"/meta","value":{"owner":null}},"#
        + #"{"op":"add","path":"/note","value":null}]"#,
    ]
    #expect(try bodies(from: before, to: order) == expected)
    let unmanaged = Order()
    unmanaged.id = 7
    let edit = try #require(try coder.store.takeEdit(of: order))
    #expect(
      try Self.formats.map { try coder.encode(edit, as: $0).text }
        == expected)
    #expect(try coder.patch(from: before, to: unmanaged)?.text.contains("note") == false)
  }

  @Test func `a JSON Patch sets an attribute with aliases to null`() throws {
    let order = try coder.decode(Order.self, #"{"id":7,"tel":"1","reader":"r"}"#)
    let before = order.frozen()
    try coder.store.write { (order.phone, order.reader) = (nil, nil) }
    let patch =
      #"[{"op":"add","path":"/phone","value":null},{"op":"add","path":"/seen","value":{"by":null}}]"#
    #expect(try coder.patch(from: before, to: order, as: .jsonPatch())?.text == patch)
    let edit = try #require(try coder.store.takeEdit(of: order))
    #expect(try coder.encode(edit, as: .jsonPatch()).text == patch)
  }

  @Test(
    arguments: [
      (#"{"id":7}"#, #"{"owner":"a"}"#),
      (#"{"id":7,"meta":null}"#, #"{"owner":"a","version":null}"#),
      (#"{"id":7,"meta":{"version":null}}"#, #"{"owner":"a","version":null}"#),
    ])
  func `a JSON Patch adds the object on a path whole if the server has no value in it`(
    payload: String, value: String
  ) throws {
    let order = try coder.decode(Order.self, payload)
    let before = order.frozen()
    try coder.store.write { order.owner = "a" }
    let patch = #"[{"op":"add","path":"/meta","value":\#(value)}]"#
    #expect(try coder.patch(from: before, to: order, as: .jsonPatch())?.text == patch)
    let edit = try #require(try coder.store.takeEdit(of: order))
    #expect(try coder.encode(edit, as: .jsonPatch()).text == patch)
  }

  @Test func `a merge patch names the nil attributes of a linked object that replaces another one`()
    throws
  {
    let order = try coder.decode(Order.self, Self.whole)
    let before = order.frozen()
    let other = try coder.decode(Customer.self, #"{"id":2,"name":"B","note":null}"#)
    try coder.store.write { order.customer = other }
    let patch = #"{"customer":{"id":2,"name":"B","note":null}}"#
    #expect(try bodies(from: before, to: order, linkedObjects: .full)[1] == patch)
    let edit = try #require(try coder.store.takeEdit(of: order))
    #expect(try coder.encode(edit, as: .mergePatch, linkedObjects: .full).text == patch)
  }

  @Test func `a merge patch clears all attributes of the linked object`() throws {
    let order = try coder.decode(Order.self, Self.whole)
    let before = order.frozen()
    try coder.store.write {
      let customer = try #require(order.customer)
      (customer.name, customer.note, customer.isAdmin) = (nil, nil, nil)
    }
    #expect(
      try bodies(from: before, to: order, linkedObjects: .full)[1]
        == #"{"customer":{"isAdmin":null,"name":null,"note":null}}"#)
  }
}

/// A JSON Patch tests the values of which the server's JSON is known.
@Suite struct `Tests of JSON Patches` {
  enum Color: String, PersistableEnum, CaseIterable { case red, blue }

  struct Size: Codable, Hashable, CodablePersistable { var width = 0 }

  final class Named: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }

  final class Numbered: Object {
    @Persisted(primaryKey: true) var id: UUID
  }

  final class Part: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var made: Date?
    @Persisted(json: "/ends/1") var end: String?
    @Persisted(.unread) var rest: JSONValue
  }

  final class Values: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var string = ""
    @Persisted var url: URL?
    @Persisted var flag: Bool?
    @Persisted var color: Color?
    @Persisted var int: Int?
    @Persisted var decimal: Decimal?
    @Persisted var double: Double?
    @Persisted var json: JSONValue
    @Persisted(.raw()) var raw: String?
    @Persisted(.unread) var rest: JSONValue
    @Persisted var ints: List<Int?>
    @Persisted var prices: Map<String, Double>
    @Persisted(.byKey) var owner: Named?
    @Persisted(.byKey) var owners: List<Named>
    @Persisted var part: Part?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
    @Persisted var data: Data?
    @Persisted var float: Float?
    @Persisted var size: Size?
    @Persisted(
      .coding(decode: { try $0.decode(Int.self) }, encode: { try JSONValue(encoding: $0) }))
    var coded: Int?
    @Persisted(.asString) var quoted: Int?
    @Persisted(.flexible) var flexible: Int?
    @Persisted(.unknown(.red)) var known: Color?
    @Persisted(.aliases("other")) var aliased: Int?
    @Persisted(.nilWhen(0), .writesNil) var zero: Int?
    @Persisted(.writesNil) var null: Int?
    @Persisted var set: MutableSet<Int>
    @Persisted(json: "/pairs/*/v") var nested: List<Int>
    @Persisted(.acceptsSingleValue) var singles: List<Int>
    @Persisted(.mismatch(.skipElement)) var skipping: List<Int>
    @Persisted(.nilWhen(0)) var zeros: List<Int?>
    @Persisted(.emptyAsNil) var empties: List<String?>
    @Persisted(.byKey) var number: Numbered?
    @Persisted var link: Named?
    @Persisted var links: List<Named>
    @Persisted var parts: List<Part>
    @Persisted(.keyed) var keyed: List<Named>
  }

  private func empty() -> Values {
    let values = Values()
    values.id = 1
    return values
  }

  /// Returns the tests of the patch to an object without values.
  private func tests(
    _ member: String, _ tests: CodingConfiguration.BodyFormat.Tests
  ) throws -> [String] {
    let coder = try makeCoder()
    let base = try coder.decode(Values.self, #"{"id":1,\#(member)}"#).frozen()
    let body = try coder.patch(
      from: base, to: empty(), as: .jsonPatch(tests: tests))
    let operations = try JSONDecoder().decode([JSONValue].self, from: #require(body))
    return operations.filter { $0["op"] == "test" }.map {
      "\($0["path"]?.stringValue ?? "") \(($0["value"] ?? .null).jsonText)"
    }
  }

  @Test(
    arguments: [
      #""string":"a""#, #""url":"a:b""#, #""flag":true"#, #""color":"blue""#, #""int":3"#,
      #""decimal":12345678901234567890.5"#, #""double":0.123456789012345"#,
      #""json":{"a":null,"b":0.40}"#, #""raw":{"a":1}"#, #""own":[1]"#, #""ints":[1,null]"#,
      #""prices":{"a":1.5}"#, #""owner":"a""#, #""owners":["a","b"]"#,
    ])
  func `a value of which the JSON is known is tested`(member: String) throws {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data("{\(member)}".utf8))
    guard case .object(let members) = value, let first = members.first else { return }
    #expect(try tests(member, .exact) == ["/\(first.key) \(first.value.jsonText)"])
    #expect(try tests(member, .none) == [])
  }

  @Test(
    arguments: [
      #""date":"2020-01-01T00:00:00Z""#, #""uuid":"6F1C3A52-0000-4000-8000-000000000001""#,
      #""data":"AQ==""#, #""float":0.5"#, #""double":0.12345678901234567"#, #""size":{"width":1}"#,
      #""coded":1"#, #""quoted":"1""#, #""flexible":1"#, #""known":"blue""#, #""aliased":1"#,
      #""zeros":[1]"#, #""empties":["a"]"#, #""set":[1]"#, #""pairs":[{"v":1}]"#, #""singles":[1]"#,
      #""skipping":[1]"#, #""number":"6f1c3a52-0000-4000-8000-000000000001""#,
      #""link":{"id":"a"}"#,
      #""links":[{"id":"a"}]"#, #""parts":[{"size":1}]"#, #""keyed":{"a":{"name":"n"}}"#,
    ])
  func `a value of which the JSON may be another is tested on request only`(member: String) throws {
    #expect(try tests(member, .exact) == [])
    #expect(try tests(member, .all).count == 1)
  }

  @Test(arguments: [#""zero":0"#, #""null":null"#, #""ints":[]"#, #""json":null"#])
  func `nil and empty collections are not tested`(member: String) throws {
    #expect(try tests(#"\#(member),"string":"a""#, .exact) == ["/string \"a\""])
  }

  @Test func `the members of an embedded object are tested one by one`() throws {
    let part = #""part":{"size":1,"made":"2020-01-01T00:00:00Z","ends":["a","b"],"own":2}"#
    #expect(
      try tests(part, .exact) == [
        "/part/ends/1 \"b\"", "/part/own 2", "/part/size 1",
      ])
  }

  @Test func `a coder that converts values tests none of them`() throws {
    let coder = try makeCoder { $0.isFlexible = true }
    let base = try coder.decode(Values.self, #"{"id":1,"string":"a","int":"3"}"#).frozen()
    let patch = try coder.patch(from: base, to: empty(), as: .jsonPatch())
    #expect(patch?.text.contains("test") == false)
  }

  @Test func `Booleans stand for tests`() {
    #expect(CodingConfiguration.BodyFormat.jsonPatch(tests: true) == .jsonPatch())
    #expect(CodingConfiguration.BodyFormat.jsonPatch(tests: false) == .jsonPatch(tests: .none))
  }
}

@Suite struct `References for patches` {
  private func cases(_ name: String) throws -> [JSONValue] {
    try JSONDecoder().decode([JSONValue].self, from: CodingFixtures.data("patches/\(name).json"))
  }

  @Test func `the reference applies the examples of RFC 7396`() throws {
    for example in try cases("rfc7396") {
      #expect(
        PatchReference.merging(example["patch"] ?? .null, into: example["original"])
          == example["result"])
    }
  }

  @Test func `the reference applies the examples of RFC 6902`() throws {
    for example in try cases("rfc6902") {
      let result = try? PatchReference.applying(
        example["patch"] ?? .null, to: example["original"] ?? .null)
      #expect(result ?? .null == example["result"], "\(example["name"] ?? .null)")
    }
  }
}
