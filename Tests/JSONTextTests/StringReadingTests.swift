import JSONText
import Testing

@Suite struct `Reading strings` {
  func string(_ text: String) throws(JSONError) -> String {
    try read(text) { (reader) throws(JSONError) in try reader.string().string }
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""a\nb""#, "a\nb"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#""\u0041\u00e9\u4E2d""#, "Aé中"), (#""\ud83d\uDE00\udbff\udfff""#, "😀\u{10FFFF}"),
    (#""\u0000""#, "\0"), (#""\\u0041""#, "\\u0041"), ("\"é\\n中😀\"", "é\n中😀"),
    (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"),
  ])
  func `escape sequences in strings are decoded`(_ text: String, _ expected: String) throws {
    #expect(try string(text) == expected)
  }

  @Test func `an escape is found at every offset in strings of every length`() throws {
    for count in 0..<80 {
      let before = String(repeating: "x", count: count)
      let plain = try read("\"\(before)\"") { (reader) throws(JSONError) in
        let string = try reader.string()
        #expect(string.isInPlace)
        return string.string
      }
      #expect(plain == before)
      let escaped = try read("\"\(before)\\té\(before)\\\"\"") { (reader) throws(JSONError) in
        let string = try reader.string()
        #expect(!string.isInPlace)
        return string.string
      }
      #expect(escaped == before + "\té" + before + "\"")
    }
  }

  @Test func `a long string with many escapes is decoded correctly`() throws {
    let text = String(repeating: "\\u00e9\\\\abc", count: 10_000)
    #expect(try string("\"\(text)\"") == String(repeating: "é\\abc", count: 10_000))
  }

  @Test func `a decoded key stays valid while its value is read`() throws {
    try read(#"{"\u0061":"\u0062","c":1}"#) { (reader) throws(JSONError) in
      _ = try reader.beginObject()
      let key = try reader.key()
      let value = try reader.string()
      #expect([key.string, value.string] == ["a", "b"])
      #expect(reader.lastKey.elementsEqual("a".utf8))
      _ = try reader.objectContinues()
      _ = try reader.key()
      #expect(value.string == "b")
      #expect(reader.lastKey.elementsEqual("c".utf8))
    }
  }

  // MARK: - UTF-8

  /// Ill-formed bytes, the number of U+FFFD characters that replace them, and the text after those.
  static let illFormed: [([UInt8], Int, String)] = [
    ([0x80], 1, ""), ([0xBF, 0x41], 1, "A"), ([0xC0, 0x80], 2, ""), ([0xC1, 0xBF], 2, ""),
    ([0xC2], 1, ""), ([0xC2, 0x41], 1, "A"), ([0xE0, 0x80, 0x80], 3, ""),
    ([0xE0, 0x9F, 0xBF], 3, ""), ([0xE0, 0xA0], 1, ""), ([0xE0, 0xA0, 0x41], 1, "A"),
    ([0xE4, 0xB8], 1, ""), ([0xE4, 0x41], 1, "A"), ([0xED, 0xA0, 0x80], 3, ""),
    ([0xED, 0xBF, 0xBF], 3, ""), ([0xF0, 0x80, 0x80, 0x80], 4, ""),
    ([0xF0, 0x8F, 0xBF, 0xBF], 4, ""),
    ([0xF0, 0x9F], 1, ""), ([0xF0, 0x9F, 0x98], 1, ""), ([0xF0, 0x9F, 0x98, 0x41], 1, "A"),
    ([0xF4, 0x90, 0x80, 0x80], 4, ""), ([0xF5, 0x80, 0x80, 0x80], 4, ""), ([0xFF], 1, ""),
    ([0xFE, 0xFF], 2, ""), ([0xF8, 0x88, 0x80, 0x80, 0x80], 5, ""), ([0xF4], 1, ""),
    ([0xC2, 0xC2], 2, ""),
  ]

  @Test(arguments: illFormed.indices)
  func `invalid UTF-8 throws an error unless it is repaired as by the standard library`(
    _ index: Int
  ) throws {
    let (bytes, replacements, rest) = Self.illFormed[index]
    for before in ["", "é", "abcdefg", "abcdefghi", "a\\n"] {
      let text = [UInt8]("\"\(before)".utf8) + bytes + [UInt8]("\"".utf8)
      let expected = JSONError(.invalidUTF8, at: 1 + before.utf8.count)
      #expect(verdict(text) == expected)
      #expect(error { () throws(JSONError) in try tree(text) } == expected)

      let prefix = before.replacing("\\n", with: "\n")
      let repaired = prefix + String(repeating: "\u{FFFD}", count: replacements) + rest
      #expect(repaired == prefix + String(decoding: bytes, as: UTF8.self))
      #expect(try tree(text, repairsUnicode: true) == .string(repaired))
      #expect(verdict(text, repairsUnicode: true) == nil)
      let raw = try read(text, repairsUnicode: true) { (reader) throws(JSONError) in
        String(validating: try reader.rawValue(), as: UTF8.self)
      }
      let again = try #require(raw)
      #expect(try tree(again) == .string(repaired))
    }
  }

  @Test func `every Unicode scalar is read unchanged`() throws {
    var text = "\""
    for value in (0x20 as UInt32)...0x10_FFFF where value != 0x22 && value != 0x5C {
      if let scalar = UnicodeScalar(value) { text.unicodeScalars.append(scalar) }
    }
    text += "\""
    let found = try string(text)
    #expect(found.utf8.elementsEqual(text.utf8.dropFirst().dropLast()))
  }

  @Test(arguments: [
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""a\ude00\ud83d\n""#, "a\u{FFFD}\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
  ])
  func `lone surrogates are repaired if requested`(_ text: String, _ expected: String) throws {
    let bytes = Array(text.utf8)
    #expect(verdict(text)?.kind == .loneSurrogate)
    #expect(try tree(bytes, repairsUnicode: true) == .string(expected))
    let raw = try read(bytes, repairsUnicode: true) { (reader) throws(JSONError) in
      String(decoding: try reader.rawValue(), as: UTF8.self)
    }
    #expect(try tree(raw) == .string(expected))
  }

  @Test func `keys with invalid Unicode are repaired`() throws {
    let text = [UInt8](#"{"a"#.utf8) + [0xFF] + [UInt8](#"":[1],"\ud800":2}"#.utf8)
    let expected = Tree.object([
      .init(key: "a\u{FFFD}", value: .array([.number("1")])),
      .init(key: "\u{FFFD}", value: .number("2")),
    ])
    #expect(try tree(text, repairsUnicode: true) == expected)
  }

  @Test(arguments: [
    ("\"\\x\u{FFFD}\"", JSONError.Kind.invalidEscape, 1), ("\"\\ud800\n\"", .controlCharacter, 7),
    ("\"\\ud800\\u00\"", .invalidEscape, 7), ("\"\\ud800", .unexpectedEnd, 7),
    ("[\"\\ud800\" 1]", .expectedCommaOrEnd, 10),
  ])
  func `repairing Unicode does not accept other errors`(
    _ text: String, _ kind: JSONError.Kind, _ byteOffset: Int
  ) {
    let bytes = Array(text.utf8)
    #expect(verdict(bytes, repairsUnicode: true) == JSONError(kind, at: byteOffset))
    let found = error { () throws(JSONError) in try tree(bytes, repairsUnicode: true) }
    #expect(found == JSONError(kind, at: byteOffset))
  }

  @Test func `sequences with every lead byte are validated as by the standard library`() {
    let others: [UInt8] = [0x61, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC3, 0xE1]
    for lead in 0x80...0xFF as ClosedRange<UInt8> {
      for second in others {
        for third in others {
          for fourth in others {
            let text = [lead, second, third, fourth]
            let quoted = [0x22] + text + [0x22]
            // Not `#expect`: its expansion takes longer than the check.
            if (verdict(quoted) == nil) != (String(validating: text, as: UTF8.self) != nil) {
              Issue.record("\(text)")
            }
          }
        }
      }
    }
  }
}
