import Foundation
import ObjectStore
import TestSupport
import Testing

private enum MistakenKeys {
  final class NoKey: Object {
    @Persisted var a = 0
    @Persisted var b = 0
    override class var compoundKey: [String] { ["a", "b"] }
  }
  final class IntKey: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var a = 0
    override class var compoundKey: [String] { ["a"] }
  }
  final class Embedded: EmbeddedObject {
    @Persisted var a = 0
    @Persisted var b = 0
    override class var compoundKey: [String] { ["a", "b"] }
  }
  class Parts: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var userID = 0
    @Persisted var born: Date?
    @Persisted var price = 0.5
    @Persisted var name: String?
    @Persisted var tags: List<String>
    @Persisted var owner: Owner?
    @Persisted var scale: Scale
    override class var compoundKey: [String] {
      ["userId", "born", "price", "name", "tags", "owner", "scale", "owner.id", "id", "name"]
    }
    override class var codableIgnoredAttributes: [String] { ["userID", "name"] }
  }
  final class PartsBelow: Parts {
    @Persisted var restaurantID = ""
    override class var compoundKey: [String] { ["userID", "restaurantID"] }
    // The compound key itself may be ignored.
    override class var codableIgnoredAttributes: [String] { ["id"] }
  }
  final class PartsNone: Parts {
    override class var compoundKey: [String] { [] }
    override class var codableIgnoredAttributes: [String] { [] }
  }
  enum Scale: Double, PersistableEnum { case one = 1, two = 2 }
}

@Suite struct `Mistakes in compound keys` {
  private static let mistakes: [(ObjectBase.Type, [String])] = [
    (
      MistakenKeys.NoKey.self,
      [
        "NoKey.compoundKey: no attribute is the primary key, which is made of (a, b); "
          + "declare a String for it"
      ]
    ),
    (
      MistakenKeys.IntKey.self,
      [
        "IntKey.compoundKey: the primary key 'id' is Int; one made of others is a String",
        "IntKey.compoundKey: (a) is one attribute: declare it the primary key itself",
      ]
    ),
    (
      MistakenKeys.Embedded.self,
      ["Embedded.compoundKey: an embedded object cannot have a primary key"]
    ),
    (
      MistakenKeys.Parts.self,
      [
        "Parts.compoundKey: (userId, born, price, name, tags, owner, scale, owner.id, id, name) "
          + "are 10 attributes: name 2 to 4",
        "Parts.compoundKey: 'userId' is no attribute; did you mean 'userID'?",
        "Parts.compoundKey: 'born' is Date?, of which no key is made; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'price' is Double, of which no key is made; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'name' is String?, and a part of a key is never nil",
        "Parts.compoundKey: 'tags' is List<String>, of which no key is made; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'owner' is Owner?, of which no key is made; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'scale' is Scale, of which no key is made; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'owner.id' is no attribute",
        "Parts.compoundKey: 'id' is the primary key, which cannot be made of itself",
        "Parts.compoundKey: (userId, born, price, name, tags, owner, scale, owner.id, id, name) "
          + "names 'name' twice",
        "Parts.codableIgnoredAttributes: 'name' is part of the primary key and cannot be ignored",
      ]
    ),
    (
      MistakenKeys.PartsBelow.self,
      ["Parts.codableIgnoredAttributes: 'userID' is part of the primary key and cannot be ignored"]
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `each mistake in a compound key is reported with advice`(_ index: Int) {
    let (type, texts) = Self.mistakes[index]
    let error = #expect(throws: StoreError.self) { try ObjectSchema.of(type) }
    #expect(error?.description == texts.joined(separator: "\n"))
  }

  @Test func `a subclass may declare another compound key`() throws {
    #expect(try ObjectSchema.of(MistakenKeys.PartsNone.self).compoundKey == [])
    #expect(try ObjectSchema.of(Rating.self).compoundKey == ["userID", "restaurantID"])
  }

  @Test func `a schema created at run time reports mistakes in its compound key`() {
    let schema = ObjectSchema(
      "Seat", [Property("id", .string, isPrimaryKey: true), Property("row", .int)],
      compoundKey: ["row", "number"])
    #expect(schema.mistakes == ["Seat.compoundKey: 'number' is no attribute"])
  }
}
