import Synchronization

/// Primary key → row: an open-addressing hash of *hints*, shared by all versions of a table.
///
/// A word of the array is `tag << 32 | slot + 1`, or 0 where nothing stands. It holds no keys: a hit
/// counts only if the slot is below the version's row count, its row is live and the version's
/// key column equals the key sought. So nothing is ever removed in place, a rolled-back insert
/// leaves only a hint that no version believes, and readers need no lock.
///
/// Hints that nobody believes any more are left behind by a new array: when the old one is full,
/// when most of its hints are of dead rows, or when one key has left too many (it was deleted and
/// made again and again). The working version refers to the new one; older versions keep theirs.
// Sendable: readers and the one writer meet only in atomic words.
final class KeyIndex: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: Int
  private let keyHash = KeyHash()
  /// Hints with one hash that may stand here; a key has one that is believed.
  private let hashLimit: Int
  /// Hints given out, believed or not. Read and written by the writer alone.
  @exclusivity(unchecked) private(set) var hintCount = 0

  init(capacity: Int) {
    var size = 32
    while size * 2 < capacity * 3 { size *= 2 }
    mask = size - 1
    // A new array costs its size, a search the hints of one hash: the root balances them, so that
    // making one key again n times costs O(√size) each.
    hashLimit = 8 + Int(Double(size).squareRoot())
    words = .allocate(capacity: size)
    // An Atomic<UInt64> of 0 is eight zero bytes; a loop of initializers is six times slower.
    UnsafeMutableRawPointer(words).initializeMemory(
      as: UInt8.self, repeating: 0, count: size * MemoryLayout<UInt64>.size)
  }

  deinit {
    words.deallocate()
  }

  @inline(__always)
  func hash(word bits: UInt64) -> UInt64 { keyHash.word(bits) }

  @inline(__always)
  func hash(bytes: UnsafeRawBufferPointer) -> UInt64 { keyHash.bytes(bytes) }

  @inline(__always)
  private func firstPlace(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// Whether hints of dead rows are what it mostly holds.
  func isStale(liveCount: Int) -> Bool { hintCount > 4 * liveCount + 1024 }

  /// Adds a hint, unless the same one stands there.
  ///
  /// Returns false, and adds nothing, if it is time for a new array.
  @inline(__always)
  func insert(hash: UInt64, slot: Int) -> Bool {
    if (hintCount + 1) * 4 > (mask + 1) * 3 { return false }
    return place(hash: hash, slot: slot, hashLimit: hashLimit)
  }

  /// Adds a hint to a new array, which was made large enough for it.
  func add(hash: UInt64, slot: Int) {
    _ = place(hash: hash, slot: slot, hashLimit: .max)
  }

  @inline(__always)
  private func place(hash: UInt64, slot: Int, hashLimit: Int) -> Bool {
    let hint =
      hash & 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: slot &+ 1))
    var place = firstPlace(hash)
    var sameHash = 0
    while true {
      let word = words[place].load(ordering: .relaxed)
      if word == 0 { break }
      if (word ^ hash) >> 32 == 0 {
        if word == hint { return true }
        sameHash += 1
        if sameHash > hashLimit { return false }
      }
      place = (place &+ 1) & mask
    }
    // Releasing publishes nothing by itself (the version does); it keeps the word whole.
    words[place].store(hint, ordering: .releasing)
    hintCount += 1
    return true
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
