import Foundation
import ObjectStore

// Classes with a key and eight attributes of one type. Not a generic class, because unspecialized code would slow it.

final class EightInts: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Int
  @Persisted var second: Int
  @Persisted var third: Int
  @Persisted var fourth: Int
  @Persisted var fifth: Int
  @Persisted var sixth: Int
  @Persisted var seventh: Int
  @Persisted var eighth: Int
}

final class EightDoubles: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Double
  @Persisted var second: Double
  @Persisted var third: Double
  @Persisted var fourth: Double
  @Persisted var fifth: Double
  @Persisted var sixth: Double
  @Persisted var seventh: Double
  @Persisted var eighth: Double
}

final class EightBools: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Bool
  @Persisted var second: Bool
  @Persisted var third: Bool
  @Persisted var fourth: Bool
  @Persisted var fifth: Bool
  @Persisted var sixth: Bool
  @Persisted var seventh: Bool
  @Persisted var eighth: Bool
}

final class EightTexts: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: String
  @Persisted var second: String
  @Persisted var third: String
  @Persisted var fourth: String
  @Persisted var fifth: String
  @Persisted var sixth: String
  @Persisted var seventh: String
  @Persisted var eighth: String
}

final class EightDates: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Date
  @Persisted var second: Date
  @Persisted var third: Date
  @Persisted var fourth: Date
  @Persisted var fifth: Date
  @Persisted var sixth: Date
  @Persisted var seventh: Date
  @Persisted var eighth: Date
}

final class EightDays: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(.date(.date)) var first: Date
  @Persisted(.date(.date)) var second: Date
  @Persisted(.date(.date)) var third: Date
  @Persisted(.date(.date)) var fourth: Date
  @Persisted(.date(.date)) var fifth: Date
  @Persisted(.date(.date)) var sixth: Date
  @Persisted(.date(.date)) var seventh: Date
  @Persisted(.date(.date)) var eighth: Date
}

final class EightDecimals: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Decimal
  @Persisted var second: Decimal
  @Persisted var third: Decimal
  @Persisted var fourth: Decimal
  @Persisted var fifth: Decimal
  @Persisted var sixth: Decimal
  @Persisted var seventh: Decimal
  @Persisted var eighth: Decimal
}

final class EightUUIDs: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: UUID
  @Persisted var second: UUID
  @Persisted var third: UUID
  @Persisted var fourth: UUID
  @Persisted var fifth: UUID
  @Persisted var sixth: UUID
  @Persisted var seventh: UUID
  @Persisted var eighth: UUID
}

final class EightURLs: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: URL
  @Persisted var second: URL
  @Persisted var third: URL
  @Persisted var fourth: URL
  @Persisted var fifth: URL
  @Persisted var sixth: URL
  @Persisted var seventh: URL
  @Persisted var eighth: URL
}

final class EightBlobs: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Data
  @Persisted var second: Data
  @Persisted var third: Data
  @Persisted var fourth: Data
  @Persisted var fifth: Data
  @Persisted var sixth: Data
  @Persisted var seventh: Data
  @Persisted var eighth: Data
}

final class EightRoles: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Role
  @Persisted var second: Role
  @Persisted var third: Role
  @Persisted var fourth: Role
  @Persisted var fifth: Role
  @Persisted var sixth: Role
  @Persisted var seventh: Role
  @Persisted var eighth: Role
}

final class EightJSONs: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: JSONValue
  @Persisted var second: JSONValue
  @Persisted var third: JSONValue
  @Persisted var fourth: JSONValue
  @Persisted var fifth: JSONValue
  @Persisted var sixth: JSONValue
  @Persisted var seventh: JSONValue
  @Persisted var eighth: JSONValue
}

final class EightLists: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: List<Int>
  @Persisted var second: List<Int>
  @Persisted var third: List<Int>
  @Persisted var fourth: List<Int>
  @Persisted var fifth: List<Int>
  @Persisted var sixth: List<Int>
  @Persisted var seventh: List<Int>
  @Persisted var eighth: List<Int>
}

final class EightMaps: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: Map<String, Int>
  @Persisted var second: Map<String, Int>
  @Persisted var third: Map<String, Int>
  @Persisted var fourth: Map<String, Int>
  @Persisted var fifth: Map<String, Int>
  @Persisted var sixth: Map<String, Int>
  @Persisted var seventh: Map<String, Int>
  @Persisted var eighth: Map<String, Int>
}

final class EightLinks: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var first: StoredItem?
  @Persisted var second: StoredItem?
  @Persisted var third: StoredItem?
  @Persisted var fourth: StoredItem?
  @Persisted var fifth: StoredItem?
  @Persisted var sixth: StoredItem?
  @Persisted var seventh: StoredItem?
  @Persisted var eighth: StoredItem?
}

/// The target of the links of `EightLinks`.
final class StoredItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

enum Role: String, PersistableEnum, Codable {
  case guest, admin, owner, editor
}
