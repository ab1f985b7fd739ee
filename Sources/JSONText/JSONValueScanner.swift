/// Finds the end of one JSON value in text that arrives in pieces.
///
/// The scanner follows strings, escapes and brackets and reads no values, so it accepts text that is not JSON. For a valid
/// value, it finds the same end as ``JSONReader``.
struct JSONValueScanner {
  private enum Form { case unknown, scalar, enclosed }

  private var form = Form.unknown
  private var depth = 0
  private var isInString = false
  /// True if the last byte is a backslash that escapes the next byte.
  private var isEscaping = false

  /// Continues at `start`, which is the first byte of the value or the index at which the previous piece ended.
  ///
  /// - Returns: The index after the value; nil if the text ends first. A number or word ends before the byte that follows
  ///   it, so it needs one more byte. An index equal to that of the first byte means that no value begins there.
  /// - Complexity: O(*n*), eight bytes at a time.
  mutating func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    if form == .unknown {
      guard index < text.count else { return nil }
      form = Self.isEnclosing(text[index]) ? .enclosed : .scalar
      if form == .enclosed {
        _ = ends(at: text[index])
        index += 1
      }
    }
    if form == .scalar {
      while index < text.count {
        if Self.isDelimiter(text[index]) { return index }
        index += 1
      }
      return nil
    }
    while index + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if passes(word) {
        index += 8
        continue
      }
      for _ in 0..<8 {
        index += 1
        if ends(at: text[index - 1]) { return index }
      }
    }
    while index < text.count {
      index += 1
      if ends(at: text[index - 1]) { return index }
    }
    return nil
  }

  /// True if the value ends with the text: a number or a word does.
  var isCompleteAtEnd: Bool { form == .scalar }

  /// Continues after eight bytes. Returns false, without effect, if they must be read one by one, because they contain a
  /// backslash or may contain the end of the value.
  @inline(__always)
  private mutating func passes(_ word: UInt64) -> Bool {
    let quotes = word.exactBytes(equalTo: Byte.quote)
    if isEscaping || word.bytes(equalTo: Byte.backslash) != 0 { return false }
    if quotes == 0, isInString { return true }
    // Bit 7 of each byte that is in a string: the parity of the quotes up to it.
    var inString = quotes ^ quotes << 8
    inString ^= inString << 16
    inString ^= inString << 32
    if isInString { inString ^= .highBits }
    // Bit 5 is the difference between brackets and braces.
    let folded = word | 0x2020_2020_2020_2020
    let closing = folded.exactBytes(equalTo: Byte.closeBrace) & ~inString
    let closeCount = closing.nonzeroBitCount
    if depth <= closeCount { return false }
    let opening = folded.exactBytes(equalTo: Byte.openBrace) & ~inString
    depth += opening.nonzeroBitCount - closeCount
    isInString = inString >> 63 != 0
    return true
  }

  /// Continues after one byte. Returns true if it ends the value.
  private mutating func ends(at byte: UInt8) -> Bool {
    if isInString {
      if isEscaping {
        isEscaping = false
      } else if byte == Byte.backslash {
        isEscaping = true
      } else if byte == Byte.quote {
        isInString = false
        return depth == 0
      }
      return false
    }
    switch byte {
    case Byte.quote: isInString = true
    case Byte.openBrace, Byte.openBracket: depth += 1
    case Byte.closeBrace, Byte.closeBracket:
      depth -= 1
      return depth == 0
    default: break
    }
    return false
  }

  private static func isEnclosing(_ byte: UInt8) -> Bool {
    byte == Byte.quote || byte == Byte.openBrace || byte == Byte.openBracket
  }

  /// True if the byte cannot be part of a number or a word.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, Byte.comma, Byte.colon, Byte.closeBrace, Byte.closeBracket: true
    default: isEnclosing(byte)
    }
  }
}

extension UInt64 {
  /// Sets bit 7 of each byte that equals `byte`, and no other bit.
  @inline(__always)
  func exactBytes(equalTo byte: UInt8) -> UInt64 {
    let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    return ~((difference & ~.highBits) &+ ~.highBits | difference) & .highBits
  }
}
