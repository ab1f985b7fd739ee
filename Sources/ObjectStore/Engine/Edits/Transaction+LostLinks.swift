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

  /// True if an earlier value has links to objects that were deleted since, and whose deletions are not confirmed.
  func linksToDeleted(_ column: Int, of former: StoredRow) -> Bool {
    let layout = engine.table(former.table).layout.columns[column]
    guard layout.hasLinks, mayLackLinks(column, writer(former.table)) else { return false }
    let targets = writer(layout.targetTable)
    guard let base = targets.base else { return false }
    let formerTargets = rows(layout.targetTable, in: former.state)
    let bases = writer(base.table).version
    var isFound = false
    rows(former.table, in: former.state).forEachTarget(former.slot, column, layout) { target in
      if isFound || targets.version.isLive(target) { return }
      let baseSlot = bases.find(keyOf: target, in: formerTargets, targets.layout)
      isFound = baseSlot.map { bases.state($0, base).isTombstone } ?? false
    }
    return isFound
  }

  /// True if a row has lost a link that may return.
  func hasLostLinks(_ source: LostReference.Source) -> Bool { lostSources()[source] != nil }

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
