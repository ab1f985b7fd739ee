/// Checksums that reveal flipped bits in a file, which SQLite alone does not detect (R19).
///
/// A column's checksum is the sum of the hashes of its cells. The hash of a cell covers the row number and the value;
/// it is 0 for null, except in a collection. A commit subtracts the hashes of the old values and adds those of the new
/// ones, so the order of rows does not matter. Hashes are part of the file format: they are the same on every machine
/// and never change.
enum Checksum {
  private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return high ^ low
  }

  /// The hash of a word at a position.
  @inline(__always)
  static func word(_ position: UInt64, _ word: UInt64) -> UInt64 {
    // The constant bits keep this factor from being 0, which would cancel the other one.
    fold(fold(position &+ first, second) ^ word, first)
      ^ fold(word &+ second, position | 1 << 63 | 1)
  }

  /// The hash of bytes at a position.
  static func bytes(_ position: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = fold(position &+ first, second) ^ UInt64(bytes.count)
    let start = bytes.pointerOrDangling
    var index = 0
    while index + 8 <= bytes.count {
      hash = mixed(
        hash, UInt64(littleEndian: start.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    var tail: UInt64 = 0
    while index < bytes.count {
      tail = tail << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
    return mixed(hash, tail) ^ UInt64(bytes.count)
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    fold(hash ^ word, first) &+ (hash ^ word).multipliedReportingOverflow(by: second).partialValue
  }

  /// The hash of a cell that may be null.
  @inline(__always)
  static func value(_ row: Int, _ value: ElementValue, isBytes: Bool) -> UInt64 {
    if value.isNull { return 0 }
    return isBytes ? bytes(UInt64(row), value.bytes) : word(UInt64(row), value.word)
  }

  /// The hash of an element of a collection.
  static func element(_ row: Int, _ index: Int, _ value: ElementValue, isBytes: Bool) -> UInt64 {
    let seed = word(UInt64(row), UInt64(index)) ^ bytes(UInt64(index), value.key)
    if value.isNull { return word(seed, .max) }
    return isBytes ? bytes(seed, value.bytes) : word(seed, value.word &+ 1)
  }

  /// The hash of a sequence of strings.
  static func digest(_ parts: [String]) -> UInt64 {
    var sum: UInt64 = 0
    for (index, part) in parts.enumerated() {
      var part = part
      sum = sum &+ part.withUTF8 { bytes(UInt64(index), UnsafeRawBufferPointer($0)) }
    }
    return sum
  }
}
