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
        "NoKey.compoundKey: no attribute is the primary key for (a, b); "
          + "declare a String for it"
      ]
    ),
    (
      MistakenKeys.IntKey.self,
      [
        "IntKey.compoundKey: the primary key 'id' is Int; a compound key is a String",
        "IntKey.compoundKey: (a) is a single attribute; declare it as the primary key instead",
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
          + "has 10 attributes; name 2 to 4",
        "Parts.compoundKey: 'userId' is not an attribute; did you mean 'userID'?",
        "Parts.compoundKey: 'born' is Date?, which cannot be part of a key; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'price' is Double, which cannot be part of a key; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'name' is String?, but a part of a key cannot be nil",
        "Parts.compoundKey: 'tags' is List<String>, which cannot be part of a key; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'owner' is Owner?, which cannot be part of a key; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'scale' is Scale, which cannot be part of a key; "
          + "use integers, Strings and UUIDs",
        "Parts.compoundKey: 'owner.id' is not an attribute",
        "Parts.compoundKey: 'id' is the primary key, which cannot be a part of itself",
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

  @Test func `a subclass can remove the compound key of its superclass`() throws {
    #expect(try ObjectSchema.of(MistakenKeys.PartsNone.self).compoundKey == [])
    #expect(try ObjectSchema.of(Rating.self).compoundKey == ["userID", "restaurantID"])
  }

  @Test func `a schema created at run time reports mistakes in its compound key`() {
    let schema = ObjectSchema(
      "Seat", [Property("id", .string, isPrimaryKey: true), Property("row", .int)],
      compoundKey: ["row", "number"])
    #expect(schema.mistakes == ["Seat.compoundKey: 'number' is not an attribute"])
  }
}
