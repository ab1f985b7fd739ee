import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The policy declared by an attribute applies wherever its object is, regardless of enclosing policies.
@Suite struct `Declared policies inside other objects` {
  final class Inner: EmbeddedObject {
    @Persisted(.mismatch(.throw)) var a = 1
    @Persisted(.null(.fail)) var n: Int?
    @Persisted(.mismatch(.skipElement)) var s = 1
    @Persisted var plain = 1
  }

  final class Outer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var e: Inner?
    @Persisted var es: List<Inner>
    @Persisted(.mismatch(.skipAttribute)) var lenient: Inner?
    @Persisted(.mismatch(.skipElement)) var skipping: List<Inner>
    @Persisted(json: "/parts/0") var part: Inner?
  }

  private static let text = #"expected Int, found string "x" at line 1, column"#

  @Test(
    arguments: [AttributePolicy.Mismatches.useDefault, .skipAttribute, .skipElement, .throw],
    [
      (#""e":{"a":"x"}"#, "e.a (Inner.a, id 1): \(text) 18"),
      (#""es":[{"a":1},{"a":"x"}]"#, "es[1].a (Inner.a, id 1): \(text) 28"),
      (#""lenient":{"a":"x"}"#, "lenient.a (Inner.a, id 1): \(text) 24"),
      (#""skipping":[{"a":"x"}]"#, "skipping[0].a (Inner.a, id 1): \(text) 26"),
      (#""parts":[{"a":"x"}]"#, "parts[0].a (Inner.a, id 1): \(text) 23"),
      (
        #""e":{"n":null}"#,
        "e.n (Inner.n, id 1): null for an Int? that rejects it at line 1, column 18"
      ),
      (
        #""skipping":[{"n":null}]"#,
        "skipping[0].n (Inner.n, id 1): null for an Int? that rejects it at line 1, column 26"
      ),
    ])
  func `a declared policy that rejects the payload applies inside lenient values`(
    policy: AttributePolicy.Mismatches, bad: (members: String, expected: String)
  ) throws {
    let coder = try makeCoder { $0.mismatches = policy }
    let before = #"{"id":1,"es":[{"a":1},{"a":2},{"a":3}],"e":{"a":7},"skipping":[{"a":4}]}"#
    let outer = try coder.decode(Outer.self, before)
    #expect(message { try coder.decode(Outer.self, "{\"id\":1,\(bad.members)}") } == bad.expected)
    #expect(outer.es.map(\.a) == [1, 2, 3])
    #expect(outer.e?.a == 7)
    #expect(outer.skipping.map(\.a) == [4])
  }

  @Test func `a declared skipElement overrides the coder's useDefault policy`() throws {
    let coder = try makeCoder { $0.mismatches = .useDefault }
    #expect(
      message { try coder.decode(Outer.self, #"{"id":1,"es":[{"s":1},{"s":"x"}]}"#) }
        == "es[1].s (Inner.s, id 1): \(Self.text) 28")
    let outer = try coder.decode(Outer.self, #"{"id":1,"skipping":[{"s":2},{"s":"x"}]}"#)
    #expect(outer.skipping.map(\.s) == [2])
    let text = #"{"id":1,"e":{"plain":"x"}}"#
    let passed = try coder.read(Outer.self, from: Data(text.utf8))
    #expect(passed.objects[0].e?.plain == 1)
    #expect(passed.issues.map(\.path) == ["e.plain"])
  }

  // MARK: - Parts of paths

  final class FirstLenient: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "p.a", .mismatch(.skipAttribute)) var a = 0
    @Persisted(json: "p.b") var b = 0
  }

  final class LastStrict: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "p.a") var a = 0
    @Persisted(json: "p.b", .mismatch(.throw)) var b = 0
  }

  final class LastSkipping: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "p.a", .mismatch(.skipAttribute)) var a = 0
    @Persisted(json: "p.b", .mismatch(.skipElement)) var b = 0
  }

  private static let page = Data(
    #"[{"id":1,"p":{"a":1,"b":1}},{"id":2,"p":5},{"id":3,"p":{"a":1,"b":1}}]"#.utf8)

  @Test func `a path part that is not an object follows the strictest policy of its attributes`()
    throws
  {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read([FirstLenient].self, from: Self.page)
    #expect(result.objects.map(\.id) == [1, 3])
    #expect(
      result.issues.map(\.description) == [
        "[1].p (FirstLenient.b, id 2): expected an object, found number 5 at line 1, column 41"
      ])
    #expect(
      message { try coder.decodeArray(LastStrict.self, from: Self.page) }
        == "[1].p (LastStrict.b, id 2): expected an object, found number 5 at line 1, column 41")
    let plain = try makeCoder()
    #expect(try plain.decodeArray(LastSkipping.self, from: Self.page).map(\.id) == [1, 3])
    #expect(
      message { try plain.decodeArray(FirstLenient.self, from: Self.page) }
        == "[1].p (FirstLenient.b, id 2): expected an object, found number 5 at line 1, column 41")
  }

  // MARK: - Keys

  final class Keyed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var n = 0
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.mismatch(.skipElement)) var elements: List<Keyed>
  }

  @Test(
    arguments: [
      (#"{"id":"x"}"#, .typeMismatch), (#"{"id":null}"#, .primaryKeyNotFound),
      (#"{"n":2}"#, .primaryKeyNotFound),
    ] as [(String, StoreCodingError.Kind)])
  func `an element without a valid key is skipped by skipElement`(
    element: String, kind: StoreCodingError.Kind
  ) throws {
    let coder = try makeCoder {
      $0.mismatches = .skipElement
      $0.nulls = .skip
    }
    let result = try coder.read(
      [Keyed].self, from: Data(#"[{"id":1},\#(element),{"id":3}]"#.utf8))
    #expect(result.objects.map(\.id) == [1, 3])
    #expect(result.issues.map(\.kind) == [kind])
    let owner = try makeCoder().decode(
      Owner.self, #"{"id":1,"elements":[{"id":1},\#(element)]}"#)
    #expect(owner.elements.map(\.id) == [1])
  }

  final class Part: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted(.mismatch(.useDefault)) var a = 1
    @Persisted(.null(.default)) var b = ""
    override class var compoundKey: [String] { ["a", "b"] }
  }

  final class Passing: Object {
    @Persisted(primaryKey: true, .mismatch(.skipAttribute), .null(.skip)) var id: Int
    @Persisted var part: Part?
  }

  @Test func `check reports policies that skip or replace a primary key or a part of one`() throws {
    #expect(
      message { try makeCoder().check(Passing.self) } == """
        Passing.id: a primary key cannot be skipped or replaced: remove mismatch(skipAttribute)
        Passing.id: a primary key cannot be skipped or replaced: remove null(skip)
        Part.a: a primary key cannot be skipped or replaced: remove mismatch(useDefault)
        Part.b: a primary key cannot be skipped or replaced: remove null(default)
        """)
  }
}
