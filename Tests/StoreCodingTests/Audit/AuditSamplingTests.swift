import Foundation
import ObjectStore
import StoreCoding
import Testing

@Suite struct `Audits of sampled calls` {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  @Test func `a coder audits each second call and merges the results`() throws {
    let coder = try makeCoder()
    let data = Data(#"{"id": 1, "x": 1}"#.utf8)
    let list = Data(#"[{"id": 1, "x": 1, "y": 1}]"#.utf8)
    try coder.decode(Item.self, from: data)
    #expect(coder.audit == Audit())
    coder.audits = .every(2)
    try coder.decode(Item.self, from: data)
    #expect(coder.audit.payloadCount == 0)
    try coder.decodeArray(Item.self, from: list)
    #expect(coder.audit.unreadKeys.map(\.path) == ["x", "y"])
    _ = try coder.read(Item.self, from: data)
    _ = try coder.read([Item].self, from: list)
    #expect(coder.audit.payloadCount == 2)
    coder.audits = .never
    try coder.decode(Item.self, from: data)
    #expect(coder.audit.payloadCount == 2)
    #expect(coder.audit.unreadKeys.map(\.count) == [2, 2])
  }

  @Test
  func `a sampled payload that decoding refuses is audited, and text that is not JSON is not`()
    throws
  {
    let coder = try makeCoder()
    coder.audits = .every(1)
    #expect(kind { try coder.decode(Item.self, #"{"id": "x", "y": 1}"#) } == .typeMismatch)
    #expect(kind { try coder.decode(Item.self, "{") } == .syntax)
    #expect(coder.audit.payloadCount == 1)
    #expect(coder.audit.mismatches.map(\.path) == ["id"])
    #expect(coder.audit.unreadKeys.map(\.path) == ["y"])
  }
}
