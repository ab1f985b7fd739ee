import Foundation
import ObjectStore
import TestSupport
import Testing

/// Updates of the type `[String: Any]`.
@Suite struct `Updates of untyped values` {
  final class Holder: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var map: Map<String, Int>
    @Persisted var any: JSONValue
    @Persisted var uuid: UUID?
  }

  private func refusal(_ value: [String: Any]) throws -> String {
    let store = try Store()
    do {
      try store.write { try store.create(Holder.self, value: value, update: .modified) }
      return "stored"
    } catch {
      return "\(error)"
    }
  }

  @Test func `an untyped update rejects integers beyond 64 bits`() throws {
    #expect(UpdateValue(any: Int128(5)) == .int(5))
    #expect(UpdateValue(any: UInt128(UInt64.max)) == .uint(.max))
    #expect(UpdateValue(any: Int128(UInt64.max)) == .uint(.max))
    #expect(UpdateValue(any: Int128.min) == nil)
    #expect(UpdateValue(any: UInt128.max) == nil)
    #expect(
      try refusal(["id": Int128.max])
        == "Holder.id: expected a value an attribute can hold, found Int128")
    #expect(
      try refusal(["id": 1, "map": ["a": UInt128.max]])
        == "Holder.map: expected a value an attribute can hold, found Dictionary<String, UInt128>")
  }

  @Test(
    arguments: [
      " e39f3f8-b7e1-dcbf-77b8-36b32438327f", "98 CEC03-D133-2267-F81F-F92BB1B82FCE",
      "+1234567-89AB-CDEF-abcd-ef0123456789", "0x234567-89AB-CDEF-abcd-ef0123456789",
      "01234567-89AB-CDEF-abcd-ef0123456789 ", "",
    ])
  func `an untyped update rejects a string that is not a UUID`(text: String) throws {
    let found = "Holder.uuid: expected UUID?, found String \"\(text)\""
    #expect(try refusal(["id": 1, "uuid": text]) == found)
    let store = try Store()
    let made = try store.write {
      try store.create(
        Holder.self, value: ["id": 1, "uuid": "01234567-89AB-CDEF-abcd-ef0123456789"])
    }
    #expect(made.uuid == UUID(uuidString: "01234567-89AB-CDEF-ABCD-EF0123456789"))
  }

  @Test(arguments: [Decimal.nan as any Sendable, Double.nan, Double.infinity, Float.nan])
  func `an untyped update rejects NaN and infinity as JSON values`(value: any Sendable) throws {
    #expect(
      try refusal(["id": 1, "any": value]).hasPrefix("Holder.any: expected JSONValue, found "))
    #expect(
      try refusal(["id": 1, "any": ["a": [value]] as [String: Any]])
        == "Holder.any: expected JSONValue, found an object")
  }

  @Test(.timeLimit(.minutes(10)))
  func `converting a dictionary of 100,000 entries does not take quadratic time`() throws {
    let map = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("key\($0)", $0) })
    let store = try Store()
    let made = try store.write {
      try store.create(Holder.self, value: ["id": 1, "map": map] as [String: Any])
    }
    #expect(made.map.count == 100_000)
    #expect(made.map["key99999"] == 99_999)
  }

  @Test(.timeLimit(.minutes(10)))
  func `converting values nested 400 levels deep does not take quadratic time`() throws {
    let leaves = (0..<500).map { index in (0..<500).map { "\(index) \($0)" } as [Any] }
    var value: Any = leaves
    for level in 0..<400 { value = level % 2 == 0 ? ["a": value] as [String: Any] : [value] }
    let store = try Store()
    let made = try store.write {
      try store.create(Holder.self, value: ["id": 1, "any": value] as [String: Any])
    }
    var inner = made.any
    for level in 0..<400 {
      inner = try #require(level % 2 == 0 ? inner.elements.first : inner.members.first?.value)
    }
    #expect(inner.elements.count == 500)
  }

  final class Pair: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var a: Int
    @Persisted var b: String
    @Persisted var first: Holder?
    @Persisted var last: Holder?
  }

  @Test func `an untyped update processes attribute names in sorted order`() throws {
    for _ in 0..<20 {
      let store = try Store()
      let error = #expect(throws: StoreError.self) {
        try store.write {
          _ = try store.create(Pair.self, value: ["id": 1, "b": 1, "a": "x"] as [String: Any?])
        }
      }
      #expect(error.map { "\($0)" } == "Pair.a: expected Int, found String \"x\"")
      try store.write {
        let holder = { ["id": 5, "any": $0] as [String: Any] }
        try store.create(
          Pair.self, value: ["last": holder("l"), "id": 1, "first": holder("f")] as [String: Any?],
          update: .modified)
      }
      #expect(store.objects(Holder.self)[0].any == .string("l"))
    }
  }
}
