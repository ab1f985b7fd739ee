import ObjectStoreShims
import Synchronization

/// Primary key → row: an open-addressing hash of *hints*, shared by all versions of a table.
///
///     place = hint, key      one line of the cache for a search
///             │     └ the key's bits, or the hash of a text
///             └ slot + 1, or 0 where nothing stands
///
/// A hit counts only if the slot is below the version's row count, its row is live and the version's
/// key column equals the key sought. So nothing is ever removed in place, a rolled-back insert
/// leaves only a hint that no version believes, and readers need no lock. Where every row that has a
/// slot is live and no row ever changed its key, a hint with the key's bits is the truth. R3.
///
/// Hints that nobody believes any more are left behind by a new array: when the old one is full,
/// when most of its hints are of dead rows, or when one key has left too many (it was deleted and
/// made again and again). The working version refers to the new one; older versions keep theirs.
// Sendable: readers and the one writer meet only in atomic words.
final class KeyIndex: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: Int
  private let keyHash = KeyHash()
  /// Hints of one key that may stand here; one of them is believed.
  private let keyLimit: Int
  /// Whether a row changed its key since the array was made, be it rolled back or not: then the hint
  /// for the other key may be in the way of older versions, or left over.
  private let hasMovedRows = Atomic<Bool>(false)
  /// Hints given out, believed or not. Read and written by the writer alone.
  @exclusivity(unchecked) private(set) var hintCount = 0

  init(capacity: Int) {
    var size = 32
    while size * 2 < capacity * 3 { size *= 2 }
    mask = size - 1
    // A new array costs its size, a search the hints of one key: the root balances them, so that
    // making one key again n times costs O(√size) each.
    keyLimit = 8 + Int(Double(size).squareRoot())
    words = .allocate(capacity: 2 * size)
    // An Atomic<UInt64> of 0 is eight zero bytes; a loop of initializers is six times slower.
    UnsafeMutableRawPointer(words).initializeMemory(
      as: UInt8.self, repeating: 0, count: 2 * size * MemoryLayout<UInt64>.size)
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
  func insert(hash: UInt64, key: UInt64, slot: Int) -> Bool {
    if (hintCount + 1) * 4 > (mask + 1) * 3 { return false }
    return place(hash: hash, key: key, slot: slot, keyLimit: keyLimit)
  }

  /// Adds a hint to a new array, which was made large enough for it.
  func add(hash: UInt64, key: UInt64, slot: Int) {
    _ = place(hash: hash, key: key, slot: slot, keyLimit: .max)
  }

  @inline(__always)
  private func place(hash: UInt64, key: UInt64, slot: Int, keyLimit: Int) -> Bool {
    let hint = UInt64(slot + 1)
    var place = firstPlace(hash)
    var sameKey = 0
    while true {
      let word = words[2 &* place].load(ordering: .relaxed)
      if word == 0 { break }
      if words[2 &* place &+ 1].load(ordering: .relaxed) == key {
        if word == hint { return true }
        sameKey += 1
        if sameKey > keyLimit { return false }
      }
      place = (place &+ 1) & mask
    }
    words[2 &* place &+ 1].store(key, ordering: .relaxed)
    // Releasing: who sees the hint sees its key, and that rows moved if this one did.
    words[2 &* place].store(hint, ordering: .releasing)
    hintCount += 1
    return true
  }

  /// A row is about to change its key.
  func noteMovedRow() { hasMovedRows.store(true, ordering: .relaxed) }

  /// Whether a row with the key's bits has, or had, that key. To be asked after the hint was found.
  @inline(__always)
  var isExact: Bool { !hasMovedRows.load(ordering: .relaxed) }

  /// Fetches the place of a hash into the cache, for a search soon after.
  @inline(__always)
  func prefetch(_ hash: UInt64) { store_prefetch(words + 2 &* firstPlace(hash)) }

  /// The first slot with this key below `limit` that `isMatch` accepts; nil if there is none.
  @inline(__always)
  func find(hash: UInt64, key: UInt64, limit: Int, _ isMatch: (Int) -> Bool) -> Int? {
    var place = firstPlace(hash)
    while true {
      let word = words[2 &* place].load(ordering: .acquiring)
      if word == 0 { return nil }
      if words[2 &* place &+ 1].load(ordering: .relaxed) == key {
        let slot = Int(truncatingIfNeeded: word) - 1
        if slot < limit && isMatch(slot) { return slot }
      }
      place = (place &+ 1) & mask
    }
  }
}
