import Foundation
import ObjectStore
import TestSupport

/// Models of the query tests: one value of every type, null and not, links and collections.
enum Asked {
  enum Kind: String, PersistableEnum {
    case cafe, bar, club
  }

  class Thing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var flag: Bool
    @Persisted var maybeFlag: Bool?
    @Persisted var small: Int8
    @Persisted var whole: Int
    @Persisted var maybeWhole: Int?
    @Persisted var natural: UInt64
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var maybeDouble: Double?
    @Persisted var decimal: Decimal
    @Persisted var maybeDecimal: Decimal?
    @Persisted var text: String
    @Persisted var maybeText: String?
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var maybeDate: Date?
    @Persisted var uuid: UUID
    @Persisted var url: URL
    @Persisted var kind: Kind
    @Persisted var json: JSONValue
    @Persisted var owner: Owner?
    @Persisted var place: Place?
    @Persisted var tags: List<String>
    @Persisted var numbers: List<Int>
    @Persisted var scores: MutableSet<Double>
    @Persisted var marks: Map<String, Int?>
    @Persisted var parts: List<Thing>
    @Persisted(originProperty: "parts") var wholes: LinkingObjects<Thing>
  }

  /// The same with an index on whatever can have one.
  final class Indexed: Thing {
    override class func indexedProperties() -> [String] {
      [
        "flag", "maybeFlag", "small", "whole", "maybeWhole", "natural", "float", "double",
        "maybeDouble", "text", "maybeText", "date", "maybeDate", "uuid", "kind",
      ]
    }
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted var friend: Owner?
    @Persisted(originProperty: "owner") var things: LinkingObjects<Thing>
  }

  final class Place: EmbeddedObject {
    @Persisted var city: String?
    @Persisted var x = 0.0
  }
}

/// Models of the tests of plans.
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
}
