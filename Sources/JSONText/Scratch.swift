/// Reusable memory of a reader, allocated at first use.
struct Scratch: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>?
  private(set) var capacity = 0

  /// Returns at least `capacity` bytes and preserves the first `count`.
  @inline(__always)
  mutating func reserve(_ capacity: Int, keeping count: Int) -> UnsafeMutablePointer<UInt8> {
    if let start, capacity <= self.capacity { return start }
    return grow(capacity, keeping: count)
  }

  @inline(never)
  private mutating func grow(
    _ needed: Int, keeping count: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let capacity = max(256, needed, 2 * self.capacity)
    // Also aligned for the words in which `skipValue` saves container kinds.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    if let start {
      memory.copyMemory(from: start, byteCount: count)
      start.deallocate()
    }
    let grown = memory.assumingMemoryBound(to: UInt8.self)
    start = grown
    self.capacity = capacity
    return grown
  }

  /// Frees the memory. Called by the owner's deinit.
  func deallocate() {
    start?.deallocate()
  }
}
