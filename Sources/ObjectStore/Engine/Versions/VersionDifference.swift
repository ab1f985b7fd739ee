/// The differences between two versions of a store, computed per table on demand.
///
/// If an embedded object differs, its owner counts as different in the attribute that holds it.
final class VersionDifference {
  let earlier: Version
  let later: Version
  private let engine: StoreEngine
  /// True if a change of a keyless object counts like one of an embedded object, and if an attribute that is missing from
  /// only one of the versions differs.
  private let isOfPhase: Bool
  private var known: [Int: TableDifference] = [:]
  /// The differences without those of embedded objects.
  private var knownRows: [Int: TableDifference] = [:]

  init(_ earlier: Version, _ later: Version, _ engine: StoreEngine, isOfPhase: Bool = false) {
    self.isOfPhase = isOfPhase
    self.earlier = earlier
    self.later = later
    self.engine = engine
  }

  /// The tables that may differ, ascending.
  var tables: [Int] { Set(touchedTables).union(ownersOfEmbedded.keys).sorted() }

  /// The tables of which only the edit states of objects may differ.
  var tablesWithEditStates: [Int] {
    let touched = Set(touchedTables)
    return engine.tablesWithBases.compactMap { table in
      table.base.map { touched.contains($0.table) } ?? false ? table.index : nil
    }
  }

  /// The tables whose versions are not identical.
  private var touchedTables: [Int] {
    later.tablesTouched(since: earlier)
  }

  subscript(table: Int) -> TableDifference {
    if let difference = known[table] { return difference }
    var difference = rows(table)
    difference.add(ownersOfEmbedded[table] ?? [:])
    known[table] = difference
    return difference
  }

  /// Returns the differences of a table without those of embedded objects.
  func rows(_ table: Int) -> TableDifference {
    if let difference = knownRows[table] { return difference }
    var difference = TableDifference(
      earlier(table), later(table), engine.table(table).layout, includesMissing: isOfPhase)
    difference.add(editStates(of: table))
    knownRows[table] = difference
    return difference
  }

  /// Returns the rows whose edit state or rejection differs, with the numbers of these attributes.
  private func editStates(of table: Int) -> [Int: AttributeBits] {
    guard let base = engine.table(table).base else { return [:] }
    let (old, new) = (earlier(base.table), later(base.table))
    if old === new { return [:] }
    let bases = TableDifference(old, new, engine.table(base.table).layout)
    let layout = engine.table(table).layout
    var changed: [Int: AttributeBits] = [:]
    func note(_ baseSlot: Int, in version: TableVersion, _ attributes: [Int]) {
      // A confirmation may have changed the key.
      let rows = version === old ? earlier(table) : later(table)
      guard let slot = rows.find(keyOf: baseSlot, in: version, layout),
        earlier(table).isLive(slot), later(table).isLive(slot)
      else { return }
      for attribute in attributes { changed[slot, default: AttributeBits()].insert(attribute) }
    }
    func attributes(_ baseSlot: Int, in version: TableVersion) -> [Int] {
      version.isRejected(baseSlot, base)
        ? [base.editStateAttribute, base.rejectionAttribute] : [base.editStateAttribute]
    }
    for baseSlot in bases.inserted { note(baseSlot, in: new, attributes(baseSlot, in: new)) }
    for baseSlot in bases.deleted { note(baseSlot, in: old, attributes(baseSlot, in: old)) }
    for (baseSlot, _) in bases.changed {
      let rejections = (
        old.ownBytes(baseSlot, base, .rejection), new.ownBytes(baseSlot, base, .rejection)
      )
      if (rejections.0 == nil) != (rejections.1 == nil) {
        note(baseSlot, in: new, [base.editStateAttribute, base.rejectionAttribute])
      } else if let former = rejections.0, let current = rejections.1 {
        if !former.hasSameBytes(as: current) { note(baseSlot, in: new, [base.rejectionAttribute]) }
      } else if old.state(baseSlot, base) != new.state(baseSlot, base) {
        note(baseSlot, in: new, [base.editStateAttribute])
      }
    }
    return changed
  }

  /// Returns the earlier version of a table.
  func earlier(_ table: Int) -> TableVersion { earlier[engine.table(table)] }

  /// Returns the later version of a table.
  func later(_ table: Int) -> TableVersion { later[engine.table(table)] }

  /// The attributes that hold a changed embedded object, directly or indirectly, by table and slot of the owner.
  private lazy var ownersOfEmbedded = owners { rows($0).changed.map(\.slot) }

  /// The attributes that are known only in the later version, by table and slot of the rows of both versions. An attribute
  /// that holds an embedded object becomes known with an attribute of that object.
  var becameKnown: [Int: [Int: AttributeBits]] {
    var all: [Int: [Int: AttributeBits]] = [:]
    for table in touchedTables {
      let (version, layout) = (later(table), engine.table(table).layout)
      let payload = engine.table(table).payloadAttributes
      for (slot, attributes) in rows(table).known {
        var known = attributes.intersection(payload)
        known.subtract(version.unknown(slot, layout))
        if !known.isEmpty { all[table, default: [:]][slot] = known }
      }
    }
    for (table, owners) in owners(of: { all[$0].map { Array($0.keys) } ?? [] }) {
      all[table, default: [:]].merge(owners) { $0.union($1) }
    }
    return all
  }

  /// Returns the attributes that hold embedded objects, directly or indirectly, by table and slot of the owner.
  ///
  /// - Parameter slots: The embedded objects of a table.
  private func owners(of slots: (_ table: Int) -> [Int]) -> [Int: [Int: AttributeBits]] {
    var owners: [Int: [Int: AttributeBits]] = [:]
    func isEmbedded(_ table: Int) -> Bool {
      let identity = engine.table(table).layout.identity
      return identity == .embedded || isOfPhase && identity == .keyless
    }
    var rest = touchedTables.filter(isEmbedded).flatMap { table in
      slots(table).map { (table: table, slot: $0) }
    }
    while let (table, slot) = rest.popLast() {
      for link in engine.incoming(table) {
        let attribute = link.column - engine.table(link.table).layout.firstAttribute
        forEachOrigin(of: slot, link) { owner in
          let isNew = owners[link.table]?[owner] == nil
          owners[link.table, default: [:]][owner, default: AttributeBits()].insert(attribute)
          if isNew, isEmbedded(link.table) { rest.append((link.table, owner)) }
        }
      }
    }
    return owners
  }

  /// Calls `body` with each row that links to a row in the later version and is live in both versions.
  ///
  /// - Complexity: O(log n + matches), after the backlinks are built once.
  func forEachOrigin(of slot: Int, _ link: Table.Incoming, _ body: (Int) -> Void) {
    let (old, new) = (earlier(link.table), later(link.table))
    let layout = engine.table(link.table).columnLayouts[link.column]
    new.backlinks(of: link.column, layout).forEachSlot(of: UInt64(slot)) {
      if old.isLive($0) { body($0) }
    }
  }

  /// Calls `body` with each target of a row in each of the two versions, if the target is live in both. A target may be
  /// reported more than once.
  func forEachTarget(of slot: Int, _ link: Table.Incoming, _ body: (Int) -> Void) {
    let layout = engine.table(link.table).layout.columns[link.column]
    let (old, new) = (earlier(layout.targetTable), later(layout.targetTable))
    for version in [earlier(link.table), later(link.table)]
    where version.isLive(slot) {
      version.forEachTarget(slot, link.column, layout) {
        if old.isLive($0), new.isLive($0) { body($0) }
      }
    }
  }
}
