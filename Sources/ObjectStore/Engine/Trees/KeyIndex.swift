import ObjectStoreShims
import Synchronization

/// Primary key → row: an open-addressing hash table of *hints*, shared by all versions of a table.
///
///     entry = hint, key      one cache line per lookup
///             │     └ the key's bits, or the hash of a string
///             └ slot + 1, or 0 if the entry is empty
///
/// A hit counts only if the slot is below the version's row count, its row is live and the version's key column equals
/// the key. Therefore nothing is ever removed in place, a rolled-back insertion leaves only a hint that every version
/// ignores, and readers need no lock. If every assigned slot is live and no row ever changed its key, a hint with the
/// key's bits is exact. R3.
///
/// The array of entries is replaced by a new one without stale hints when it is full, when most hints refer to dead
/// rows, or when one key has too many hints because it was deleted and inserted repeatedly. The working version refers
/// to the new array; older versions keep theirs.
// Sendable: readers and the single writer share only atomic words.
final class KeyIndex: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: Int
  private let keyHash: KeyHash
  /// The maximum number of hints for one key, at most one of which is valid.
  private let keyLimit: Int
  /// True if a row has changed its key since the array was created, even if the change was rolled back. The hint for
  /// its old or new key may then be stale, or wrong for older versions.
  private let hasMovedRows = Atomic<Bool>(false)
  /// The number of hints, stale ones included. Read and written only by the writer.
  @exclusivity(unchecked) private(set) var hintCount = 0
  /// The owner of the memory if that is a private copy of a part of a file.
  private let mapping: AnyObject?

  init(capacity: Int) {
    var size = 32
    while size * 2 < capacity * 3 { size *= 2 }
    mask = size - 1
    keyHash = KeyHash()
    mapping = nil
    // Creating an array costs O(size), and a lookup costs O(hints of the key). The square root balances the two: each
    // repeated insertion of the same key costs O(√size).
    keyLimit = 8 + Int(Double(size).squareRoot())
    words = .allocate(capacity: 2 * size)
    // An Atomic<UInt64> of 0 is eight zero bytes; a loop of initializers is six times slower.
    UnsafeMutableRawPointer(words).initializeMemory(
      as: UInt8.self, repeating: 0, count: 2 * size * MemoryLayout<UInt64>.size)
  }

  /// Creates an index in the memory of a mapped file, of which this process has a private copy.
  ///
  /// - Parameters:
  ///   - words: The entries.
  ///   - size: The number of entries, a power of two.
  init(
    mapped words: UnsafeMutableRawPointer, size: Int, hintCount: Int, _ keyHash: KeyHash,
    _ mapping: AnyObject
  ) {
    self.words = words.assumingMemoryBound(to: Atomic<UInt64>.self)
    mask = size - 1
    keyLimit = 8 + Int(Double(size).squareRoot())
    self.hintCount = hintCount
    self.keyHash = keyHash
    self.mapping = mapping
  }

  deinit {
    if mapping == nil { words.deallocate() }
  }

  /// The entries of an index that no thread writes, and the keys of its hash function.
  var content: (words: UnsafeRawBufferPointer, hash: KeyHash) {
    (UnsafeRawBufferPointer(start: words, count: (mask + 1) * 16), keyHash)
  }

  /// The number of entries.
  var size: Int { mask + 1 }

  @inline(__always)
  func hash(word bits: UInt64) -> UInt64 { keyHash.word(bits) }

  @inline(__always)
  func hash(bytes: UnsafeRawBufferPointer) -> UInt64 { keyHash.bytes(bytes) }

  @inline(__always)
  private func firstEntry(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  /// True if most hints refer to dead rows.
  func isStale(liveCount: Int) -> Bool { hintCount > 4 * liveCount + 1024 }

  /// Adds a hint unless it already exists.
  ///
  /// - Returns: False if a new array is needed; in that case nothing is added.
  @inline(__always)
  func insert(hash: UInt64, key: UInt64, slot: Int) -> Bool {
    if (hintCount + 1) * 4 > (mask + 1) * 3 { return false }
    return insertHint(hash: hash, key: key, slot: slot, keyLimit: keyLimit)
  }

  /// Adds a hint to a new array, which has the capacity.
  func add(hash: UInt64, key: UInt64, slot: Int) {
    _ = insertHint(hash: hash, key: key, slot: slot, keyLimit: .max)
  }

  @inline(__always)
  private func insertHint(hash: UInt64, key: UInt64, slot: Int, keyLimit: Int) -> Bool {
    assert(slot >= 0, "Slot \(slot) is negative")
    assert(hintCount <= mask, "The key index is full")
    let hint = UInt64(slot + 1)
    var entry = firstEntry(hash)
    var sameKey = 0
    while true {
      let word = words[2 &* entry].load(ordering: .relaxed)
      if word == 0 { break }
      if words[2 &* entry &+ 1].load(ordering: .relaxed) == key {
        if word == hint { return true }
        sameKey += 1
        if sameKey > keyLimit { return false }
      }
      entry = (entry &+ 1) & mask
    }
    words[2 &* entry &+ 1].store(key, ordering: .relaxed)
    // Releasing, so that a reader that sees the hint also sees its key and the flag for moved rows.
    words[2 &* entry].store(hint, ordering: .releasing)
    hintCount += 1
    return true
  }

  /// Records that a row is about to change its key.
  func noteMovedRow() { hasMovedRows.store(true, ordering: .relaxed) }

  /// True if no row has changed its key, so that the row of a hint with a key's bits has, or had, that key. Must be
  /// read after the hint was found.
  @inline(__always)
  var isExact: Bool { !hasMovedRows.load(ordering: .relaxed) }

  /// Prefetches the entry of a hash into the CPU cache for an imminent lookup.
  @inline(__always)
  func prefetch(_ hash: UInt64) { store_prefetch(words + 2 &* firstEntry(hash)) }

  /// Returns the first slot found that has a hint for this key, is below `limit` and is accepted by `isMatch`;
  /// otherwise nil.
  @inline(__always)
  func find(hash: UInt64, key: UInt64, limit: Int, _ isMatch: (Int) -> Bool) -> Int? {
    var entry = firstEntry(hash)
    while true {
      let word = words[2 &* entry].load(ordering: .acquiring)
      if word == 0 { return nil }
      if words[2 &* entry &+ 1].load(ordering: .relaxed) == key {
        let slot = Int(truncatingIfNeeded: word) - 1
        if slot < limit && isMatch(slot) { return slot }
      }
      entry = (entry &+ 1) & mask
    }
  }
}
