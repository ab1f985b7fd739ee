import ObjectStoreShims

/// The offset, line and column of a byte in a text that is read in pieces.
///
/// A column is one Unicode scalar, and LF, CR LF and CR each end a line, as in ``JSONLineWalk``.
public struct JSONTextPosition: Equatable, Sendable {
  /// The offset in bytes.
  public private(set) var byteOffset = 0
  /// The line, counted from 1.
  public private(set) var line = 1
  /// The column, counted from 1.
  public private(set) var column = 1

  /// The position of the first byte.
  public init() {}

  /// Moves behind the next bytes of the text, all of `bytes`.
  ///
  /// - Parameter bytes: The bytes, of which the last must not be the CR of a CR LF.
  /// - Complexity: O(*n*), 64 bytes at a time.
  public mutating func advance(over bytes: UnsafeRawBufferPointer) {
    advance(over: 0..<bytes.count, of: bytes)
  }

  /// Moves behind the next bytes of the text, those of `bytes` in a range. A CR before an LF ends no line, even if the LF
  /// is outside the range.
  mutating func advance(over range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
    byteOffset += range.count
    guard let address = bytes.baseAddress else { return }
    var index = range.lowerBound
    while index + 64 <= range.upperBound {
      if !advance(overBlock: address + index) {
        advanceByBytes(over: index..<index + 64, of: bytes)
      }
      index += 64
    }
    advanceByBytes(over: index..<range.upperBound, of: bytes)
  }

  /// Moves behind 64 bytes. Returns false, without effect, if they contain a CR.
  @inline(__always)
  private mutating func advance(overBlock bytes: UnsafeRawPointer) -> Bool {
    // Control characters and bytes that are not ASCII.
    if json_block_below(bytes, 0x20) == 0 {
      column += 64
      return true
    }
    if json_block_equal(bytes, 0x0D) != 0 { return false }
    let feeds = json_block_equal(bytes, 0x0A)
    // The bytes from 0x80 to 0xBF are not the first of a scalar.
    let continuations = json_block_below(bytes, -0x40)
    if feeds == 0 {
      column += 64 - continuations.nonzeroBitCount
      return true
    }
    line += feeds.nonzeroBitCount
    let rest = feeds.leadingZeroBitCount
    column = 1 + rest - (continuations >> UInt64(64 - rest)).nonzeroBitCount
    return true
  }

  private mutating func advanceByBytes(over range: Range<Int>, of bytes: UnsafeRawBufferPointer) {
    for index in range {
      switch bytes[index] {
      case 0x0A:
        line += 1
        column = 1
      case 0x0D:
        if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
          line += 1
          column = 1
        }
      case 0x80...0xBF:
        break  // the rest of a scalar
      default:
        column += 1
      }
    }
  }
}
