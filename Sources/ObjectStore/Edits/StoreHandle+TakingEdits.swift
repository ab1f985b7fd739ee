// The edits that may be taken.

extension StoreHandle {
  /// Runs `body` in the open write, or in a write of its own. Its changes are no edits.
  func writeBases<R>(_ body: (Transaction) throws -> R) throws -> R {
    try joinOrWrite {
      let transaction = try writableTransaction()
      return try transaction.run(as: .server, isApplying: true) { try body(transaction) }
    }
  }

  /// Returns the classes whose edits a call concerns: one class, or all classes of the store.
  ///
  /// - Throws: `editsNotTracked`; `unregisteredEdits` if the file has edits of other classes.
  func classes(of type: Object.Type?) throws -> [ClassEntry] {
    if let type {
      let entry = try entry(type)
      _ = try entry.trackedBase
      return [entry]
    }
    let entries = core.allEntries()
    let names = core.rowsFile?.classesWithEdits(outside: Set(entries.map(\.schema.tableName))) ?? []
    if !names.isEmpty { throw StoreError(.unregisteredEdits(classNames: names)) }
    return entries
  }

  /// Takes the edits that are neither in flight nor, unless `includesRejected` is true, rejected.
  func take(
    _ candidates: [EditCandidate], isCut: Bool = false, _ transaction: Transaction,
    includesRejected: Bool = false
  ) -> [Edit] {
    let offered = candidates.compactMap { candidate -> EditCandidate? in
      guard isOffered(candidate, includesRejected: includesRejected) else { return nil }
      let (base, baseSlot) = (candidate.base, candidate.baseSlot)
      let writer = transaction.writer(candidate.entry.table)
      // The process ended while the creation was under way.
      guard transaction.endShownCreation(writer, base, baseSlot) else { return candidate }
      return transaction.dropIfClean(base, baseSlot)
        ? nil : self.candidate(candidate.entry, base, baseSlot)
    }
    if offered.isEmpty { return [] }
    let taken = offered.map { candidate in
      var candidate = candidate
      if isCut {
        candidate.excluded = candidate.waitingAttributes
        candidate.waitsFor = []
      }
      candidate.serial = transaction.take(
        candidate.base, candidate.baseSlot, without: candidate.excluded)
      return candidate
    }
    return edits(of: taken, StoreHandle(core, frozen: transaction.freeze(), core.allEntries()))
  }

  func edits(of candidates: [EditCandidate], _ state: StoreHandle) -> [Edit] {
    candidates.map { candidate in
      let kind: Edit.Kind =
        switch candidate.state {
        case .created: .created
        // A referenced object has no edits.
        case .edited, .referenced: .edited
        case .deleted, .deletedCreation, .sentDeletion: .deleted
        }
      let bases = state.tableVersion(candidate.base.table)
      return Edit(
        handle: state, entry: candidate.entry, base: candidate.base,
        taken: TakenEdit(
          table: candidate.entry.table, slot: candidate.slot, baseSlot: candidate.baseSlot,
          kind: candidate.state, serial: candidate.serial,
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
  /// - Parameter classes: The classes of the objects.
  func pendingEdits(of classes: [ClassEntry]) -> [EditCandidate] {
    Array(EditOrder(self, of: classes, isOffered: false))
  }

  /// The first edit that may be taken and that waits for no edit that may not; nil if there is none.
  ///
  /// - Parameter isAlone: True if the transaction does nothing else.
  func nextEdit(
    of classes: [ClassEntry], _ transaction: Transaction, isAlone: Bool
  ) -> EditCandidate? {
    let tables = classes.compactMap(\.base?.table)
    var order: EditOrder
    if isAlone, engine.editQueue?.tables == tables,
      engine.editQueue?.version == engine.lastBaseVersion
    {
      let changes = engine.editQueue?.takeChanges()
      order = EditOrder(self, of: classes, resuming: changes ?? nil)
    } else {
      order = EditOrder(self, of: classes, isOffered: true)
    }
    let next = order.next()
    // Taking the edit changes its base row in this version.
    engine.editQueue =
      isAlone && next != nil
      ? EditQueue(tables: tables, version: transaction.nextVersion, changes: order.left) : nil
    return next
  }

  func isOffered(_ candidate: EditCandidate, includesRejected: Bool = false) -> Bool {
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

  /// The objects that the server does not have yet and to which edited attributes of a row link, directly or through
  /// objects without a key, and these attributes.
  private func createdTargets(
    of slot: Int, _ entry: ClassEntry, _ base: BaseLayout, _ bases: TableVersion, _ baseSlot: Int
  ) -> (found: [(entry: ClassEntry, slot: Int)], attributes: [Int]) {
    var found: [(entry: ClassEntry, slot: Int)] = []
    var attributes: [Int] = []
    var seen: Set<[Int]> = []
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
