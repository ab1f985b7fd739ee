import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Decoding of values` {
  /// Decodes `{ "id": 1, <member> }`.
  private func values(_ member: String) throws -> AllTypes {
    try makeCoder().decode(AllTypes.self, #"{ "id": 1, \#(member) }"#)
  }

  private func failure(_ member: String) -> String {
    message { _ = try values(member) }
  }

  // MARK: - Integers

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1), ("1.0", 1), ("1.000", 1), ("1e3", 1000), ("1E+3", 1000),
      ("1000e-3", 1), ("0.001e3", 1), ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740993.0", 9_007_199_254_740_993), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775807.0", .max), ("-0.0", 0), ("0e99", 0),
      ("922337203685477580.7e1", .max),
    ] as [(String, Int)])
  func `any number with an integral value is decoded as an integer`(text: String, expected: Int)
    throws
  {
    #expect(try values(#""int": \#(text)"#).int == expected)
    #expect(try values(#""int64": \#(text)"#).int64 == Int64(expected))
  }

  @Test(
    arguments: [
      ("int", "1.5", "expected Int, found number 1.5"),
      ("int", "1e-1", "expected Int, found number 1e-1"),
      ("int", "true", "expected Int, found true"),
      ("int", #""1""#, #"expected Int, found string "1""#),
      ("int", "[]", "expected Int, found an array"),
      ("int", "{}", "expected Int, found an object"),
      ("int", "9223372036854775808", "number 9223372036854775808 is outside the range of Int"),
      ("int", "-9223372036854775809", "number -9223372036854775809 is outside the range of Int"),
      ("int", "1e19", "number 1e19 is outside the range of Int"),
      ("int", "1e400", "number 1e400 is outside the range of Int"),
      ("int8", "128", "number 128 is outside the range of Int8"),
      ("int8", "-129", "number -129 is outside the range of Int8"),
      ("int16", "32768", "number 32768 is outside the range of Int16"),
      ("int16", "-32769", "number -32769 is outside the range of Int16"),
      ("int32", "2147483648", "number 2147483648 is outside the range of Int32"),
      ("int32", "-2147483649", "number -2147483649 is outside the range of Int32"),
      ("int64", "9223372036854775808", "number 9223372036854775808 is outside the range of Int64"),
      ("uint", "-1", "number -1 is outside the range of UInt"),
      ("uint", "18446744073709551616", "number 18446744073709551616 is outside the range of UInt"),
      ("uint8", "256", "number 256 is outside the range of UInt8"),
      ("uint8", "-1", "number -1 is outside the range of UInt8"),
      ("uint8", "1.5", "expected UInt8, found number 1.5"),
      ("uint16", "65536", "number 65536 is outside the range of UInt16"),
      ("uint32", "4294967296", "number 4294967296 is outside the range of UInt32"),
      (
        "uint64", "18446744073709551616",
        "number 18446744073709551616 is outside the range of UInt64"
      ),
      ("float", "1e39", "number 1e39 is outside the range of Float"),
      ("float", "1e400", "number 1e400 is outside the range of Float"),
      ("double", "1e400", "number 1e400 is outside the range of Double"),
      ("double", "-1e400", "number -1e400 is outside the range of Double"),
      ("double", #""1.5""#, #"expected Double, found string "1.5""#),
      ("double", "true", "expected Double, found true"),
      ("decimal", #""1.5""#, #"expected Decimal, found string "1.5""#),
      ("decimal", "1e400", "number 1e400 is outside the range of Decimal"),
      ("decimal", "1e-400", "number 1e-400 is outside the range of Decimal"),
      (
        "decimal", "340282366920938463463374607431768211456",
        "number 340282366920938463463374607431768211456 is outside the range of Decimal"
      ),
      ("decimal", "1.5e-128", "number 1.5e-128 is outside the range of Decimal"),
      ("bool", "1", "expected Bool, found number 1"),
      ("bool", "0", "expected Bool, found number 0"),
      ("bool", #""true""#, #"expected Bool, found string "true""#),
      ("string", "5", "expected String, found number 5"),
      ("string", "true", "expected String, found true"),
      ("string", "{}", "expected String, found an object"),
      ("data", #""AQ""#, #"expected Data (base64), found string "AQ""#),
      ("data", #""A*==""#, #"expected Data (base64), found string "A*==""#),
      ("data", #""====""#, #"expected Data (base64), found string "====""#),
      ("data", #""QUJD====""#, #"expected Data (base64), found string "QUJD====""#),
      ("data", "3", "expected Data (base64), found number 3"),
      ("url", #""""#, #"expected URL, found string """#),
      ("url", "3", "expected URL, found number 3"),
      ("uuid", #""E621E1F8""#, #"expected UUID, found string "E621E1F8""#),
      (
        "uuid", #""E621E1F8-C36C-495A-93FC-0C247A3E6E5G""#,
        #"expected UUID, found string "E621E1F8-C36C-495A-93FC-0C247A3E6E5G""#
      ),
      (
        "uuid", #""E621E1F8+C36C-495A-93FC-0C247A3E6E5F""#,
        #"expected UUID, found string "E621E1F8+C36C-495A-93FC-0C247A3E6E5F""#
      ),
      ("species", #""king""#, #"expected Species (cow, sheep, horse), found string "king""#),
      ("species", "1", "expected Species (cow, sheep, horse), found number 1"),
      ("level", "1", "expected Level (-1, 0, 7), found number 1"),
      ("level", #""0""#, #"expected Level (-1, 0, 7), found string "0""#),
      ("metres", #""far""#, #"expected Double, found string "far""#),
      ("date", "3", "expected a date (ISO 8601), found number 3"),
      ("date", #""yesterday""#, #"expected a date (ISO 8601), found string "yesterday""#),

    ] as [(String, String, String)])
  func `a value of the wrong type or range throws an error that shows type and value`(
    attribute: String, text: String, expected: String
  ) throws {
    let column = attribute.utf8.count + 16
    #expect(
      failure(#""\#(attribute)": \#(text)"#)
        == "\(attribute) (AllTypes.\(attribute), id 1): \(expected) at line 1, column \(column)")
  }

  @Test func `a long value is clipped in the message`() throws {
    let long = String(repeating: "x", count: 60)
    #expect(
      failure(#""int": "\#(long)""#)
        == #"int (AllTypes.int, id 1): expected Int, found string "\#(long.prefix(40))… at line 1, column 19"#
    )
  }

  @Test func `integers of every width round-trip their extremes`() throws {
    let coder = try makeCoder()
    let low =
      #"{"id":-9223372036854775808,"int":-9223372036854775808,"int8":-128,"int16":-32768,"#
      + #""int32":-2147483648,"int64":-9223372036854775808,"uint":0,"uint8":0,"uint16":0,"uint32":0,"uint64":0}"#
    let high =
      #"{"id":9223372036854775807,"int":9223372036854775807,"int8":127,"int16":32767,"#
      + #""int32":2147483647,"int64":9223372036854775807,"uint":18446744073709551615,"uint8":255,"#
      + #""uint16":65535,"uint32":4294967295,"uint64":18446744073709551615}"#
    let objects = try coder.decodeArray(AllTypes.self, "[\(low),\(high)]")
    #expect(objects[0].int8 == .min)
    #expect(objects[0].int16 == .min)
    #expect(objects[0].int32 == .min)
    #expect(objects[0].int64 == .min)
    #expect(objects[1].uint == .max)
    #expect(objects[1].uint8 == .max)
    #expect(objects[1].uint16 == .max)
    #expect(objects[1].uint32 == .max)
    #expect(objects[1].uint64 == .max)
    let text = try coder.text(objects[1])
    #expect(
      text.contains(
        #""uint":18446744073709551615,"uint8":255,"uint16":65535,"uint32":4294967295,"uint64":18446744073709551615"#
      ))
    #expect(
      try coder.text(objects[0]).contains(#""int":-9223372036854775808,"int8":-128,"int16":-32768"#)
    )
  }

  // MARK: - Doubles and decimals

  @Test(
    arguments: [
      ("0.1", 0.1), ("1", 1), ("1e-400", 0), ("5e-324", .leastNonzeroMagnitude),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("0.30000000000000004", 0.1 + 0.2), ("123456789012345678901234567890", 1.2345678901234568e29),
      ("2.2250738585072011e-308", Double(bitPattern: 0x000F_FFFF_FFFF_FFFF)),
    ] as [(String, Double)])
  func `a number is decoded as the nearest Double`(text: String, expected: Double) throws {
    #expect(try values(#""double": \#(text)"#).double == expected)
  }

  @Test func `a negative zero keeps its sign`() throws {
    let object = try values(#""double": -0, "float": -0.0"#)
    #expect(object.double.sign == .minus)
    #expect(object.float.sign == .minus)
  }

  @Test func `a number is decoded as the nearest Float`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "float": 0.1 }"#)
    #expect(object.float == 0.1)
    #expect(try coder.text(object) == #"{"id":1,"float":0.1}"#)
    #expect(try values(#""float": 16777217"#).float == 16_777_216)
    #expect(try values(#""float": 1e-60"#).float == 0)
  }

  @Test(
    arguments: [
      "0.1", "3.133", "12345678901234567890.123456789", "-0.00000000000000000001",
      "99999999999999999999999999999999999999", "100", "0", "61.35",
      "123456789012345678901234567890123456789", "340282366920938463463374607431768211455",
      "-3.40282366920938463463374607431768211455",
    ])
  func `a number is decoded as the exact Decimal`(text: String) throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "decimal": \#(text) }"#)
    #expect(object.decimal == Decimal(string: text))
    #expect(try coder.text(object) == #"{"id":1,"decimal":\#(text)}"#)
    let version = coder.store.version
    try coder.decode(AllTypes.self, #"{ "id": 1, "decimal": \#(text) }"#)
    #expect(coder.store.version == version)
  }

  @Test(
    arguments: [
      Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude,
      .leastNonzeroMagnitude, Decimal(sign: .minus, exponent: 127, significand: 7),
      Decimal(1) / Decimal(3),
    ])
  func `any Decimal reads back from its body`(value: Decimal) throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1 }"#)
    try coder.store.write { object.decimal = value }
    let version = coder.store.version
    try coder.decode(AllTypes.self, try coder.text(object))
    #expect(object.decimal == value)
    #expect(coder.store.version == version)
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      ("1.", "0", "", Decimal(1)), ("0.", "0", "1", nil), ("0.", "1", "", nil),
      ("1", "0", "e-1000000", Decimal(1)), ("0.", "0", "0", Decimal(0)),
    ])
  func `a number of a million digits is a Decimal if few are significant`(
    first: String, digit: Character, last: String, expected: Decimal?
  ) throws {
    let text = first + String(repeating: digit, count: 1_000_000) + last
    let coder = try makeCoder()
    let failure = kind {
      let object = try coder.decode(AllTypes.self, #"{"id":1,"decimal":\#(text)}"#)
      #expect(object.decimal == expected)
    }
    #expect(failure == (expected == nil ? .outOfRange : nil))
  }

  @Test(
    arguments: [
      ("1.50", "1.5"), ("1e2", "100"), ("-0", "0"), ("1.5e-3", "0.0015"), ("0e500", "0"),
      ("-0.000e-999", "0"),
    ])
  func `different notations of a Decimal are the same value`(text: String, expected: String) throws
  {
    let coder = try makeCoder()
    try coder.decode(AllTypes.self, #"{ "id": 1, "decimal": \#(expected) }"#)
    let version = coder.store.version
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "decimal": \#(text) }"#)
    #expect(coder.store.version == version)
    #expect(try coder.text(object) == #"{"id":1,"decimal":\#(expected)}"#)
  }

  // MARK: - Strings

  @Test func `strings are stored unchanged`() throws {
    let object = try values(#""string": "a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude80é🚀\u0000""#)
    #expect(object.string == "a\"\\/\u{8}\u{c}\n\r\té🚀é🚀\u{0}")
  }

  @Test func `keys are compared by bytes after unescaping`() throws {
    #expect(try values(#""str\u0069ng": "x""#).string == "x")
    #expect(try values(#""String": "x""#).string == "")
  }

  @Test func `Data is read and written as Base64`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "data": "AP8Q+/8=" }"#)
    #expect(object.data == Data([0, 255, 16, 251, 255]))
    #expect(try coder.text(object).contains(#""data":"AP8Q+/8=""#))
  }

  @Test func `a URL and a UUID are read and written as strings`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      AllTypes.self,
      #"{ "id": 1, "url": "https://a.b/c?d=1#e", "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f" }"#)
    #expect(object.url == URL(string: "https://a.b/c?d=1#e"))
    #expect(object.uuid == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let text = try coder.text(object)
    #expect(text.contains(#""uuid":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#))
    #expect(text.contains(#""url":"https://a.b/c?d=1#e""#))
  }

  @Test func `a string of 16 MiB or more is rejected`() throws {
    let long = String(repeating: "x", count: 16 << 20)
    let coder = try makeCoder()
    #expect(
      message { try coder.decode(AllTypes.self, #"{ "id": 1, "string": "\#(long)" }"#) }
        == "string (AllTypes.string, id 1): a value of 16 MiB or more is outside the range of String at line 1, column 22"
    )
    #expect(
      kind { try coder.decode(AllTypes.self, #"{ "id": 1, "exact": "\#(long)" }"#) }
        == .outOfRange)
    #expect(
      kind { try coder.decode(AllTypes.self, #"{ "id": 1, "json": "\#(long)" }"#) }
        == .outOfRange)
    #expect(
      kind { try coder.decode(AllTypes.self, #"{ "id": 1, "url": "\#(long)" }"#) }
        == .outOfRange)
    #expect(coder.store.objects(AllTypes.self).isEmpty)
    try coder.decode(AllTypes.self, #"{ "id": 1, "string": "\#(long.dropLast())" }"#)
  }

  // MARK: - Enums

  @Test func `an enum is read and written as its raw value`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Enums.self, #"{ "id": 1, "mood": "happy", "size": 1, "moods": ["other", "happy"] }"#)
    #expect(object.mood == .happy)
    #expect(object.size == .small)
    #expect(object.optional == nil)
    #expect(Array(object.moods) == [.other, .happy])
    #expect(
      try coder.text(object)
        == #"{"id":1,"mood":"happy","size":1,"moods":["other","happy"]}"#)
    #expect(
      message { try coder.decode(Coding.Enums.self, #"{ "id": 1, "moods": ["happy", "sad"] }"#) }
        == #"moods[1] (Enums.moods, id 1): expected Mood (happy, grumpy, other), found string "sad" at line 1, column 31"#
    )
  }

  @Test func `an unknown raw value is replaced by the attribute's fallback`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Enums.self, #"{ "id": 1, "lenientMood": "sad", "lenientSize": 99 }"#)
    #expect(object.lenientMood == .other)
    #expect(object.lenientSize == .unknown)
    #expect(
      message { try coder.decode(Coding.Enums.self, #"{ "id": 1, "lenientMood": 3 }"#) }
        == "lenientMood (Enums.lenientMood, id 1): expected Mood (happy, grumpy, other), found number 3 at line 1, column 27"
    )
  }

  @Test func `a custom type is decoded from its stored value`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "metres": 2.5 }"#)
    #expect(object.metres.value == 2.5)
    #expect(try coder.text(object).contains(#""metres":2.5"#))
  }

  // MARK: - Dates

  @Test(
    arguments: [
      ("2018-05-18T14:53:37Z", 1_526_655_217), ("2018-05-18T14:53:37.000Z", 1_526_655_217),
      ("2018-05-18T16:53:37+02:00", 1_526_655_217), ("2018-05-18T14:53:37+0000", 1_526_655_217),
      ("2018-05-18t14:53:37z", 1_526_655_217), ("2018-05-18 14:53:37Z", 1_526_655_217),
      ("2018-05-18T14:53:37.123456Z", 1_526_655_217.123456),
      ("1582-10-10T00:00:00Z", -12_219_724_800),
      ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, Double)])
  func `ISO 8601 dates are decoded in every variant`(text: String, seconds: Double) throws {
    #expect(try values(#""date": "\#(text)""#).date == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    arguments: [
      "2018-02-30T00:00:00Z", "2018-05-18T24:00:00Z", "2018-13-01T00:00:00Z", "2018-05-18",
      "2018-05-18T14:53:37", "2018-05-18T14:60:00Z", "", "2018-05-18T14:53:37Zx",
      "20180518T145337Z",
    ])
  func `a string that is not a date throws an error`(text: String) {
    #expect(
      failure(#""date": "\#(text)""#)
        == #"date (AllTypes.date, id 1): expected a date (ISO 8601), found string "\#(text)" at line 1, column 20"#
    )
  }

  @Test(
    arguments: [
      ("plain", #""2018-05-18T14:53:37.250Z""#, 1_526_655_217.25, #""2018-05-18T14:53:37.250Z""#),
      ("plain", #""2018-05-18T14:53:37.000Z""#, 1_526_655_217, #""2018-05-18T14:53:37Z""#),
      ("day", #""2018-05-18""#, 1_526_601_600, #""2018-05-18""#),
      (
        "http", #""Fri, 18 May 2018 14:53:37 GMT""#, 1_526_655_217,
        #""Fri, 18 May 2018 14:53:37 GMT""#
      ),
      ("seconds", "1526655217", 1_526_655_217, "1526655217"),
      ("seconds", "1526655217.5", 1_526_655_217.5, "1526655217.5"),
      ("seconds", "-1", -1, "-1"),
      ("milliseconds", "1526655217250", 1_526_655_217.25, "1526655217250"),
      ("milliseconds", "1526655217123.4", 1_526_655_217.1234, "1526655217123.4"),
      ("milliseconds", "1526655217000.124", 1_526_655_217.000_124, "1526655217000.124"),
      ("pattern", #""18/05/2018""#, 1_526_601_600, #""18/05/2018""#),
      ("several", #""2018-05-18 14:53:37.125""#, 1_526_655_217.125, #""2018-05-18 14:53:37.125""#),
      ("several", "1526655217", 1_526_655_217, #""2018-05-18 14:53:37.000""#),
      ("several", #""2018-05-18T14:53:37Z""#, 1_526_655_217, #""2018-05-18 14:53:37.000""#),
    ] as [(String, String, Double, String)])
  func `the date formats of an attribute are tried in order and the first one is written`(
    attribute: String, text: String, seconds: Double, written: String
  ) throws {
    let coder = try makeCoder()
    let object = try coder.decode(Coding.Dates.self, #"{ "id": 1, "\#(attribute)": \#(text) }"#)
    #expect(object[attribute] as? Date == Date(timeIntervalSince1970: seconds))
    #expect(try coder.text(object) == #"{"id":1,"\#(attribute)":\#(written)}"#)
  }

  @Test(
    arguments: [
      ("day", #""18.05.2018""#, #"expected a date (yyyy-MM-dd), found string "18.05.2018""#),
      (
        "http", #""Thu, 18 May 2018 14:53:37 GMT""#,
        #"expected a date (RFC 1123), found string "Thu, 18 May 2018 14:53:37 GMT""#
      ),
      (
        "seconds", #""1526655217""#,
        #"expected a date (seconds since 1970), found string "1526655217""#
      ),
      ("milliseconds", "true", "expected a date (milliseconds since 1970), found true"),
      ("pattern", #""31/02/2018""#, #"expected a date (dd/MM/yyyy), found string "31/02/2018""#),
      (
        "several", #""x""#,
        #"expected a date (yyyy-MM-dd HH:mm:ss.SSS, seconds since 1970, ISO 8601), found string "x""#
      ),
    ])
  func `a date in none of the declared formats throws an error`(
    attribute: String, text: String, expected: String
  ) throws {
    #expect(
      message {
        try makeCoder().decode(Coding.Dates.self, #"{ "id": 1, "\#(attribute)": \#(text) }"#)
      }
        == "\(attribute) (Dates.\(attribute), id 1): \(expected) at line 1, column \(attribute.utf8.count + 16)"
    )
  }

  @Test func `the coder's date formats apply to attributes without any`() throws {
    let coder = try makeCoder { $0.dates = [.unixSeconds, .format("dd/MM/yyyy")] }
    let object = try coder.decode(
      Coding.Dates.self, #"{ "id": 1, "plain": "18/05/2018", "day": "2018-05-18" }"#)
    #expect(try coder.text(object) == #"{"id":1,"plain":1526601600,"day":"2018-05-18"}"#)
  }

  @Test func `declared date formats apply to a list of dates`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Dates.self, #"{ "id": 1, "days": ["2018-05-18", "2018-05-19"] }"#)
    #expect(try coder.text(object) == #"{"id":1,"days":["2018-05-18","2018-05-19"]}"#)
  }

  @Test func `assigning a date to itself is not a change`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Dates.self, #"{ "id": 1, "plain": "1970-01-01T00:00:00.123456Z", "seconds": 0.1 }"#)
    let version = coder.store.version
    try coder.store.write {
      object.plain = object.plain
      object.seconds = object.seconds
    }
    #expect(coder.store.version == version)
  }

  // MARK: - Any JSON, and JSON kept as text

  @Test(
    arguments: [
      ("null", .null), ("true", true), ("-3", -3), ("1.5", 1.5), (#""x""#, "x"), ("[]", []),
      (#"{"b":[1,{"c":null}],"a":2}"#, ["b": [1, ["c": nil]], "a": 2]),
      ("12345678901234567890123", .number("12345678901234567890123")),
      ("1e400", .number("1e400")), ("9223372036854775808", .number("9223372036854775808")),
    ] as [(String, JSONValue)])
  func `any JSON is stored as its value`(text: String, expected: JSONValue) throws {
    let coder = try makeCoder()
    let object = try coder.decode(AllTypes.self, #"{ "id": 1, "json": \#(text) }"#)
    #expect(object.json == expected)
    let version = coder.store.version
    let body = try coder.text(object)
    try coder.decode(AllTypes.self, body)
    #expect(coder.store.version == version)
  }

  @Test(
    arguments: [
      (#"{ "b" : 1.0, "a": [1e2, "\u0041"] }"#, #"{"a":[1e2,"\u0041"],"b":1.0}"#),
      ("5", "5"), (#""x""#, #""x""#), ("true", "true"), ("[ ]", "[]"), ("-0.50", "-0.50"),
      (#"{"a10":1,"a2":2,"B":3}"#, #"{"B":3,"a10":1,"a2":2}"#),
    ])
  func `raw JSON is stored verbatim or minified with sorted keys, depending on the policy`(
    text: String, minified: String
  ) throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      AllTypes.self, #"{ "id": 1, "exact":  \#(text) , "minified": \#(text) }"#)
    #expect(object.exact == text)
    #expect(object.minified == minified)
    #expect(try coder.text(object).hasSuffix(#""exact":\#(text),"minified":\#(minified)}"#))
  }

  @Test func `a null for raw JSON is stored as text, or as nil if the attribute is optional`()
    throws
  {
    let object = try makeCoder().decode(
      AllTypes.self, #"{ "id": 1, "exact": null, "minified": null, "optMinified": null }"#)
    #expect((object.exact, object.minified) == ("null", "null"))
    #expect(object.optMinified == nil)
    #expect(
      kind { try makeCoder { $0.nulls = .fail }.decode(AllTypes.self, #"{"id":1,"exact":null}"#) }
        == .nullForNonOptional)
  }
}
