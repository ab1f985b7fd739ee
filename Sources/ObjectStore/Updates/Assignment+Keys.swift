// Links by the keys of what they lead to: a server sends keys, and the objects may not be at hand.

/// The object of a class that has a primary key: `\.owner <- .key(7)`.
public struct LinkedKey {
  fileprivate let row: (StoreHandle, ClassEntry) throws -> Int

  /// The object with this key. One that is not there is made, with defaults for the rest.
  public static func key(_ key: some ObjectKey) -> LinkedKey {
    LinkedKey { handle, target in try handle.row(of: key, target) }
  }
}

/// The objects of a class that have primary keys: `\.friends += .keys([3, 4])`.
public struct LinkedKeys {
  /// The rows with the keys; those that are not there are made if `makes` says so, and left out else.
  fileprivate let rows: (StoreHandle, ClassEntry, _ makes: Bool) throws -> [Int]

  /// The objects with these keys, in this order. Those that are not there are made, with defaults for the
  /// rest; to be removed they need not be there.
  public static func keys<Key: ObjectKey>(_ keys: [Key]) -> LinkedKeys {
    LinkedKeys { handle, target, makes in
      if makes { return try keys.map { try handle.row(of: $0, target) } }
      if let error = target.mismatch(ofKey: Key.self, keys.first?._compoundKey) { throw error }
      return try keys.compactMap { key in
        if let error = target.mismatch(ofKey: key) { throw error }
        return handle.slot(of: key, target)
      }
    }
  }
}

/// Links to the object with a primary key.
///
/// An update throws `typeMismatch` for a key of another type than the class's.
public func <- <T: Object, Target: Object>(
  keyPath: ReferenceWritableKeyPath<T, Target?>, key: LinkedKey
) -> Assignment<T> {
  Assignment(
    keyPath,
    .made { handle, _, _, export in
      let target = try handle.entry(Target.self)
      let object: Target = handle.object(target, try key.row(handle, target))
      return try Target?._storageExport(object, export)
    })
}

/// Replaces a list's objects by those with the keys.
public func <- <T: Object, Target: Object>(
  keyPath: ReferenceWritableKeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { _, new in List(new) } }

/// Appends the objects with the keys to a list.
public func += <T: Object, Target: Object>(
  keyPath: KeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys) { List($0 + $1) } }

/// Removes the objects with the keys from a list, every occurrence.
public func -= <T: Object, Target: Object>(
  keyPath: KeyPath<T, List<Target>>, keys: LinkedKeys
) -> Assignment<T> { assignment(keyPath, keys, makes: false) { List(removing($1, from: $0)) } }

/// Replaces a set's objects by those with the keys.
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
  assignment(keyPath, keys, makes: false) { MutableSet(removing($1, from: $0)) }
}

private func removing<Target: Object>(_ removed: [Target], from objects: [Target]) -> [Target] {
  let removed = Set(removed)
  return objects.filter { !removed.contains($0) }
}

private func assignment<T: Object, Target: Object, C: _BoxedCollection & Sequence<Target>>(
  _ keyPath: KeyPath<T, C>, _ keys: LinkedKeys, makes: Bool = true,
  _ change: @escaping ([Target], [Target]) -> C
) -> Assignment<T> {
  Assignment(
    keyPath,
    .made { handle, entry, slot, export in
      let target = try handle.entry(Target.self)
      let rows = try keys.rows(handle, target, makes)
      let object: T? = slot.map { handle.object(entry, $0) }
      let present = object.map { Array($0[keyPath: keyPath]) } ?? []
      let objects: [Target] = rows.map { handle.object(target, $0) }
      return try C._storageExport(change(present, objects), export)
    })
}

extension StoreHandle {
  /// The row with a key; one that is not there is made.
  fileprivate func row(of key: some ObjectKey, _ entry: ClassEntry) throws -> Int {
    if let error = entry.mismatch(ofKey: key) { throw error }
    if let slot = slot(of: key, entry) { return slot }
    return try withBatch { batch in
      let conversion = UpdateConversion(self, batch)
      let row = try conversion.row(entry.schema.keyValues(key), entry, isTop: true)
      try apply(batch, .modified)
      return row.header.pointee.slot
    }
  }
}
