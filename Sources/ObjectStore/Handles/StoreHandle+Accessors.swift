// Objects that show rows.

extension StoreHandle {
  /// Creates an object that shows the row.
  @inline(__always)
  func object<T: ObjectBase>(_ entry: ClassEntry, _ slot: Int) -> T {
    let isOwnClass = entry.model.type == T.self || T.self == DynamicObject.self
    let object = entry.model.makeAccessor(isOwnClass ? T.self : subclass(entry))
    show(entry, slot, by: object)
    return object
  }

  /// The class of an entry that was found by a class in a variable, whose type is a superclass: `T`.
  @inline(never)
  private func subclass<T: ObjectBase>(_ entry: ClassEntry) -> T.Type {
    entry.model.type as? T.Type ?? T.self
  }

  /// Creates an object that shows the row, for a class known only at run time.
  func accessor(_ entry: ClassEntry, _ slot: Int) -> ObjectBase {
    let object = entry.model.makeAccessor(entry.model.type)
    show(entry, slot, by: object)
    return object
  }

  @inline(__always)
  func show(_ entry: ClassEntry, _ slot: Int, by object: ObjectBase) {
    let table = accessTable(entry)
    object.storage = table
    object.owner = self
    object.slot = slot
    object.row = slot & ChunkLayout.mask
    object.columns = columns(entry.table, slot)
    object.epoch = table.pointee.columnEpoch
  }

  /// Looks up the columns of an object again, after the column epoch of its table changed.
  func refresh(_ object: ObjectBase, _ storage: UnsafeMutablePointer<AccessTable>) {
    object.columns = columns(storage.pointee.table, object.slot)
    object.epoch = storage.pointee.columnEpoch
  }

  /// The columns of the chunk that holds the row now.
  @inline(__always)
  private func columns(_ table: Int, _ slot: Int) -> UnsafeMutablePointer<StorageColumn> {
    if transaction != nil { return withTableVersion(table) { $0.columns(slot) } }
    return readTable(table).version._withUnsafeGuaranteedRef { $0.columns(slot) }
  }

  private func accessTable(_ entry: ClassEntry) -> UnsafeMutablePointer<AccessTable> {
    if let table = accessTables[entry.table] { return table }
    if isFrozen { misuse("a frozen view met a class it was not made for") }
    return addAccessTable(entry)
  }

  @discardableResult
  func addAccessTable(_ entry: ClassEntry) -> UnsafeMutablePointer<AccessTable> {
    let table = accessTables.add(
      entry, layouts: engine.table(entry.table).columnLayouts, isWritable: transaction != nil,
      tracker: tracker)
    transaction?.setAccess(entry.table, table)
    return table
  }

  // MARK: - Attaching

  /// Makes an added instance show its row; a rollback makes it unmanaged again.
  func attach(_ object: ObjectBase, _ entry: ClassEntry, _ slot: Int) {
    let table = accessTable(entry)
    object.storage = table
    object.owner = self
    object.slot = slot
    object.row = slot & ChunkLayout.mask
    refresh(object, table)
    attachments.note(object)
  }

  /// Makes a collection of an added object show its row, even after the object was released; a rollback undoes it.
  func attach(_ box: any AttachableBox, to location: CollectionLocation) {
    box.attach(to: location)
    attachments.note(box)
  }
}
