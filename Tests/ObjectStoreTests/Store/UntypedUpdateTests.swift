import Foundation
import ObjectStore
import TestSupport
import Testing

/// Updates from values whose types are known only at run time: `[String: Any]`.
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

  @Test(
    arguments: [
      " e39f3f8-b7e1-dcbf-77b8-36b32438327f", "98 CEC03-D133-2267-F81F-F92BB1B82FCE",
      "+1234567-89AB-CDEF-abcd-ef0123456789", "0x234567-89AB-CDEF-abcd-ef0123456789",
      "01234567-89AB-CDEF-abcd-ef0123456789 ", "",
    ])
  func `a text that is no UUID is refused`(text: String) throws {
    let found = "Holder.uuid: expected UUID?, found String \"\(text)\""
    #expect(try refusal(["id": 1, "uuid": text]) == found)
    let store = try Store()
    let made = try store.write {
      try store.create(
        Holder.self, value: ["id": 1, "uuid": "01234567-89AB-CDEF-abcd-ef0123456789"])
    }
    #expect(made.uuid == UUID(uuidString: "01234567-89AB-CDEF-ABCD-EF0123456789"))
  }
}
