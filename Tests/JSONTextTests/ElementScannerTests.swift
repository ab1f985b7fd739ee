@testable import JSONText
import TestSupport
import Testing

@Suite struct `The element scanner` {
  private func ranges(
    _ text: String, _ form: JSONElementScanner.Form, from index: Int, every size: Int
  ) -> [JSONElementScanner.Event] {
    let bytes = Array(text.utf8)
    var scanner = JSONElementScanner(form, from: index)
    var events: [JSONElementScanner.Event] = []
    var count = 0
    while true {
      let event = bytes.withUnsafeBytes {
        scanner.next(
          in: UnsafeRawBufferPointer(rebasing: $0[..<count]), isComplete: count == bytes.count)
      }
      switch event {
      case .incomplete where count < bytes.count: count = min(count + size, bytes.count)
      case .element: events.append(event)
      default: return events + [event]
      }
    }
  }

  @Test(arguments: [1, 2, 3, 8, 100])
  func `the elements of an array are found`(size: Int) {
    let text = #"[ {"a":"]}\\\"[{"} , [[],{}],"x,\"y" ,-1.5e3, true,null ]"#
    #expect(
      ranges(text, .array, from: 1, every: size) == [
        .element(2..<18), .element(21..<28), .element(29..<36), .element(38..<44),
        .element(46..<50), .element(51..<55), .end(56),
      ])
  }

  @Test(arguments: [1, 2, 3, 8, 100])
  func `the values of a sequence are found`(size: Int) {
    #expect(
      ranges("{}[1]\r\n\"a\" 12", .sequence, from: 0, every: size) == [
        .element(0..<2), .element(2..<5), .element(7..<10), .element(11..<13), .end(13),
      ])
  }

  @Test(
    arguments: [
      ("[1 2]", [.element(1..<2), .malformed(3)]), ("[,1]", [.malformed(1)]),
      ("[1,,2]", [.element(1..<2), .malformed(3)]), ("[1,]", [.element(1..<2), .end(3)]),
      ("[}", [.malformed(1)]), ("[{", [.incomplete]), ("[1", [.element(1..<2), .incomplete]),
      ("[\"a", [.incomplete]), ("[", [.incomplete]), ("[]", [.end(1)]),
    ] as [(String, [JSONElementScanner.Event])])
  func `a malformed array is reported`(text: String, events: [JSONElementScanner.Event]) {
    for size in [1, 100] { #expect(ranges(text, .array, from: 1, every: size) == events) }
  }

  @Test(arguments: [1, 8, 63, 64, 65, 200])
  func `short strings are elements of their own at every distance from a block`(size: Int) {
    let strings = Array(repeating: "\"a\"", count: 30)
    let text = "[" + strings.joined(separator: ",") + ",[\"b\"]]"
    let elements = (0..<30).map { JSONElementScanner.Event.element(1 + 4 * $0..<4 + 4 * $0) }
    #expect(
      ranges(text, .array, from: 1, every: size) == elements + [.element(121..<126), .end(126)])
  }

  @Test func `a scanner continues after bytes were dropped`() {
    var scanner = JSONElementScanner(.array, from: 1)
    #expect(scan(&scanner, #"[{"a":1},{"b"#) == .element(1..<8))
    #expect(scan(&scanner, #"[{"a":1},{"b"#) == .incomplete)
    #expect(scanner.elementStart == 9)
    scanner.move(by: -8)
    #expect(scanner.elementStart == 1)
    #expect(scan(&scanner, #",{"b":2}]"#) == .element(1..<8))
    #expect(scan(&scanner, #",{"b":2}]"#) == .end(8))
  }

  private func scan(
    _ scanner: inout JSONElementScanner, _ text: String
  ) -> JSONElementScanner.Event {
    Array(text.utf8).withUnsafeBytes { scanner.next(in: $0, isComplete: false) }
  }

  @Test(arguments: SeededRandom.seeds(1...20))
  func `a value ends where the reader finds its end`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let value = Self.value(3, &random)
      let bytes = Array((value + ",x").utf8)
      var reader = JSONReader(try makeInput(Array(value.utf8)))
      try reader.skipValue()
      #expect(reader.byteOffset == value.utf8.count)
      let size = 1 + random.below(random.below(2) == 0 ? 20 : 300)
      #expect(
        ranges("[\(value),0]", .array, from: 1, every: size).first
          == .element(1..<bytes.count - 1))
    }
  }

  private static func value(_ depth: Int, _ random: inout SeededRandom) -> String {
    switch random.below(depth > 0 ? 5 : 2) {
    case 0: return "-12.5e1"
    case 1:
      let parts = [#"\""#, #"\\"#, "[", "]", "{", "}", "text", "é", #"\u005d"#, "a longer text"]
      let count = random.below(random.below(4) == 0 ? 60 : 9)
      return "\"" + (0..<count).map { _ in parts[random.below(parts.count)] }.joined() + "\""
    case 2: return "[]"
    case 3:
      return "["
        + (0...random.below(4)).map { _ in value(depth - 1, &random) }
        .joined(separator: ", ") + "]"
    default:
      return "{"
        + (0...random.below(4)).map { #""k\#($0)": "# + value(depth - 1, &random) }
        .joined(separator: ",") + "}"
    }
  }
}

@Suite struct `Text positions` {
  /// The line and column of a byte, counted scalar by scalar.
  private static func position(of index: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for (offset, byte) in text[..<index].enumerated() {
      let next = offset + 1 < text.count ? text[offset + 1] : 0
      if byte == 0x0A || byte == 0x0D && next != 0x0A {
        (line, column) = (line + 1, 1)
      } else if byte != 0x0D, byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }

  @Test(arguments: SeededRandom.seeds(1...20))
  func `positions and line walks count lines and scalars`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parts = ["\n", "\r\n", "\r", "a", "é", "漢", "𝄞", "plain text that is a little longer", " "]
    let isDense = random.below(2) == 0
    let text = Array(
      (0..<200).map { _ in parts[isDense || random.below(9) == 0 ? random.below(9) : 7] }
        .joined().utf8)
    var walk = JSONLineWalk(try makeInput(text))
    var position = JSONTextPosition()
    var index = 0
    while index < text.count {
      var end = min(index + 1 + random.below(300), text.count)
      let expected = Self.position(of: end, in: text)
      let found = walk.lineAndColumn(at: end)
      #expect(found.line == expected.line && found.column == expected.column)
      while text[end - 1] == 0x0D, end < text.count { end += 1 }
      text.withUnsafeBytes {
        position.advance(over: UnsafeRawBufferPointer(rebasing: $0[index..<end]))
      }
      index = end
      let behind = Self.position(of: end, in: text)
      #expect(position.byteOffset == index)
      #expect(position.line == behind.line && position.column == behind.column)
    }
  }

  @Test func `a line walk resumes after missing text`() throws {
    let whole = Array("[1,\n2,\r\n3, 4]".utf8)
    var position = JSONTextPosition()
    whole[..<8].withUnsafeBytes { position.advance(over: $0) }
    let input = try makeInput([whole[0]] + whole[8...])
    for (offset, line, column) in [(0, 1, 1), (1, 3, 1), (4, 3, 4), (99, 3, 6)] {
      var walk = JSONLineWalk(input, resumingAt: 1, as: position)
      let found = walk.lineAndColumn(at: offset)
      #expect(found.line == line && found.column == column)
    }
  }
}
