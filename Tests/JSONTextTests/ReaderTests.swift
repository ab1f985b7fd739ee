import JSONText
import TestSupport
import Testing

@Suite struct `Reading JSON` {
  @Test func `an object is read member by member`() throws {
    let table = JSONKeySet(["id", "name", "legs"])
    var found: [String] = []
    try read(#" { "id" : 7 , "name":"Berta","color":[1,{}],"l\u0065gs" : 4 } "#) {
      (reader) throws(JSONError) in
      var predicted = 0
      #expect(try reader.beginObject())
      #expect(reader.depth == 1)
      repeat {
        let index = try reader.key(table, predicted: predicted)
        predicted = index + 1
        let key = String(decoding: reader.lastKey, as: UTF8.self)
        switch index {
        case 0, 2: found.append("\(key) \(try reader.int64()) @\(reader.lastKeyOffset)")
        case 1: found.append("\(key) \(try reader.string().string) @\(reader.lastKeyOffset)")
        default:
          found.append("\(key) skipped @\(reader.lastKeyOffset)")
          try reader.skipValue()
        }
      } while try reader.objectContinues()
      #expect(reader.depth == 0)
      try reader.finish()
    }
    #expect(found == ["id 7 @3", "name Berta @14", "color skipped @29", "legs 4 @44"])
  }

  @Test(arguments: [
    ("{}", JSONKind.object), ("[", .array), ("\"", .string), ("-1", .number), ("0", .number),
    ("9", .number), ("t", .bool), ("f", .bool), ("n", .null), ("", .invalid), ("]", .invalid),
    ("+", .invalid), ("N", .invalid), ("\u{1}", .invalid), ("é", .invalid), (",", .invalid),
  ])
  func `the next byte determines the kind of a value`(_ text: String, _ kind: JSONKind) throws {
    try read(" \n\r\t" + text) { (reader) throws(JSONError) in
      let found = reader.kind()
      #expect(found == kind)
      #expect(reader.byteOffset == 4)
    }
  }

  @Test func `a value of another type is not consumed`() throws {
    let texts = ["{}", "[]", "\"a\"", "1.5", "true", "null"]
    for (index, text) in texts.enumerated() {
      try read(" \(text) ") { (reader) throws(JSONError) in
        func check(
          _ accepted: Int, _ reader: inout JSONReader,
          _ body: (inout JSONReader) throws(JSONError) -> Void
        ) {
          guard index != accepted else { return }
          let found = error { () throws(JSONError) in try body(&reader) }
          let offset = reader.byteOffset
          #expect(found == JSONError(.notThatType, at: 1))
          #expect(found?.isSyntax == false)
          #expect(offset == 1)
        }
        check(0, &reader) { (reader) throws(JSONError) in _ = try reader.beginObject() }
        check(1, &reader) { (reader) throws(JSONError) in _ = try reader.beginArray() }
        check(2, &reader) { (reader) throws(JSONError) in _ = try reader.string() }
        check(3, &reader) { (reader) throws(JSONError) in _ = try reader.int64() }
        check(3, &reader) { (reader) throws(JSONError) in _ = try reader.uint64() }
        check(3, &reader) { (reader) throws(JSONError) in _ = try reader.double() }
        check(3, &reader) { (reader) throws(JSONError) in _ = try reader.float() }
        check(3, &reader) { (reader) throws(JSONError) in _ = try reader.numberText() }
        check(4, &reader) { (reader) throws(JSONError) in _ = try reader.bool() }
        if index != 5 {
          let isNull = try reader.null()
          #expect(!isNull)
        }
        try reader.skipValue()
        try reader.finish()
      }
    }
  }

  @Test(arguments: [
    ("true", true), ("false", false), (" true ", true), ("\nfalse", false),
  ])
  func `true and false are read`(_ text: String, _ expected: Bool) throws {
    let value = try read(text) { (reader) throws(JSONError) in
      let value = try reader.bool()
      try reader.finish()
      return value
    }
    #expect(value == expected)
  }

  @Test(arguments: [
    ("tru", JSONError.Kind.unexpectedEnd, 3), ("trux", .unexpectedCharacter, 3),
    ("fals", .unexpectedEnd, 4), ("falsy", .unexpectedCharacter, 4), ("nul", .unexpectedEnd, 3),
    ("nil", .unexpectedCharacter, 1), ("True", .unexpectedCharacter, 0),
    ("truee", .trailingContent, 4), ("nu\0", .unexpectedCharacter, 2),
  ])
  func `a misspelled or truncated literal throws an error at its first invalid byte`(
    _ text: String, _ kind: JSONError.Kind, _ byteOffset: Int
  ) {
    #expect(verdict(text) == JSONError(kind, at: byteOffset))
    #expect(
      verdict("[" + text)
        == JSONError(
          kind == .trailingContent ? .expectedCommaOrEnd : kind, at: byteOffset + 1))
  }

  @Test func `null is consumed only if it is next`() throws {
    try read("[null,1, null]") { (reader) throws(JSONError) in
      _ = try reader.beginArray()
      var found = [try reader.null(), try reader.arrayContinues(), try reader.null()]
      found += [try reader.int64() == 1, try reader.arrayContinues(), try reader.null()]
      found.append(try reader.arrayContinues())
      #expect(found == [true, true, false, true, true, true, false])
      try reader.finish()
    }
  }

  @Test func `rawValue returns the original bytes of a value`() throws {
    let values = ["{ \"a\" : [1 ,2.50e+1 ] }", "\"\\u0041\\/\"", "-0.0", "[ ]", "null", "[1,]"]
    try read("[ " + values.joined(separator: " , ") + " ]") { (reader) throws(JSONError) in
      var found: [String] = []
      _ = try reader.beginArray()
      repeat {
        found.append(String(decoding: try reader.rawValue(), as: UTF8.self))
      } while try reader.arrayContinues()
      #expect(found == values)
    }
  }

  // MARK: - Whole texts

  @Test(arguments: [
    "null", " true", "false\n", "0", "-0", "0.0", "-1.5e+3", "1E5", "1e-5", "10", "\"\"", "\"a\"",
    "[]", "[ ]", "{}", "{ }", "[[]]", "[{}]", "{\"\":{}}", "[1,2]", "\t[\r\n1 ,\t2]",
    "{\"a\":1,\"a\":2}", "[null,true,false,0,\"\",[],{}]", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u0000\"", "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"", "\"é中😀\u{7f}\u{80}\u{2028}\"",
    "\"\u{FFFD}\u{FEFF}\"", "{\"\\u0061\":\"\\uFFFF\"}", "1e999999",
    "123e-10000000",
    "[1,\n\n\n                                        2]", "{\"a\":{\"b\":{\"c\":[[[{}]]]}}}",
  ])
  func `valid JSON is accepted in both dialects`(_ text: String) throws {
    #expect(verdict(text) == nil)
    #expect(verdict(text, dialect: .strict) == nil)
    _ = try tree(text)
    _ = try tree(Array(text.utf8), dialect: .strict)
  }

  @Test(arguments: [
    ("", JSONError.Kind.empty, 0), (" \n\t\r", .empty, 4),
    ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
    ("{", .unexpectedEnd, 1), ("{\"a", .unexpectedEnd, 3), ("{\"a\"", .unexpectedEnd, 4),
    ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1", .unexpectedEnd, 6),
    ("{\"a\":1,", .unexpectedEnd, 7), ("\"", .unexpectedEnd, 1),
    ("\"abcdefghij", .unexpectedEnd, 11),
    ("\"\\", .unexpectedEnd, 2), ("\"\\u", .unexpectedEnd, 3), ("\"\\u12", .unexpectedEnd, 5),
    ("\"\\uD83D", .unexpectedEnd, 7), ("\"\\uD83D\\", .unexpectedEnd, 8),
    ("\"\\uD83D\\u", .unexpectedEnd, 9), ("\"\\uD83D\\uDE0", .unexpectedEnd, 12),
    ("[,]", .unexpectedCharacter, 1), ("[1,,2]", .unexpectedCharacter, 3),
    ("[1,,]", .unexpectedCharacter, 3), ("[1 2]", .expectedCommaOrEnd, 3),
    ("[1}", .expectedCommaOrEnd, 2), ("[1:2]", .expectedCommaOrEnd, 2),
    ("{\"a\":1]", .expectedCommaOrEnd, 6), ("{\"a\":1 \"b\":2}", .expectedCommaOrEnd, 7),
    ("{,}", .expectedKey, 1), ("{1:2}", .expectedKey, 1), ("{a:1}", .expectedKey, 1),
    ("{'a':1}", .expectedKey, 1), ("{\"a\":1,,}", .expectedKey, 7), ("{]", .expectedKey, 1),
    ("{null:1}", .expectedKey, 1), ("{\"a\" 1}", .expectedColon, 5), ("{\"a\"}", .expectedColon, 4),
    ("{\"a\",1}", .expectedColon, 4), ("{\"a\"::1}", .unexpectedCharacter, 5),
    ("{\"a\":}", .unexpectedCharacter, 5), ("]", .unexpectedCharacter, 0),
    ("}", .unexpectedCharacter, 0), (":", .unexpectedCharacter, 0),
    ("'a'", .unexpectedCharacter, 0),
    ("[// no\n1]", .unexpectedCharacter, 1), ("/* no */1", .unexpectedCharacter, 0),
    ("undefined", .unexpectedCharacter, 0), ("[1]]", .trailingContent, 3),
    ("{}{}", .trailingContent, 2), ("10\0", .trailingContent, 2),
    ("\u{FEFF}\u{FEFF}1", .unexpectedCharacter, 0),
    ("[\u{A0}1]", .unexpectedCharacter, 1), ("[1\u{B}]", .expectedCommaOrEnd, 2),
    ("\"a\nb\"", .controlCharacter, 2), ("\"\0\"", .controlCharacter, 1),
    ("\"abcdefgh\u{1f}\"", .controlCharacter, 9), ("\"\\n\t\"", .controlCharacter, 3),
    ("\"\\x\"", .invalidEscape, 1), ("\"a\\'\"", .invalidEscape, 2),
    ("\"\\U0041\"", .invalidEscape, 1),
    ("\"\\u00G0\"", .invalidEscape, 1), ("\"\\u123\"", .invalidEscape, 1),
    ("\"\\uD83D\\u12G4\"", .invalidEscape, 7), ("\"\\\u{0}\"", .invalidEscape, 1),
    ("\"\\uD83D\"", .loneSurrogate, 1), ("\"\\uDE00\"", .loneSurrogate, 1),
    ("\"ab\\uD83D\\uD83D\"", .loneSurrogate, 3), ("\"\\uDE00\\uD83D\"", .loneSurrogate, 1),
    ("\"\\uD83Dx\"", .loneSurrogate, 1), ("\"\\uD83D\\n\"", .loneSurrogate, 1),
    ("{\"\\uD83D\":1}", .loneSurrogate, 2),
  ])
  func `invalid JSON throws an error at its byte offset in both dialects`(
    _ text: String, _ kind: JSONError.Kind, _ byteOffset: Int
  ) {
    let expected = JSONError(kind, at: byteOffset)
    let bytes = Array(text.utf8)
    #expect(expected.isSyntax)
    for dialect in [JSONDialect.default, .strict] {
      #expect(verdict(text, dialect: dialect) == expected)
      #expect(error { () throws(JSONError) in try tree(bytes, dialect: dialect) } == expected)
    }
  }

  @Test(arguments: [
    ("[1,]", 2), ("{\"a\":1,}", 6), ("[[1 , ],2]", 4), ("{\"a\":[{\"b\":0,\n}]}", 12),
  ])
  func `one trailing comma throws an error only in the strict dialect`(
    _ text: String, _ byteOffset: Int
  ) throws {
    let expected = JSONError(.trailingComma, at: byteOffset)
    #expect(verdict(text) == nil)
    #expect(verdict(text, dialect: .strict) == expected)
    _ = try tree(text)
    let bytes = Array(text.utf8)
    #expect(error { () throws(JSONError) in try tree(bytes, dialect: .strict) } == expected)
  }

  // MARK: - Depth

  @Test(arguments: [1, 2, 63, 64, 65, 128, 129, 512, 513, 1000])
  func `reading and skipping report the bracket that exceeds the depth limit`(
    _ limit: Int
  ) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let fits =
        String(repeating: open, count: limit - 1) + (open == "[" ? "[]" : "{}")
        + String(repeating: close, count: limit - 1)
      #expect(verdict(Array(fits.utf8), depthLimit: limit) == nil)
      let expected = JSONError(.depthLimit, at: limit * open.utf8.count)
      let tooDeep = Array((String(repeating: open, count: limit) + "[]").utf8)
      #expect(verdict(tooDeep, depthLimit: limit) == expected)
      let found = error { () throws(JSONError) in
        try read(tooDeep, depthLimit: limit) { (reader) throws(JSONError) in
          while true {
            if reader.kind() == .array {
              _ = try reader.beginArray()
            } else {
              _ = try reader.beginObject()
              _ = try reader.key()
            }
          }
        }
      }
      #expect(found == expected)
    }
  }

  @Test func `the depth limit for a skipped value counts the levels around it`() throws {
    try read("[[[[]]]]", depthLimit: 3) { (reader) throws(JSONError) in
      _ = try reader.beginArray()
      _ = try reader.beginArray()
      let found = error { () throws(JSONError) in try reader.skipValue() }
      #expect(found == JSONError(.depthLimit, at: 3))
    }
  }

  @Test func `skipping distinguishes arrays and objects in 300 nested levels`() {
    var generator = SeededRandom(seed: 7)
    for _ in 0..<50 {
      var text = ""
      var closers: [String] = []
      for _ in 0..<300 {
        let isObject = Bool.random(using: &generator)
        text += isObject ? "{\"a\":1,\"b\":" : "[2,"
        closers.append(isObject ? "}" : "]")
      }
      let whole = text + "3" + closers.reversed().joined()
      #expect(verdict(whole) == nil)
      let level = Int.random(in: 0..<300, using: &generator)
      closers[level] = closers[level] == "]" ? "}" : "]"
      let offset = text.utf8.count + 300 - level
      #expect(
        verdict(text + "3" + closers.reversed().joined())
          == JSONError(.expectedCommaOrEnd, at: offset))
    }
  }

  @Test func `100,000 nested brackets are skipped only if the depth limit permits it`() {
    for open in ["[", "{\"a\":"] {
      let text = Array(String(repeating: open, count: 100_000).utf8)
      #expect(verdict(text) == JSONError(.depthLimit, at: 512 * open.utf8.count))
      #expect(verdict(text, depthLimit: .max) == JSONError(.unexpectedEnd, at: text.count))
    }
    let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(verdict(Array(text.utf8), depthLimit: 100_000) == nil)
  }

  // MARK: - Positions and messages

  @Test(arguments: [
    ("", 0, 1, 1), ("abc", 2, 1, 3), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1),
    ("a\r\nb", 2, 1, 2), ("a\rb", 2, 2, 1), ("\n\n\n", 3, 4, 1), ("\r\n\r\n", 4, 3, 1),
    ("é中😀x", 9, 1, 4), ("\n é", 4, 2, 3), ("ab", 99, 1, 3), ("ab", -1, 1, 1),
  ])
  func `lines and columns are counted as in editors`(
    _ text: String, _ byteOffset: Int, _ line: Int, _ column: Int
  ) throws {
    let position = try makeInput(Array(text.utf8)).lineAndColumn(at: byteOffset)
    #expect(position.line == line)
    #expect(position.column == column)
  }

  @Test func `the byte offset of an error converts to its line and column`() throws {
    let text = "{\n  \"name\": \"Zoë\",\r\n  \"é\": tru\n}"
    let found = try #require(verdict(text))
    let position = try makeInput(Array(text.utf8)).lineAndColumn(at: found.byteOffset)
    #expect(found.kind == .unexpectedCharacter)
    #expect([position.line, position.column] == [3, 11])
  }

  @Test func `every kind of error has its own message`() {
    let messages = JSONError.Kind.allCases.map { JSONError($0, at: 0).message }
    #expect(
      messages == [
        "the JSON text is empty",
        "the text ends in the middle of a value",
        "expected a JSON value",
        "unexpected text after the JSON value",
        "a malformed number",
        "an invalid escape sequence",
        "a lone surrogate escape",
        "bytes that are not UTF-8",
        "an unescaped control character in a string",
        "arrays and objects nested too deeply",
        "a trailing comma",
        "text that is neither valid UTF-8 nor valid UTF-16 or UTF-32",
        "a key that occurs twice in one object",
        "expected a quoted key in an object",
        "expected a colon after a key",
        "expected a comma or the end of the array or object after a value",
        "a value of another type",
        "a number that is not an integer",
        "a number that is out of range",
      ])
    let values = JSONError.Kind.allCases.filter { !JSONError($0, at: 0).isSyntax }
    #expect(values == [.notThatType, .notIntegral, .outOfRange])
  }
}
