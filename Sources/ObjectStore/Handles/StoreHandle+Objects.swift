// The classes and the rows of objects.

extension StoreHandle {
  /// The class with this table name.
  /// - Throws: `unknownClass`.
  func entry(named name: String) throws(StoreError) -> ClassEntry {
    entry(ofTable: try core.entry(named: name).table)
  }

  /// The class of an object: of a managed one its table's, of another one its type's.
  func entry(of object: ObjectBase) throws -> ClassEntry {
    guard let storage = object.storage, object.handle?.core === core else {
      return try entry(type(of: object))
    }
    return entry(ofTable: storage.pointee.table)
  }

  /// The entry of a class whose declarations are known to be sound.
  func trustedEntry(_ type: ObjectBase.Type) -> ClassEntry {
    do {
      return try entry(type)
    } catch {
      misuse("\(error)")
    }
  }

  /// The object that a link of an object leads to.
  @inline(__always)
  func target<T: ObjectBase>(_ type: T.Type, of source: ObjectBase, _ column: Int, _ slot: Int) -> T
  {
    guard type == DynamicObject.self, let storage = source.storage else {
      return object(trustedEntry(type), slot)
    }
    return object(
      entry(ofTable: layout(storage.pointee.table).columns[column].targetTable), slot)
  }

  /// The slot of a managed object of this store.
  /// - Throws: `objectOfAnotherStore`, `objectInvalidated`.
  func slot(of object: ObjectBase) throws -> Int {
    guard let storage = object.storage, let handle = object.handle, handle.core === core,
      !handle.isFrozen
    else {
      throw StoreError(.objectOfAnotherStore(className: object.className))
    }
    guard tableVersion(storage.pointee.table).isLive(object.slot) else {
      throw StoreError(.objectInvalidated(className: object.className))
    }
    return object.slot
  }

  /// The slot of an embedded object whose values are to be copied. It may have lost its owner in the
  /// open write: `swap(&a.home, &b.home)` assigns one first and then reads what was there.
  /// - Throws: `objectOfAnotherStore`, `objectInvalidated`.
  func slot(ofEmbedded object: ObjectBase) throws -> Int {
    if let storage = object.storage, object.handle === self, let transaction,
      transaction.diedInside(storage.pointee.table, object.slot)
    {
      return object.slot
    }
    return try slot(of: object)
  }
}
