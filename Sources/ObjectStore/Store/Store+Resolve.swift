extension Store {
  /// Returns the referenced object as this handle shows it.
  ///
  /// A handle that shows a version older than the reference first advances to the newest version.
  /// - Returns: Nil if the object was deleted, the transaction that inserted it was rolled back, or it belongs to
  ///   another store.
  public func resolve<T: Object>(_ reference: ObjectReference<T>) -> T? {
    let any = reference.reference
    guard any.core === handle.core else { return nil }
    let entry = handle.entry(ofTable: any.table)
    // R23
    if handle.version.number < any.version { handle.advance() }
    guard handle.tableVersion(any.table).isLive(any.slot) else { return nil }
    handle.tracker?.readRow(any.table, any.slot)
    return handle.object(entry, any.slot)
  }

  /// Returns the live object of a frozen one, as this handle shows it.
  ///
  /// A handle that shows an older version first advances to the newest one.
  /// - Returns: Nil if the object was deleted, or belongs to another store.
  public func resolve<T: Object>(_ frozen: Frozen<T>) -> T? {
    resolve(ObjectReference(reference: _AnyObjectReference(frozen)))
  }
}

extension _AnyObjectReference {
  /// Creates a reference to the object of a frozen one.
  fileprivate init<T>(_ frozen: Frozen<T>) {
    core = frozen.handle.core
    table = frozen.entry.table
    slot = frozen.slot
    version = frozen.handle.version.number
  }
}
