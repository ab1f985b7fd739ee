import Synchronization

/// Primary key → row: an open-addressing hash of *hints*, shared by all versions of a table.
///
/// A word of the array is `tag << 32 | slot + 1`, or 0 where nothing stands. It holds no keys: a hit
/// counts only if the slot is below the version's row count, its row is live and the version's
/// key column equals the key sought. So nothing is ever removed in place, a rolled-back insert
/// leaves only a hint that no version believes, and readers need no lock.
///
/// Growing builds a new array for the working version; older versions keep theirs.
// Sendable: readers and the one writer meet only in atomic words.
final class KeyIndex: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: Int
  /// Hints given out, believed or not. Read and written by the writer alone.
  @exclusivity(unchecked) private(set) var hintCount = 0

  init(capacity: Int) {
    var size = 32
    while size * 2 < capacity * 3 { size *= 2 }
    mask = size - 1
    words = .allocate(capacity: size)
    // An Atomic<UInt64> of 0 is eight zero bytes; a loop of initializers is six times slower.
    UnsafeMutableRawPointer(words).initializeMemory(
      as: UInt8.self, repeating: 0, count: size * MemoryLayout<UInt64>.size)
  }

  deinit {
    words.deallocate()
  }

  /// Whether one more hint would make searches long.
  @inline(__always)
  var isFull: Bool { (hintCount + 1) * 4 > (mask + 1) * 3 }

  @inline(__always)
  private func firstPlace(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// Adds a hint; the caller has checked ``isFull``.
  @inline(__always)
  func insert(hash: UInt64, slot: Int) {
    var place = firstPlace(hash)
    while words[place].load(ordering: .relaxed) != 0 { place = (place &+ 1) & mask }
    // Releasing publishes nothing by itself (the version does); it keeps the word whole.
    words[place].store(
      hash & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: slot &+ 1), ordering: .releasing)
    hintCount += 1
  }

  /// The first slot with this hash below `limit` that `isMatch` accepts; nil if there is none.
  @inline(__always)
  func find(hash: UInt64, limit: Int, _ isMatch: (Int) -> Bool) -> Int? {
    var place = firstPlace(hash)
    while true {
      let word = words[place].load(ordering: .acquiring)
      if word == 0 { return nil }
      if (word ^ hash) >> 32 == 0 {
        let slot = Int(word & 0xFFFF_FFFF) - 1
        if slot < limit && isMatch(slot) { return slot }
      }
      place = (place &+ 1) & mask
    }
  }
}
