import Foundation
import ObjectStore

/// Classes without a declaration in Swift.
enum QueryModels {
  static let user = ObjectSchema(
    "User",
    [
      Property("id", .int, isPrimaryKey: true), Property("name", .string),
      Property("friends", .list("User")),
    ])
}

/// Models for the tests of query plans.
enum Planned {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
  }

  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var legs = 4
    @Persisted(indexed: true) var born: Date?
    @Persisted(indexed: true) var weight = 0.0
    @Persisted var note: String?
    @Persisted var owner: Owner?
  }

  /// Has compound indexes.
  final class Horse: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var breed = ""
    @Persisted var year = 0
    @Persisted var name = ""
    @Persisted var height: Double?

    override class var indexes: [[String]] { [["breed", "year", "name"], ["year", "height"]] }
  }
}
