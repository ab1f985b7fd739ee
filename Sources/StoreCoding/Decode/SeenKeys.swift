/// The set of keys of a node that occurred in an object, by index.
struct SeenKeys {
  private var bits: UInt64 = 0
  /// The bits of keys from 64 on, for large classes.
  private var more: [UInt64]?

  /// Inserts a key and returns true if it is new.
  @inline(__always)
  mutating func insert(_ index: Int) -> Bool {
    guard index < 64 else { return insertMore(index) }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
    defer { bits |= bit }
    return bits & bit == 0
  }

  /// True if the key was inserted.
  func contains(_ index: Int) -> Bool {
    if index < 64 { return bits & 1 << UInt64(index) != 0 }
    guard let more, index / 64 < more.count else { return false }
    return more[index / 64] & 1 << UInt64(index % 64) != 0
  }

  @inline(never)
  private mutating func insertMore(_ index: Int) -> Bool {
    var words = more ?? []
    more = nil
    while words.count <= index / 64 { words.append(0) }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
    defer {
      words[index / 64] |= bit
      more = words
    }
    return words[index / 64] & bit == 0
  }
}
