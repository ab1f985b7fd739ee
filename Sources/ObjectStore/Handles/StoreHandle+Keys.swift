extension StoreHandle {
  /// The row with a primary key; nil if there is none. The type of the key must fit the class.
  @inline(__always)
  func slot<Key: ObjectKey>(of key: Key, _ entry: ClassEntry) -> Int? {
    guard let kind = key._keyKind else { return nil }
    return key._encode { find($0, kind, entry) }
  }

  /// The object with a primary key; nil if there is none. The type of the key must fit the class.
  @inline(__always)
  func object<T: ObjectBase, Key: ObjectKey>(of key: Key, _ entry: ClassEntry) -> T? {
    guard let slot = slot(of: key, entry) else {
      tracker?.findRows(entry.table, by: [entry.schema.primaryKeyProperty.map { [$0.name] } ?? []])
      return nil
    }
    if let tracker {
      // The key of the object may change.
      tracker.readRow(entry.table, slot)
      tracker.readAttribute(entry.table, slot, entry.keyColumn)
    }
    return object(entry, slot)
  }

  /// The row with a primary key; nil if there is none.
  /// - Parameter kind: The kind of the key: that of the class's key, or another integer kind if both are integers.
  func find(_ key: ScalarCell, _ kind: ScalarKind, _ entry: ClassEntry) -> Int? {
    let column = entry.keyColumn
    if entry.keyKind.column == .bytes {
      return withTableVersion(entry.table) { $0.find(bytes: key.bytes, column) }
    }
    // Integers of other widths match the same number. A number outside the range of the class's key matches nothing.
    if kind != entry.keyKind, Int64(bitPattern: key.word) < 0,
      (kind.signedRange == nil) != (entry.keyKind.signedRange == nil)
    {
      return nil
    }
    return withTableVersion(entry.table) { $0.find(word: key.word, column) }
  }
}
