/// Bytes that only grow: the text of one column of one chunk, or the elements of its collections.
///
/// Shared between versions. Only the writer appends, always behind what any version refers to, so
/// readers never look at bytes that are being written. What an update leaves behind is garbage
/// until the writer copies the column into a fresh arena.
final class Arena {
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// Bytes given out. Read and written by the writer alone.
  @exclusivity(unchecked) var used = 0
  /// Bytes that cuts lost since somebody looked. The writer's, too.
  @exclusivity(unchecked) private var lost = 0

  /// Texts are found by offsets of 32 bits.
  static let textLimit = Int(UInt32.max)
  /// Elements are found by offsets of 32 bits that count words.
  static let elementLimit = Int(UInt32.max) * 8

  /// An arena of `capacity` bytes, or of `limit` if that is less: what is behind could not be
  /// referred to.
  init(capacity: Int, limit: Int) {
    let capacity = min(capacity, limit)
    self.capacity = capacity
    // Eight spare bytes let short copies move whole words.
    base = .allocate(byteCount: capacity + 8, alignment: 16)
  }

  deinit {
    base.deallocate()
  }

  /// Counts bytes that nobody refers to any more but older versions; returns whether they are an
  /// eighth by now, and then begins anew.
  func lose(_ byteCount: Int) -> Bool {
    lost += byteCount
    guard lost > 0, lost * 8 >= used else { return false }
    lost = 0
    return true
  }

  @inline(__always)
  func hasRoom(_ byteCount: Int) -> Bool {
    used + byteCount <= capacity
  }

  /// Copies the bytes behind the others and returns their offset; the caller has checked for room.
  @inline(__always)
  func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) -> Int {
    let offset = used
    (base + offset).copyMemory(from: bytes, byteCount: byteCount)
    used = offset + byteCount
    return offset
  }
}
