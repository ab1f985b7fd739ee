/// The keys of one kind of object, arranged for prediction and for lookup by bytes.
///
///     let keys = JSONKeySet(["id", "name"])
///     let index = try reader.key(keys, predicted: 0)
///
/// Keys are compared by their unescaped bytes, never by Unicode equivalence. Of duplicate keys, the first one
/// is used.
// @unchecked: the properties and the memory are written only in init, and the memory is freed in deinit.
public final class JSONKeySet: @unchecked Sendable {
  /// A key in its most common form in JSON text: quoted and without escapes.
  @usableFromInline
  struct Key {
    /// `word0` and `word1` are the first sixteen bytes of the quoted key, padded with zeros; the masks cover its bytes.
    @usableFromInline var word0: UInt64
    @usableFromInline var mask0: UInt64
    @usableFromInline var word1: UInt64
    @usableFromInline var mask1: UInt64
    /// The quoted key, followed by 16 readable bytes.
    @usableFromInline var quoted: UnsafePointer<UInt8>
    /// The length of the quoted key in bytes.
    @usableFromInline var quotedCount: Int

    /// Returns true if the text at `next`, in a padded input, is the key.
    ///
    /// Static, with a pointer whose fields are read one by one: for a method on the key, Swift 6.3 first copies the
    /// whole key to the stack, which made reading records with 17 fields 8 % slower.
    @inlinable @inline(__always)
    static func matches(
      _ key: UnsafePointer<Key>, _ next: UnsafePointer<UInt8>
    ) -> Bool {
      if next.word & key.pointee.mask0 != key.pointee.word0 { return false }
      let count = key.pointee.quotedCount
      if count <= 8 { return true }
      if (next + 8).word & key.pointee.mask1 != key.pointee.word1 { return false }
      return count <= 16 || key.pointee.matchesTail(next)
    }

    @usableFromInline @inline(never)
    func matchesTail(_ next: UnsafePointer<UInt8>) -> Bool {
      // Each word is loaded only after the previous one matched, so at most 8 bytes of padding are read. Keys with
      // zero bytes never reach this function.
      var offset = 16
      while offset + 8 < quotedCount {
        if (next + offset).word != (quoted + offset).word { return false }
        offset += 8
      }
      return (next + (quotedCount - 8)).word == (quoted + (quotedCount - 8)).word
    }
  }

  public let count: Int
  @usableFromInline let keys: UnsafePointer<Key>
  private let text: UnsafeMutablePointer<UInt8>
  /// Indices into `keys`, or -1; open addressing.
  private let slots: UnsafeMutablePointer<Int32>
  private let slotMask: Int
  /// A Bloom filter over ``trait(_:)``; rejects most unknown keys.
  private var traits: UInt64 = 0

  public init(_ keys: [String]) {
    let utf8 = keys.map { Array($0.utf8) }
    count = keys.count
    let laidOut = UnsafeMutablePointer<Key>.allocate(capacity: max(1, count))
    let textCount = utf8.reduce(0) { $0 + $1.count + 18 }
    text = .allocate(capacity: max(1, textCount))
    text.initialize(repeating: 0, count: max(1, textCount))
    var slotCount = 8
    while slotCount < 2 * count { slotCount *= 2 }
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: -1, count: slotCount)
    slotMask = slotCount - 1

    var quoted = text
    for (index, bytes) in utf8.enumerated() {
      quoted[0] = Byte.quote
      (quoted + 1).update(from: bytes, count: bytes.count)
      quoted[bytes.count + 1] = Byte.quote
      let start = UnsafePointer(quoted)
      let quotedCount = bytes.count + 2
      var key = Key(
        word0: start.word, mask0: .lowBytes(quotedCount),
        word1: (start + 8).word, mask1: .lowBytes(max(0, quotedCount - 8)),
        quoted: start, quotedCount: quotedCount)
      key.word0 &= key.mask0
      key.word1 &= key.mask1
      if bytes.contains(where: { $0 < 0x20 || $0 == Byte.quote || $0 == Byte.backslash }) {
        // Such a key never occurs unescaped. No word ANDed with 0 equals this value.
        key.mask0 = 0
        key.word0 = .max
      }
      (laidOut + index).initialize(to: key)
      quoted += bytes.count + 18
    }
    self.keys = UnsafePointer(laidOut)

    for (index, key) in utf8.enumerated() {
      key.withUnsafeBufferPointer { bytes in
        guard self.index(of: bytes) < 0 else { return }
        var slot = Self.hash(bytes) & slotMask
        while slots[slot] >= 0 { slot = (slot + 1) & slotMask }
        slots[slot] = Int32(index)
        traits |= Self.trait(bytes)
      }
    }
  }

  deinit {
    UnsafeMutablePointer(mutating: keys).deallocate()
    text.deallocate()
    slots.deallocate()
  }

  /// Returns the index of the key with exactly these bytes, or -1.
  ///
  /// - Complexity: O(*n*) in the length of the key, independent of the number of keys.
  public func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard traits & Self.trait(bytes) != 0 else { return -1 }
    var slot = Self.hash(bytes) & slotMask
    while true {
      let index = Int(slots[slot])
      if index < 0 { return -1 }
      let key = keys + index
      if key.pointee.quotedCount == bytes.count + 2,
        Self.equal(bytes, key.pointee.quoted + 1)
      {
        return index
      }
      slot = (slot + 1) & slotMask
    }
  }

  /// A single bit, determined by the length and the first byte.
  @inline(__always)
  private static func trait(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let first = bytes.isEmpty ? 0 : UInt64(bytes[0])
    return 1 &<< ((first &+ 7 &* UInt64(truncatingIfNeeded: bytes.count)) & 63)
  }

  /// Hashes the length and the first and last eight bytes: the keys of one class often share a prefix
  /// (`address_line_1`) or a suffix (`created_at`).
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    let count = bytes.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    if count >= 8 {
      first = start.word
      last = (start + (count - 8)).word
    } else if count >= 4 {
      first = UInt64(start.halfWord)
      last = UInt64((start + (count - 4)).halfWord)
    } else if count > 0 {
      first = UInt64(start[0])
      last = UInt64(start[count >> 1]) << 8 | UInt64(start[count - 1])
    }
    // Includes the high half of the product, so that every bit of both words contributes.
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: (last &+ UInt64(truncatingIfNeeded: count)) ^ 0xD1B5_4A32_D192_ED03)
    let mixed = product.high ^ product.low
    return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  @inline(__always)
  private static func equal(
    _ bytes: UnsafeBufferPointer<UInt8>, _ other: UnsafePointer<UInt8>
  ) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let count = bytes.count
    if count >= 8 {
      var offset = 0
      while offset + 8 < count {
        if (start + offset).word != (other + offset).word { return false }
        offset += 8
      }
      return (start + (count - 8)).word == (other + (count - 8)).word
    }
    var offset = 0
    while offset < count {
      if start[offset] != other[offset] { return false }
      offset += 1
    }
    return true
  }
}
