import ObjectStoreShims

/// Finds the end of one JSON value in text that arrives in pieces.
///
/// The scanner follows strings, escapes and brackets and reads no values, so it accepts text that is not JSON. For a valid
/// value, it finds the same end as ``JSONReader``.
struct JSONValueScanner {
  private enum Form { case unknown, scalar, string, container }

  private var form = Form.unknown
  /// The number of open arrays and objects.
  private var depth = 0
  /// All bits are set within a string.
  private var inString: UInt64 = 0
  /// True if the next byte is escaped by a backslash.
  private var isEscaping = false

  /// Continues at `start`, which is the first byte of the value or the index at which the previous piece ended.
  ///
  /// - Returns: The index after the value; nil if the text ends first. A number or word ends before the byte that follows
  ///   it, so it needs one more byte. An index equal to that of the first byte means that no value begins there.
  /// - Complexity: O(*n*), 64 bytes at a time within arrays and objects.
  mutating func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let bytes = text.baseAddress else { return nil }
    var index = start
    if form == .unknown {
      switch text[index] {
      case Byte.openBrace, Byte.openBracket:
        form = .container
      case Byte.quote:
        form = .string
        index += 1
      default:
        form = .scalar
      }
    }
    switch form {
    case .scalar, .unknown:
      return text[index...].firstIndex(where: Self.isDelimiter)
    case .string:
      while index < text.count {
        let byte = text[index]
        index += 1
        if isEscaping {
          isEscaping = false
        } else if byte == Byte.backslash {
          isEscaping = true
        } else if byte == Byte.quote {
          return index
        }
      }
      return nil
    case .container:
      // A copy, so that the state stays in registers.
      var state = self
      defer { self = state }
      while index + 64 <= text.count {
        if let end = state.end(inBlock: bytes + index, count: 64) { return index + end }
        index += 64
      }
      if index == text.count { return nil }
      return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
        _ = block.initializeMemory(as: UInt8.self, repeating: 0)
        block.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[index...]))
        guard let address = block.baseAddress else { return nil }
        return state.end(inBlock: address, count: text.count - index).map { index + $0 }
      }
    }
  }

  /// True if the value ends with the text: a number or a word does.
  var isCompleteAtEnd: Bool { form == .scalar }

  /// Continues after a block of 64 bytes, of which those from `count` on are zero and not part of the text.
  ///
  /// - Returns: The index in the block after the value; nil if the value does not end in it.
  @inline(__always)
  private mutating func end(inBlock bytes: UnsafeRawPointer, count: Int) -> Int? {
    var quotes = json_block_equal(bytes, Byte.quote)
    let backslashes = json_block_equal(bytes, Byte.backslash)
    if isEscaping || backslashes != 0 {
      quotes &= ~escapedBytes(backslashes, count: count)
    }
    // The parity of the quotes up to each byte.
    var inString = quotes ^ quotes << 1
    inString ^= inString << 2
    inString ^= inString << 4
    inString ^= inString << 8
    inString ^= inString << 16
    inString ^= inString << 32
    inString ^= self.inString
    // Bit 5 is the difference between brackets and braces.
    let opening = json_block_equal_folded(bytes, Byte.openBrace) & ~inString
    let closing = json_block_equal_folded(bytes, Byte.closeBrace) & ~inString
    if opening | closing != 0 {
      let closingCount = closing.nonzeroBitCount
      if depth > closingCount {
        depth += opening.nonzeroBitCount - closingCount
      } else {
        var rest = opening | closing
        while rest != 0 {
          let index = rest.trailingZeroBitCount
          depth += opening >> UInt64(index) & 1 != 0 ? 1 : -1
          if depth == 0 { return index + 1 }
          rest &= rest - 1
        }
      }
    }
    self.inString = 0 &- inString >> 63
    return nil
  }

  /// The bytes of a block that follow a backslash which is not itself escaped.
  private mutating func escapedBytes(_ backslashes: UInt64, count: Int) -> UInt64 {
    var escaped: UInt64 = isEscaping ? 1 : 0
    isEscaping = false
    var rest = backslashes & ~escaped
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      escaped |= 2 << UInt64(index)
      if index == count - 1 { isEscaping = true }
      rest &= (rest - 1) & ~escaped
    }
    return escaped
  }

  /// True if the byte cannot be part of a number or a word.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, Byte.comma, Byte.colon, Byte.closeBrace, Byte.closeBracket,
      Byte.quote, Byte.openBrace, Byte.openBracket:
      true
    default: false
    }
  }
}
