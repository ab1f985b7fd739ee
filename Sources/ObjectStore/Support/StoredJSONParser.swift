/// Reads JSON text (RFC 8259), as ``StoredJSONReader/write(into:)`` writes it or as another tool does, into the form
/// that the store keeps.
///
///     {"b": 1.50, "a": [1]} ──▶ o 2  s "a" a 1 i 1  s "b" d 1.5
///
/// Files are read with it; payloads are the coder's. What is no JSON gives nothing: no bytes stop it.
struct StoredJSONParser {
  private let text: UnsafeRawBufferPointer
  private var offset = 0
  /// A string with its escapes replaced.
  private var unescaped: [UInt8] = []

  private enum Container {
    case array(Int, count: Int)
    case object(StoredJSON.Object)

    var isObject: Bool {
      if case .object = self { true } else { false }
    }
  }

  private init(_ text: UnsafeRawBufferPointer) {
    self.text = text
  }

  /// Puts the value of a text into `stored`, which is empty; false for a text that is no JSON, or has a number
  /// or more levels than the store keeps.
  ///
  /// - Complexity: O(bytes), and O(n log n) for objects whose keys are not in order; on a stack that does not grow
  ///   with the levels.
  static func parse(_ text: UnsafeRawBufferPointer, into stored: inout StoredJSON) -> Bool {
    var parser = StoredJSONParser(text)
    // Checked as a whole: strings begin and end beside ASCII.
    return String(validating: text, as: UTF8.self) != nil && parser.value(into: &stored)
      && parser.offset == text.count
  }

  /// Whether a text is a JSON number that is kept as a text.
  static func isKeptAsText(_ number: UnsafeRawBufferPointer) -> Bool {
    var parser = StoredJSONParser(number)
    guard parser.skipNumber() != nil, parser.offset == number.count else { return false }
    if case .text = ExactNumber(String(decoding: number, as: UTF8.self)) { return true }
    return false
  }

  // MARK: - Values

  /// The whole text, with the white space around it.
  private mutating func value(into stored: inout StoredJSON) -> Bool {
    var open: [Container] = []
    while true {
      skipSpace()
      switch byte {
      case UInt8(ascii: "["):
        offset += 1
        open.append(.array(stored.beginArray(), count: 0))
        skipSpace()
        guard open.count <= StoredJSON.depthLimit else { return false }
        if byte != UInt8(ascii: "]") { continue }
      case UInt8(ascii: "{"):
        offset += 1
        open.append(.object(stored.beginObject()))
        skipSpace()
        guard open.count <= StoredJSON.depthLimit else { return false }
        if byte != UInt8(ascii: "}") {
          guard key(into: &stored) else { return false }
          continue
        }
      default:
        guard scalar(into: &stored) else { return false }
        countValue(in: &open)
      }
      // What may come behind a value, or in an empty container.
      skipSpace()
      while let last = open.last, byte == (last.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        offset += 1
        open.removeLast()
        switch last {
        case .array(let array, let count): stored.endArray(array, count: count)
        case .object(let object): stored.endObject(object)
        }
        countValue(in: &open)
        skipSpace()
      }
      guard let last = open.last else { return true }
      guard skip(UInt8(ascii: ",")) else { return false }
      if last.isObject {
        skipSpace()
        guard key(into: &stored) else { return false }
      }
    }
  }

  private func countValue(in open: inout [Container]) {
    guard case .array(let array, let count) = open.last else { return }
    open[open.count - 1] = .array(array, count: count + 1)
  }

  /// A key and the colon behind it.
  private mutating func key(into stored: inout StoredJSON) -> Bool {
    guard string({ stored.key($0) }) else { return false }
    skipSpace()
    return skip(UInt8(ascii: ":"))
  }

  private mutating func scalar(into stored: inout StoredJSON) -> Bool {
    switch byte {
    case UInt8(ascii: "\""): return string { stored.string($0) }
    case UInt8(ascii: "n"):
      stored.null()
      return skip("null")
    case UInt8(ascii: "t"):
      stored.bool(true)
      return skip("true")
    case UInt8(ascii: "f"):
      stored.bool(false)
      return skip("false")
    default: return number(into: &stored)
    }
  }

  // MARK: - Numbers

  private mutating func number(into stored: inout StoredJSON) -> Bool {
    guard let number = skipNumber() else { return false }
    let text = String(decoding: number, as: UTF8.self)
    switch ExactNumber(text) {
    case .int(let value): stored.int(value)
    case .double(let value): stored.double(value)
    case .text: stored.number(number)
    }
    return true
  }

  /// Goes behind a number; nil where none begins.
  private mutating func skipNumber() -> UnsafeRawBufferPointer? {
    let start = offset
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")), !skipDigits() { return nil }
    if skip(UInt8(ascii: ".")), !skipDigits() { return nil }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
      if !skipDigits() { return nil }
    }
    return UnsafeRawBufferPointer(rebasing: text[start..<offset])
  }

  /// Goes behind digits; false for none.
  private mutating func skipDigits() -> Bool {
    let start = offset
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    return offset > start
  }

  // MARK: - Strings

  /// Gives `body` a string without its escapes; false where none begins.
  private mutating func string(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard skip(UInt8(ascii: "\"")) else { return false }
    let start = offset
    var piece = start
    unescaped.removeAll(keepingCapacity: true)
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let last = text[piece..<offset]
        offset += 1
        if piece == start {
          body(UnsafeRawBufferPointer(rebasing: last))
        } else {
          unescaped.append(contentsOf: last)
          unescaped.withUnsafeBytes(body)
        }
        return true
      case UInt8(ascii: "\\"):
        unescaped.append(contentsOf: text[piece..<offset])
        offset += 1
        guard escape() else { return false }
        piece = offset
      case 0..<0x20: return false
      default: offset += 1
      }
    }
    return false
  }

  /// What stands behind a backslash.
  private mutating func escape() -> Bool {
    guard let byte else { return false }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "u"):
      guard let scalar = scalarValue() else { return false }
      unescaped.append(contentsOf: String(scalar).utf8)
    default: return false
    }
    return true
  }

  /// The digits behind `\u`; of a character beyond 16 bits both halves. Nil for one half, which is no character.
  private mutating func scalarValue() -> Unicode.Scalar? {
    guard let first = hexDigits() else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), let second = hexDigits(),
      UTF16.isTrailSurrogate(second)
    else { return nil }
    return Unicode.Scalar(0x1_0000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF))
  }

  private mutating func hexDigits() -> UInt16? {
    guard offset + 4 <= text.count else { return nil }
    defer { offset += 4 }
    var value: UInt16 = 0
    for byte in text[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  // MARK: - Bytes

  /// The next one; nil at the end.
  private var byte: UInt8? { offset < text.count ? text[offset] : nil }

  private mutating func skip(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    offset += 1
    return true
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard offset + count <= text.count,
      UnsafeRawBufferPointer(rebasing: text[offset..<offset + count]).hasSameBytes(
        as: UnsafeRawBufferPointer(start: word.utf8Start, count: count))
    else { return false }
    offset += count
    return true
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }
}
