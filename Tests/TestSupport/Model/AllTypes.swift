public import Foundation
public import ObjectStore

// Attributes of all supported types.

public enum Level: Int, PersistableEnum {
  case low = -1
  case middle = 0
  case high = 7
}

/// A custom type stored as a Double.
public struct Metres: CustomPersistable {
  public var value: Double

  public init(_ value: Double) { self.value = value }
  public init(persistedValue: Double) { value = persistedValue }
  public var persistableValue: Double { value }
}

/// A custom type stored as a String.
public struct Word: CustomPersistable {
  public var text: String

  public init(_ text: String) { self.text = text }
  public init(persistedValue: String) { text = persistedValue }
  public var persistableValue: String { text }
}

/// A class with an attribute of each type, and of each kind of link and collection.
open class AllTypes: Object {
  @Persisted(primaryKey: true) public var id: Int
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
  @Persisted(.raw()) public var optMinified: String?

  @Persisted public var link: AllTypes?
  @Persisted public var leaf: Leaf?
  @Persisted public var remark: Remark?
  @Persisted public var spot: Spot?

  @Persisted public var bools: List<Bool>
  @Persisted public var ints: List<Int>
  @Persisted public var uint64s: List<UInt64>
  @Persisted public var floats: List<Float>
  @Persisted public var doubles: List<Double>
  @Persisted public var decimals: List<Decimal>
  @Persisted public var strings: List<String>
  @Persisted public var datas: List<Data>
  @Persisted public var dates: List<Date>
  @Persisted public var uuids: List<UUID>
  @Persisted public var urls: List<URL>
  @Persisted public var allSpecies: List<Species>
  @Persisted public var jsons: List<JSONValue>
  @Persisted public var optBools: List<Bool?>
  @Persisted public var optInts: List<Int?>
  @Persisted public var optStrings: List<String?>
  @Persisted public var objects: List<AllTypes>
  @Persisted public var leaves: List<Leaf>
  @Persisted public var remarks: List<Remark>
  @Persisted public var spots: List<Spot>

  @Persisted public var intSet: MutableSet<Int>
  @Persisted public var doubleSet: MutableSet<Double>
  @Persisted public var stringSet: MutableSet<String>
  @Persisted public var objectSet: MutableSet<AllTypes>
  @Persisted public var leafSet: MutableSet<Leaf>
  @Persisted public var remarkSet: MutableSet<Remark>

  @Persisted public var intMap: Map<String, Int>
  @Persisted public var stringMap: Map<String, String>
  @Persisted public var optIntMap: Map<String, Int?>
  @Persisted public var optStringMap: Map<String, String?>
  @Persisted public var objectMap: Map<String, AllTypes?>
  @Persisted public var leafMap: Map<String, Leaf>
  @Persisted public var remarkMap: Map<String, Remark>
  @Persisted public var spotMap: Map<String, Spot>
  @Persisted public var optSpotMap: Map<String, Spot?>

  @Persisted(.raw(.exact)) public var exact: String
  @Persisted(.raw()) public var minified: String

  @Persisted(originProperty: "link") public var linkedBy: LinkingObjects<AllTypes>
  @Persisted(originProperty: "objects") public var listedBy: LinkingObjects<AllTypes>

  public convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

public final class Leaf: Object {
  @Persisted(primaryKey: true) public var id: String
  @Persisted public var name = "leaf"
  @Persisted public var age: Int?
  @Persisted public var next: Leaf?
  @Persisted(originProperty: "leaf") public var holders: LinkingObjects<AllTypes>
}

/// A class without a primary key.
public final class Remark: Object {
  @Persisted public var text = ""
  @Persisted public var likes: Int?
}

public final class Spot: EmbeddedObject {
  @Persisted public var x = 0.0
  @Persisted public var y = 0.0
  @Persisted public var label: String?

  public convenience init(x: Double = 0, label: String?) {
    self.init()
    self.x = x
    self.label = label
  }
}
