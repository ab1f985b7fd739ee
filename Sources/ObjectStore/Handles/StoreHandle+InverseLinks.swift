/// The rows that link to one row by one attribute: what `LinkingObjects` show.
///
/// The backlinks of the attribute tell the first row, and of an attribute that names a row once also how
/// many there are and each by its index. Otherwise all are gathered, once until the store changes.
struct OriginRows {
  /// The class of the rows.
  let entry: ClassEntry
  fileprivate let handle: StoreHandle
  fileprivate let link: Property
  fileprivate let target: Int
  /// Nil while the attribute's backlinks are not kept.
  fileprivate let backlinks: SlotTree<UInt64>?

  private var key: UInt64 { UInt64(target) }

  /// The backlinks, if each row is in them once for each target.
  private var pairs: SlotTree<UInt64>? {
    link.shape.form == .link || link.shape.form == .set ? backlinks : nil
  }

  /// The first row; nil if there is none.
  ///
  /// - Complexity: O(log n).
  var first: Int? {
    if let backlinks { return backlinks.firstSlot(of: key) }
    return slots.first
  }

  /// The number of rows.
  ///
  /// - Complexity: O(log n) for a link or a set, else that of ``slots``.
  var count: Int { pairs?.count(in: key...key) ?? slots.count }

  /// The row at an index below the count.
  ///
  /// - Complexity: as ``count``.
  subscript(index: Int) -> Int { pairs?.slot(of: key, at: index) ?? slots[index] }

  /// All rows, ascending.
  ///
  /// - Complexity: O(rows) the first time after a change, then O(1); while no backlinks are kept O(rows of
  ///   the class).
  var slots: [Int] { handle.gatheredOrigins(self) }

  func object<T: ObjectBase>(_ slot: Int) -> T { handle.object(entry, slot) }
}

/// The rows that were gathered last, with the state that they were found in.
struct GatheredOrigins {
  fileprivate let table: Int
  fileprivate let column: Int
  fileprivate let target: Int
  fileprivate let state: Transaction.State?
  fileprivate let slots: [Int]
}

extension StoreHandle {
  /// The rows that a `LinkingObjects` of an object shows; nil for an object without a row.
  func origins(_ object: ObjectBase, _ virtualColumn: Int) -> OriginRows? {
    guard let storage = object.storage else { return nil }
    return origins(storage.pointee.table, object.slot, virtualColumn)
  }

  /// The same of a row. A dead one has none.
  func origins(_ table: Int, _ slot: Int, _ virtualColumn: Int) -> OriginRows? {
    guard let (entry, link) = origin(table, virtualColumn) else { return nil }
    // In a write the tree need not wait for the commit.
    transaction?.writer(entry.table).needBacklinks(link.column)
    let backlinks = tableVersion(entry.table).backlinks[link.column]
    if backlinks == nil, !isFrozen {
      engine.wantBacklinks(Table.Incoming(table: entry.table, column: link.column))
    }
    let isLive = tableVersion(table).isLive(slot)
    return OriginRows(
      entry: entry, handle: self, link: link, target: slot,
      backlinks: isLive ? backlinks : SlotTree())
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

  fileprivate func gatheredOrigins(_ origins: OriginRows) -> [Int] {
    let (table, column) = (origins.entry.table, origins.link.column)
    let state = transaction?.state
    if let gathered = lastOrigins, gathered.state == state, gathered.table == table,
      gathered.column == column, gathered.target == origins.target
    {
      return gathered.slots
    }
    let slots = gather(origins, tableVersion(table))
    // Several threads may read a frozen view.
    if !isFrozen {
      lastOrigins = GatheredOrigins(
        table: table, column: column, target: origins.target, state: state, slots: slots)
    }
    return slots
  }

  private func gather(_ origins: OriginRows, _ version: TableVersion) -> [Int] {
    var slots: [Int] = []
    if let tree = origins.backlinks {
      tree.forEachSlot(of: UInt64(origins.target)) { slots.append($0) }
      return slots
    }
    let column = origins.link.column
    let layout = origins.entry.layout.columns[column]
    version.forEachLive { candidate in
      var isFound = false
      version.forEachTarget(candidate, column, layout) {
        if $0 == origins.target { isFound = true }
      }
      if isFound { slots.append(candidate) }
      return true
    }
    return slots
  }
}
