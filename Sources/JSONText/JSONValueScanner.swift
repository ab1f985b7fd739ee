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
  /// - Complexity: O(*n*), up to 32 bytes at a time.
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
    // The state is local, so that it stays in registers.
    var state = self
    defer { self = state }
    // A string that is the value itself may end within a block, so it is read byte by byte.
    while state.depth > 0, index + 32 <= text.count {
      let block = Block(text.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self))
      if !state.isEscaping, block.hasOnlyQuotes {
        if block.quoteParity != 0 { state.isInString.toggle() }
        index += 32
        continue
      }
      for lane in 0..<4 {
        if !state.isEscaping, block.hasOnlyQuotes(inWord: lane) {
          if block.quoteParity(ofWord: lane) != 0 { state.isInString.toggle() }
          index += 8
          continue
        }
        if state.passes(UInt64(littleEndian: block.words[lane])) {
          index += 8
          continue
        }
        for _ in 0..<8 {
          index += 1
          if state.ends(at: text[index - 1]) { return index }
        }
      }
    }
    while index < text.count {
      index += 1
      if state.ends(at: text[index - 1]) { return index }
    }
    return nil
  }

  /// True if the value ends with the text: a number or a word does.
  var isCompleteAtEnd: Bool { form == .scalar }

  /// Continues after eight bytes. Returns false, without effect, if they must be read one by one, because they contain a
  /// backslash or may contain the end of the value.
  @inline(__always)
  private mutating func passes(_ word: UInt64) -> Bool {
    if isEscaping || word.bytes(equalTo: Byte.backslash) != 0 { return false }
    let quotes = word.exactBytes(equalTo: Byte.quote)
    // Bit 7 of each byte that is in a string: the parity of the quotes up to it.
    var inString = quotes ^ quotes << 8
    inString ^= inString << 16
    inString ^= inString << 32
    if isInString { inString ^= .highBits }
    // Bit 5 is the difference between brackets and braces.
    let folded = word | 0x2020_2020_2020_2020
    let closing = folded.exactBytes(equalTo: Byte.closeBrace) & ~inString
    let opening = folded.exactBytes(equalTo: Byte.openBrace) & ~inString
    if closing | opening != 0 {
      let closeCount = closing.byteCount
      if depth <= closeCount { return false }
      depth += opening.byteCount - closeCount
    }
    isInString = inString >> 63 != 0
    return true
  }

  /// Continues after one byte. Returns true if it ends the value.
  @inline(__always)
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

/// 32 bytes and the characters in them that matter to a scanner.
private struct Block {
  typealias Words = SIMD4<UInt64>

  let words: Words
  /// Bit 7 of a byte is set in a word if the word contains a backslash or a bracket.
  private let specials: Words
  /// Bit 7 of each byte that is not a quote.
  private let others: Words

  @inline(__always)
  init(_ words: Words) {
    self.words = words
    let ones = Words(repeating: 0x0101_0101_0101_0101)
    // Bit 5 is the difference between brackets and braces.
    let folded = words | Words(repeating: 0x2020_2020_2020_2020)
    let backslash = words ^ Words(repeating: 0x5C5C_5C5C_5C5C_5C5C)
    let opening = folded ^ Words(repeating: 0x7B7B_7B7B_7B7B_7B7B)
    let closing = folded ^ Words(repeating: 0x7D7D_7D7D_7D7D_7D7D)
    let found =
      (backslash &- ones) & ~backslash | (opening &- ones) & ~opening
      | (closing &- ones) & ~closing
    specials = found & Words(repeating: .highBits)
    let low = Words(repeating: ~.highBits)
    let quote = words ^ Words(repeating: 0x2222_2222_2222_2222)
    others = (((quote & low) &+ low) | quote) & Words(repeating: .highBits)
  }

  /// True if the bytes contain neither a backslash nor a bracket.
  @inline(__always)
  var hasOnlyQuotes: Bool { specials[0] | specials[1] | specials[2] | specials[3] == 0 }

  @inline(__always)
  func hasOnlyQuotes(inWord lane: Int) -> Bool { specials[lane] == 0 }

  /// 0 for an even number of quotes.
  @inline(__always)
  var quoteParity: UInt64 { Self.parity(others[0] ^ others[1] ^ others[2] ^ others[3]) }

  @inline(__always)
  func quoteParity(ofWord lane: Int) -> UInt64 { Self.parity(others[lane]) }

  /// The parity of the bytes whose bit 7 is set. Of eight bytes, it is also that of the other ones.
  @inline(__always)
  private static func parity(_ word: UInt64) -> UInt64 {
    var parity = word ^ word >> 32
    parity ^= parity >> 16
    parity ^= parity >> 8
    return parity & 0x80
  }
}

extension UInt64 {
  /// Sets bit 7 of each byte that equals `byte`, and no other bit.
  @inline(__always)
  func exactBytes(equalTo byte: UInt8) -> UInt64 {
    let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    return ~((difference & ~.highBits) &+ ~.highBits | difference) & .highBits
  }

  /// The number of bytes whose bit 7 is set, if no other bit is set. Unlike `nonzeroBitCount`, this needs no instruction
  /// that some processors lack, for which the compiler generates twelve others.
  @inline(__always)
  var byteCount: Int { Int(truncatingIfNeeded: ((self >> 7) &* 0x0101_0101_0101_0101) >> 56) }
}
