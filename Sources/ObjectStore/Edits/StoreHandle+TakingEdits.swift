// The edits that may be taken, and their order.

/// A base row with an edit that may be taken.
struct EditCandidate {
  let entry: ClassEntry
  let base: BaseLayout
  let baseSlot: Int
  let slot: Int?
  let state: BaseState
  let order: UInt64
  var waitsFor: [(entry: ClassEntry, slot: Int)]
  /// The edited attributes that lead to the objects in ``waitsFor``.
  var waitingAttributes: [Int] = []
  /// The edited attributes that are not sent.
  var excluded: [Int] = []

  /// True if each edited attribute leads to an object in ``waitsFor``.
  func isWaitingWhole(_ bases: TableVersion) -> Bool {
    !waitingAttributes.isEmpty
      && waitingAttributes.count == bases.editedAttributes(baseSlot, base).count
  }
}

extension StoreHandle {
  /// Runs `body` in the open write, or in a write of its own. Its changes are no edits.
  func writeBases<R>(_ body: (Transaction) throws -> R) throws -> R {
    try joinOrWrite {
      let transaction = try writableTransaction()
      return try transaction.run(as: .server, isApplying: true) { try body(transaction) }
    }
  }

  func takeEdits(of entry: ClassEntry? = nil) throws -> [Edit] {
    try writeBases { take(pendingEdits(of: entry), $0) }
  }

  /// Takes the edits that are neither in flight nor, unless `includesRejected` is true, rejected.
  func take(
    _ candidates: [EditCandidate], isCut: Bool = false, _ transaction: Transaction,
    includesRejected: Bool = false
  ) -> [Edit] {
    let offered = candidates.filter { isOffered($0, includesRejected: includesRejected) }
    if offered.isEmpty { return [] }
    let taken = offered.map { candidate in
      var candidate = candidate
      if isCut {
        candidate.excluded = candidate.waitingAttributes
        candidate.waitsFor = []
      }
      let serial = transaction.take(
        candidate.base, candidate.baseSlot, without: candidate.excluded)
      return (candidate, serial)
    }
    return edits(of: taken, StoreHandle(core, frozen: transaction.freeze(), core.allEntries()))
  }

  func edits(
    of candidates: [(candidate: EditCandidate, serial: UInt64)], _ state: StoreHandle
  ) -> [Edit] {
    candidates.map { candidate, serial in
      let kind: Edit.Kind =
        switch candidate.state {
        case .created: .created
        case .edited: .edited
        case .deleted, .deletedCreation, .sentDeletion: .deleted
        }
      let bases = state.tableVersion(candidate.base.table)
      return Edit(
        handle: state, entry: candidate.entry, base: candidate.base,
        taken: TakenEdit(
          table: candidate.entry.table, slot: candidate.slot, baseSlot: candidate.baseSlot,
          kind: candidate.state, serial: serial,
          attributes: kind == .deleted
            ? []
            : bases.editedAttributes(candidate.baseSlot, candidate.base).filter {
              !candidate.excluded.contains($0)
            },
          state: state.version),
        order: candidate.order, kind: kind,
        waitsFor: candidate.waitsFor.map { entry, slot in
          Edit.Prerequisite(
            className: entry.schema.className,
            key: entry.key(of: slot, in: state.tableVersion(entry.table)),
            tableName: entry.schema.tableName, slot: slot)
        })
    }
  }

  /// The objects with unconfirmed edits, in the order in which servers accept them.
  ///
  /// - Parameter class: The class of the objects; nil for all classes.
  func pendingEdits(of class: ClassEntry? = nil) -> [EditCandidate] {
    var candidates: [EditCandidate] = []
    for entry in `class`.map({ [$0] }) ?? core.allEntries() {
      guard let base = entry.base else { continue }
      tableVersion(base.table).forEachLive { baseSlot in
        if let candidate = candidate(entry, base, baseSlot) { candidates.append(candidate) }
        return true
      }
    }
    return Self.sorted(candidates)
  }

  /// The first edit that may be taken and that waits for no edit that may not; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the base rows, mostly, and O(links) of the edits that precede the result or that it waits for.
  func nextEdit() -> EditCandidate? {
    let classes = core.allEntries().compactMap { entry in entry.base.map { (entry, $0) } }
    var visited: Set<[Int]> = []
    // Mostly the first one can be taken, so it is found without listing the others.
    var first: (entry: ClassEntry, base: BaseLayout, row: OrderedEdit)?
    for (entry, base) in classes {
      var earliest: OrderedEdit?
      forEachWaitingEdit(base) { row in
        if earliest.map({ row < $0 }) ?? true { earliest = row }
      }
      if let earliest, first.map({ earliest < $0.row }) ?? true { first = (entry, base, earliest) }
    }
    guard let first else { return nil }
    if let next = nextEdit(first.entry, first.base, first.row.baseSlot, &visited) { return next }
    var rows: [(entry: ClassEntry, base: BaseLayout, row: OrderedEdit)] = []
    for (entry, base) in classes {
      forEachWaitingEdit(base) { rows.append((entry, base, $0)) }
    }
    for (entry, base, row) in rows.sorted(by: { $0.row < $1.row }) {
      if let next = nextEdit(entry, base, row.baseSlot, &visited) { return next }
    }
    return nil
  }

  /// A base row in the order in which edits are taken.
  private struct OrderedEdit: Comparable {
    let baseSlot: Int
    let isDeletion: Bool
    let order: UInt64

    static func < (a: Self, b: Self) -> Bool {
      a.isDeletion == b.isDeletion ? a.order < b.order : b.isDeletion
    }
  }

  /// Calls `body` with the base rows whose edits are neither in flight nor rejected.
  @inline(__always)
  private func forEachWaitingEdit(_ base: BaseLayout, _ body: (OrderedEdit) -> Void) {
    let bases = tableVersion(base.table)
    let (session, state) = (base.column(.session), base.column(.state))
    let (order, rejection) = (base.column(.order), base.column(.rejection))
    let current = engine.session
    bases.forEachChunk { slots in
      let columns = bases.columns(slots.lowerBound)
      for slot in slots {
        let row = slot & ChunkLayout.mask
        guard columns[TableLayout.liveColumn].byte(row) != 0,
          columns[session].word(row) != current, columns[rejection].isNull(row)
        else { continue }
        let isDeletion = (BaseState(rawValue: columns[state].word(row)) ?? .edited).isTombstone
        body(
          OrderedEdit(baseSlot: slot, isDeletion: isDeletion, order: columns[order].word(row)))
      }
      return true
    }
  }

  /// The first edit that may be taken among an edit and those that it waits for.
  ///
  /// - Parameter visited: The rows that were visited, which either cannot be taken or wait for the row itself.
  private func nextEdit(
    _ entry: ClassEntry, _ base: BaseLayout, _ baseSlot: Int, _ visited: inout Set<[Int]>
  ) -> EditCandidate? {
    guard visited.insert([base.table, baseSlot]).inserted,
      let first = candidate(entry, base, baseSlot), isOffered(first),
      first.state != .edited || !first.isWaitingWhole(tableVersion(base.table))
    else { return nil }
    // Depth first, with a worklist, because chains of links may be long.
    var path = [(candidate: first, next: 0)]
    var onPath: Set<[Int]> = [[base.table, baseSlot]]
    while let (candidate, next) = path.last {
      // The objects of a cycle wait for each other, so one of them comes first.
      if next == candidate.waitsFor.count { return candidate }
      path[path.count - 1].next += 1
      let (targetEntry, slot) = candidate.waitsFor[next]
      guard let targetBase = targetEntry.base,
        let targetSlot = tableVersion(targetBase.table).find(
          keyOf: slot, in: tableVersion(targetEntry.table), targetEntry.layout)
      else { continue }
      let row = [targetBase.table, targetSlot]
      if onPath.contains(row) { continue }
      guard visited.insert(row).inserted,
        let target = self.candidate(targetEntry, targetBase, targetSlot), isOffered(target)
      else {
        // Everything on the path waits for an edit that cannot be taken.
        return nil
      }
      onPath.insert(row)
      path.append((target, 0))
    }
    return nil
  }

  private func isOffered(_ candidate: EditCandidate, includesRejected: Bool = false) -> Bool {
    let bases = tableVersion(candidate.base.table)
    return bases.own(candidate.baseSlot, candidate.base, .session) != engine.session
      && (includesRejected || !bases.isRejected(candidate.baseSlot, candidate.base))
  }

  /// The edit of a base row; nil if the row has no edit.
  func candidate(
    _ entry: ClassEntry, _ base: BaseLayout, _ baseSlot: Int
  ) -> EditCandidate? {
    let (bases, rows) = (tableVersion(base.table), tableVersion(entry.table))
    let state = bases.state(baseSlot, base)
    let slot = rows.find(keyOf: baseSlot, in: bases, entry.layout)
    // A row without its object, or a tombstone with one, remains from a time when the class did not track edits.
    if (slot == nil) != state.isTombstone || !bases.hasEdits(baseSlot, base) { return nil }
    let targets = slot.map { createdTargets(of: $0, entry, base, bases, baseSlot) }
    return EditCandidate(
      entry: entry, base: base, baseSlot: baseSlot, slot: slot, state: state,
      order: bases.own(baseSlot, base, .order), waitsFor: targets?.found ?? [],
      waitingAttributes: targets?.attributes ?? [])
  }

  /// Sorts edits: by the order of the first changes, but after the creations that they wait for, and deletions last.
  private static func sorted(_ candidates: [EditCandidate]) -> [EditCandidate] {
    struct Row: Hashable {
      let table: Int
      let slot: Int
    }
    let inOrder = candidates.sorted {
      ($0.state.isTombstone ? 1 : 0, $0.order) < ($1.state.isTombstone ? 1 : 0, $1.order)
    }
    var indexes: [Row: Int] = [:]
    for (index, candidate) in inOrder.enumerated() {
      if let slot = candidate.slot {
        indexes[Row(table: candidate.entry.table, slot: slot)] = index
      }
    }
    var sorted: [EditCandidate] = []
    var state = [UInt8](repeating: 0, count: inOrder.count)
    // Depth first, with a worklist; a cycle of new objects is cut where it is entered.
    for start in inOrder.indices {
      var path = [(index: start, next: 0)]
      while let (index, next) = path.popLast() {
        if next == 0 {
          if state[index] != 0 { continue }
          state[index] = 1
        }
        let waitsFor = inOrder[index].waitsFor
        if next < waitsFor.count {
          path.append((index, next + 1))
          if let target = indexes[
            Row(table: waitsFor[next].entry.table, slot: waitsFor[next].slot)], state[target] == 0
          {
            path.append((target, 0))
          }
        } else {
          sorted.append(inOrder[index])
        }
      }
    }
    return sorted
  }

  /// The objects that the server does not have yet and to which edited attributes of a row link, directly or through
  /// objects without a key, and these attributes.
  private func createdTargets(
    of slot: Int, _ entry: ClassEntry, _ base: BaseLayout, _ bases: TableVersion, _ baseSlot: Int
  ) -> (found: [(entry: ClassEntry, slot: Int)], attributes: [Int]) {
    var found: [(entry: ClassEntry, slot: Int)] = []
    var attributes: [Int] = []
    var seen: Set<[Int]> = [[entry.table, slot]]
    for attribute in bases.editedAttributes(baseSlot, base) {
      let count = found.count
      var isWaiting = false
      var inside: Set<[Int]> = []
      var pending = [(entry: entry, slot: slot, attributes: [attribute])]
      while let (entry, slot, attributes) = pending.popLast() {
        forEachLink(entry, slot, attributes) { targetEntry, target in
          if targetEntry.keyColumn < 0 {
            if inside.insert([targetEntry.table, target]).inserted {
              pending.append((targetEntry, target, Array(targetEntry.attributes.indices)))
            }
          } else if isCreated(target, targetEntry) {
            // Also an object that links to itself waits for its key.
            isWaiting = true
            if seen.insert([targetEntry.table, target]).inserted {
              found.append((targetEntry, target))
            }
          }
        }
      }
      if isWaiting || found.count > count { attributes.append(attribute) }
    }
    return (found, attributes)
  }

  private func forEachLink(
    _ entry: ClassEntry, _ slot: Int, _ attributes: [Int], _ body: (ClassEntry, Int) -> Void
  ) {
    let rows = tableVersion(entry.table)
    for attribute in attributes {
      let column = entry.layout.firstAttribute + attribute
      let layout = entry.layout.columns[column]
      guard layout.hasLinks else { continue }
      rows.forEachTarget(slot, column, layout) {
        body(self.entry(ofTable: layout.targetTable), $0)
      }
    }
  }

  /// True if the server does not have an object.
  private func isCreated(_ slot: Int, _ entry: ClassEntry) -> Bool {
    guard let base = entry.base else { return false }
    let bases = tableVersion(base.table)
    guard bases.liveCount > 0,
      let baseSlot = bases.find(keyOf: slot, in: tableVersion(entry.table), entry.layout)
    else { return false }
    return bases.state(baseSlot, base) == .created
  }
}
