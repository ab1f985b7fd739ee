import JSONText
import ObjectStore

/// The text of a payload and the options to read it with, for error messages.
struct PayloadText {
  /// A place at which bytes of the payload are missing in the text.
  struct Gap {
    /// The offset in the text of the first byte after the gap.
    let byteOffset: Int
    /// The position of this byte in the payload.
    let position: JSONTextPosition
  }

  let input: JSONInput
  private let depthLimit: Int
  private let repairsUnicode: Bool
  /// Nil if the text is the whole payload.
  private let gap: Gap?

  init(_ input: JSONInput, depthLimit: Int, repairsUnicode: Bool, gap: Gap? = nil) {
    self.input = input
    self.depthLimit = depthLimit
    self.repairsUnicode = repairsUnicode
    self.gap = gap
  }

  /// Returns the errors, in their order, with lines, columns and offsets in the payload.
  ///
  /// - Complexity: O(n + m log m) for n bytes of text and m errors.
  func located(_ errors: [StoreCodingError]) -> [StoreCodingError] {
    var located = errors
    var walk =
      gap.map { JSONLineWalk(input, resumingAt: $0.byteOffset, as: $0.position) }
      ?? JSONLineWalk(input)
    for index in located.indices.sorted(byNumber: { errors[$0].byteOffset ?? 0 }) {
      guard let byteOffset = located[index].byteOffset else { continue }
      located[index].position = walk.lineAndColumn(at: byteOffset)
      if let gap, byteOffset >= gap.byteOffset {
        located[index].byteOffset = byteOffset - gap.byteOffset + gap.position.byteOffset
      }
    }
    return located
  }

  /// Describes the value at an offset: its type, and its text clipped to 40 characters.
  func describeValue(at byteOffset: Int) -> String {
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
    probe.rewind(to: byteOffset, depth: 0)
    let kind = probe.kind()
    switch kind {
    case .object: return "an object"
    case .array: return "an array"
    case .null: return "null"
    case .invalid: return "no value"
    case .string, .number, .bool: break
    }
    guard let raw = try? probe.rawValue() else { return "no value" }
    let clipped = MessageText.clipped(UnsafeRawBufferPointer(raw))
    return switch kind {
    case .string: "string \(clipped)"
    case .number: "number \(clipped)"
    default: clipped
    }
  }

  /// Returns the syntax error in the value at an offset, or nil if it is valid. Arrays and objects are not checked.
  func syntaxError(at byteOffset: Int) -> JSONError? {
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
    probe.rewind(to: byteOffset, depth: 0)
    let kind = probe.kind()
    if kind == .object || kind == .array { return nil }
    do { try probe.skipValue() } catch { return error }
    return nil
  }

  /// Returns the offset of a value inside the valid value at `start`, or of the last value on the path that exists. Of a
  /// duplicate key, the last one counts.
  func offset(of path: [JSONPath.Component], from start: Int) -> Int {
    for count in stride(from: path.count, through: 0, by: -1) {
      if let found = find(path.prefix(count), from: start) { return found }
    }
    return start
  }

  /// Returns the offset of a value inside the valid value at `start`; nil if there is none.
  func find(_ path: some Sequence<JSONPath.Component>, from start: Int) -> Int? {
    var found = start
    for component in path {
      guard let next = try? offset(of: component, in: found) else { return nil }
      found = next
    }
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: true)
    probe.rewind(to: found, depth: 0)
    probe.skipWhitespace()
    return probe.byteOffset
  }

  private func offset(of component: JSONPath.Component, in start: Int) throws -> Int? {
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: true)
    probe.rewind(to: start, depth: 0)
    var found: Int?
    if probe.kind() == .array {
      var index = 0
      guard try probe.beginArray() else { return nil }
      repeat {
        if index == component.index { found = probe.byteOffset }
        try probe.skipValue()
        index += 1
      } while try probe.arrayContinues()
    } else if probe.kind() == .object, try probe.beginObject() {
      repeat {
        let isFound = try probe.key().bytes.elementsEqual(component.key.utf8)
        if isFound { found = probe.byteOffset }
        try probe.skipValue()
      } while try probe.objectContinues()
    }
    return found
  }

  /// Returns the index in `names` of the string, or of the text of the number or Boolean, at an offset; -1 if it is not
  /// among them, and nil for null, an object or an array.
  func index(ofScalarAt byteOffset: Int, in names: JSONKeySet) -> Int? {
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
    probe.rewind(to: byteOffset, depth: 0)
    switch probe.kind() {
    case .string: return (try? probe.string()).map { names.index(of: $0.bytes) }
    case .number, .bool: return (try? probe.rawValue()).map { names.index(of: $0) }
    case .object, .array, .null, .invalid: return nil
    }
  }

  /// Returns the keys of the object at an offset.
  ///
  /// - Complexity: O(*n*) in the length of the object.
  func keys(at byteOffset: Int) -> FoundKeys {
    var keys = FoundKeys()
    var probe = JSONReader(input, depthLimit: depthLimit, repairsUnicode: true)
    probe.rewind(to: byteOffset, depth: 0)
    // If the object has a syntax error, the keys before it are returned.
    do {
      guard try probe.beginObject() else { return keys }
      repeat {
        keys.append(try probe.key())
        try probe.skipValue()
      } while try probe.objectContinues()
    } catch {}
    return keys
  }

  /// Returns the beginning of the invalid text, quoted, or the name of a recognized format; nil if neither would help.
  func describeText(of error: JSONError) -> String? {
    switch error.kind {
    case .unexpectedCharacter, .trailingContent, .expectedKey, .expectedColon, .expectedCommaOrEnd,
      .invalidNumber:
      break
    default:
      return nil
    }
    let text = UnsafeRawBufferPointer(start: input.start, count: input.count)
    if text.starts(with: [0x1F, 0x8B]) { return "gzip-compressed data" }
    var start = min(error.byteOffset, text.count)
    // The error may be in the middle of a word (`nan`) or a number (`01`).
    if error.kind == .unexpectedCharacter || error.kind == .invalidNumber {
      while start > 0, error.byteOffset - start < 24, Self.isWordByte(text[start - 1]) {
        start -= 1
      }
    }
    guard start < text.count else { return nil }
    let lineEnd = text[start...].prefix(96).firstIndex { $0 == 0x0A || $0 == 0x0D }
    let rest = UnsafeRawBufferPointer(
      rebasing: text[start..<max(lineEnd ?? text.count, start + 1)])
    let word = rest.prefix(64).prefix { Self.isWordByte($0) }
    return word.isEmpty
      ? MessageText.quoted(rest, characterCount: 24, byteCount: 72)
      : MessageText.quoted(
        UnsafeRawBufferPointer(rebasing: word), characterCount: 24, byteCount: 72)
  }

  /// True for a letter, a digit, an underscore, or another character of a number.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }
}
