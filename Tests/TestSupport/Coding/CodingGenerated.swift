public import Foundation
public import ObjectStore

/// The declarations of the classes below during a test. Mappings are generated for each round, and a coder
/// reads them at its first use of a class.
public struct GeneratedMapping: Sendable {
  public var keys: [String: [String: String]] = [:]
  public var ignored: [String: [String]] = [:]
  public var raw: [String: [String]] = [:]
  public var objectEnvelope: String?
  public var listEnvelope: String?

  @TaskLocal public static var current = GeneratedMapping()

  public init() {}
}

extension Coding {
  /// A class with every kind of attribute and every option.
  public final class Generated: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var bool: Bool
    @Persisted public var int: Int
    @Persisted public var int8: Int8
    @Persisted public var uint64: UInt64
    @Persisted public var float: Float
    @Persisted public var double: Double
    @Persisted public var decimal: Decimal
    @Persisted public var string: String
    @Persisted public var text: String
    @Persisted public var data: Data
    @Persisted public var date: Date
    @Persisted public var uuid: UUID?
    @Persisted public var json: JSONValue
    @Persisted public var role: Role
    @Persisted public var level: Level?
    @Persisted public var meters: Metres
    @Persisted public var url: URL?
    @Persisted public var anyJSON: JSONValue?
    @Persisted public var optionalInt: Int?
    @Persisted public var optionalBool: Bool?
    @Persisted public var optionalText: String?
    @Persisted public var optionalDouble: Double?
    @Persisted public var optionalDate: Date?
    @Persisted(.date(.date)) public var day: Date?
    @Persisted(.date(.rfc1123)) public var http: Date?
    @Persisted(.date(.unixSeconds)) public var seconds: Date?
    @Persisted(.date(.unixMilliseconds)) public var milliseconds: Date?
    @Persisted(.date("d.M.yyyy HH:mm XXX")) public var pattern: Date?
    @Persisted(.null(.skip)) public var skipsNull: Int?
    @Persisted(.null(.fail)) public var failsNull: Int?
    @Persisted(.null(.default)) public var defaultsNull: Int?
    @Persisted(.mismatch(.skipAttribute)) public var skipsMismatch = 1
    @Persisted(.mismatch(.useDefault)) public var defaultsMismatch = 2
    @Persisted(.mismatch(.skipElement)) public var skipsElements: List<Int>
    @Persisted(.flexible) public var flexibleInt = 0
    @Persisted(.flexible) public var flexibleText = ""
    @Persisted(.raw(.exact)) public var exact = ""
    @Persisted(.raw()) public var minified: String?
    @Persisted(.unknown(.other)) public var mood = Mood.happy
    @Persisted(.unknown(.other)) public var moods: List<Mood>
    @Persisted(.emptyAsNil) public var blank: URL?
    @Persisted public var ints: List<Int>
    @Persisted public var optionalInts: List<Int?>
    @Persisted public var dates: List<Date>
    @Persisted public var jsons: List<JSONValue>
    @Persisted public var texts: MutableSet<String>
    @Persisted public var doubles: MutableSet<Double>
    @Persisted public var map: Map<String, Int>
    @Persisted public var optionalMap: Map<String, String?>
    @Persisted public var child: GeneratedChild?
    @Persisted public var children: List<GeneratedChild>
    @Persisted public var childMap: Map<String, GeneratedChild>
    @Persisted public var note: GeneratedNote?
    @Persisted public var notes: List<GeneratedNote>
    @Persisted public var noteSet: MutableSet<GeneratedNote>
    @Persisted public var spot: GeneratedSpot?
    @Persisted public var spots: List<GeneratedSpot>
    @Persisted public var spotMap: Map<String, GeneratedSpot>
    @Persisted(.byKey) public var keyed: GeneratedChild?
    @Persisted(.byKey, .writesNil, .null(.clear)) public var keyedOrNull: GeneratedChild?
    @Persisted(.byKey, .omitsEmpty) public var keyedList: List<GeneratedChild>
    @Persisted(.byKey, .mismatch(.skipElement)) public var keyedSkipping: List<GeneratedChild>
    @Persisted(.byKey, .omitsEmpty) public var keyedMap: Map<String, GeneratedChild?>
    @Persisted(.writesNil, .null(.clear)) public var nullInt: Int?
    @Persisted(.writesNil, .null(.clear)) public var nullOrSeven: Int? = 7
    @Persisted(.writesNil, .null(.skip)) public var nullSpot: GeneratedSpot?
    @Persisted(.omitsEmpty) public var omittedInts: List<Int>
    @Persisted(.omitsEmpty) public var omittedOrOne: List<Int> = [1]
    @Persisted(.omitsEmpty) public var omittedTexts: MutableSet<String> = ["a"]
    @Persisted(.omitsEmpty, .null(.skip)) public var omittedMap: Map<String, Int> = ["k": 1]
    @Persisted(.omitsEmpty) public var omittedNotes: List<GeneratedNote>
    @Persisted public var pair: GeneratedPair?
    @Persisted(.omitsEmpty) public var pairs: List<GeneratedPair>

    override public class var codableKeys: [String: String] { declared.keys["Generated"] ?? [:] }
    override public class var codableIgnoredAttributes: [String] {
      declared.ignored["Generated"] ?? []
    }
    override public class var codableRawJsonSubstrings: [String] {
      declared.raw["Generated"] ?? []
    }
    override public class var objectEnvelope: String? { declared.objectEnvelope }
    override public class var listEnvelope: String? { declared.listEnvelope }
    private class var declared: GeneratedMapping { .current }
  }

  public final class GeneratedChild: Object {
    @Persisted(primaryKey: true) public var key: String
    @Persisted public var name = ""
    @Persisted public var weight: Double?
    @Persisted public var spot: GeneratedSpot?

    override public class var codableKeys: [String: String] {
      GeneratedMapping.current.keys["GeneratedChild"] ?? [:]
    }
  }

  /// A class with a compound key of two attributes.
  public final class GeneratedPair: Object {
    @Persisted(primaryKey: true) public var key: String
    @Persisted public var left: Int
    @Persisted public var right: String
    @Persisted(.writesNil, .null(.clear)) public var weight: Double? = 0.5
    @Persisted(.byKey) public var child: GeneratedChild?

    override public class var compoundKey: [String] { ["left", "right"] }
    override public class var codableKeys: [String: String] {
      GeneratedMapping.current.keys["GeneratedPair"] ?? [:]
    }
  }

  /// A class without a primary key.
  public final class GeneratedNote: Object {
    @Persisted public var title: String?
    @Persisted public var likes = 0
    @Persisted public var author: GeneratedChild?

    override public class var codableKeys: [String: String] {
      GeneratedMapping.current.keys["GeneratedNote"] ?? [:]
    }
  }

  public final class GeneratedSpot: EmbeddedObject {
    @Persisted public var x: Double?
    @Persisted public var label: String?
    @Persisted(.writesNil, .null(.clear)) public var hint: String? = "n"
    @Persisted(.omitsEmpty) public var marks: List<Int> = [1, 2]

    override public class var codableKeys: [String: String] {
      GeneratedMapping.current.keys["GeneratedSpot"] ?? [:]
    }
  }
}
