extension Store {
  /// The referenced object as this handle shows it; nil if it was deleted, its transaction was
  /// rolled back, or it belongs to another store.
  ///
  /// A handle older than the reference shows the newest version first.
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
