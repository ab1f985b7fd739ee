public import Foundation
public import ObjectStore

/// Classes that declare their JSON in every possible way, including invalid ones.
extension Coding {
  // MARK: - Paths

  public final class Sheep: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var city: String?
    @Persisted public var street = "unknown"
    @Persisted public var name = ""
    @Persisted public var firstTag: String?
    @Persisted public var thirdTag: String?
    @Persisted(json: "/a~1b/m~0n") public var odd: Int?
    @Persisted(json: "measures.wool.kilograms") public var wool: Double?

    override public class var codableKeys: [String: String] {
      [
        "city": "address.city", "street": "address.street", "name": "names.short",
        "firstTag": "/tags/0", "thirdTag": "/tags/2",
      ]
    }
    override public class var objectEnvelope: String? { "data.sheep" }
    override public class var listEnvelope: String? { "/data/0/flock" }
  }

  /// Names whose words snake case separates.
  public final class Goat: Object {
    @Persisted(primaryKey: true) public var goatID: Int
    @Persisted public var firstName = ""
    @Persisted public var imageURL = ""
    @Persisted public var urlString = ""
    @Persisted public var URLText = ""
    @Persisted public var line2Text = ""
    @Persisted public var isOK = false
    @Persisted public var plain = 0
    @Persisted public var _comments = ""
    @Persisted(json: "asDeclared") public var declaredKey = ""
  }

  // MARK: - Inheritance

  public class Poultry: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name = ""
    @Persisted public var secret = ""
    @Persisted public var notes = ""
    @Persisted(json: "ring") public var ringNumber = 0

    override public class var codableKeys: [String: String] { ["id": "bird_id", "name": "title"] }
    override public class var codableIgnoredAttributes: [String] { ["secret"] }
    override public class var codableRawJsonSubstrings: [String] { ["notes"] }
    override public class var objectEnvelope: String? { "bird" }
  }

  public final class Hen: Poultry {
    @Persisted public var eggs = 0
    @Persisted public var diary = ""
    @Persisted public var password = ""

    override public class var codableKeys: [String: String] {
      ["eggs": "egg_count", "name": "hen_name"]
    }
    override public class var codableIgnoredAttributes: [String] { ["password"] }
    override public class var codableRawJsonSubstrings: [String] { ["diary"] }
    override public class var listEnvelope: String? { "hens" }
  }

  // MARK: - Options

  public final class Policies: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var plain = 1
    @Persisted(.null(.skip)) public var skipped: Int? = 2
    @Persisted(.null(.default)) public var defaulted: Int? = 3
    @Persisted(.null(.default)) public var defaultedNumber = 4
    @Persisted(.null(.fail)) public var failing: Int? = 5
    @Persisted(.null(.clear)) public var cleared: Int? = 6
    @Persisted(.null(.default)) public var zero = 0
    @Persisted(.null(.default)) public var uuid: UUID
    @Persisted(.mismatch(.skipAttribute)) public var lenient = 7
    @Persisted(.mismatch(.useDefault)) public var usesDefault = 8
    @Persisted(.mismatch(.skipElement)) public var skipsElement = 9
    @Persisted(.mismatch(.throw)) public var strict = 10
    @Persisted(.mismatch(.skipAttribute)) public var numbers: List<Int>
    @Persisted(.mismatch(.skipAttribute)) public var leaf: Leaf?
    @Persisted(.null(.skip)) public var list: List<Int>
  }

  public final class Flexible: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(.flexible) public var int = 0
    @Persisted(.flexible) public var uint8: UInt8 = 0
    @Persisted(.flexible) public var double = 0.0
    @Persisted(.flexible) public var float: Float = 0
    @Persisted(.flexible) public var decimal: Decimal = 0
    @Persisted(.flexible) public var bool = false
    @Persisted(.flexible) public var string = ""
    @Persisted(.flexible) public var list: List<Int>
    @Persisted(.flexible) public var level: Level?
  }

  public final class Dates: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var plain: Date?
    @Persisted(.date(.date)) public var day: Date?
    @Persisted(.date(.rfc1123)) public var http: Date?
    @Persisted(.date(.unixSeconds)) public var seconds: Date?
    @Persisted(.date(.unixMilliseconds)) public var milliseconds: Date?
    @Persisted(.date("dd/MM/yyyy")) public var pattern: Date?
    @Persisted(.date("yyyy-MM-dd HH:mm:ss.SSS", .unixSeconds, .iso8601)) public var several: Date?
    @Persisted(.date(.date)) public var days: List<Date>
  }

  public enum Mood: String, PersistableEnum {
    case happy, grumpy, other
  }

  public enum Size: Int, PersistableEnum {
    case small = 1
    case large = 2
    case unknown = -1
  }

  public final class Enums: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var mood = Mood.grumpy
    @Persisted public var size = Size.large
    @Persisted(.unknown(.other)) public var lenientMood = Mood.grumpy
    @Persisted(.unknown(.unknown)) public var lenientSize = Size.large
    @Persisted public var optional: Mood?
    @Persisted public var moods: List<Mood>
  }

  // MARK: - Mistakes

  public class Goose: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var firstName = ""
    @Persisted public var weight = 0.0

    override public class var codableKeys: [String: String] { ["wieght": "mass"] }
  }

  public final class GreylagGoose: Goose {
    @Persisted public var ring = ""
    override public class var codableKeys: [String: String] { ["ring": "ring_number"] }
  }

  public final class Mistaken: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var firstName = ""
    @Persisted public var lastName = ""
    @Persisted public var address = ""
    @Persisted public var city = ""
    @Persisted public var count = 0
    @Persisted public var empty = ""
    @Persisted(.date("yyyy-QQ")) public var quarter: Date?
    @Persisted(originProperty: "other") public var links: LinkingObjects<MistakenToo>

    override public class var codableKeys: [String: String] {
      [
        "fristName": "first", "lastName": "firstName", "city": "address.city", "empty": "a..b",
        "links": "x", "zzz": "z",
      ]
    }
    override public class var codableIgnoredAttributes: [String] { ["id", "nothing"] }
    override public class var codableRawJsonSubstrings: [String] { ["count"] }
    override public class var objectEnvelope: String? { "data..item" }
  }

  public final class MistakenToo: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(json: "id") public var other: Mistaken?
    @Persisted public var wrong: MistakenThree?
  }

  public final class MistakenThree: Object {
    @Persisted public var key: Double
    @Persisted public var value = ""
    override public class func primaryKey() -> String? { "key" }
    override public class var codableRawJsonSubstrings: [String] { ["valeu"] }
  }
}

extension Coding {
  /// Names that Foundation's two orders sort differently.
  public final class Numbered: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var a10 = 1
    @Persisted public var a2 = 2
    @Persisted public var B = 3
    @Persisted public var b = 4
    @Persisted public var z = "x/y"
    @Persisted public var empty: List<Int>
    @Persisted(json: "é") public var accent = 0.5
    @Persisted public var date: Date
    @Persisted(.raw()) public var raw = #"{"k10":1,"k2":2,"K":3}"#
  }
}

extension Coding {
  // MARK: - Array elements

  public final class SamePlace: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(json: "/a/0") public var first = 0
    @Persisted(json: "a.0") public var second = 0
  }

  public final class ArrayAndObject: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(json: "/m/0") public var first = 0
    @Persisted(json: "/m/k") public var second = 0
    @Persisted(json: "n.0.x") public var third = 0
    @Persisted(json: "/n/0/y") public var fourth = 0
    // At the top level there are only objects, so the numbers are keys.
    @Persisted(json: "/0") public var zero = 0
    @Persisted(json: "/k") public var k = 0
  }

  public final class Holes: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(json: "/a/0") public var ignored: Int?
    @Persisted(json: "/a/1") public var last = 1
    @Persisted(json: "/a/2") public var behind: Int?
    @Persisted(json: "/b/0", .null(.fail)) public var refuses: Int?
    @Persisted(json: "/b/1") public var optional: Int?
    @Persisted(json: "/b/2", .null(.skip)) public var skips: Int?
    @Persisted(json: "/b/3/x", .raw()) public var raw = ""
    @Persisted(json: "/b/9") public var end: Int?
    override public class var codableIgnoredAttributes: [String] { ["ignored", "behind"] }
  }

  // MARK: - Leniency

  public final class Key: Object {
    @Persisted(primaryKey: true) public var id: Int = 0
    @Persisted public var name = ""
  }

  public final class FreshKey: Object {
    @Persisted(primaryKey: true) public var id = UUID()
    @Persisted public var name = ""
  }

  /// A page whose attributes have different policies for bad values.
  public final class Page: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(.mismatch(.skipAttribute)) public var owner: Key?
    @Persisted(.mismatch(.skipElement)) public var members: List<Key>
    @Persisted(.mismatch(.skipElement)) public var numbers: List<Int>
    @Persisted(.mismatch(.skipElement)) public var limits: Map<String, Int>
    @Persisted(.mismatch(.skipElement)) public var tags: MutableSet<String>
    @Persisted public var strict: List<Key>
    @Persisted public var place: Place?
    @Persisted public var notes: List<Remark>
  }

  public final class Moods: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(.unknown(.other)) public var one = Mood.happy
    @Persisted(.unknown(.other)) public var list: List<Mood>
    @Persisted(.unknown(.unknown)) public var sizes: List<Size?>
    @Persisted(.unknown(.other)) public var set: MutableSet<Mood>
    @Persisted(.unknown(.other)) public var map: Map<String, Mood>
    @Persisted(.unknown(.other)) public var optionalMap: Map<String, Mood?>
  }

  /// Empty strings.
  public final class Blanks: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(.emptyAsNil) public var url: URL?
    @Persisted(.emptyAsNil) public var date: Date?
    @Persisted(.emptyAsNil) public var mood: Mood?
    @Persisted(.emptyAsNil) public var uuid: UUID?
    @Persisted(.emptyAsNil) public var count: Int?
    @Persisted(.emptyAsNil) public var text: String?
    @Persisted(.emptyAsNil) public var owner: Key?
    @Persisted(.emptyAsNil, .null(.fail)) public var refused: URL?
    @Persisted(.emptyAsNil, .null(.skip)) public var kept: URL?
    @Persisted(.emptyAsNil) public var dates: List<Date?>
    @Persisted public var plainURL: URL?
    @Persisted public var plainText: String?
    @Persisted public var plainNumber = 1
  }
}
