/// Groups in an index of several attributes, some of which are sort keys.
struct CompoundGroups: KeyGroups {
  let keys: [IndexKey]
  /// The offsets of the sort keys. The attributes before them have one value each.
  let positions: Range<Int>

  func areTogether(_ a: CompoundIndexKey, _ b: CompoundIndexKey) -> Bool {
    for position in positions {
      if a[position] != b[position] { return false }
      // The next attribute is in order only among rows with equal values of this one.
      if !keys[position].isExact(a[position]) { return true }
    }
    return true
  }

  func isExact(_ key: CompoundIndexKey) -> Bool {
    positions.allSatisfy { keys[$0].isExact(key[$0]) }
  }

  func isBySlot(_ key: CompoundIndexKey) -> Bool {
    endWithOrder && isExact(key)
  }

  /// True if the index ends with the sort keys.
  var endWithOrder: Bool { positions.upperBound == keys.count }
}
