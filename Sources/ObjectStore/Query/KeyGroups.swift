/// A rule for grouping the rows of an index whose order the index keys do not determine. Each group is sorted by value.
protocol KeyGroups<Key> {
  associatedtype Key: SlotTreeKey

  /// True if the rows of two keys belong to the same group.
  func areTogether(_ a: Key, _ b: Key) -> Bool
  /// True if the rows in a key's group have equal values of the sort keys.
  func isExact(_ key: Key) -> Bool
  /// True if the rows in a key's group are in slot order.
  func isBySlot(_ key: Key) -> Bool
}

/// Groups in the index of one attribute.
struct ColumnGroups: KeyGroups {
  let column: Int
  let key: IndexKey

  @inline(__always)
  func areTogether(_ a: UInt64, _ b: UInt64) -> Bool { a == b }

  @inline(__always)
  func isExact(_ key: UInt64) -> Bool { self.key.isExact(key) }

  @inline(__always)
  func isBySlot(_ key: UInt64) -> Bool { true }
}
