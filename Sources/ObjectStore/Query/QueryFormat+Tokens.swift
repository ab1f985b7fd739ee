import Foundation

extension QueryFormat {
  mutating func name(after offset: Int = 0) throws(StoreError) -> String {
    index += offset
    if index < text.count, text[index] == UInt8(ascii: "#") {
      index += 1
      // Any characters, in quotes: `#"first name"`.
      if index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") {
        return try string()
      }
    }
    let start = index
    while index < text.count, Self.isName(text[index]) { index += 1 }
    guard index > start else { throw error("a name") }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & ~0x20)
  }

  static func isName(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  mutating func string() throws(StoreError) -> String {
    skipSpace()
    let start = index
    guard index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'")
    else { throw error("a string") }
    let quote = text[index]
    index += 1
    var bytes: [UInt8] = []
    while index < text.count, text[index] != quote {
      if text[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < text.count else { break }
        switch text[index] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
          let hex = String(decoding: text[(index + 1)...].prefix(4), as: UTF8.self)
          guard hex.utf8.count == 4, let code = UInt32(hex, radix: 16),
            let scalar = Unicode.Scalar(code)
          else { throw error("four hexadecimal digits after \\u", at: index) }
          bytes += Array(String(Character(scalar)).utf8)
          index += 4
        default: bytes.append(text[index])
        }
      } else {
        bytes.append(text[index])
      }
      index += 1
    }
    guard index < text.count else { throw error("the end of the string", at: start) }
    index += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func number() throws(StoreError) -> QueryValue {
    let start = index
    if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
    while index < text.count {
      let byte = text[index]
      let isExponentSign =
        (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && text[index - 1] | 0x20 == 0x65
      guard Self.isName(byte) || byte == UInt8(ascii: ".") || isExponentSign else { break }
      index += 1
    }
    let token = String(decoding: text[start..<index], as: UTF8.self)
    let digits = token.hasPrefix("+") ? String(token.dropFirst()) : token
    if let value = Int64(digits) { return .int(value) }
    if let value = UInt64(digits) { return .uint(value) }
    if !digits.lowercased().contains(where: { "xinp".contains($0) }), let value = Double(digits) {
      let mantissa = digits.prefix { $0 != "e" && $0 != "E" }
      let isLost = value == 0 && mantissa.contains { "1"..."9" ~= $0 }
      if value.isInfinite || isLost { throw error("a number that a Double can hold", at: start) }
      // Keep the exact decimal if a Double would round it.
      if let exact = Decimal(plain: digits), exact != Decimal(plain: "\(value)") {
        return .decimal(exact)
      }
      return .double(value)
    }
    throw error("a number", at: start)
  }

  mutating func skipSpace() {
    while index < text.count, text[index] <= 0x20 { index += 1 }
  }

  mutating func peek(_ symbol: String) -> Bool {
    skipSpace()
    return text[index...].starts(with: symbol.utf8)
  }

  mutating func accept(_ symbol: String) -> Bool {
    guard peek(symbol) else { return false }
    index += symbol.utf8.count
    return true
  }

  /// True if the next token is this keyword, ignoring case.
  mutating func peek(word: String) -> Bool {
    skipSpace()
    let end = index + word.utf8.count
    guard end <= text.count, end == text.count || !Self.isName(text[end]) else { return false }
    return zip(text[index..<end], word.utf8).allSatisfy {
      $0 == $1 || Self.isLetter($0) && $0 | 0x20 == $1 | 0x20
    }
  }

  mutating func accept(word: String) -> Bool {
    guard peek(word: word) else { return false }
    index += word.utf8.count
    return true
  }

  func error(_ expected: String, at offset: Int? = nil) -> StoreError {
    let offset = offset ?? index
    let column = String(decoding: text[..<min(offset, text.count)], as: UTF8.self).count + 1
    let whole = MessageText.clipped(String(decoding: text, as: UTF8.self), characterCount: 120)
    return StoreError(
      .invalidQuery("the query \"\(whole)\": expected \(expected) at column \(column)"))
  }
}
