import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Dictionaries from `JSONSerialization` and from code, compared with the equivalent JSON.
@Suite struct `Dictionaries and the equivalent JSON` {
  /// A dictionary value and the equivalent JSON, or the error if JSON cannot represent the value.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String?
    let errorText: String
    /// Created on demand, because most values are not sendable.
    let value: @Sendable () -> Any

    init(_ name: String, _ text: String, _ value: @escaping @Sendable () -> Any) {
      (self.name, self.text, self.errorText, self.value) = (name, text, "", value)
    }

    /// Creates a row for a value that is rejected.
    init(_ name: String, error: String, _ value: @escaping @Sendable () -> Any) {
      (self.name, self.text, self.errorText, self.value) = (name, nil, error, value)
    }

    var testDescription: String { name }
  }

  private enum Kind: String, PersistableEnum {
    case cat
  }

  private enum Rank: Int, PersistableEnum {
    case seven = 7
  }

  private enum Plain: String {
    case cat
  }

  private struct Pair {
    var a = 1
  }

  private static func foreign(_ type: String) -> String {
    "expected a value that JSON can represent, found \(type)"
  }

  private static func none(_ number: String) -> String { "JSON has no number for \(number)" }

  private static let texts: [Row] = [
    Row("String", #""a""#) { "a" },
    Row("empty String", #""""#) { "" },
    Row("NSString", #""a""#) { NSString("a") },
    Row("NSMutableString", #""a""#) { NSMutableString(string: "a") },
    Row("Substring", #""bc""#) { "abc".dropFirst() },
    Row("Optional<String>", #""a""#) { String?.some("a") as Any },
    Row("AnyHashable of a String", #""a""#) { AnyHashable("a") },
    Row("URL", #""https://example.org/a?b=c""#) { URL(string: "https://example.org/a?b=c") as Any },
    Row("string enum", #""cat""#) { Kind.cat },
    Row("escapes", #""\"\\/\b\f\n\r\t\u0000\u001f""#) { "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1F}" },
    Row("not ASCII", "\"\u{7F}\u{2028}\u{2029}é😀\"") { "\u{7F}\u{2028}\u{2029}é😀" },
    Row("composed", "\"\u{E9}\"") { "\u{E9}" },
    Row("decomposed", "\"e\u{301}\"") { "e\u{301}" },
    Row("decomposed NSString", "\"e\u{301}\"") { NSString("e\u{301}") },
    Row("lone surrogate", "\"\u{FFFD}a\"") { NSString(characters: [0xD800, 0x61], length: 2) },
    Row("a number in a string", #""12""#) { "12" },
    Row("a date in a string", #""2020-01-02T03:04:05Z""#) { "2020-01-02T03:04:05Z" },
    Row("a UUID in a string", #""01234567-89AB-CDEF-ABCD-EF0123456789""#) {
      "01234567-89AB-CDEF-ABCD-EF0123456789"
    },
    Row("bytes in a Base64 string", #""AQI=""#) { "AQI=" },
    Row("a long string", "\"\(String(repeating: "é", count: 5_000))\"") {
      String(repeating: "é", count: 5_000)
    },
    Row("a string bridged from NSString", #""naïve""#) { ("naïve" as NSString).substring(from: 0) },
    Row("Character", error: foreign("Character")) { "x" as Character },
    Row("StaticString", error: foreign("StaticString")) { "x" as StaticString },
    Row("Unicode.Scalar", error: foreign("Scalar")) { "x" as Unicode.Scalar },
  ]

  private static let numbers: [Row] = [
    Row("Bool true", "true") { true },
    Row("Bool false", "false") { false },
    Row("Optional<Bool>", "true") { Bool?.some(true) as Any },
    Row("NSNumber of true", "true") { NSNumber(value: true) },
    Row("NSNumber of false", "false") { NSNumber(value: false) },
    Row("AnyHashable of true", "true") { AnyHashable(true) },
    Row("NSNumber of 1", "1") { NSNumber(value: 1) },
    Row("NSNumber of 0", "0") { NSNumber(value: 0) },
    Row("NSNumber of Int8 1", "1") { NSNumber(value: Int8(1)) },
    Row("NSNumber of Int8 0", "0") { NSNumber(value: Int8(0)) },
    Row("NSNumber of Int8 -5", "-5") { NSNumber(value: Int8(-5)) },
    Row("NSNumber of Int8 100", "100") { NSNumber(value: Int8(100)) },
    Row("NSNumber of Int8.min", "-128") { NSNumber(value: Int8.min) },
    Row("NSNumber of Int8.max", "127") { NSNumber(value: Int8.max) },
    Row("NSNumber of UInt8.max", "255") { NSNumber(value: UInt8.max) },
    Row("NSNumber of Int16.min", "-32768") { NSNumber(value: Int16.min) },
    Row("NSNumber of UInt16.max", "65535") { NSNumber(value: UInt16.max) },
    Row("NSNumber of Int32.min", "-2147483648") { NSNumber(value: Int32.min) },
    Row("NSNumber of UInt32.max", "4294967295") { NSNumber(value: UInt32.max) },
    Row("NSNumber of Int64.min", "-9223372036854775808") { NSNumber(value: Int64.min) },
    Row("NSNumber of Int64.max", "9223372036854775807") { NSNumber(value: Int64.max) },
    Row("NSNumber of UInt64.max", "18446744073709551615") { NSNumber(value: UInt64.max) },
    Row("NSNumber of UInt 5", "5") { NSNumber(value: UInt(5)) },
    Row("NSNumber of a Float", "0.10000000149011612") { NSNumber(value: Float(0.1)) },
    Row("NSNumber of a Double", "0.1") { NSNumber(value: 0.1) },
    Row("NSNumber of 0.5", "0.5") { NSNumber(value: 0.5) },
    Row("NSNumber of -0.0", "-0.0") { NSNumber(value: -0.0) },
    Row("NSNumber of 1e300", "1e+300") { NSNumber(value: 1e300) },
    Row("NSNumber of 5e-324", "5e-324") { NSNumber(value: Double.leastNonzeroMagnitude) },
    Row("NSNumber of nan", error: none("nan")) { NSNumber(value: Double.nan) },
    Row("NSNumber of -inf", error: none("-inf")) { NSNumber(value: -Double.infinity) },
    Row("NSNumber of a Float's nan", error: none("nan")) { NSNumber(value: Float.nan) },
    Row("NSDecimalNumber 1.50", "1.5") { NSDecimalNumber(string: "1.50") },
    Row("NSDecimalNumber 1", "1") { NSDecimalNumber(string: "1") },
    Row("NSDecimalNumber of UInt64.max", "18446744073709551615") {
      NSDecimalNumber(string: "18446744073709551615")
    },
    Row("NSDecimalNumber of Int64.min", "-9223372036854775808") {
      NSDecimalNumber(string: "-9223372036854775808")
    },
    Row("NSDecimalNumber of 38 digits", "12345678901234567890123456789012345678") {
      NSDecimalNumber(string: "12345678901234567890123456789012345678")
    },
    Row("NSDecimalNumber 1e-20", "0.00000000000000000001") { NSDecimalNumber(string: "1e-20") },
    Row("NSDecimalNumber nan", error: none("NaN")) { NSDecimalNumber.notANumber },
    Row("Decimal 0.1", "0.1") { Decimal(sign: .plus, exponent: -1, significand: 1) },
    Row("Decimal 5", "5") { Decimal(5) },
    Row("Decimal nan", error: none("NaN")) { Decimal.nan },
    Row("Int", "-7") { -7 },
    Row("Int8", "-5") { Int8(-5) },
    Row("Int16", "-300") { Int16(-300) },
    Row("Int32", "-70000") { Int32(-70_000) },
    Row("Int64.min", "-9223372036854775808") { Int64.min },
    Row("UInt8", "200") { UInt8(200) },
    Row("UInt16", "65535") { UInt16.max },
    Row("UInt32", "4294967295") { UInt32.max },
    Row("UInt64.max", "18446744073709551615") { UInt64.max },
    Row("UInt.max", "18446744073709551615") { UInt.max },
    Row("Int128", "5") { Int128(5) },
    Row("UInt128 of UInt64.max", "18446744073709551615") { UInt128(UInt64.max) },
    Row("UInt128.max", error: foreign("UInt128")) { UInt128.max },
    Row("integer enum", "7") { Rank.seven },
    Row("Float", "0.10000000149011612") { Float(0.1) },
    Row("Double", "0.1") { 0.1 },
    Row("-0.0", "-0.0") { -0.0 },
    Row("1e22", "1e+22") { 1e22 },
    Row("Double of 2^63", "9.223372036854776e+18") { 0x1p63 },
    Row("greatest Double", "1.7976931348623157e+308") { Double.greatestFiniteMagnitude },
    Row("nan", error: none("nan")) { Double.nan },
    Row("inf", error: none("inf")) { Double.infinity },
    Row("Float's -inf", error: none("-inf")) { -Float.infinity },
    Row("CGFloat", error: foreign("CGFloat")) { CGFloat(0.5) },
    Row("Float16", error: foreign("Float16")) { Float16(0.5) },
    Row("Optional<Int>", "5") { Int?.some(5) as Any },
    Row("Optional<Optional<Int>>", "5") { Int??.some(5) as Any },
    Row("Optional<NSNumber>", "true") { NSNumber?.some(NSNumber(value: true)) as Any },
    Row("UpdateValue", "1") { UpdateValue.int(1) },
  ]

  private static let manyMembers =
    "{" + (100..<300).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"

  private static let others: [Row] = [
    Row("NSNull", "null") { NSNull() },
    Row("nil", "null") { Int?.none as Any },
    Row("nil inside an optional", "null") { Int??.some(.none) as Any },
    Row("nil of Any", "null") { Any?.none as Any },
    Row("Optional<NSNull>", "null") { NSNull?.some(NSNull()) as Any },
    Row("UpdateValue null", "null") { UpdateValue.null },
    Row("[Any]", "[]") { [Any]() },
    Row("[Int]", "[1,2]") { [1, 2] },
    Row("[Int?]", "[1,null]") { [1, nil] as [Int?] },
    Row("[Any?]", #"[1,null,"a",true]"#) { [1, nil, "a", true] as [Any?] },
    Row("[Bool]", "[true,false]") { [true, false] },
    Row("[UInt8]", "[1,255]") { [1, 255] as [UInt8] },
    Row("[Float]", "[0.5]") { [0.5] as [Float] },
    Row("[String]", #"["a",""]"#) { ["a", ""] },
    Row("[Substring]", #"["a"]"#) { ["a"[...]] },
    Row("[NSNumber]", "[true,1,2.5]") { [NSNumber(value: true), 1, 2.5] as [NSNumber] },
    Row("[[Int]]", "[[1],[]]") { [[1], []] },
    Row("Optional<[Int]>", "[1]") { [Int]?.some([1]) as Any },
    Row("Optional<[Any]>", "[1]") { [Any]?.some([1]) as Any },
    Row("NSArray", #"[1,"a"]"#) { NSArray(array: [1, "a"]) },
    Row("NSMutableArray", "[true,null]") {
      NSMutableArray(array: [NSNumber(value: true), NSNull()])
    },
    Row("empty NSArray", "[]") { NSArray() },
    Row("empty array of Dates", "[]") { [Date]() },
    Row("[String: Any]", "{}") { [String: Any]() },
    Row("[String: Int]", #"{"a":1,"b":-2}"#) { ["b": -2, "a": 1] },
    Row("[String: Int?]", #"{"a":null,"b":1}"#) { ["a": nil, "b": 1] as [String: Int?] },
    Row("[String: Any?]", #"{"a":null,"b":1}"#) { ["a": nil, "b": 1] as [String: Any?] },
    Row("[String: String]", #"{"a":"b"}"#) { ["a": "b"] },
    Row("[String: Substring]", #"{"a":"b"}"#) { ["a": "b"[...]] },
    Row("[String: [String: Any]]", #"{"a":{"b":[{}]}}"#) {
      ["a": ["b": [[String: Any]()]] as [String: Any]]
    },
    Row("[NSString: Int]", #"{"a":1}"#) { [NSString("a"): 1] },
    Row("[AnyHashable: Any]", #"{"a":1}"#) { ["a": 1] as [AnyHashable: Any] },
    Row("Optional<[String: Any]>", #"{"a":1}"#) { [String: Any]?.some(["a": 1]) as Any },
    Row("NSDictionary", #"{"a":1,"b":null}"#) {
      NSDictionary(dictionary: ["b": NSNull(), "a": 1])
    },
    Row("NSMutableDictionary", #"{"a":[],"b":{}}"#) {
      NSMutableDictionary(dictionary: ["b": NSDictionary(), "a": NSArray()])
    },
    Row("keys with escapes", #"{"\u0000\n\"\\":1}"#) { ["\u{0}\n\"\\": 1] },
    Row("keys beyond ASCII", "{\"\":1,\"e\u{301}\":4,\"éa\":2,\"😀\":3}") {
      ["😀": 3, "éa": 2, "": 1, "e\u{301}": 4]
    },
    Row(
      "an object of 200 members",
      manyMembers
    ) {
      Dictionary(uniqueKeysWithValues: (100..<300).map { ("k\($0)", $0) })
    },
    Row("an object with a key", #"{"id":"x","name":"n"}"#) { ["name": "n", "id": "x"] },
    Row("objects with a key", #"[{"id":"x"},{"age":1,"id":"y","next":null}]"#) {
      [["id": "x"], ["id": "y", "age": 1, "next": NSNull()]] as [[String: Any]]
    },
    Row("Date", error: foreign("Date")) { Date(timeIntervalSince1970: 0) },
    Row("NSDate", error: foreign("NSDate")) { NSDate(timeIntervalSince1970: 0) },
    Row("Data", error: foreign("Data")) { Data([1]) },
    Row("NSURL", error: foreign("NSURL")) { NSURL(fileURLWithPath: "/") },
    Row("Optional<Date>", error: foreign("Optional<Date>")) { Date?.some(Date()) as Any },
    Row("UUID", error: foreign("UUID")) { UUID() },
    Row("an enum that is not persistable", error: foreign("Plain")) { Plain.cat },
    Row("a struct", error: foreign("Pair")) { Pair() },
    Row("a tuple", error: foreign("(Int, Int)")) { (1, 2) },
    Row("Void", error: foreign("()")) { () },
    Row("a type", error: foreign("Int.Type")) { Int.self },
    Row("a closure", error: foreign("() -> Int")) { { 1 } as () -> Int },
    Row("an object of a class", error: foreign("Leaf")) { Leaf() },
    Row("Set", error: foreign("Set<Int>")) { Set([1]) },
    Row("Range", error: foreign("Range<Int>")) { 1..<3 },
    Row("ArraySlice", error: foreign("ArraySlice<Int>")) { [1, 2][1...] },
    Row("ContiguousArray", error: foreign("ContiguousArray<Int>")) { ContiguousArray([1]) },
    Row("[Int: Int]", error: foreign("Dictionary<Int, Int>")) { [1: 2] },
    Row("keys that are not strings", error: foreign("Dictionary<AnyHashable, Any>")) {
      ["a": 1, 2: 2] as [AnyHashable: Any]
    },
    Row("[Substring: Int]", error: foreign("Dictionary<Substring, Int>")) { ["a"[...]: 1] },
    Row("JSONValue", error: foreign("JSONValue")) { 1 as JSONValue },
    Row("UpdateDictionary", error: foreign("UpdateDictionary")) { ["a": 1] as UpdateDictionary },
  ]

  static let rows = texts + numbers + others

  /// One attribute of ``AllTypes`` for each kind with its own parser.
  private static let names = [
    "bool", "int8", "int", "uint64", "float", "double", "decimal", "string", "data", "date", "url",
    "species", "level", "json", "optInt", "optUUID", "optJSON", "optMinified", "leaf", "spot",
    "ints", "optBools", "optStrings", "jsons", "leaves", "doubleSet", "optIntMap", "stringMap",
    "leafMap", "exact",
  ]

  /// An object with `id` and one other member, sorted by name like the members of dictionaries.
  private static func json(_ name: String, _ text: String, id: Int = 1) -> String {
    let member = #""\#(name)":\#(text)"#
    return name < "id" ? #"{\#(member),"id":\#(id)}"# : #"{"id":\#(id),\#(member)}"#
  }

  /// The decoded object as JSON without its random `uuid`, or the error without its position, which dictionaries lack.
  private func outcome(
    _ coder: StoreCoder? = nil, _ decode: (StoreCoder) throws -> AllTypes
  ) throws -> String {
    let coder = try coder ?? makeCoder()
    do {
      return try coder.text(decode(coder)).replacing(#/"uuid":"[^"]*"/#, with: "")
    } catch {
      return "\(error)".replacing(#/ at line \d+, column \d+/#, with: "")
    }
  }

  @Test(arguments: rows)
  func `each attribute decodes a dictionary value like the equivalent JSON`(row: Row) throws {
    let (coder, textCoder) = (try makeCoder(), try makeCoder())
    for (id, name) in Self.names.enumerated() {
      let found = try outcome(coder) {
        try $0.decode(AllTypes.self, from: ["id": id, name: row.value()])
      }
      guard let text = row.text else {
        #expect(found == "\(name): \(row.errorText)")
        continue
      }
      let json = Self.json(name, text, id: id)
      let expected = try outcome(textCoder) { try $0.decode(AllTypes.self, json) }
      #expect(found == expected, "\(name)")
    }
  }

  @Test(arguments: rows)
  func `a nested dictionary value decodes like the equivalent JSON`(row: Row) throws {
    let value: [String: Any] = ["id": 1, "exact": ["a": [row.value(), ["b": row.value()]]]]
    let found = try outcome { try $0.decode(AllTypes.self, from: value) }
    guard let text = row.text else {
      #expect(found == "exact.a[0]: \(row.errorText)")
      return
    }
    let json = #"{"a":[\#(text),{"b":\#(text)}]}"#
    #expect(
      found == (try outcome { try $0.decode(AllTypes.self, Self.json("exact", json)) }))
    let coder = try makeCoder()
    #expect(try coder.decode(AllTypes.self, from: value).exact == json)
    let list = try coder.decodeArray(
      AllTypes.self, from: [["id": 2, "exact": [row.value()]], value])
    #expect(list.map(\.exact) == ["[\(text)]", json])
  }

  /// JSON that `JSONSerialization` preserves. It does not keep the notation of numbers, which have their shortest form here.
  @Test(
    arguments: [
      "0", "1", "-1", "1.5", "0.1", "-0.0", "1e-07", "2.5", "1e+22", "9007199254740993",
      "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
      "-9223372036854775808", "-9223372036854775809", "123456789.123456789",
      "0.30000000000000004441", "12345678901234567890123456789012345678", "5e-324",
      "1.7976931348623157e+308", "true", "false", "null", #""""#, #""a""#,
      #""é😀""#, "[]", "{}", "[null]", "[true,1,0,false,1.5]",
      #"[{"a":null},[],"x"]"#, #"{"a":{"b":[1,2,{"c":true}]}}"#, #"["2020-01-02T03:04:05Z"]"#,
      #"[{"id":"x"},{"age":3,"id":"y"}]"#, #"{"x":1.5,"y":2}"#,
      // Integral numbers with a decimal point.
      "0.0", "1.0", "100.0", "-7.0",
    ])
  func `the output of JSONSerialization decodes like the original JSON`(text: String) throws {
    // Attributes that keep numbers as text are excluded.
    let (coder, textCoder) = (try makeCoder(), try makeCoder())
    for (id, name) in Self.names.enumerated() where name != "exact" && name != "optMinified" {
      let json = Self.json(name, text, id: id)
      let dictionary = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      let found = try outcome(coder) { try $0.decode(AllTypes.self, from: dictionary) }
      let expected = try outcome(textCoder) { try $0.decode(AllTypes.self, json) }
      let spelled = #/number \S+/#
      #expect(
        found.replacing(spelled, with: "number") == expected.replacing(spelled, with: "number"),
        "\(name)")
    }
  }

  // MARK: - Depth

  private static func nested(_ depth: Int, _ value: Any) -> Any {
    var value = value
    for level in 0..<depth { value = level % 2 == 0 ? [value] : ["a": value] as [String: Any] }
    return value
  }

  private static func nestedText(_ depth: Int, _ text: String) -> String {
    let isArray = (0..<depth).reversed().map { $0 % 2 == 0 }
    return isArray.map { $0 ? "[" : #"{"a":"# }.joined() + text
      + isArray.reversed().map { $0 ? "]" : "}" }.joined()
  }

  @Test(arguments: [1, 100, 510, 511, 512, 513, 5_000], [512, 16_384])
  func `the depth of dictionaries is limited as for JSON`(depth: Int, limit: Int) throws {
    func outcome(_ decode: (StoreCoder) throws -> AllTypes) throws -> String {
      let coder = try makeCoder { $0.limits.depth = limit }
      do {
        return try decode(coder).exact
      } catch {
        return "\(error)".replacing(#/ at line \d+, column \d+/#, with: "")
      }
    }
    let text = Self.nestedText(depth, "true")
    let found = try outcome {
      try $0.decode(
        AllTypes.self, from: ["id": 1, "exact": Self.nested(depth, NSNumber(value: true))])
    }
    #expect(
      found
        == (depth < limit ? text : "the limit of \(limit) nested arrays and objects is exceeded"))
    let expected = try outcome { try $0.decode(AllTypes.self, Self.json("exact", text)) }
    // A dictionary is rejected before its attributes are read.
    #expect(expected.hasSuffix(found))
  }

  @Test func `a value that JSON cannot represent throws an error with its path at any depth`()
    throws
  {
    let coder = try makeCoder { $0.limits.depth = 16_384 }
    for depth in [0, 3, 40, 5_000] {
      let path = (0..<depth).reversed().map { $0 % 2 == 0 ? "[0]" : ".a" }.joined()
      let error = try #require(
        #expect(throws: StoreCodingError.self) {
          try coder.decode(AllTypes.self, from: ["id": 1, "json": Self.nested(depth, Date())])
        })
      #expect(error.kind == .notJSON)
      if depth < 5_000 { #expect("\(error.path)" == "json\(path)") }
      #expect("\(error.path)".hasPrefix("json\(path.prefix(40))"))
    }
  }

  // MARK: - Errors

  @Test func `members of a dictionary are decoded in the order of their names`() throws {
    for _ in 0..<20 {
      #expect(
        try outcome {
          try $0.decode(AllTypes.self, from: ["id": 1, "string": Date(), "int": Double.nan])
        } == "int: JSON has no number for nan")
      #expect(
        try outcome {
          try $0.decode(AllTypes.self, from: ["string": 1, "int": "x", "id": 1])
        } == outcome { try $0.decode(AllTypes.self, #"{"id":1,"int":"x","string":1}"#) })
    }
  }

  @Test func `a rejected dictionary changes nothing`() throws {
    let coder = try makeCoder()
    #expect(throws: StoreCodingError.self) {
      try coder.decodeArray(Leaf.self, from: [["id": "a"], ["id": "b", "name": Date()]])
    }
    #expect(coder.store.objects(Leaf.self).isEmpty)
    #expect(
      message {
        try coder.decodeArray(Leaf.self, from: [["id": "a"], ["id": "b", "name": Date()]])
      } == "[1].name: expected a value that JSON can represent, found Date")
  }
}
