/// The names of the attributes that the last partial update changed. Programs often repeat an update for many objects
/// and then get the same array again, without allocation.
struct ChangedNames {
  /// The indexes of changed attributes, without duplicates, in the order of assignment. Each takes one byte, which
  /// holds the index plus 1.
  struct Indexes {
    fileprivate var bytes: UInt64 = 0
    static let limit = 8

    var isEmpty: Bool { bytes == 0 }

    @inline(__always)
    mutating func add(_ index: Int) {
      var rest = bytes
      while rest != 0 {
        if rest & 0xFF == UInt64(index + 1) { return }
        rest >>= 8
      }
      bytes = bytes << 8 | UInt64(index + 1)
    }
  }

  private var entry: ObjectIdentifier?
  private var indexes = Indexes()
  private var names: [String] = []

  /// The names of the attributes with these indexes. Precondition: the class has fewer than 256 attributes.
  @inline(__always)
  mutating func names(_ indexes: Indexes, of entry: ClassEntry) -> [String] {
    if indexes.bytes == self.indexes.bytes, self.entry == ObjectIdentifier(entry) { return names }
    return cache(indexes, of: entry)
  }

  @inline(never)
  private mutating func cache(_ indexes: Indexes, of entry: ClassEntry) -> [String] {
    self.indexes = indexes
    self.entry = ObjectIdentifier(entry)
    names = (0..<Indexes.limit).reversed().compactMap { byte in
      let number = Int(indexes.bytes >> UInt64(8 * byte) & 0xFF)
      return number == 0 ? nil : entry.attributes[number - 1].name
    }
    return names
  }
}
