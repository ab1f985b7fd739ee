import JSONText
import TestSupport
import Testing

@Suite struct `Reading numbers` {
  func double(_ text: String) throws(JSONError) -> Double {
    try read(text) { (reader) throws(JSONError) in try reader.double() }
  }

  func float(_ text: String) throws(JSONError) -> Float {
    try read(text) { (reader) throws(JSONError) in try reader.float() }
  }

  func int64(_ text: String) throws(JSONError) -> Int64 {
    try read(text) { (reader) throws(JSONError) in try reader.int64() }
  }

  func uint64(_ text: String) throws(JSONError) -> UInt64 {
    try read(text) { (reader) throws(JSONError) in try reader.uint64() }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("-0e7", 0), ("0e-99999999999999999999", 0),
      ("7", 7), ("-7", -7), ("1.0", 1), ("1e3", 1000), ("1E+3", 1000), ("12.50e1", 125),
      ("1000e-3", 1), ("100000000000000000000000e-20", 1000), ("0.001e3", 1),
      ("123456789012345678", 123_456_789_012_345_678),
      ("1234567890123456789", 1_234_567_890_123_456_789),
      ("9007199254740993.0", 9_007_199_254_740_993),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("922337203685477580700e-2", Int64.max), ("-9.223372036854775808E18", Int64.min),
    ] as [(String, Int64)])
  func `integers in every notation are read exactly`(_ text: String, _ expected: Int64) throws {
    #expect(try int64(text) == expected)
  }

  @Test(arguments: [
    ("1.5", JSONError.Kind.notIntegral), ("1e-1", .notIntegral),
    ("9223372036854775807.5", .notIntegral), ("0.1e0", .notIntegral),
    ("9223372036854775808", .outOfRange), ("-9223372036854775809", .outOfRange),
    ("1e19", .outOfRange), ("1e400", .outOfRange), ("1e99999999999999999999", .outOfRange),
    ("100000000000000000000", .outOfRange), ("\"4\"", .notThatType), ("true", .notThatType),
    ("null", .notThatType), ("[1]", .notThatType), ("{}", .notThatType),
  ])
  func `a value that is not an Int64 is not consumed`(_ text: String, _ kind: JSONError.Kind)
    throws
  {
    try read("[ " + text + "]") { (reader) throws(JSONError) in
      _ = try reader.beginArray()
      let found = error { () throws(JSONError) in try reader.int64() }
      #expect(found == JSONError(kind, at: 2))
      #expect(reader.byteOffset == 2)
      try reader.skipValue()
      #expect(try reader.arrayContinues() == false)
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0", 0), ("18446744073709551615", .max),
      ("18446744073709551615.000", .max), ("1844674407370955161.5e1", .max), ("2e19", nil),
      ("18446744073709551616", nil), ("-1", nil), ("-1e5", nil),
    ] as [(String, UInt64?)])
  func `unsigned integers are read up to 2⁶⁴ - 1`(_ text: String, _ expected: UInt64?) throws {
    guard let expected else {
      #expect(error { () throws(JSONError) in try uint64(text) } == JSONError(.outOfRange, at: 0))
      return
    }
    #expect(try uint64(text) == expected)
  }

  @Test func `a number with a million zeros and the inverse exponent is read exactly`() throws {
    let zeros = String(repeating: "0", count: 1_000_000)
    #expect(try int64("0." + zeros + "7e1000001") == 7)
    #expect(try int64("7" + zeros + "e-1000000") == 7)
    #expect(try double("0." + zeros + "7e1000001") == 7)
    #expect(try double("7" + zeros + "e-1000000") == 7)
  }

  @Test(
    arguments: [
      ("0", 0x0), ("-0", 0x8000_0000_0000_0000), ("-0.0e5", 0x8000_0000_0000_0000),
      ("1", 0x3FF0_0000_0000_0000), ("0.1", 0x3FB9_9999_9999_999A),
      ("1e-400", 0x0), ("-1e-400", 0x8000_0000_0000_0000), ("1e-99999999999999999999", 0x0),
      // The smallest subnormal number, and its half approached from both sides.
      ("5e-324", 0x1), ("4.9406564584124654e-324", 0x1), ("2.4703282292062327e-324", 0x0),
      ("2.4703282292062328e-324", 0x1), ("2.5e-324", 0x1), ("7.4109846876186982e-324", 0x2),
      ("7.4109846876186981e-324", 0x1),
      // Around the smallest normal number.
      ("2.2250738585072011e-308", 0xF_FFFF_FFFF_FFFF),
      ("2.2250738585072012e-308", 0x10_0000_0000_0000),
      ("2.2250738585072014e-308", 0x10_0000_0000_0000),
      // The largest number, and the boundary of infinity.
      ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF),
      ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
      ("1.797693134862315807e308", 0x7FEF_FFFF_FFFF_FFFF),
      // Ties between two numbers, rounded to even, and numbers one digit off a tie.
      ("9007199254740993", 0x4340_0000_0000_0000), ("9007199254740995", 0x4340_0000_0000_0002),
      ("9007199254740993.00000000000000000000000000000001", 0x4340_0000_0000_0001),
      ("9007199254740992.99999999999999999999999999999999", 0x4340_0000_0000_0000),
      ("1.00000000000000011102230246251565404236316680908203125", 0x3FF0_0000_0000_0000),
      ("1.00000000000000011102230246251565404236316680908203126", 0x3FF0_0000_0000_0001),
      ("1.00000000000000011102230246251565404236316680908203124", 0x3FF0_0000_0000_0000),
      ("1.00000000000000033306690738754696212708950042724609375", 0x3FF0_0000_0000_0002),
      // Known hard cases of published algorithms.
      ("1e23", 0x44B5_2D02_C7E1_4AF6), ("8.5e22", 0x44B1_FFDB_F6B2_B2EB),
      ("9214843084008499", 0x4340_5E6C_EC57_761A),
      ("0.500000000000000166533453693773481063544750213623046875", 0x3FE0_0000_0000_0002),
      ("3.518437208883201171875e13", 0x42C0_0000_0000_0002),
      ("62.5364939768271845828", 0x404F_44AB_D5AA_7CA4),
      ("1090544144181609348671888949248", 0x462B_8779_F247_4DFA),
    ] as [(String, UInt64)])
  func `doubles are read with the exact bit pattern`(_ text: String, _ bits: UInt64) throws {
    let value = try double(text)
    #expect(value.bitPattern == bits)
    #expect(value.bitPattern == Double(text)?.bitPattern)
  }

  @Test(arguments: ["1e309", "-1e400", "1.797693134862315808e308", "9e99999999999999999999"])
  func `a number too large for a Double is out of range`(_ text: String) throws {
    #expect(error { () throws(JSONError) in try double(text) } == JSONError(.outOfRange, at: 0))
  }

  @Test func `numbers with every decimal exponent are read as the nearest Double`() throws {
    for exponent in -345...308 {
      for mantissa in ["1", "9", "123456789", "9999999999999999", "12345678901234567890"] {
        let text = "\(mantissa)e\(exponent - mantissa.utf8.count + 1)"
        guard let expected = Double(text), expected.isFinite else { continue }
        #expect(try double(text) == expected, "\(text)")
      }
    }
  }

  @Test func `random Doubles are read back from their shortest text`() throws {
    var generator = SeededRandom(seed: 1)
    for _ in 0..<100_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      // Not `#expect`: its expansion takes longer than the check.
      if try double(value.description).bitPattern != value.bitPattern { Issue.record("\(value)") }
    }
  }

  @Test func `random decimal numbers are read as the Doubles that the standard library reads`()
    throws
  {
    var generator = SeededRandom(seed: 2)
    for _ in 0..<100_000 {
      let digits = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      var text = digits.joined()
      while text.count > 1, text.hasPrefix("0") { text.removeFirst() }
      if Bool.random(using: &generator) {
        text += "." + digits.shuffled(using: &generator).joined()
      }
      if Bool.random(using: &generator) {
        text += "e\(Int.random(in: -340...250, using: &generator))"
      }
      guard let expected = Double(text), expected.isFinite else { continue }
      if try double(text).bitPattern != expected.bitPattern { Issue.record("\(text)") }
    }
  }

  @Test func `midpoints between two Doubles and their neighbors are rounded correctly`() throws {
    var generator = SeededRandom(seed: 3)
    for _ in 0..<300 {
      var bits = generator.next() & 0x7FFF_FFFF_FFFF_FFFF
      if Bool.random(using: &generator) { bits &= 0x000F_FFFF_FFFF_FFFF }
      let low = Double(bitPattern: bits)
      guard low.nextUp.isFinite else { continue }
      let middle = exactMiddle(above: low)
      let even = bits & 1 == 0 ? low : low.nextUp
      #expect(try double(middle) == even)
      // A further nonzero digit, after the at most 768 digits of a midpoint and 400 zeros.
      let more = middle.replacing("e", with: String(repeating: "0", count: 400) + "1e")
      #expect(try double(more) == low.nextUp)
      let index = middle.firstIndex(of: "e") ?? middle.endIndex
      let last = middle[middle.index(before: index)]
      let smaller = middle[..<middle.index(before: index)] + String(last.wholeNumberValue! - 1)
      #expect(try double(smaller + String(repeating: "9", count: 800) + middle[index...]) == low)
    }
  }

  /// All digits of the midpoint between `low` and the next Double, in scientific notation (`d.ddde-n`).
  private func exactMiddle(above low: Double) -> String {
    let biased = Int(low.bitPattern >> 52)
    var fraction = low.bitPattern & (1 << 52 - 1) | (biased == 0 ? 0 : 1 << 52)
    fraction = 2 * fraction + 1
    var exponent = max(1, biased) - 1076
    // Decimal digits, lowest first. A positive power of 2 doubles them; a negative one multiplies them by 5 and adds
    // a decimal place.
    var digits: [Int] = []
    while fraction > 0 {
      digits.append(Int(fraction % 10))
      fraction /= 10
    }
    var places = 0
    while exponent != 0 {
      var carry = 0
      let factor = exponent > 0 ? 2 : 5
      for index in digits.indices {
        let product = digits[index] * factor + carry
        digits[index] = product % 10
        carry = product / 10
      }
      if carry > 0 { digits.append(carry) }
      if exponent < 0 { places += 1 }
      exponent += exponent > 0 ? -1 : 1
    }
    while digits.first == 0 {
      digits.removeFirst()
      places -= 1
    }
    let text = digits.reversed().map(String.init).joined()
    return String(text.prefix(1)) + "." + text.dropFirst()
      + "0e\(text.count - 1 - places)"
      .replacing("0e", with: "e")
  }

  @Test(arguments: [
    "0.1", "16777217", "16777217.0000000001", "16777216.9999999999", "1e-45", "7e-46", "7.1e-46",
    "3.4028235e38", "3.4028235677973366e38", "1.1754944e-38", "1.00000017881393432617187499",
    "1.00000017881393432617187500", "1.00000017881393432617187501", "-0",
    "1.00000005960464477539062499999999", "1.0000000596046447753906250000000000000000000001",
    "7.006492321624085354618e-46", "7.0064923216240853546186479164495806564013097093825788587e-46",
  ])
  func `floats are rounded only once`(_ text: String) throws {
    #expect(try float(text).bitPattern == Float(text)?.bitPattern)
  }

  @Test func `random numbers are read as the Floats that the standard library reads`() throws {
    var generator = SeededRandom(seed: 4)
    for _ in 0..<50_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      guard value.isFinite, value.nextUp.isFinite else { continue }
      let middle = (Double(value) + Double(value.nextUp)) / 2
      for text in [value.description, middle.description, middle.nextUp.description] {
        if try float(text).bitPattern != Float(text)?.bitPattern { Issue.record("\(text)") }
      }
    }
  }

  @Test(arguments: [
    ("-", JSONError.Kind.unexpectedEnd, 1), ("-x", .invalidNumber, 1), ("01", .invalidNumber, 1),
    ("-01", .invalidNumber, 2), ("00", .invalidNumber, 1), ("1.", .unexpectedEnd, 2),
    ("1.x", .invalidNumber, 2), ("1.e1", .invalidNumber, 2), ("1e", .unexpectedEnd, 2),
    ("1e+", .unexpectedEnd, 3), ("1e+x", .invalidNumber, 3), ("1.5E", .unexpectedEnd, 4),
    ("1.5Ex", .invalidNumber, 4), ("-.5", .invalidNumber, 1), ("+1", .unexpectedCharacter, 0),
    (".5", .unexpectedCharacter, 0), ("NaN", .unexpectedCharacter, 0), ("--1", .invalidNumber, 1),
    ("-Infinity", .invalidNumber, 1), ("0x1", .trailingContent, 1), ("1 2", .trailingContent, 2),
    ("1e1.5", .trailingContent, 3), ("1.2.3", .trailingContent, 3), ("1_000", .trailingContent, 1),
    ("１", .unexpectedCharacter, 0), ("123abc", .trailingContent, 3), ("-00.5", .invalidNumber, 2),
  ])
  func `a malformed number throws an error at the first invalid byte`(
    _ text: String, _ kind: JSONError.Kind, _ byteOffset: Int
  ) {
    let expected = JSONError(kind, at: byteOffset)
    #expect(verdict(text) == expected)
    func check(_ body: (inout JSONReader) throws(JSONError) -> Void) {
      let found = error { () throws(JSONError) in
        try read(text) { (reader) throws(JSONError) in
          try body(&reader)
          try reader.finish()
        }
      }
      #expect(found == expected)
    }
    check { (reader) throws(JSONError) in _ = try reader.double() }
    check { (reader) throws(JSONError) in _ = try reader.float() }
    if !text.hasPrefix("1.2") {
      check { (reader) throws(JSONError) in _ = try reader.int64() }
      check { (reader) throws(JSONError) in _ = try reader.uint64() }
    }
    check { (reader) throws(JSONError) in _ = try reader.numberText() }
  }

  @Test(arguments: ["0", "-0", "10.50E+007", "1e400", "123456789012345678901234567890"])
  func `the text of a number is returned unchanged`(_ text: String) throws {
    try read(" \(text) ,") { (reader) throws(JSONError) in
      #expect(String(decoding: try reader.numberText(), as: UTF8.self) == text)
    }
  }

  @Test(arguments: [
    ("0", "int 0"), ("-7", "int -7"), ("9223372036854775807", "int 9223372036854775807"),
    ("-9223372036854775808", "int -9223372036854775808"), ("1.0", "double 1.0"),
    ("-0.0", "double -0.0"), ("2.5", "double 2.5"), ("0.001", "double 0.001"),
    ("0.0001", "double 0.0001"), ("1e-05", "double 1e-05"), ("1e+22", "double 1e+22"),
    ("999999999999999.0", "double 999999999999999.0"), ("1e+16", "double 1e+16"),
    ("8.000000000000002", "double 8.000000000000002"), ("5e-324", "double 5e-324"),
    ("-0", "text"), ("0.40", "text"), ("1.00", "text"), ("1e2", "text"), ("1E+22", "text"),
    ("1e22", "text"), ("0.00001", "text"), ("1.0e1", "text"), ("10000000000000000.0", "text"),
    ("8.000000000000001", "text"), ("0.1000000000000000055", "text"), ("1e400", "text"),
    ("9223372036854775808", "text"), ("10000000000000000000", "text"), ("1.50e10", "text"),
  ])
  func `a number is read as its value only if the value is written as its text`(
    _ text: String, _ expected: String
  ) throws {
    func described(_ number: ExactNumber?) -> String {
      switch number {
      case .int(let value)?: "int \(value)"
      case .double(let value)?: "double \(value)"
      case .text(let found)?:
        String(decoding: found, as: UTF8.self) == text ? "text" : "another text"
      case nil: "no number"
      }
    }
    try read(" \(text) ,") { (reader) throws(JSONError) in
      #expect(described(try reader.writtenNumber()) == expected)
      #expect(reader.byteOffset == 1 + text.utf8.count)
    }
    var copy = text
    #expect(copy.withUTF8 { described(ExactNumber(written: $0)) } == expected)
  }

  @Test func `isNumber agrees with the reader for all texts of up to 5 number characters`() {
    let letters = Array("-+.0 1eEx".utf8)
    var texts: [[UInt8]] = [[]]
    var first = 0
    for _ in 0..<5 {
      let last = texts.count
      for text in texts[first..<last] { texts += letters.map { text + [$0] } }
      first = last
    }
    for text in texts {
      let isNumber = text.withUnsafeBufferPointer { JSONReader.isNumber($0) }
      // A reader skips white space around a value.
      let isRead = !text.contains(0x20) && verdict(text, dialect: .strict) == nil
      // Not `#expect`: its expansion takes longer than the check.
      if isNumber != isRead { Issue.record("\(String(decoding: text, as: UTF8.self))") }
    }
  }
}
