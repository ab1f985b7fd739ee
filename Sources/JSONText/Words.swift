public import ObjectStoreShims

// Operations on eight bytes at a time in a machine word. Loads are little-endian on all platforms: the lowest
// byte of a word is the first byte of the text.

extension UnsafePointer<UInt8> {
  /// The next eight bytes, the first in the lowest byte.
  @inlinable @inline(__always)
  var word: UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self))
  }

  /// The next four bytes, the first in the lowest byte.
  @inlinable @inline(__always)
  var halfWord: UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt32.self))
  }
}

extension UInt64 {
  /// Bit 7 of every byte.
  @inlinable @inline(__always)
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Sets bit 7 of each byte that equals `byte`. Exact only for the lowest set bit.
  @inline(__always)
  func bytes(equalTo byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let difference = self ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & .highBits
  }

  /// Sets bit 7 of each byte that is a quote, a backslash or below 0x20.
  ///
  /// Exact only for the lowest set bit: a borrow can mark higher bytes falsely.
  @inlinable @inline(__always)
  var stringSpecials: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = self ^ 0x2222_2222_2222_2222
    let backslash = self ^ 0x5c5c_5c5c_5c5c_5c5c
    let quotes = (quote &- ones) & ~quote
    let backslashes = (backslash &- ones) & ~backslash
    let controls = (self &- 0x2020_2020_2020_2020) & ~self
    return (quotes | backslashes | controls) & .highBits
  }

  /// A mask of the lowest `count` bytes, for `count` in 0...8.
  @inline(__always)
  static func lowBytes(_ count: Int) -> UInt64 {
    count >= 8 ? .max : (1 &<< UInt64(truncatingIfNeeded: 8 &* count)) &- 1
  }
}

/// Returns the first quote, backslash or control character at or after `start`.
///
/// Sets bit 7 of `seen` if a byte before it is not ASCII. Requires the padding of ``JSONInput``, whose zero bytes end
/// every scan.
@inlinable @inline(__always)
func scanString(_ start: UnsafePointer<UInt8>, _ seen: inout UInt64) -> UnsafePointer<UInt8> {
  json_scan_string(start, &seen)
}

/// Returns the first byte of `start..<end` that is invalid UTF-8 (Unicode 16, table 3-7), or nil.
///
/// The byte at `end` must be readable and not a continuation byte (0x80...0xBF), such as the closing quote of a
/// string. No sequence can then extend past it, so no bounds are checked within a sequence.
@usableFromInline @inline(never)
func firstInvalidUTF8(
  _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
) -> UnsafePointer<UInt8>? {
  var next = start
  while next < end {
    // Skips to the next non-ASCII byte, which may be past the end, because a word may extend past it.
    let high = next.word & .highBits
    guard high != 0 else {
      next += 8
      continue
    }
    next += high.trailingZeroBitCount &>> 3
    if next >= end { return nil }
    var lead = next.pointee
    repeat {
      // Fast paths for text in one script: three-byte sequences except those whose lead bytes need further
      // checks, or pairs of two-byte sequences.
      let bytes = next.halfWord
      if bytes & 0xC0_C0F0 == 0x80_80E0, lead != 0xE0, lead != 0xED {
        next += 3
      } else if bytes & 0xC0E0_C0E0 == 0x80C0_80C0, bytes & 0x1E_001E > 0x1E, bytes & 0x1E != 0 {
        next += 4
      } else {
        let length = sequenceLength(next)
        if length == 0 { return next }
        next += length
      }
      lead = next.pointee
    } while lead >= 0x80
  }
  return nil
}

/// Returns the length of the well-formed sequence of two to four bytes at `next`, or 0.
@inline(__always)
func sequenceLength(_ next: UnsafePointer<UInt8>) -> Int {
  let lead = next[0]
  if lead < 0xE0 { return lead >= 0xC2 && next[1] & 0xC0 == 0x80 ? 2 : 0 }
  let second = next[1]
  if second & 0xC0 != 0x80 || next[2] & 0xC0 != 0x80 { return 0 }
  if lead < 0xF0 {
    // E0 must not begin an overlong sequence, ED must not begin a surrogate.
    return (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ? 0 : 3
  }
  if lead > 0xF4 || next[3] & 0xC0 != 0x80 { return 0 }
  return (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F) ? 0 : 4
}

/// Returns the length of the maximal ill-formed subpart at `next` (Unicode 16, §3.9), which is replaced by one
/// U+FFFD. At least 1; `next` must be at an ill-formed sequence.
func illFormedLength(_ next: UnsafePointer<UInt8>) -> Int {
  let lead = next[0]
  guard lead >= 0xC2, lead <= 0xF4 else { return 1 }
  let secondIsGood =
    switch lead {
    case 0xE0: next[1] >= 0xA0 && next[1] <= 0xBF
    case 0xED: next[1] >= 0x80 && next[1] <= 0x9F
    case 0xF0: next[1] >= 0x90 && next[1] <= 0xBF
    case 0xF4: next[1] >= 0x80 && next[1] <= 0x8F
    default: next[1] & 0xC0 == 0x80
    }
  if lead < 0xE0 || !secondIsGood { return 1 }
  if lead < 0xF0 || next[2] & 0xC0 != 0x80 { return 2 }
  return 3
}

/// The value of four hexadecimal digits, or more than 0xFFFF if one of them is invalid.
@inline(__always)
func hexadecimal4(_ digits: UnsafePointer<UInt8>) -> UInt32 {
  let bytes = digits.halfWord
  let highBits: UInt32 = 0x8080_8080
  // Bit 7 of each byte is set if the byte is in the range: not below its first character, and not above its last.
  let isDigit = (bytes &+ 0x5050_5050) & ~(bytes &+ 0x4646_4646)
  let small = bytes | 0x2020_2020
  let isLetter = (small &+ 0x1F1F_1F1F) & ~(small &+ 0x1919_1919)
  guard (isDigit | isLetter) & ~bytes & highBits == highBits else { return 0x1_0000 }
  // The low bits of a letter count from 1.
  let values = (bytes & 0x0F0F_0F0F) &+ 9 &* (bytes >> 6 & 0x0101_0101)
  return (values & 0xF) << 12 | (values & 0xF00) | values >> 12 & 0xF0 | values >> 24
}

@inline(__always)
func hexadecimal(_ byte: UInt8) -> UInt32 {
  let digit = UInt32(byte) &- 0x30
  if digit < 10 { return digit }
  let letter = (UInt32(byte) | 0x20) &- 0x61
  return letter < 6 ? letter + 10 : 0x1_0000
}

/// Writes `scalar`, which must not be a surrogate, as UTF-8 and returns the number of bytes, at most 4.
@inline(__always)
func encodeUTF8(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
  func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
  if scalar < 0x80 {
    out[0] = UInt8(truncatingIfNeeded: scalar)
    return 1
  }
  if scalar < 0x800 {
    out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
    out[1] = tail(0)
    return 2
  }
  if scalar < 0x1_0000 {
    out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
    out[1] = tail(6)
    out[2] = tail(0)
    return 3
  }
  out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
  out[1] = tail(12)
  out[2] = tail(6)
  out[3] = tail(0)
  return 4
}
