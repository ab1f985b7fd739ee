import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A primary key that is missing, null or of the wrong type. No policy may merge unrelated objects.
@Suite struct `Missing primary keys` {
  @Test(
    arguments: [
      (AttributePolicy.Mismatches.useDefault, #""a""#, #"string "a""#),
      (.skipAttribute, #""a""#, #"string "a""#),
      (.useDefault, "1e30", "number 1e30"), (.useDefault, "null", "null"),
      (.skipAttribute, "[7]", "an array"),
    ])
  func `a lenient policy does not replace a bad primary key`(
    policy: AttributePolicy.Mismatches, value: String, found: String
  ) throws {
    let coder = try makeCoder { $0.mismatches = policy }
    #expect(
      message {
        try coder.decodeArray(
          Coding.Key.self, #"[{"id":1},{"id":\#(value),"name":"A"},{"id":\#(value),"name":"B"}]"#)
      }
        == "[1].id (Key.id): no value for the primary key 'id', found \(found) "
        + "at line 1, column 17")
    #expect(coder.store.version == 0)
    #expect(coder.store.objects(Coding.Key.self).isEmpty)
  }

  @Test(arguments: [AttributePolicy.Nulls.default, .skip])
  func `a null primary key throws an error even if the null policy skips or replaces nulls`(
    policy: AttributePolicy.Nulls
  ) throws {
    let coder = try makeCoder { $0.nulls = policy }
    #expect(
      message { try coder.decode(Coding.Key.self, #"{"id":null,"name":"A"}"#) }
        == "id (Key.id): no value for the primary key 'id', found null at line 1, column 7")
    #expect(
      kind { try coder.decode(Coding.FreshKey.self, #"{"id":null,"name":"A"}"#) }
        == .primaryKeyNotFound)
    #expect(coder.store.version == 0)
  }

  @Test(arguments: [(#""id":"a","#, ".id"), (#""id":null,"#, ".id"), ("", "")])
  func `an element without a valid primary key is skipped by skipElement with an issue`(
    member: String, path: String
  ) throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read(
      [Coding.Key].self,
      from: Data(#"[{"id":1},{\#(member)"name":"A"},{\#(member)"name":"B"},{"id":2}]"#.utf8))
    #expect(result.objects.map(\.id) == [1, 2])
    #expect(result.issues.map(\.path) == ["[1]\(path)", "[2]\(path)"])
    #expect(coder.store.objects(Coding.Key.self).count == 2)
  }

  @Test func `a missing primary key takes its default only if that is unique per object`() throws {
    let coder = try makeCoder()
    let objects = try coder.decodeArray(Coding.FreshKey.self, #"[{"name":"A"},{"name":"B"}]"#)
    #expect(objects[0].id != objects[1].id)
    #expect(
      message { try coder.decode(Coding.Key.self, #"{"name":"A"}"#) }
        == "(Key.id): no value for the primary key 'id', found the key 'name' at line 1, column 1")
  }
}
