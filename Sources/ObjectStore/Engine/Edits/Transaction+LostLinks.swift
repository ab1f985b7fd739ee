// The rows that lost links to objects that were deleted locally, and whose links return with these objects.

/// A tombstone: a row of a base table.
struct Tombstone: Hashable {
  let base: Int
  let slot: Int
}

extension Transaction {
  /// True if a value of a link attribute may lack links that return with their objects: objects of the linked class were
  /// deleted, and their deletions are not confirmed. An equal value then ends no edit.
  func mayLackLinks(_ column: Int, _ writer: TableWriter) -> Bool {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks, let base = self.writer(layout.targetTable).base else { return false }
    return hasTombstones(base)
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
        references.filter { $0.source == old && treatment($0.attributeName) == .move }
          .map(\.attributeName))
      let changed = references.compactMap { reference -> LostReference? in
        if reference.source == new, moved.contains(reference.attributeName) { return nil }
        guard reference.source == old else { return reference }
        return switch treatment(reference.attributeName) {
        case .move: reference.moved(to: new)
        case .drop: nil
        case .keep: reference
        }
      }
      store(changed, base, tombstone.slot)
      noteSources(of: changed, base, tombstone.slot)
    }
  }

  /// Searches an earlier value for links to objects that do not exist any more: `areDeleted` is true if there are some whose
  /// deletions are not confirmed, and `areGone` if there are others.
  func lostTargets(
    _ column: Int, of former: StoredRow
  ) -> (areDeleted: Bool, areGone: Bool) {
    let layout = engine.table(former.table).layout.columns[column]
    var lost = (areDeleted: false, areGone: false)
    guard layout.hasLinks else { return lost }
    let targets = writer(layout.targetTable)
    guard targets.identity == .keyed else { return lost }
    let formerTargets = rows(layout.targetTable, in: former.state)
    rows(former.table, in: former.state).forEachTarget(former.slot, column, layout) { target in
      if targets.version.isLive(target) { return }
      let word = currentTarget(UInt64(target) + 1, layout.targetTable, linkedIn: former.state)
      if targets.version.isLive(Int(word) - 1) { return }
      let state = targets.base.flatMap { base in
        let bases = writer(base.table).version
        return bases.find(keyOf: target, in: formerTargets, targets.layout).map {
          bases.state($0, base)
        }
      }
      if state?.isTombstone ?? false { lost.areDeleted = true } else { lost.areGone = true }
    }
    return lost
  }

  /// Gives an attribute its base value, and the links that this lacks.
  func copyBaseValue(
    of attribute: Int, to writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int
  ) {
    let column = writer.firstAttribute + attribute
    copyValue(
      column, of: StoredRow(state: nil, table: base.table, slot: baseSlot), to: writer, slot)
    guard mayLackLinks(column, writer) else { return }
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
  func returnLinks(
    to slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ tombstone: Int
  ) {
    let bases = self.writer(base.table)
    let references = LostReference.list(bases.version.ownBytes(tombstone, base, .references))
    if references.isEmpty { return }
    bases.setNull(tombstone, base.column(.references))
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
        noteReturned(link.column, self.writer(link.table), link.slot, wasSent: links.wasSent)
      }
    }
  }

  /// Records that an attribute has a link again, or for an embedded row, the attribute of its owner.
  ///
  /// - Parameter wasSent: True to make the attribute an edit with an unknown base value.
  private func noteReturned(_ column: Int, _ writer: TableWriter, _ slot: Int, wasSent: Bool) {
    var (writer, slot, column) = (writer, slot, column)
    while writer.identity == .embedded {
      var owner: (writer: TableWriter, slot: Int, column: Int)?
      for incoming in engine.incoming(writer.table.index) where owner == nil {
        let source = self.writer(incoming.table)
        source.backlinks(of: incoming.column).forEachSlot(of: UInt64(slot)) {
          owner = (source, $0, incoming.column)
        }
      }
      guard let owner else { return }
      (writer, slot, column) = owner
    }
    let attribute = column - writer.firstAttribute
    guard let base = writer.base, base.tracked.contains(attribute) else { return }
    if wasSent { markEdited(attribute, writer, slot, base) }
    guard let baseSlot = liveBaseRow(writer, slot, base) else { return }
    noteChangedSinceSent(attribute, base, baseSlot)
    if !wasSent { return }
    let marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
    setMarks(marks.withoutBase, of: attribute, base, baseSlot)
    clearBaseValue(attribute, base, baseSlot)
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
  private func lostSources() -> [LostReference.Source: Set<Tombstone>] {
    if let known = edits.knownLostSources { return known }
    var sources: [LostReference.Source: Set<Tombstone>] = [:]
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
