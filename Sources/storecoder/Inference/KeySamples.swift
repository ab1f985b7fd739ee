/// The values of a member whose name suggests a key. Detects whether they identify the objects.
struct KeySamples {
  static let names = ["id", "_id", "uuid", "guid", "identifier"]

  /// The maximum number of keys to record. Objects with more keys are treated as embedded.
  static let limit = 1_000_000

  let name: String
  /// Hashes of the objects by hashes of their keys.
  private var contents: [Int: Int] = [:]
  /// True if two different objects have the same key, or if there are too many keys.
  private(set) var hasConflict = false
  /// The offset of the first occurrence of each key in the file, by its hash. Nil if there are too many keys.
  private(set) var offsets: [Int: Int]? = [:]
  /// The samples of objects that may occur with only their key, if `notesParts` is set.
  var parts = PartSamples()

  init(_ name: String) {
    self.name = name
  }

  /// Records an object. Files may contain different parts of one object, which is no conflict.
  mutating func note(
    _ key: UnsafeRawBufferPointer, of object: UnsafeRawBufferPointer, inFile fileIndex: Int
  ) {
    note(Self.hash(key) ^ fileIndex, Self.hash(object))
  }

  /// Records the offset of a key.
  mutating func remember(_ key: UnsafeRawBufferPointer, at offset: Int) {
    let hash = Self.hash(key)
    if offsets?[hash] == nil { offsets?[hash] = offset }
    if offsets?.count ?? 0 > Self.limit { offsets = nil }
  }

  private mutating func note(_ key: Int, _ content: Int) {
    if hasConflict { return }
    if let known = contents[key] {
      hasConflict = known != content
    } else {
      contents[key] = content
      hasConflict = contents.count > Self.limit
    }
    if hasConflict { contents = [:] }
  }

  mutating func merge(_ other: KeySamples) {
    hasConflict = hasConflict || other.hasConflict
    parts.merge(other.parts)
    if let theirs = other.offsets {
      offsets?.merge(theirs) { min($0, $1) }
    } else {
      offsets = nil
    }
    for (key, content) in other.contents { note(key, content) }
    if hasConflict { contents = [:] }
  }

  static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }
}
