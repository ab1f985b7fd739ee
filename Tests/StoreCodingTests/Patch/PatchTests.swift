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
    #expect(try text(.jsonPatch(tests: true)) == patch)
    let operations = try text(.jsonPatch(tests: false))
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
      patch: #"[{"op":"test","path":"/customer","value":{"id":1}},"#
        + #"{"op":"add","path":"/customer","value":{"id":2}}]"#
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
      patch: #"[{"op":"test","path":"/address","value":{"city":"B","street":"A"}},"#
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
    let patch = try coder.patch(from: before, to: object, as: .jsonPatch(tests: true))?.text
    #expect(
      patch == "[\(note),\(version),\(tenant),\(change)]"
        || patch == "[\(note),\(tenant),\(version),\(change)]")
    #expect(
      try coder.patch(from: before, to: object, as: .jsonPatch(tests: false))?.text == "[\(change)]"
    )
    try coder.store.write { object.version = 4 }
    let both = try coder.patch(from: before, to: object, as: .jsonPatch(tests: true))?.text
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
      try coder.patch(from: before, to: object, as: .jsonPatch(tests: false))?.text
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
      try text(.jsonPatch(tests: false)) == #"[{"op":"remove","path":"/data/order/note"}]"#)
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
    #expect(try coder.patch(from: before, to: order, as: .jsonPatch(tests: true)) != nil)
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
      (.jsonPatch(tests: true), "application/json-patch+json"),
    ] as [(CodingConfiguration.BodyFormat, String)])
  func `each format has its media type`(format: CodingConfiguration.BodyFormat, type: String) {
    #expect(format.contentType == type)
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
