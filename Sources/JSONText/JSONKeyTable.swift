/// The keys of one kind of object, laid out for prediction and lookup by their bytes.
///
///     let table = JSONKeyTable(["id", "name"])
///     let index = try reader.key(table, predicted: 0)
///
/// A key is known by its bytes after unescaping, never by Unicode equivalence. If two keys are the
/// same, the first one counts.
// @unchecked: all of it is written in init only, and the memory freed in deinit.
public final class JSONKeyTable: @unchecked Sendable {
  /// One key as it stands in most texts: with its quotes and unescaped.
  @usableFromInline
  struct Entry {
    /// The first sixteen bytes with the quotes, zero behind the key.
    @usableFromInline var word0: UInt64
    @usableFromInline var mask0: UInt64
    @usableFromInline var word1: UInt64
    @usableFromInline var mask1: UInt64
    /// The key with its quotes; 16 readable bytes follow.
    @usableFromInline var quoted: UnsafePointer<UInt8>
    /// Bytes of the key with its quotes.
    @usableFromInline var quotedCount: Int

    /// Whether the text at `next` is the key; `next` must be in a padded input.
    ///
    /// Takes a pointer and reads field by field: called on the entry itself, Swift 6.3 copies all
    /// of it to the stack first; reading records of 17 fields was 8 % slower.
    @inlinable @inline(__always)
    static func matches(
      _ entry: UnsafePointer<Entry>, _ next: UnsafePointer<UInt8>
    ) -> Bool {
      if next.word & entry.pointee.mask0 != entry.pointee.word0 { return false }
      let count = entry.pointee.quotedCount
      if count <= 8 { return true }
      if (next + 8).word & entry.pointee.mask1 != entry.pointee.word1 { return false }
      return count <= 16 || entry.pointee.matchesTail(next)
    }

    @usableFromInline @inline(never)
    func matchesTail(_ next: UnsafePointer<UInt8>) -> Bool {
      // A word is loaded only after the one before it matched, so at most 8 bytes of padding
      // are touched: keys with zero bytes never get here.
      var offset = 16
      while offset + 8 < quotedCount {
        if (next + offset).word != (quoted + offset).word { return false }
        offset += 8
      }
      return (next + (quotedCount - 8)).word == (quoted + (quotedCount - 8)).word
    }
  }

  public let count: Int
  @usableFromInline let entries: UnsafePointer<Entry>
  private let text: UnsafeMutablePointer<UInt8>
  /// Open addressing; an index into `entries`, or -1.
  private let slots: UnsafeMutablePointer<Int32>
  private let slotMask: Int
  /// A bit for each key by ``trait(_:)``: most keys that are none of these have another.
  private var traits: UInt64 = 0

  public init(_ keys: [String]) {
    let utf8 = keys.map { Array($0.utf8) }
    count = keys.count
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, count))
    let textCount = utf8.reduce(0) { $0 + $1.count + 18 }
    text = .allocate(capacity: max(1, textCount))
    text.initialize(repeating: 0, count: max(1, textCount))
    var slotCount = 8
    while slotCount < 2 * count { slotCount *= 2 }
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: -1, count: slotCount)
    slotMask = slotCount - 1

    var quoted = text
    for (index, key) in utf8.enumerated() {
      quoted[0] = Byte.quote
      (quoted + 1).update(from: key, count: key.count)
      quoted[key.count + 1] = Byte.quote
      let start = UnsafePointer(quoted)
      let quotedCount = key.count + 2
      var entry = Entry(
        word0: start.word, mask0: .lowBytes(quotedCount),
        word1: (start + 8).word, mask1: .lowBytes(max(0, quotedCount - 8)),
        quoted: start, quotedCount: quotedCount)
      entry.word0 &= entry.mask0
      entry.word1 &= entry.mask1
      if key.contains(where: { $0 < 0x20 || $0 == Byte.quote || $0 == Byte.backslash }) {
        // Never stands in a text unescaped: no word ANDed with 0 equals this.
        entry.mask0 = 0
        entry.word0 = .max
      }
      (entries + index).initialize(to: entry)
      quoted += key.count + 18
    }
    self.entries = UnsafePointer(entries)

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
    UnsafeMutablePointer(mutating: entries).deallocate()
    text.deallocate()
    slots.deallocate()
  }

  /// The index of the key with exactly these bytes, or -1.
  ///
  /// - Complexity: O(length of the key), independent of the number of keys.
  public func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard traits & Self.trait(bytes) != 0 else { return -1 }
    var slot = Self.hash(bytes) & slotMask
    while true {
      let index = Int(slots[slot])
      if index < 0 { return -1 }
      let entry = entries + index
      if entry.pointee.quotedCount == bytes.count + 2,
        Self.equal(bytes, entry.pointee.quoted + 1)
      {
        return index
      }
      slot = (slot + 1) & slotMask
    }
  }

  /// One bit, by the length and the first byte.
  @inline(__always)
  private static func trait(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let first = bytes.isEmpty ? 0 : UInt64(bytes[0])
    return 1 &<< ((first &+ 7 &* UInt64(truncatingIfNeeded: bytes.count)) & 63)
  }

  /// Mixes the length, the first and the last eight bytes: members of one class often share
  /// either their beginning (`address_line_1`) or their end (`created_at`).
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
    // The high half of each product, so that every bit of both words counts.
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
