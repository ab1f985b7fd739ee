/// The keys of a node that an object had so far, by their indices.
struct SeenKeys {
  private var bits: UInt64 = 0
  /// Those of a wide class from 64 on.
  private var more: [UInt64]?

  /// Whether the key is new.
  @inline(__always)
  mutating func insert(_ index: Int) -> Bool {
    guard index < 64 else { return insertMore(index) }
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
    defer { bits |= bit }
    return bits & bit == 0
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
