import JSONText
import Testing

@Suite struct `JSON input` {
  enum Encoding: CaseIterable {
    case utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

    func encode(_ text: String) -> [UInt8] {
      switch self {
      case .utf8: Array(text.utf8)
      case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case .utf32LittleEndian: text.unicodeScalars.flatMap { Self.bytes($0.value) }
      case .utf32BigEndian: text.unicodeScalars.flatMap { Self.bytes($0.value).reversed() }
      }
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  @Test(arguments: Encoding.allCases, [false, true])
  func `every encoding is detected with and without a byte order mark`(
    _ encoding: Encoding, _ hasMark: Bool
  ) throws {
    for text in [
      "1", "[]", "{\"a\":\"é中😀\\n\"}", "\"é\"", "\"中\"", "\"\"", " [ 1, \"\u{10FFFF}\" ]", "-1.5e3",
      "null", "[\"\u{FEFF}\"]", "12",
    ] {
      let bytes = encoding.encode((hasMark ? "\u{FEFF}" : "") + text)
      let input = try makeInput(bytes)
      #expect(UnsafeBufferPointer(start: input.start, count: input.count).elementsEqual(text.utf8))
      #expect(try tree(bytes) == tree(text))
    }
  }

  @Test(arguments: Encoding.allCases)
  func `a byte order mark without further text is reported as empty text`(_ encoding: Encoding) {
    #expect(verdict(encoding.encode("\u{FEFF}")) == JSONError(.empty, at: 0))
  }

  @Test(arguments: [
    // UTF-16: "[]" and half a code unit; unpaired surrogates of both kinds, also at the end; a swapped pair.
    ([0x5B, 0, 0x5D, 0, 0x31] as [UInt8], 4), ([0x22, 0, 0, 0xD8, 0x22, 0], 2),
    ([0x22, 0, 0, 0xDC, 0x22, 0], 2), ([0x22, 0, 0x3D, 0xD8], 2),
    ([0xFF, 0xFE, 0, 0xDE, 0x3D, 0xD8], 2),
    ([0xFE, 0xFF, 0x31], 2), ([0, 0x22, 0xD8, 0x3D], 2),
    // UTF-32: a partial code unit, values beyond Unicode, a surrogate.
    ([0x31, 0, 0, 0, 0x20], 4), ([0, 0, 0, 0x22, 0, 0x11, 0, 0], 4),
    ([0x22, 0, 0, 0, 0, 0xD8, 0, 0], 4), ([0xFF, 0xFE, 0, 0, 0, 0, 0, 0x80], 4),
  ])
  func `invalid UTF-16 or UTF-32 throws an error at its byte offset`(
    _ bytes: [UInt8], _ byteOffset: Int
  ) {
    #expect(verdict(bytes) == JSONError(.invalidEncoding, at: byteOffset))
  }

  @Test(arguments: [
    ([0] as [UInt8], JSONError(.unexpectedCharacter, at: 0)),
    ([0, 0], JSONError(.unexpectedCharacter, at: 0)),
    ([0, 0, 0], JSONError(.unexpectedCharacter, at: 0)),
    ([0, 0, 0, 0], JSONError(.unexpectedCharacter, at: 0)),
    ([0x5B, 0, 0, 0x5D], JSONError(.unexpectedCharacter, at: 1)),
    ([0x31, 0, 0], JSONError(.trailingContent, at: 1)),
    ([0x31, 0x32, 0], JSONError(.trailingContent, at: 2)),
  ])
  func `stray zero bytes are not detected as UTF-16 or UTF-32`(_ bytes: [UInt8], _ error: JSONError)
  {
    #expect(verdict(bytes) == error)
  }

  @Test func `an empty buffer is reported as empty text`() throws {
    let input = try JSONInput(copying: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(input.count == 0)
    #expect(verdict([]) == JSONError(.empty, at: 0))
  }
}

@Suite struct `Key sets` {
  func index(_ table: JSONKeySet, _ key: String) -> Int {
    Array(key.utf8).withUnsafeBufferPointer { table.index(of: $0) }
  }

  @Test func `a key set distinguishes keys of every length from similar keys`() {
    let keys = (0..<70).map { String(repeating: "k", count: $0) }
    let table = JSONKeySet(keys)
    #expect(table.count == 70)
    for (offset, key) in keys.enumerated() {
      #expect(index(table, key) == offset)
      if !key.isEmpty {
        #expect(index(table, key.dropLast() + "x") == -1)
        #expect(index(table, "x" + key.dropFirst()) == -1)
        #expect(index(table, String(key.prefix(9)) + "x" + key.dropFirst(10)) == -1)
      }
    }
    #expect(index(table, String(repeating: "k", count: 70)) == -1)
  }

  @Test func `large key sets find each of many similar keys`() {
    let keys = (0..<2000).map { "address_line_\($0)_created_at" } + (0..<500).map { "x\($0)" }
    let table = JSONKeySet(keys)
    for (offset, key) in keys.enumerated() { #expect(index(table, key) == offset) }
    #expect(index(table, "address_line_2000_created_at") == -1)
  }

  @Test func `a lookup returns the index of the first equal key, or -1 without one`() {
    #expect(index(JSONKeySet(["a", "b", "a"]), "a") == 0)
    #expect(index(JSONKeySet([]), "a") == -1)
    #expect(index(JSONKeySet([]), "") == -1)
  }

  @Test func `keys are compared by bytes and not by canonical equivalence`() {
    let table = JSONKeySet(["\u{E9}"])
    #expect(index(table, "\u{E9}") == 0)
    #expect(index(table, "e\u{301}") == -1)
  }

  @Test func `the predicted index does not affect the result of a key lookup`() throws {
    let keys = [
      "", "a", "id", "seven_7", "eight__8", "fourteen_chars", "fifteen_chars_x", "é中😀",
      "seventeen_chars_x", "twenty-four characters!!", "a key of more than thirty-two characters",
      "quote\"", "back\\slash", "line\n", "\u{0}", "idx",
    ]
    let table = JSONKeySet(keys)
    for (expected, key) in (keys + ["unknown", "i", "eight__9"]).enumerated() {
      var escaped = ""
      for unit in key.utf16 {
        escaped += "\\u" + String(UInt32(unit) + 0x10000, radix: 16).suffix(4)
      }
      for predicted in -1...keys.count {
        let plain = written { writer in
          writer.beginObject()
          writer.key(key)
          writer.null()
          writer.endObject()
        }
        for text in [plain, "{ \"\(escaped)\" :\n null}", plain.replacing(":", with: " : ")] {
          try read(text) { (reader) throws(JSONError) in
            _ = try reader.beginObject()
            let found = try reader.key(table, predicted: predicted)
            #expect(found == (expected < keys.count ? expected : -1))
            #expect(reader.lastKey.elementsEqual(key.utf8))
            #expect(reader.lastKeyOffset == (text.hasPrefix("{ ") ? 2 : 1))
            #expect(try reader.null())
          }
        }
      }
    }
  }

  @Test func `a key that differs from the predicted key in one byte does not match`() throws {
    for count in 1...40 {
      let key = String(repeating: "k", count: count)
      let table = JSONKeySet([key])
      for offset in 0..<count {
        var other = Array(key.utf8)
        other[offset] = UInt8(ascii: "x")
        let text = "{\"\(String(decoding: other, as: UTF8.self))\":1}"
        let index = try read(text) { (reader) throws(JSONError) in
          _ = try reader.beginObject()
          return try reader.key(table, predicted: 0)
        }
        #expect(index == -1, "\(count) bytes, byte \(offset)")
      }
    }
  }

  @Test(arguments: [
    ("{\"a\"", JSONError.Kind.unexpectedEnd, 4), ("{\"a\" 1", .expectedColon, 5),
    ("{\"a\"b\":1", .expectedColon, 4), ("{\"a", .unexpectedEnd, 3), ("{a", .expectedKey, 1),
    ("{\u{1}", .expectedKey, 1), ("{\"quote\"\":1", .expectedColon, 8),
  ])
  func `a malformed key throws an error for any prediction`(
    _ text: String, _ kind: JSONError.Kind, _ byteOffset: Int
  ) {
    let table = JSONKeySet(["a", "b", "quote\"", "\u{0}", "a\"b"])
    for predicted in 0..<5 {
      let found = error { () throws(JSONError) in
        try read(text) { (reader) throws(JSONError) in
          _ = try reader.beginObject()
          return try reader.key(table, predicted: predicted)
        }
      }
      #expect(found == JSONError(kind, at: byteOffset))
    }
  }
}
