public import Foundation
public import ObjectStore

extension Coding {
  public enum Level: Int, PersistableEnum {
    case low = -1
    case middle = 0
    case high = 7
  }

  public struct Meters: CustomPersistable, Hashable {
    public var value: Double
    public init(persistedValue: Double) { value = persistedValue }
    public var persistableValue: Double { value }
  }

  /// One value of each type.
  public final class Values: Object {
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
    @Persisted public var json: JSONValue
    @Persisted public var role: Role
    @Persisted public var level: Level
    @Persisted public var meters: Meters
    @Persisted(.raw(.exact)) public var exact: String
    @Persisted(.raw()) public var minified: String
  }

  /// One optional of each type.
  public final class Optionals: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var bool: Bool?
    @Persisted public var int: Int?
    @Persisted public var int8: Int8?
    @Persisted public var uint64: UInt64?
    @Persisted public var float: Float?
    @Persisted public var double: Double?
    @Persisted public var decimal: Decimal?
    @Persisted public var string: String?
    @Persisted public var data: Data?
    @Persisted public var date: Date?
    @Persisted public var uuid: UUID?
    @Persisted public var url: URL?
    @Persisted public var role: Role?
    @Persisted public var level: Level?
    @Persisted public var meters: Meters?
    @Persisted(.raw()) public var raw: String?
    @Persisted public var leaf: Leaf?
    @Persisted public var remark: Remark?
    @Persisted public var spot: Spot?
  }

  /// Every kind of collection.
  public final class Collections: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var bools: List<Bool>
    @Persisted public var ints: List<Int>
    @Persisted public var uints: List<UInt64>
    @Persisted public var floats: List<Float>
    @Persisted public var doubles: List<Double>
    @Persisted public var decimals: List<Decimal>
    @Persisted public var strings: List<String>
    @Persisted public var datas: List<Data>
    @Persisted public var dates: List<Date>
    @Persisted public var uuids: List<UUID>
    @Persisted public var urls: List<URL>
    @Persisted public var roles: List<Role>
    @Persisted public var jsons: List<JSONValue>
    @Persisted public var optionalInts: List<Int?>
    @Persisted public var optionalStrings: List<String?>
    @Persisted public var leaves: List<Leaf>
    @Persisted public var remarks: List<Remark>
    @Persisted public var spots: List<Spot>
    @Persisted public var stringSet: MutableSet<String>
    @Persisted public var intSet: MutableSet<Int>
    @Persisted public var doubleSet: MutableSet<Double>
    @Persisted public var leafSet: MutableSet<Leaf>
    @Persisted public var remarkSet: MutableSet<Remark>
    @Persisted public var intMap: Map<String, Int>
    @Persisted public var optionalMap: Map<String, String?>
    @Persisted public var leafMap: Map<String, Leaf>
    @Persisted public var remarkMap: Map<String, Remark>
    @Persisted public var spotMap: Map<String, Spot>
  }

  public final class Leaf: Object {
    @Persisted(primaryKey: true) public var id: String
    @Persisted public var name = "leaf"
  }

  /// Has no key.
  public final class Remark: Object {
    @Persisted public var text = ""
    @Persisted public var likes: Int?
  }

  public final class Spot: EmbeddedObject {
    @Persisted public var x = 0.0
    @Persisted public var y = 0.0
    @Persisted public var label: String?
  }
}
