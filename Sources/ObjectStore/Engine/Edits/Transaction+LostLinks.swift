// The rows that lost links to objects that were deleted locally, and whose links return with these objects.

/// A tombstone: a row of a base table.
struct Tombstone: Hashable {
  let base: Int
  let slot: Int
}

/// The links of an earlier value whose targets were deleted since.
struct LostTargets {
  /// True if there are some to objects whose deletions are not confirmed.
  var areDeleted = false
  /// True if there are some to objects that were created again after the server had deleted them, or while their deletion is sent.
  var areRecreated = false
  /// True if there are some to other objects that do not exist any more.
  var areGone = false

  var isEmpty: Bool { !areDeleted && !areRecreated && !areGone }
}

extension Transaction {
  /// True if a value of a link attribute may lack links that return with their objects: objects of a class to which it links,
  /// also through objects without a key, were deleted, and their deletions are not confirmed. An equal value then ends no
  /// edit.
  func mayLackLinks(_ column: Int, _ writer: TableWriter) -> Bool {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks else { return false }
    let target = engine.table(layout.targetTable)
    if target.layout.identity == .keyed { return target.base.map { hasTombstones($0) } ?? false }
    var seen: Set<Int> = []
    var pending = [layout.targetTable]
    while let table = pending.popLast() {
      guard seen.insert(table).inserted else { continue }
      let layout = engine.table(table).layout
      if layout.identity == .keyed {
        if let base = engine.table(table).base, hasTombstones(base) { return true }
      } else {
        pending += layout.columns.filter(\.hasLinks).map(\.targetTable)
      }
    }
    return false
  }

  /// True if a base table has tombstones, or had some in this session.
  private func hasTombstones(_ base: BaseLayout) -> Bool {
    if let known = edits.knownTombstones[base.table] { return known }
    var hasTombstone = false
    if engine.basesWithTombstones[base.table] != false {
      let bases = self.writer(base.table).version
      bases.forEachLive { slot in
        hasTombstone = bases.state(slot, base).isTombstone
        return !hasTombstone
      }
    }
    edits.knownTombstones[base.table] = hasTombstone
    return hasTombstone
  }

  /// Records that a base table has a tombstone.
  func noteTombstone(_ base: BaseLayout) { edits.knownTombstones[base.table] = true }

  /// The treatment of the lost links of one attribute.
  enum LostLinkTreatment {
    /// They return to the same attribute of the other row, in place of its own.
    case move
    /// They do not return.
    case drop
    /// They return to the row that lost them.
    case keep
    /// They return to the row that lost them, and the server may lack them.
    case keepNotOnServer
    /// They return to both rows, and the server has them only as far as the other row says.
    case copy
  }

  /// Lets links that a row lost return to another row: a tombstone to its object, or an object to its tombstone.
  ///
  /// - Parameters:
  ///   - writer: The class of the object.
  ///   - treatment: The treatment of an attribute's links.
  /// - Complexity: O(references of the tombstones that have one from the row). The first call of a transaction reads the
  ///   references of all tombstones.
  func moveLostLinks(
    from old: LostReference.Source, to new: LostReference.Source, in writer: TableWriter,
    _ treatment: (_ attributeName: String) -> LostLinkTreatment = { _ in .move }
  ) {
    let hasLinks = (writer.firstAttribute..<writer.columnCount).contains {
      writer.columnLayout($0).hasLinks
    }
    guard hasLinks, let tombstones = lostSources()[old] else { return }
    for tombstone in tombstones {
      guard let base = baseLayout(ofTable: tombstone.base) else { continue }
      let bases = self.writer(tombstone.base)
      guard bases.version.isLive(tombstone.slot),
        let text = bases.version.ownBytes(tombstone.slot, base, .references)
      else { continue }
      let references = LostReference.list(text)
      let moved = Set(
        references.filter {
          $0.source == old && [.move, .copy].contains(treatment($0.attributeName))
        }
        .map(\.attributeName))
      let changed = references.flatMap { reference -> [LostReference] in
        guard reference.source == old else {
          return reference.source == new && moved.contains(reference.attributeName)
            ? [] : [reference]
        }
        return switch treatment(reference.attributeName) {
        case .move: [reference.moved(to: new)]
        case .drop: []
        case .keep: [reference]
        case .keepNotOnServer: [reference.notOnServer]
        case .copy: [reference.notOnServer, reference.moved(to: new)]
        }
      }
      store(changed, base, tombstone.slot)
      noteSources(of: changed, base, tombstone.slot)
    }
  }

  /// Searches an earlier value, with the objects without a key to which it links, for links to objects that were deleted since.
  func lostTargets(_ column: Int, of former: StoredRow) -> LostTargets {
    var lost = LostTargets()
    var seen: Set<MergedRow> = []
    var pending = [(table: former.table, slot: former.slot, columns: [column])]
    while let (table, slot, columns) = pending.popLast() {
      for column in columns {
        let layout = engine.table(table).layout.columns[column]
        guard layout.hasLinks else { continue }
        let targets = writer(layout.targetTable)
        rows(table, in: former.state).forEachTarget(slot, column, layout) { target in
          if targets.identity == .keyed {
            if !targets.version.isLive(target) { note(target, targets, in: former.state, &lost) }
            return
          }
          let row = MergedRow(table: layout.targetTable, slot: target)
          if seen.insert(row).inserted {
            pending.append(
              (layout.targetTable, target, Array(targets.firstAttribute..<targets.columnCount)))
          }
        }
      }
    }
    return lost
  }

  /// Adds a link of an earlier version whose target has no row there any more.
  private func note(
    _ target: Int, _ targets: TableWriter, in state: Version?, _ lost: inout LostTargets
  ) {
    let table = targets.table.index
    let current = currentTarget(UInt64(target) + 1, table, linkedIn: state)
    if targets.version.isLive(Int(current) - 1) {
      if isAwaitingDeletion(Int(current) - 1, targets) {
        lost.areRecreated = true
        return
      }
      guard let state, !edits.mergedRows.keys.contains(MergedRow(table: table, slot: target)),
        let deleted = RequestState(state, self).deleted[table]
      else { return }
      let key = ConfirmationLog.Key(
        targets.keyCell(Int(current) - 1), isBytes: targets.isKeyBytes)
      if deleted.contains(key) { lost.areRecreated = true }
      return
    }
    let isDeleted = targets.base.map { base in
      let bases = writer(base.table).version
      let baseSlot = bases.find(keyOf: target, in: rows(table, in: state), targets.layout)
      return baseSlot.map { bases.state($0, base).isTombstone } ?? false
    }
    if isDeleted ?? false { lost.areDeleted = true } else { lost.areGone = true }
  }

  /// True if an object was created again while the deletion of the former one may be under way. The server removes the links to it
  /// with the deletion.
  private func isAwaitingDeletion(_ slot: Int, _ targets: TableWriter) -> Bool {
    guard let base = targets.base, let baseSlot = baseRow(targets, slot) else { return false }
    return writer(base.table).version.state(baseSlot, base) == .created
      && mayBeDeletionInFlight(base, baseSlot)
  }

  /// Gives an attribute its base value, and the links that this lacks.
  func copyBaseValue(
    of attribute: Int, to writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int
  ) {
    let column = writer.firstAttribute + attribute
    copyValue(
      column, of: StoredRow(state: nil, table: base.table, slot: baseSlot), to: writer, slot)
    guard mayLackLinks(column, writer) else { return }
    moveLinksInside(
      column, of: StoredRow(state: nil, table: base.table, slot: baseSlot), to: writer, slot)
    let name = writer.layout.shortName(column)
    let object = LostReference.Source(writer.layout.name, slot)
    // Those of the value that was replaced do not return.
    moveLostLinks(from: object, to: object, in: writer) { $0 == name ? .drop : .keep }
    moveLostLinks(
      from: LostReference.Source(self.writer(base.table).layout.name, baseSlot), to: object,
      in: writer
    ) { $0 == name ? .move : .keep }
  }

  /// Takes the references of a tombstone whose object has a row again. ``addReturningLinks()`` restores them.
  ///
  /// - Parameter isLeftOut: Returns true for a reference that is not restored.
  func returnLinks(
    to slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ tombstone: Int,
    leavingOut isLeftOut: (LostReference) -> Bool = { _ in false }
  ) {
    let bases = self.writer(base.table)
    var references = LostReference.list(bases.version.ownBytes(tombstone, base, .references))
    if references.isEmpty { return }
    bases.setNull(tombstone, base.column(.references))
    references.removeAll(where: isLeftOut)
    edits.returningLinks.append(
      ReturningLinks(
        table: writer.table.index, slot: slot, references: references,
        wasSent: bases.version.state(tombstone, base) != .deleted))
  }

  /// Restores the links to objects that have a row again. If the deletion of the object was sent, the server may have
  /// removed the links with it: the attributes are then edits with an unknown base value.
  func addReturningLinks() {
    let returning = edits.returningLinks
    edits.returningLinks = []
    for links in returning {
      let writer = writer(links.table)
      guard writer.version.isLive(links.slot) else { continue }
      for link in restore(links.references, to: links.slot, in: writer) {
        noteReturned(
          link.column, self.writer(link.table), link.slot, wasSent: links.wasSent,
          isOnServer: link.isOnServer)
      }
    }
  }

  /// Returns the attributes to which a link belongs: for a row without a key, those of the rows that link to it.
  ///
  /// - Parameter state: The version to search; nil for the open write.
  func owners(
    ofLink column: Int, _ writer: TableWriter, _ slot: Int, in state: Version? = nil
  ) -> [(writer: TableWriter, slot: Int, column: Int)] {
    var owners: [(writer: TableWriter, slot: Int, column: Int)] = []
    var seen: Set<MergedRow> = []
    var pending = [(writer: writer, slot: slot, column: column)]
    while let (writer, slot, column) = pending.popLast() {
      if writer.identity == .keyed {
        owners.append((writer, slot, column))
        continue
      }
      guard seen.insert(MergedRow(table: writer.table.index, slot: slot)).inserted else { continue }
      for incoming in engine.incoming(writer.table.index) {
        let source = self.writer(incoming.table)
        let layout = source.columnLayout(incoming.column)
        rows(incoming.table, in: state).backlinks(of: incoming.column, layout)
          .forEachSlot(of: UInt64(slot)) { pending.append((source, $0, incoming.column)) }
      }
    }
    return owners
  }

  /// Records that an attribute has a link again, or for a row without a key, the attributes of its owners.
  ///
  /// - Parameters:
  ///   - wasSent: True if the server may have removed the link, so that its value of the attribute is unknown.
  ///   - isOnServer: False if the server may lack the link, so that the attribute is an edit.
  private func noteReturned(
    _ column: Int, _ writer: TableWriter, _ slot: Int, wasSent: Bool, isOnServer: Bool
  ) {
    for (writer, slot, column) in owners(ofLink: column, writer, slot) {
      noteReturned(
        column - writer.firstAttribute, of: slot, writer, wasSent: wasSent, isOnServer: isOnServer)
    }
  }

  private func noteReturned(
    _ attribute: Int, of slot: Int, _ writer: TableWriter, wasSent: Bool, isOnServer: Bool
  ) {
    if wasSent, let base = baseLayout(ofTable: writer.table.index) {
      // A base value that the server may not have any more.
      let marks = writer.version.marks(slot, base, attribute)
      if marks.contains(.known) {
        setMarks(marks.withoutBase.union(.moved), of: attribute, base, slot)
      }
      return
    }
    guard let base = writer.base, base.tracked.contains(attribute) else { return }
    if wasSent || !isOnServer { markEdited(attribute, writer, slot, base) }
    guard let baseSlot = liveBaseRow(writer, slot, base) else { return }
    noteChangedSinceSent(attribute, base, baseSlot)
    if !wasSent { return }
    let marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
    let isSent = marks.contains(.sent)
    setMarks(
      isSent ? marks.withoutBase.union(.moved) : marks.withoutBase, of: attribute, base, baseSlot)
    clearBaseValue(attribute, base, baseSlot)
  }

  /// Records that an attribute is edited: the server may lack the links that it has lost, once they return. The links also
  /// return to the base value.
  ///
  /// - Parameters:
  ///   - former: The row before the edit.
  ///   - copy: The base row with a copy of the former value; nil if the base value is unknown.
  func noteEditedLinks(
    _ column: Int, of former: StoredRow, copiedTo copy: (writer: TableWriter, slot: Int)?
  ) {
    guard engine.table(former.table).layout.columns[column].hasLinks,
      engine.tablesWithBases.contains(where: { $0.base.map { hasTombstones($0) } ?? false }),
      !lostSources().isEmpty
    else { return }
    forEachLinks(column, of: former, copiedTo: copy) { former, copy, column in
      let writer = writer(former.table)
      let (source, name) = (
        LostReference.Source(writer.layout.name, former.slot), writer.layout.shortName(column)
      )
      let target = copy.map { LostReference.Source($0.writer.layout.name, $0.slot) }
      moveLostLinks(from: source, to: target ?? source, in: writer) {
        $0 != name ? .keep : target == nil ? .keepNotOnServer : .copy
      }
    }
  }

  /// Lets the links that the objects without a key in a value lost return to their copies.
  func moveLinksInside(
    _ column: Int, of former: StoredRow, to writer: TableWriter, _ slot: Int
  ) {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks, self.writer(layout.targetTable).identity != .keyed,
      mayLackLinks(column, writer)
    else { return }
    forEachLinks(column, of: former, copiedTo: (writer, slot)) { inner, copy, column in
      guard let copy, inner.table != former.table else { return }
      let (writer, name) = (copy.writer, copy.writer.layout.shortName(column))
      moveLostLinks(
        from: LostReference.Source(writer.layout.name, inner.slot),
        to: LostReference.Source(writer.layout.name, copy.slot), in: writer
      ) { $0 == name ? .move : .keep }
    }
  }

  /// Calls `body` with the rows and the column of each link of a value, also inside its objects without a key, and with the
  /// row of its copy; nil if there is none.
  func forEachLinks(
    _ column: Int, of former: StoredRow, copiedTo copy: (writer: TableWriter, slot: Int)?,
    _ body: (StoredRow, (writer: TableWriter, slot: Int)?, Int) -> Void
  ) {
    var pending = [(former: former, copy: copy, columns: [column])]
    var seen: Set<MergedRow> = []
    while let (former, copy, columns) = pending.popLast() {
      let layouts = engine.table(former.table).layout.columns
      for column in columns where layouts[column].hasLinks {
        let layout = layouts[column]
        body(former, copy, column)
        let targets = writer(layout.targetTable)
        if targets.identity == .keyed { continue }
        var (originals, copies): ([Int], [Int]) = ([], [])
        rows(former.table, in: former.state)
          .forEachTarget(former.slot, column, layout) { originals.append($0) }
        copy?.writer.version.forEachTarget(copy?.slot ?? 0, column, layout) { copies.append($0) }
        for (index, original) in originals.enumerated() {
          // Objects without a key may link to each other.
          let row = MergedRow(table: layout.targetTable, slot: original)
          if targets.identity == .keyless, !seen.insert(row).inserted { continue }
          pending.append(
            (
              StoredRow(state: former.state, table: layout.targetTable, slot: original),
              index < copies.count ? (targets, copies[index]) : nil,
              Array(targets.firstAttribute..<targets.columnCount)
            ))
        }
      }
    }
  }

  /// Records that a tombstone has references, if the index exists.
  func noteSources(of references: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
    if edits.knownLostSources == nil { return }
    for reference in references {
      edits.knownLostSources?[reference.source, default: []].insert(
        Tombstone(base: base.table, slot: tombstone))
    }
  }

  /// Returns the tombstones by the rows that lost links to their objects. Some may have no such reference any more.
  private func lostSources() -> StoreEngine.LostSources {
    if let known = edits.knownLostSources { return known }
    if let kept = engine.takeLostSources() {
      edits.knownLostSources = kept
      return kept
    }
    var sources: StoreEngine.LostSources = [:]
    for base in engine.tablesWithBases.compactMap(\.base) where hasTombstones(base) {
      let bases = writer(base.table).version
      bases.forEachLive { slot in
        for reference in LostReference.list(bases.ownBytes(slot, base, .references)) {
          sources[reference.source, default: []].insert(Tombstone(base: base.table, slot: slot))
        }
        return true
      }
    }
    edits.knownLostSources = sources
    return sources
  }
}
