/// The names of the attributes that the last partial update changed. A program mostly repeats an
/// update for many objects, and then gets the same array again.
struct ChangedNames {
  /// Changed attributes in the order they were assigned, each once: their places from 1, a byte each.
  struct Places {
    fileprivate var bytes: UInt64 = 0
    static let limit = 8

    var isEmpty: Bool { bytes == 0 }

    @inline(__always)
    mutating func add(_ place: Int) {
      var rest = bytes
      while rest != 0 {
        if rest & 0xFF == UInt64(place + 1) { return }
        rest >>= 8
      }
      bytes = bytes << 8 | UInt64(place + 1)
    }
  }

  private var entry: ObjectIdentifier?
  private var places = Places()
  private var names: [String] = []

  /// The names of some attributes of a class, which has less than 256.
  @inline(__always)
  mutating func names(_ places: Places, of entry: ClassEntry) -> [String] {
    if places.bytes == self.places.bytes, self.entry == ObjectIdentifier(entry) { return names }
    return remember(places, of: entry)
  }

  @inline(never)
  private mutating func remember(_ places: Places, of entry: ClassEntry) -> [String] {
    self.places = places
    self.entry = ObjectIdentifier(entry)
    names = (0..<Places.limit).reversed().compactMap { index in
      let place = Int(places.bytes >> UInt64(8 * index) & 0xFF)
      return place == 0 ? nil : entry.attributes[place - 1].name
    }
    return names
  }
}
