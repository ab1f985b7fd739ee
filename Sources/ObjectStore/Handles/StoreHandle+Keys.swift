extension StoreHandle {
  /// The row with a key, which is of a type that the class's key can have; nil if there is none.
  @inline(__always)
  func slot<Key: ObjectKey>(of key: Key, _ entry: ClassEntry) -> Int? {
    key._encode { find($0, Key._scalarKind, entry) }
  }

  /// The object with a key, which is of a type that the class's key can have; nil if there is none.
  @inline(__always)
  func object<T: ObjectBase, Key: ObjectKey>(of key: Key, _ entry: ClassEntry) -> T? {
    guard let slot = slot(of: key, entry) else {
      tracker?.findRows(entry.table, by: [entry.schema.primaryKeyProperty.map { [$0.name] } ?? []])
      return nil
    }
    if let tracker {
      // Another key may be given to it.
      tracker.readRow(entry.table, slot)
      tracker.readAttribute(entry.table, slot, entry.keyColumn)
    }
    return object(entry, slot)
  }

  /// The row with a key of a kind, which is the class's or another integer's; nil if there is none.
  func find(_ key: ScalarCell, _ kind: ScalarKind, _ entry: ClassEntry) -> Int? {
    let column = entry.keyColumn
    if entry.keyKind.column == .text {
      return withTableVersion(entry.table) { $0.find(bytes: key.bytes, column) }
    }
    // Integers of other widths find the same number; one out of the key's range finds nothing.
    if kind != entry.keyKind, Int64(bitPattern: key.word) < 0,
      (kind.signedRange == nil) != (entry.keyKind.signedRange == nil)
    {
      return nil
    }
    return withTableVersion(entry.table) { $0.find(word: key.word, column) }
  }
}
