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
}
