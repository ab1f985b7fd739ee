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

  /// Moves behind the next bytes of the text.
  ///
  /// - Parameter bytes: The bytes, of which the last must not be the CR of a CR LF.
  /// - Complexity: O(*n*), up to 32 bytes at a time.
  public mutating func advance(over bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count {
      if index + 32 <= bytes.count {
        let words = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
        if Self.areOnOneLine(words) {
          column += 32 - Self.continuationCount(words)
          index += 32
          continue
        }
      }
      if index + 8 <= bytes.count, advance(over: bytes, wordAt: index) {
        index += 8
        continue
      }
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x0A:
        line += 1
        column = 1
      case 0x0D:
        if index == bytes.count || bytes[index] != 0x0A {
          line += 1
          column = 1
        }
      case 0x80...0xBF:
        break  // the rest of a scalar
      default:
        column += 1
      }
    }
    byteOffset += bytes.count
  }

  /// True if no byte is a control character.
  @inline(__always)
  private static func areOnOneLine(_ words: SIMD4<UInt64>) -> Bool {
    let spaces = SIMD4<UInt64>(repeating: 0x2020_2020_2020_2020)
    let controls = (words &- spaces) & ~words
    return (controls[0] | controls[1] | controls[2] | controls[3]) & .highBits == 0
  }

  /// The number of bytes that are not the first of a scalar.
  @inline(__always)
  private static func continuationCount(_ words: SIMD4<UInt64>) -> Int {
    if (words[0] | words[1] | words[2] | words[3]) & .highBits == 0 { return 0 }
    let ones = (words & ~(words &<< 1) & SIMD4(repeating: .highBits)) &>> 7
    let counts = ones[0] &+ ones[1] &+ ones[2] &+ ones[3]
    return Int(truncatingIfNeeded: (counts &* 0x0101_0101_0101_0101) >> 56)
  }

  /// Moves behind eight bytes. Returns false, without effect, if they contain a CR.
  @inline(__always)
  private mutating func advance(over bytes: UnsafeRawBufferPointer, wordAt index: Int) -> Bool {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    if word.bytes(equalTo: 0x0D) != 0 { return false }
    // Bit 7 of each byte that is not the first of a scalar.
    let continuations = word & ~(word << 1) & .highBits
    let feeds = word.exactBytes(equalTo: 0x0A)
    guard feeds != 0 else {
      column += 8 - continuations.byteCount
      return true
    }
    line += feeds.byteCount
    let rest = feeds.leadingZeroBitCount / 8
    column = 1 + rest - (continuations & ~.lowBytes(8 - rest)).byteCount
    return true
  }
}
