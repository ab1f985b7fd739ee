// JSON values as JSON text (RFC 8259), for files: other tools read them there.

extension StoredJSONReader {
  /// What is made of bytes by ``write(into:)``.
  enum Text {
    /// JSON text by which ``StoredJSONParser`` makes the same bytes again.
    case json
    /// None that says the value: a number that is none in JSON, or more than
    /// ``StoredJSON/depthLimit`` levels.
    case none
    /// None, and the bytes are no value.
    case noValue
  }

  /// Appends the value as compact text; what is appended matters only for ``Text/json``.
  ///
  /// Numbers stand as they are kept, a double with a fraction or an exponent. Characters are escaped only where they
  /// must be.
  ///
  /// - Complexity: O(bytes), on a stack that does not grow with the levels.
  mutating func write(into text: inout [UInt8]) -> Text {
    var open: [(left: Int, isObject: Bool)] = []
    var isText = true
    while true {
      var begun: (left: Int, isObject: Bool)?
      switch next() {
      case nil: return .noValue
      case .null: text.append(contentsOf: "null".utf8)
      case .bool(let value): text.append(contentsOf: (value ? "true" : "false").utf8)
      case .int(let value): text.append(contentsOf: "\(value)".utf8)
      case .double(let value):
        isText = isText && value.isFinite
        text.append(contentsOf: "\(value)".utf8)
      case .number(let number):
        isText = isText && StoredJSONParser.isKeptAsText(number)
        text.append(contentsOf: number)
      case .string(let string): Self.quote(string, into: &text)
      case .array(let count): begun = (count, false)
      case .object(let count): begun = (count, true)
      }
      if let begun {
        text.append(UInt8(ascii: begun.isObject ? "{" : "["))
        open.append(begun)
        isText = isText && open.count <= StoredJSON.depthLimit
      } else if !open.isEmpty {
        open[open.count - 1].left -= 1
        if open[open.count - 1].left > 0 { text.append(UInt8(ascii: ",")) }
      }
      while let last = open.last, last.left == 0 {
        text.append(UInt8(ascii: last.isObject ? "}" : "]"))
        open.removeLast()
        if open.isEmpty { break }
        open[open.count - 1].left -= 1
        if open[open.count - 1].left > 0 { text.append(UInt8(ascii: ",")) }
      }
      guard let last = open.last else {
        return isAtEnd ? isText ? .json : .none : .noValue
      }
      if last.isObject {
        guard let key = key() else { return .noValue }
        Self.quote(key, into: &text)
        text.append(UInt8(ascii: ":"))
      }
    }
  }

  private static func quote(_ string: UnsafeRawBufferPointer, into text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in string.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      text.append(contentsOf: string[start..<index])
      start = index + 1
      text.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x08: text.append(UInt8(ascii: "b"))
      case 0x09: text.append(UInt8(ascii: "t"))
      case 0x0A: text.append(UInt8(ascii: "n"))
      case 0x0C: text.append(UInt8(ascii: "f"))
      case 0x0D: text.append(UInt8(ascii: "r"))
      case 0..<0x20:
        text.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
        text.append(contentsOf: String(byte, radix: 16).utf8)
      default: text.append(byte)
      }
    }
    text.append(contentsOf: string[start...])
    text.append(UInt8(ascii: "\""))
  }
}
