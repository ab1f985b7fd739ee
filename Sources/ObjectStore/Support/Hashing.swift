/// Hash functions of the primary-key index: not secret, the same in every run.
///
/// A multiply-and-fold hash: 12 ns for a 14-byte key where SipHash (`Hasher`) takes about 60. Keys
/// that collide on purpose cost time, never correctness; the index compares the key column itself.
enum KeyHash {
  @inline(__always)
  static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return high ^ low
  }

  @inline(__always)
  static func word(_ bits: UInt64) -> UInt64 {
    mix(bits ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
  }

  @inline(__always)
  static func bytes(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var hash = 0xA076_1D64_78BD_642F ^ UInt64(truncatingIfNeeded: count)
    var index = 0
    while index + 8 <= count {
      hash = mix(
        hash ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self), 0xE703_7ED1_A0B4_28DB)
      index += 8
    }
    var tail: UInt64 = 0
    while index < count {
      tail = tail << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
    return mix(hash ^ tail, 0x8EBC_6AF0_9C88_C6E3)
  }
}
