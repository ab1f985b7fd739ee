// Values of the user that are put as the difference from an earlier value.

extension Store {
  /// Stores a value in the open write, but only what differs from an earlier value of the same object. Other attributes
  /// keep their values, which may be newer than the earlier value.
  ///
  /// - Parameters:
  ///   - put: Stores the value and returns its object.
  ///   - previous: Stores the earlier value and returns its object; its changes are rolled back.
  ///   - key: The key of the object.
  /// - Returns: The object, and the names of the attributes that differ; nil if the object did not exist, or if the two
  ///   values belong to different objects: then the value is stored whole.
  package func putChanges<T: Object>(
    _ put: () throws -> T, since previous: () throws -> T, key: some ObjectKey
  ) throws -> (object: T, changed: Set<String>?) {
    let entry = try handle.entry(T.self)
    guard let slot = handle.slot(of: key, entry) else { return (try put(), nil) }
    let start = try handle.writableTransaction().freeze()
    var equal: [Int]?
    try rollingBack {
      guard try handle.slot(of: previous()) == slot else { return }
      let transaction = try handle.writableTransaction()
      let former = transaction.freeze()
      guard try handle.slot(of: put()) == slot else { return }
      equal = entry.attributes.indices.filter {
        transaction.isEqual(
          entry.layout.firstAttribute + $0,
          StoredRow(state: nil, table: entry.table, slot: slot),
          StoredRow(state: former, table: entry.table, slot: slot))
      }
    }
    let object = try put()
    guard let equal, try handle.slot(of: object) == slot else { return (object, nil) }
    let transaction = try handle.writableTransaction()
    let writer = transaction.writer(entry.table)
    for attribute in equal where writer.firstAttribute + attribute != writer.keyColumn {
      transaction.copyValue(
        writer.firstAttribute + attribute,
        of: StoredRow(state: start, table: entry.table, slot: slot), to: writer, slot)
    }
    let names = Set(equal.map { entry.attributeNames[$0] })
    return (object, Set(entry.attributeNames).subtracting(names))
  }

  /// Sets links to nil and collections of links to empty ones in the open write.
  package func clear<T: Object>(_ names: [String], of object: T) throws {
    let slot = try handle.slot(of: object)
    let entry = try handle.entry(of: object)
    let transaction = try handle.writableTransaction()
    let writer = transaction.writer(entry.table)
    for attribute in names.compactMap({ entry.attribute($0) }) {
      let layout = writer.columnLayout(attribute.column)
      if layout.kind == .link {
        transaction.setLink(writer, slot, attribute.column, 0, replaces: false)
      } else {
        transaction.setElements(writer, slot, attribute.column, layout, [])
      }
    }
  }

  /// Runs `body` in the open write transaction, or in one of its own, and rolls back its changes.
  package func rollingBack<R>(_ body: () throws -> R) throws -> R {
    var result: R?
    do {
      try write {
        result = try body()
        throw Rollback()
      }
    } catch is Rollback {}
    guard let result else { throw StoreError(.notWriting) }
    return result
  }
}

private struct Rollback: Error {}
