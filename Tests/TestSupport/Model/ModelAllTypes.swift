public import Foundation
public import ObjectStore

// Every type an attribute can have.

public enum Level: Int, PersistableEnum {
  case low = -1
  case high = 7
}

/// A type of an app's own, stored as a Double.
public struct Metres: CustomPersistable {
  public var value: Double

  public init(_ value: Double) { self.value = value }
  public init(persistedValue: Double) { value = persistedValue }
  public var persistableValue: Double { value }
}

/// A type of an app's own, stored as a String.
public struct Word: CustomPersistable {
  public var text: String

  public init(_ text: String) { self.text = text }
  public init(persistedValue: String) { text = persistedValue }
  public var persistableValue: String { text }
}

public final class AllTypes: Object {
  @Persisted public var bool: Bool
  @Persisted public var int: Int
  @Persisted public var int8: Int8
  @Persisted public var int16: Int16
  @Persisted public var int32: Int32
  @Persisted public var int64: Int64
  @Persisted public var uint: UInt
  @Persisted public var uint8: UInt8
  @Persisted public var uint16: UInt16
  @Persisted public var uint32: UInt32
  @Persisted public var uint64: UInt64
  @Persisted public var float: Float
  @Persisted public var double: Double
  @Persisted public var decimal: Decimal
  @Persisted public var string: String
  @Persisted public var data: Data
  @Persisted public var date: Date
  @Persisted public var uuid: UUID
  @Persisted public var url: URL
  @Persisted public var species: Species
  @Persisted public var level: Level
  @Persisted public var metres: Metres
  @Persisted public var word: Word
  @Persisted public var json: JSONValue

  @Persisted public var optBool: Bool?
  @Persisted public var optInt: Int?
  @Persisted public var optInt8: Int8?
  @Persisted public var optInt16: Int16?
  @Persisted public var optInt32: Int32?
  @Persisted public var optInt64: Int64?
  @Persisted public var optUInt: UInt?
  @Persisted public var optUInt8: UInt8?
  @Persisted public var optUInt16: UInt16?
  @Persisted public var optUInt32: UInt32?
  @Persisted public var optUInt64: UInt64?
  @Persisted public var optFloat: Float?
  @Persisted public var optDouble: Double?
  @Persisted public var optDecimal: Decimal?
  @Persisted public var optString: String?
  @Persisted public var optData: Data?
  @Persisted public var optDate: Date?
  @Persisted public var optUUID: UUID?
  @Persisted public var optURL: URL?
  @Persisted public var optSpecies: Species?
  @Persisted public var optLevel: Level?
  @Persisted public var optMetres: Metres?
  @Persisted public var optWord: Word?
  @Persisted public var optJSON: JSONValue?

  @Persisted public var link: AllTypes?
  @Persisted public var embedded: Address?

  @Persisted public var bools: List<Bool>
  @Persisted public var ints: List<Int>
  @Persisted public var uint64s: List<UInt64>
  @Persisted public var floats: List<Float>
  @Persisted public var strings: List<String>
  @Persisted public var dates: List<Date>
  @Persisted public var uuids: List<UUID>
  @Persisted public var decimals: List<Decimal>
  @Persisted public var allSpecies: List<Species>
  @Persisted public var jsons: List<JSONValue>
  @Persisted public var optBools: List<Bool?>
  @Persisted public var optInts: List<Int?>
  @Persisted public var optStrings: List<String?>
  @Persisted public var objects: List<AllTypes>
  @Persisted public var places: List<Address>

  @Persisted public var intSet: MutableSet<Int>
  @Persisted public var stringSet: MutableSet<String>
  @Persisted public var objectSet: MutableSet<AllTypes>

  @Persisted public var intMap: Map<String, Int>
  @Persisted public var stringMap: Map<String, String>
  @Persisted public var optStringMap: Map<String, String?>
  @Persisted public var objectMap: Map<String, AllTypes?>
  @Persisted public var placeMap: Map<String, Address?>

  @Persisted(originProperty: "link") public var linkedBy: LinkingObjects<AllTypes>
  @Persisted(originProperty: "objects") public var listedBy: LinkingObjects<AllTypes>
}
