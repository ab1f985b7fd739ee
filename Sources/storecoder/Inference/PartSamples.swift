/// What was seen of objects that may stand in a file in parts, as where their links lead in circles: with
/// their members here, and as their key alone there.
struct PartSamples {
  /// How many held nothing but the key.
  private(set) var aloneCount = 0
  private var alone: Set<Int> = []
  /// Hashes of the values of the others that are neither objects nor arrays, by hashes of their keys.
  private var contents: [Int: Int] = [:]
  /// Whether two objects with one key have other values, or there are more than are remembered.
  private(set) var hasConflict = false

  /// Whether each object that held nothing but its key stands somewhere with its members.
  var isComplete: Bool { !hasConflict && alone.allSatisfy { contents[$0] != nil } }

  /// - Parameter content: The hash of the values; nil for an object that has nothing but its key.
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
