/// A naive checker of RFC 8259 with a limit on the nesting, which accepts or rejects a text.
struct JSONChecker {
  private let bytes: [UInt8]
  private let allowsTrailingComma: Bool
  private var index = 0
  private var depth = 0

  /// True if the bytes are one value in UTF-8, with white space around it.
  static func accepts(_ bytes: [UInt8], allowsTrailingComma: Bool) -> Bool {
    // All but strings are ASCII, so the encoding of the whole text matters in strings only.
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    var checker = JSONChecker(bytes, allowsTrailingComma)
    guard checker.value() else { return false }
    checker.space()
    return checker.index == bytes.count
  }

  private init(_ bytes: [UInt8], _ allowsTrailingComma: Bool) {
    self.bytes = bytes
    self.allowsTrailingComma = allowsTrailingComma
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func space() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { index += 1 }
  }

  private mutating func accept(_ text: StaticString) -> Bool {
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes[index...].starts(with: text) else { return false }
    index += text.count
    return true
  }

  private mutating func value() -> Bool {
    space()
    switch next {
    case UInt8(ascii: "{"): return container("}") { $0.string() && $0.colon() && $0.value() }
    case UInt8(ascii: "["): return container("]") { $0.value() }
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return accept("true")
    case UInt8(ascii: "f"): return accept("false")
    case UInt8(ascii: "n"): return accept("null")
    default: return number()
    }
  }

  private mutating func colon() -> Bool {
    space()
    return accept(":")
  }

  private mutating func container(
    _ end: StaticString, _ element: (inout JSONChecker) -> Bool
  ) -> Bool {
    depth += 1
    defer { depth -= 1 }
    if depth > 512 { return false }
    index += 1
    space()
    if accept(end) { return true }
    while element(&self) {
      space()
      if accept(end) { return true }
      guard accept(",") else { return false }
      space()
      if allowsTrailingComma, accept(end) { return true }
    }
    return false
  }

  private mutating func string() -> Bool {
    guard accept("\"") else { return false }
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case 0..<0x20: return false
      case UInt8(ascii: "\\"):
        guard escape() else { return false }
      default: break
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    guard let byte = next else { return false }
    index += 1
    if byte != UInt8(ascii: "u") { return Array("\"\\/bfnrt".utf8).contains(byte) }
    guard let first = hexDigits() else { return false }
    if first & 0xF800 != 0xD800 { return true }
    guard first < 0xDC00, accept("\\u"), let second = hexDigits() else { return false }
    return second & 0xFC00 == 0xDC00
  }

  private mutating func hexDigits() -> Int? {
    var number = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        return nil
      }
      number = number << 4 | digit
      index += 1
    }
    return number
  }

  private mutating func number() -> Bool {
    _ = accept("-")
    if !accept("0"), !digits() { return false }
    if accept("."), !digits() { return false }
    if accept("e") || accept("E") {
      _ = accept("+") || accept("-")
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = index
    while let next, 0x30...0x39 ~= next { index += 1 }
    return index > start
  }
}
