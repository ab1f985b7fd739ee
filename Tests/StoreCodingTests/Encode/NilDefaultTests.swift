import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Barn {
  final class Gate: EmbeddedObject {
    @Persisted var bars: Int? = 3
    @Persisted var latch: Int?
  }

  /// A class whose attributes, except the key, are optional with a default other than nil.
  final class Stall: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var int: Int? = 7
    @Persisted var bool: Bool? = true
    @Persisted var double: Double? = 1.5
    @Persisted var string: String? = "s"
    @Persisted var date: Date? = Date(timeIntervalSince1970: 0)
    @Persisted(.date(.date)) var day: Date? = Date(timeIntervalSince1970: 0)
    @Persisted var decimal: Decimal? = 2
    @Persisted var data: Data? = Data([1])
    @Persisted var json: JSONValue? = .int(1)
    @Persisted(.raw()) var raw: String? = "{}"
    @Persisted var gate: Gate? = Gate()
    @Persisted(json: "walls.north") var north: Int? = 1
    @Persisted(json: "walls.south.height") var south: Int? = 2
    @Persisted(json: "/corners/1") var corner: Int? = 3
    @Persisted(json: "/corners/2") var last: Int? = 4

    static let names = [
      "int", "bool", "double", "string", "date", "day", "decimal", "data", "json", "raw", "gate",
      "north", "south", "corner", "last",
    ]
  }

  final class Field: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var gate: Gate?
    @Persisted var gates: List<Gate>
  }
}

@Suite struct `Nil attributes with a default other than nil` {
  private let empty =
    #"{"id":1,"int":null,"bool":null,"double":null,"string":null,"date":null,"day":null,"#
    + #""decimal":null,"data":null,"json":null,"raw":null,"gate":null,"#
    + #""walls":{"north":null,"south":{"height":null}},"corners":[null,null,null]}"#

  private func nils(_ stall: Barn.Stall) -> [String] {
    Barn.Stall.names.filter { stall[$0] == nil }
  }

  @Test func `a nil attribute with a default is written as null for any kind of object`()
    throws
  {
    let coder = try makeCoder()
    let stall = Barn.Stall()
    stall.id = 1
    for name in Barn.Stall.names { stall[name] = nil }
    #expect(try coder.text(stall) == empty)
    try coder.store.write { try coder.store.add(stall) }
    #expect(try coder.text(stall) == empty)
    #expect(try coder.encode(stall.frozen()).text == empty)
  }

  @Test func `a body with nulls reads back as the same object in its own and another store`() throws
  {
    let coder = try makeCoder()
    let stall = try coder.decode(Barn.Stall.self, empty)
    #expect(nils(stall) == Barn.Stall.names)
    let version = coder.store.version
    try coder.decode(Barn.Stall.self, coder.text(stall))
    #expect(coder.store.version == version)
    let other = try makeCoder().decode(Barn.Stall.self, coder.text(stall))
    #expect(nils(other) == Barn.Stall.names)
  }

  @Test func `embedded objects write nil as null only if the attribute has a default`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"gate":{"bars":null,"latch":null},"gates":[{"bars":null},{"bars":2}]}"#
    let body = #"{"id":1,"gate":{"bars":null},"gates":[{"bars":null},{"bars":2}]}"#
    let field = try coder.decode(Barn.Field.self, text)
    #expect(try coder.text(field) == body)
    let version = coder.store.version
    try coder.decode(Barn.Field.self, body)
    #expect(coder.store.version == version)
    #expect(field.gate?.bars == nil)
  }

  @Test(arguments: 1...20)
  func `objects with any nil attributes read back from their bodies`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let stall = Barn.Stall()
    stall.id = 1
    for name in Barn.Stall.names where Bool.random(using: &random) { stall[name] = nil }
    let writer = try makeCoder()
    let text = try writer.text(stall)
    let coder = try makeCoder()
    let decoded = try coder.decode(Barn.Stall.self, text)
    #expect(nils(decoded) == nils(stall))
    #expect(try coder.text(decoded) == text)
    let version = coder.store.version
    try coder.decode(Barn.Stall.self, text)
    #expect(coder.store.version == version)
  }

  @Test func `a nil attribute is omitted if null would not read back as nil`() throws {
    let coder = try makeCoder()
    let policies = Coding.Policies()
    policies.skipped = nil
    policies.defaulted = nil
    policies.failing = nil
    policies.cleared = nil
    let text = try coder.text(policies)
    #expect(text.contains(#""cleared":null"#))
    for name in ["skipped", "defaulted", "failing"] { #expect(!text.contains("\"\(name)\"")) }
  }
}
