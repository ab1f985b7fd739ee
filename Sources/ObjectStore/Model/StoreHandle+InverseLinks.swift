extension StoreHandle {
  /// The class whose objects a `LinkingObjects` shows, and the slots of those that link to the object,
  /// ascending; nil for an object without a row.
  func originSlots(_ object: ObjectBase, _ virtualColumn: Int) -> (ClassEntry, [Int])? {
    guard let storage = object.storage else { return nil }
    return originSlots(storage.pointee.table, object.slot, virtualColumn)
  }

  /// The same of a row.
  func originSlots(
    _ table: Int, _ slot: Int, _ virtualColumn: Int
  ) -> (ClassEntry, [Int])? {
    origin(table, virtualColumn).map { entry, link in
      (entry, originSlots(slot, table, entry, link))
    }
  }

  /// The class whose objects a `LinkingObjects` shows, and its attribute that links.
  private func origin(_ table: Int, _ virtualColumn: Int) -> (ClassEntry, Property)? {
    let schema = entry(ofTable: table).schema
    guard let property = schema.properties.first(where: { $0.column == virtualColumn }),
      let origin = property.shape.target, let name = property.originPropertyName,
      let entry = try? origin.objectType.map({ try entry($0) }) ?? entry(named: origin.name),
      let link = entry.schema[name]
    else { return nil }
    return (entry, link)
  }

  /// Tells the tracker that it was asked what links here.
  func noteOrigins(_ table: Int, _ virtualColumn: Int) {
    guard let tracker, tracker.isTracking, let (entry, link) = origin(table, virtualColumn)
    else { return }
    tracker.findRows(entry.table, by: [[link.name]])
  }

  private func originSlots(
    _ slot: Int, _ table: Int, _ entry: ClassEntry, _ link: Property
  ) -> [Int] {
    guard tableVersion(table).isLive(slot) else { return [] }
    // In a write the tree need not wait for the commit.
    transaction?.writer(entry.table).needBacklinks(link.column)
    let version = tableVersion(entry.table)
    var slots: [Int] = []
    if let tree = version.backlinks[link.column] {
      tree.forEachSlot(of: UInt64(slot)) { slots.append($0) }
      return slots
    }
    if !isFrozen {
      engine.wantBacklinks(Table.Incoming(table: entry.table, column: link.column))
    }
    let layout = entry.layout.columns[link.column]
    version.forEachLive { candidate in
      var isFound = false
      version.forEachTarget(candidate, link.column, layout) { if $0 == slot { isFound = true } }
      if isFound { slots.append(candidate) }
      return true
    }
    return slots
  }
}
