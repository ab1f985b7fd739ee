// The rows of objects.

extension StoreHandle {
  /// Returns the object that a link refers to.
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

  /// The slot of an embedded object whose values are copied. The open write may have deleted it: `swap(&a.home,
  /// &b.home)` assigns one attribute first and then reads the object that it replaced.
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
