/// Append-only memory for the strings of one column of one chunk, or the elements of its collections.
///
/// Versions share it. Only the writer appends, always past the bytes that any version refers to, so readers never read
/// bytes that are being written. Bytes replaced by an update are garbage until the writer copies the column into a new
/// arena.
final class Arena {
  let base: UnsafeMutableRawPointer
  let capacity: Int
  /// The owner of the memory if that is part of a mapped file, which is never written.
  private let mapping: AnyObject?
  /// The number of bytes in use. Read and written only by the writer.
  @exclusivity(unchecked) var used = 0
  /// The number of garbage bytes recorded since `noteGarbage` last returned true. Accessed only by the writer.
  @exclusivity(unchecked) private var garbageBytes = 0

  /// Strings are addressed by 32-bit offsets.
  static let textLimit = Int(UInt32.max)
  /// Elements are addressed by 32-bit offsets in words.
  static let elementLimit = Int(UInt32.max) * 8

  /// Creates an arena of `capacity` bytes, but at most `limit`, since bytes past it could not be addressed.
  init(capacity: Int, limit: Int) {
    let capacity = min(capacity, limit)
    self.capacity = capacity
    mapping = nil
    // Eight spare bytes let short copies move whole words.
    base = .allocate(byteCount: capacity + 8, alignment: 16)
  }

  /// Creates a full arena in the memory of a mapped file.
  init(mapped base: UnsafeMutableRawPointer, byteCount: Int, _ mapping: AnyObject) {
    self.base = base
    capacity = byteCount
    used = byteCount
    self.mapping = mapping
  }

  deinit {
    if mapping == nil { base.deallocate() }
  }

  /// Records bytes that only older versions still refer to. Returns true, and resets the count, once at least an eighth
  /// of the used bytes is garbage.
  func noteGarbage(_ byteCount: Int) -> Bool {
    garbageBytes += byteCount
    guard garbageBytes > 0, garbageBytes * 8 >= used else { return false }
    garbageBytes = 0
    return true
  }

  @inline(__always)
  func hasCapacity(_ byteCount: Int) -> Bool {
    used + byteCount <= capacity
  }

  /// Appends the bytes and returns their offset. The caller has checked the capacity.
  @inline(__always)
  func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) -> Int {
    assert(byteCount >= 0 && hasCapacity(byteCount), "Arena has no capacity for \(byteCount) bytes")
    let offset = used
    (base + offset).copyMemory(from: bytes, byteCount: byteCount)
    used = offset + byteCount
    return offset
  }
}
