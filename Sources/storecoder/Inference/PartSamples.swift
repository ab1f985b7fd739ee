/// Statistics of objects that may occur in full at one position of a file and with only their key at another, as in
/// exports of cyclic links.
struct PartSamples {
  /// The number of objects without members other than the key.
  private(set) var aloneCount = 0
  private var alone: Set<Int> = []
  /// Hashes of the other objects' scalar values, by hashes of their keys.
  private var contents: [Int: Int] = [:]
  /// True if two objects with the same key have different values, or if there are too many objects.
  private(set) var hasConflict = false

  /// True if each object that occurs with only its key also occurs in full.
  var isComplete: Bool { !hasConflict && alone.allSatisfy { contents[$0] != nil } }

  /// - Parameter content: The hash of the values; nil for an object without members other than the key.
  mutating func note(_ key: UnsafeRawBufferPointer, content: Int?) {
    let key = KeySamples.hash(key)
    if let content {
      note(key, content)
    } else {
      aloneCount += 1
      alone.insert(key)
      if alone.count > KeySamples.limit { hasConflict = true }
    }
  }

  private mutating func note(_ key: Int, _ content: Int) {
    hasConflict =
      hasConflict || contents.updateValue(content, forKey: key) ?? content != content
      || contents.count > KeySamples.limit
  }

  mutating func merge(_ other: PartSamples) {
    aloneCount += other.aloneCount
    alone.formUnion(other.alone)
    hasConflict = hasConflict || other.hasConflict
    for (key, content) in other.contents { note(key, content) }
  }
}
