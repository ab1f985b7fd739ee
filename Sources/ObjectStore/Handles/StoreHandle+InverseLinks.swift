/// The rows that link to one row through one attribute: the contents of `LinkingObjects`.
///
/// The backlinks of the attribute provide the first row. If the attribute is a link or a set, which names a row at most
/// once, they also provide the count and each row by index. Otherwise, all rows are gathered once after each change of
/// the store. After a file is opened, the first access builds the backlinks.
struct OriginRows {
  /// The class of the rows.
  let entry: ClassEntry
  fileprivate let handle: StoreHandle
  fileprivate let link: Property
  fileprivate let target: Int
  fileprivate let backlinks: SlotTree<UInt64>

  private var key: UInt64 { UInt64(target) }

  /// The backlinks, if they contain each row at most once per target.
  private var pairs: SlotTree<UInt64>? {
    link.shape.form == .link || link.shape.form == .set ? backlinks : nil
  }

  /// The first row; nil if there is none.
  ///
  /// - Complexity: O(log n).
  var first: Int? { backlinks.firstSlot(of: key) }

  /// The number of rows.
  ///
  /// - Complexity: O(log n) for a link or a set, otherwise the same as ``slots``.
  var count: Int { pairs?.count(in: key...key) ?? slots.count }

  /// The row at an index below the count.
  ///
  /// - Complexity: The same as ``count``.
  subscript(index: Int) -> Int { pairs?.slot(of: key, at: index) ?? slots[index] }

  /// All rows in ascending order.
  ///
  /// - Complexity: O(rows) for the first access after a change, or after an access to the inverse links of another object;
  ///   then O(1).
  var slots: [Int] { handle.gatheredOrigins(self) }

  func object<T: ObjectBase>(_ slot: Int) -> T { handle.object(entry, slot) }
}

/// The rows gathered last, with the state of the transaction at that time.
struct GatheredOrigins {
  fileprivate let table: Int
  fileprivate let column: Int
  fileprivate let target: Int
  fileprivate let state: Transaction.State?
  fileprivate let slots: [Int]

  fileprivate func isOf(_ origins: OriginRows, _ state: Transaction.State?) -> Bool {
    self.state == state && table == origins.entry.table && column == origins.link.column
      && target == origins.target
  }
}

/// The rows that a frozen view gathered last. Several threads may read the view.
// Sendable: `lock` protects the rows.
final class FrozenOrigins: @unchecked Sendable {
  private let lock = Lock()
  private var last: GatheredOrigins?

  fileprivate func rows(_ origins: OriginRows) -> [Int]? {
    lock.withLock { last }.flatMap { $0.isOf(origins, nil) ? $0.slots : nil }
  }

  fileprivate func remember(_ gathered: GatheredOrigins) {
    lock.withLock { last = gathered }
  }
}

extension StoreHandle {
  /// The rows that link to an object; nil for an unmanaged object.
  func origins(_ object: ObjectBase, _ virtualColumn: Int) -> OriginRows? {
    guard let storage = object.storage else { return nil }
    return origins(storage.pointee.table, object.slot, virtualColumn)
  }

  /// The rows that link to a row. A deleted row has none.
  func origins(_ table: Int, _ slot: Int, _ virtualColumn: Int) -> OriginRows? {
    guard let (entry, link) = origin(table, virtualColumn) else { return nil }
    // Inside a write, the backlinks are built immediately instead of by the next commit.
    transaction?.writer(entry.table).backlinks(of: link.column)
    let isLive = tableVersion(table).isLive(slot)
    return OriginRows(
      entry: entry, handle: self, link: link, target: slot,
      backlinks: isLive
        ? tableVersion(entry.table).backlinks(of: link.column, entry.layout.columns[link.column])
        : SlotTree())
  }

  /// The class of the linking objects, and its linking attribute.
  private func origin(_ table: Int, _ virtualColumn: Int) -> (ClassEntry, Property)? {
    let schema = entry(ofTable: table).schema
    guard let property = schema.properties.first(where: { $0.column == virtualColumn }),
      let origin = property.shape.target, let name = property.originPropertyName,
      let entry = try? origin.objectType.map({ try entry($0) }) ?? entry(named: origin.name),
      let link = entry.schema[name]
    else { return nil }
    return (entry, link)
  }

  /// Reports to the tracker that the inverse links were read.
  func noteOrigins(_ table: Int, _ virtualColumn: Int) {
    guard let tracker, tracker.isTracking, let (entry, link) = origin(table, virtualColumn)
    else { return }
    tracker.findRows(entry.table, by: [[link.name]])
  }

  fileprivate func gatheredOrigins(_ origins: OriginRows) -> [Int] {
    let state = transaction?.state
    if let frozenOrigins {
      if let slots = frozenOrigins.rows(origins) { return slots }
    } else if let gathered = lastOrigins, gathered.isOf(origins, state) {
      return gathered.slots
    }
    let gathered = GatheredOrigins(
      table: origins.entry.table, column: origins.link.column, target: origins.target,
      state: state, slots: gather(origins))
    if let frozenOrigins {
      frozenOrigins.remember(gathered)
    } else {
      lastOrigins = gathered
    }
    return gathered.slots
  }

  private func gather(_ origins: OriginRows) -> [Int] {
    var slots: [Int] = []
    origins.backlinks.forEachSlot(of: UInt64(origins.target)) { slots.append($0) }
    return slots
  }
}
