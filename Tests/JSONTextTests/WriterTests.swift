import Foundation
import JSONText
import TestSupport
import Testing

/// The output of `body`.
func written(
  _ formatting: JSONWriter.Formatting = [], capacity: Int = 4096,
  _ body: (inout JSONWriter) -> Void
) -> String {
  var writer = JSONWriter(formatting: formatting, capacity: capacity)
  body(&writer)
  return writer.withBytes { String(decoding: $0, as: UTF8.self) }
}

extension JSONWriter {
  mutating func string(_ text: String) {
    Array(text.utf8).withUnsafeBufferPointer { string($0) }
  }

  mutating func key(_ text: String) {
    Array(text.utf8).withUnsafeBufferPointer { key($0) }
  }

  mutating func raw(_ text: String) {
    Array(text.utf8).withUnsafeBufferPointer { raw($0) }
  }

  mutating func write(_ tree: Tree) {
    switch tree {
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        write(member.value)
      }
      endObject()
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .string(let text): string(text)
    case .number(let text): Array(text.utf8).withUnsafeBufferPointer { numberText($0) }
    case .bool(let value): bool(value)
    case .null: null()
    }
  }
}

@Suite struct `Writing JSON` {
  func double(_ value: Double) -> String {
    written { writer in
      let isFinite = writer.double(value)
      #expect(isFinite)
    }
  }

  func float(_ value: Float) -> String {
    written { writer in
      let isFinite = writer.float(value)
      #expect(isFinite)
    }
  }

  @Test func `the writer inserts commas and colons`() {
    let text = written { writer in
      writer.beginObject()
      writer.key("id")
      writer.int(7)
      writer.key("tags")
      writer.beginArray()
      writer.string("a")
      writer.string("")
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.bool(true)
      writer.bool(false)
      writer.null()
      writer.endArray()
      Array("\"size\"".utf8).withUnsafeBufferPointer { writer.key(literal: $0) }
      writer.uint(.max)
      writer.endObject()
    }
    #expect(
      text == #"{"id":7,"tags":["a","",[],{},true,false,null],"size":18446744073709551615}"#)
  }

  @Test func `removeAll discards the written text`() {
    let text = written { writer in
      writer.beginArray()
      writer.int(1)
      let count = writer.count
      #expect(count == 2)
      writer.removeAll()
      writer.beginArray()
      writer.int(2)
      writer.endArray()
    }
    #expect(text == "[2]")
  }

  @Test func `the writer grows from a capacity of 0 to any size`() throws {
    let long = String(repeating: "é\"\n", count: 10_000)
    let text = written(capacity: 0) { writer in
      writer.beginArray()
      for index in 0..<5000 { writer.int(Int64(index)) }
      writer.string(long)
      writer.key(long)
      writer.endArray()
    }
    let expected = "[" + (0..<5000).map { "\($0)," }.joined() + quoted(long) + "," + quoted(long)
    #expect(text == expected + ":]")
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  @Test(
    arguments: [
      0, 1, -1, 9, 10, -10, 99, 100, 101, 999, 1000, 12345, 999_999, 1_000_000, Int64.max,
      Int64.min,
      -9_999_999_999, 100_000_000_000_000_000, 999_999_999_999_999_999,
    ] as [Int64])
  func `integers are written in decimal`(_ value: Int64) {
    #expect(written { $0.int(value) } == String(value))
  }

  @Test func `unsigned integers of every length are written with all digits`() {
    var power: UInt64 = 1
    for _ in 0..<20 {
      for value in [power &- 1, power, power &+ 1] {
        #expect(written { $0.uint(value) } == String(value))
      }
      power = power &* 10
    }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100"),
      (1e15, "1000000000000000"), (9_007_199_254_740_992, "9007199254740992"),
      (9_007_199_254_740_994, "9.007199254740994e+15"), (1e16, "1e+16"), (1e22, "1e+22"),
      (1.5e300, "1.5e+300"), (0.001, "0.001"), (0.0001, "0.0001"), (0.00012, "0.00012"),
      (0.00001, "1e-05"), (1.25e-7, "1.25e-07"), (.leastNonzeroMagnitude, "5e-324"), (0.3, "0.3"),
      (0.1 + 0.2, "0.30000000000000004"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (2.2250738585072014e-308, "2.2250738585072014e-308"), (123_456.789, "123456.789"),
      (999_999_998.5, "999999998.5"), (2e-44, "2e-44"),
      (9.5367431640625e-07, "9.5367431640625e-07"),
    ] as [(Double, String)])
  func `the writer formats doubles like JSONEncoder`(_ value: Double, _ text: String)
    throws
  {
    #expect(double(value) == text)
    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `numbers that are not finite are not written`(_ value: Double) {
    let text = written { writer in
      writer.beginArray()
      let results = [writer.double(value), writer.float(Float(value))]
      #expect(results == [false, false])
      writer.endArray()
    }
    #expect(text == "[]")
  }

  private func expected(_ description: String) -> String {
    description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }

  @Test func `the text of random Doubles matches their description in the standard library`() {
    var generator = SeededRandom(seed: 5)
    let scales = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e-3]
    for _ in 0..<60_000 {
      let values = [
        Double(bitPattern: generator.next()),
        Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
          / scales[Int.random(in: 0..<scales.count, using: &generator)],
        Double.random(in: -1...1, using: &generator),
        Double(Int.random(in: -(1 << 54)...(1 << 54), using: &generator)),
      ]
      for value in values where value.isFinite {
        #expect(double(value) == expected(value.description))
      }
    }
    for exponent in -1074...1023 {
      let power = Double(sign: .plus, exponent: exponent, significand: 1)
      for value in [power, power.nextUp, power.nextDown] {
        #expect(double(value) == expected(value.description))
      }
    }
  }

  @Test func `the text of random Floats matches their description in the standard library`() {
    var generator = SeededRandom(seed: 6)
    var values = (0..<60_000).map { _ in
      Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    }
    values += (0..<20_000).map { _ in Float.random(in: -1000...1000, using: &generator) }
    for exponent in -149...127 {
      let power = Float(sign: .plus, exponent: exponent, significand: 1)
      values += [power, power.nextUp, power.nextDown]
    }
    values += [0, -0.0, 16_777_216, 16_777_218, 1e8, 0.1, 3.4028235e38]
    for value in values where value.isFinite {
      #expect(float(value) == expected(value.description))
    }
  }

  @Test func `strings are escaped as by JSONEncoder`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    var texts = (0...0x80).map { "x" + String(UnicodeScalar($0)!) + "yé" }
    texts += ["", "\u{2028}\u{2029}", "😀", "1234567\"", "12345678\n", "123456789\\abcdefgh\t/"]
    // A special character at every distance from the beginning and the end.
    for count in 0..<20 { texts.append(String(repeating: "a", count: count) + "\"" + "bcdefghi") }
    for text in texts {
      let foundation = String(decoding: try encoder.encode(text), as: UTF8.self)
      #expect(written { $0.string(text) } == foundation)
    }
  }

  @Test func `slashes are escaped if requested`() {
    let text = written(.escapesSlashes) { writer in
      writer.beginObject()
      writer.key("a/b")
      writer.string("/\"/")
      writer.endObject()
    }
    #expect(text == #"{"a\/b":"\/\"\/"}"#)
  }

  // MARK: - Formatting

  @Test func `pretty-printed output is identical to that of JSONEncoder`() throws {
    struct Farm: Encodable {
      var name = "Hill"
      var empty: [Int] = []
      var nothing: [String: Int] = [:]
      var animals = [["legs": 4], ["legs": 2]]
      var nested = [[[Int]]](repeating: [[], [1, 2]], count: 2)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let pretty = String(decoding: try encoder.encode(Farm()), as: UTF8.self)
    encoder.outputFormatting = []
    let compact = String(decoding: try encoder.encode(Farm()), as: UTF8.self)
    #expect(written([.prettyPrinted, .sortedKeys]) { $0.raw(compact) } == pretty)
    #expect(written([.sortedKeys]) { $0.raw(pretty) } == written([.sortedKeys]) { $0.raw(compact) })
  }

  @Test(arguments: 0..<8)
  func `random documents are written as by JSONEncoder in every formatting`(_ seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    for _ in 0..<60 {
      let tree = Tree.random(using: &generator, depth: 4)
      for (options, formatting) in [
        ([], []), (.prettyPrinted, .prettyPrinted),
        ([.prettyPrinted, .sortedKeys], [.prettyPrinted, .sortedKeys]), (.sortedKeys, .sortedKeys),
      ] as [(JSONEncoder.OutputFormatting, JSONWriter.Formatting)] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = options.union(.withoutEscapingSlashes)
        // Without sorting, Foundation uses the order of a hash table, so each object keeps only its first member.
        let ordered = options.contains(.sortedKeys) ? tree : tree.firstMembers
        let foundation = String(decoding: try encoder.encode(ordered), as: UTF8.self)
        let compact = written { $0.write(ordered) }
        #expect(written(formatting) { $0.raw(compact) } == foundation)
        #expect(written(formatting) { $0.raw(" " + foundation + "\n") }.count >= foundation.count)
        if !options.contains(.sortedKeys) {
          #expect(written(formatting) { $0.write(ordered) } == foundation)
        }
      }
    }
  }

  @Test func `white space is removed from raw values in compact output`() {
    let raw = "{ \"b\" : [1,2 ] ,\"a\":1.0e5,}"
    let text = written { writer in
      writer.beginArray()
      writer.raw(raw)
      writer.raw("null")
      writer.endArray()
    }
    #expect(text == #"[{"b":[1,2],"a":1.0e5},null]"#)
  }

  @Test(arguments: [
    ("  1.50E+01 ", false, "1.50E+01"), ("{}", true, "{}"), ("[ ]", true, "[]"),
    ("\"a b\\u0041\"", true, "\"a b\\u0041\""), ("[1, 2,\n]", false, "[1,2]"),
    (
      #"{ "b" : {"d":1, "c" : [ {"z":1,"y" : 2}, 3 ]}, "a" : "x : , { ]" }"#, false,
      #"{"b":{"d":1,"c":[{"z":1,"y":2},3]},"a":"x : , { ]"}"#
    ),
    (
      #"{ "b" : {"d":1, "c" : [ {"z":1,"y" : 2}, 3 ]}, "a" : "x : , { ]" }"#, true,
      #"{"a":"x : , { ]","b":{"c":[{"y":2,"z":1},3],"d":1}}"#
    ),
    (#"{"k":1,"k":2,"j":3,"k":0}"#, true, #"{"j":3,"k":1,"k":2,"k":0}"#),
    // Keys are sorted by their unescaped form and written unchanged.
    (
      #"{"\u0062":1,"a":2,"\"":3,"c":4,"\ud83d\ude00":5,"z":6}"#, true,
      #"{"\"":3,"a":2,"\u0062":1,"c":4,"z":6,"\ud83d\ude00":5}"#
    ),
    (#"{"a\\":1,"a":{"}":"{"}}"#, true, #"{"a":{"}":"{"},"a\\":1}"#),
  ])
  func `minifying removes white space and sorts keys only if requested`(
    _ raw: String, _ sortingKeys: Bool, _ expected: String
  ) {
    let text = written { writer in
      Array(raw.utf8).withUnsafeBufferPointer { writer.minified($0, sortingKeys: sortingKeys) }
    }
    #expect(text == expected)
  }

  @Test func `a raw value with 100,000 levels is written without overflowing the stack`() {
    let depth = 100_000
    let raw = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(written(.sortedKeys) { $0.raw(raw) } == raw)
  }
}

// MARK: - Random documents

extension Tree {
  /// A document of at most `depth` levels, with distinct keys in every object.
  static func random(using generator: inout SeededRandom, depth: Int) -> Tree {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .number(String(Int.random(in: -1000...1000, using: &generator)))
    case 3:
      let value = Double(Int.random(in: -99_999...99_999, using: &generator)) / 1000
      return .number(value == value.rounded() ? String(Int(value)) : String(value))
    case 4, 5: return .string(randomText(using: &generator))
    case 6, 7:
      let count = Int.random(in: 0...5, using: &generator)
      return .array((0..<count).map { _ in random(using: &generator, depth: depth - 1) })
    default:
      let count = Int.random(in: 0...6, using: &generator)
      let keys = Set((0..<count).map { _ in randomText(using: &generator) }).sorted()
      return .object(
        keys.map { Member(key: $0, value: random(using: &generator, depth: depth - 1)) })
    }
  }

  static func randomText(using generator: inout SeededRandom) -> String {
    let alphabet = Array("aAbB09 _\"\\/\n\u{1}éßж中😀{}[]:,").map(String.init)
    let count = Int.random(in: 0...12, using: &generator)
    return (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
  }

  /// The tree with at most one member per object.
  var firstMembers: Tree {
    switch self {
    case .object(let members):
      .object(members.prefix(1).map { Member(key: $0.key, value: $0.value.firstMembers) })
    case .array(let elements): .array(elements.map(\.firstMembers))
    default: self
    }
  }
}

extension Tree: Encodable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      return nil
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members {
        try container.encode(member.value, forKey: Key(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .string(let text): try single(text, encoder)
    case .number(let text):
      if let value = Int(text) {
        try single(value, encoder)
      } else {
        try single(Double(text)!, encoder)
      }
    case .bool(let value): try single(value, encoder)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  private func single(_ value: some Encodable, _ encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
