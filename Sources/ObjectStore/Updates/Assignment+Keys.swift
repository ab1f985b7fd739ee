// Links by primary key, for responses that contain keys of objects that may not be in the store.

/// A link to the object with a primary key: `\.owner <- .key(7)`.
public struct LinkedKey {
  fileprivate let row: (StoreHandle, ClassEntry) throws -> Int

  /// Returns a link to the object with this key. If there is none, one is created, with defaults for its
  /// other attributes.
  public static func key(_ key: some ObjectKey) -> LinkedKey {
    LinkedKey { handle, target in try handle.row(of: key, target) }
  }
}

/// Links to the objects with primary keys: `\.friends += .keys([3, 4])`.
public struct LinkedKeys {
  /// Returns the rows with the keys. Rows that do not exist are created if `createsMissing` is true, otherwise
  /// omitted.
  fileprivate let rows: (StoreHandle, ClassEntry, _ createsMissing: Bool) throws -> [Int]

  /// Returns links to the objects with these keys, in order. Missing objects are created, with defaults for
  /// their other attributes, unless the links are to be removed.
  public static func keys<Key: ObjectKey>(_ keys: [Key]) -> LinkedKeys {
    LinkedKeys { handle, target, createsMissing in
      if createsMissing { return try keys.map { try handle.row(of: $0, target) } }
      return try keys.compactMap { key in
        if let error = target.mismatch(ofKey: key) { throw error }
        return handle.slot(of: key, target)
      }
    }
  }
}

/// Sets a link to the object with a primary key.
///
/// The update throws `typeMismatch` if the type of the key differs from that of the class's key.
public func <- <T: Object, Target: Object>(
  keyPath: ReferenceWritableKeyPath<T, Target?>, key: LinkedKey
) -> Assignment<T> {
  Assignment(
    keyPath,
    .deferred { handle, _, _, export in
      let target = try handle.entry(Target.self)
      let object: Target = handle.object(target, try key.row(handle, target))
      return try Target?._storageExport(object, export)
    })
}

/// Replaces the objects of a list with those that have the keys.
public func <- <T: Object, Target: Object>(
  keyPath: ReferenceWritableKeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { _, new in List(new) } }

/// Appends the objects with the keys to a list.
public func += <T: Object, Target: Object>(
  keyPath: KeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { List($0 + $1) } }

/// Removes every occurrence of the objects with the keys from a list.
public func -= <T: Object, Target: Object>(
  keyPath: KeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> {
  assignment(keyPath, keys, createsMissing: false) { List(removing($1, from: $0)) }
}

/// Replaces the objects of a set with those that have the keys.
public func <- <T: Object, Target: Object>(
  keyPath: ReferenceWritableKeyPath<T, MutableSet<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { _, new in MutableSet(new) } }

/// Inserts the objects with the keys into a set.
public func += <T: Object, Target: Object>(
  keyPath: KeyPath<T, MutableSet<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { MutableSet($0 + $1) } }

/// Removes the objects with the keys from a set.
public func -= <T: Object, Target: Object>(
  keyPath: KeyPath<T, MutableSet<Target>>, keys: LinkedKeys
) -> Assignment<T> {
  assignment(keyPath, keys, createsMissing: false) { MutableSet(removing($1, from: $0)) }
}

private func removing<Target: Object>(_ removed: [Target], from objects: [Target]) -> [Target] {
  let removed = Set(removed)
  return objects.filter { !removed.contains($0) }
}

private func assignment<T: Object, Target: Object, C: _BoxedCollection & Sequence<Target>>(
  _ keyPath: KeyPath<T, C>, _ keys: LinkedKeys, createsMissing: Bool = true,
  _ change: @escaping ([Target], [Target]) -> C
) -> Assignment<T> {
  Assignment(
    keyPath,
    .deferred { handle, entry, slot, export in
      let target = try handle.entry(Target.self)
      let rows = try keys.rows(handle, target, createsMissing)
      let object: T? = slot.map { handle.object(entry, $0) }
      let present = object.map { Array($0[keyPath: keyPath]) } ?? []
      let objects: [Target] = rows.map { handle.object(target, $0) }
      return try C._storageExport(change(present, objects), export)
    })
}

extension StoreHandle {
  /// Returns the row with a key, creating it if necessary.
  fileprivate func row(of key: some ObjectKey, _ entry: ClassEntry) throws -> Int {
    if let error = entry.mismatch(ofKey: key) { throw error }
    if let slot = slot(of: key, entry) { return slot }
    return try withBatch { batch in
      let conversion = UpdateConversion(self, batch)
      let row = try conversion.row(entry.schema.keyValues(key), entry, isTop: false)
      try apply(batch, .modified)
      return row.header.pointee.slot
    }
  }
}
