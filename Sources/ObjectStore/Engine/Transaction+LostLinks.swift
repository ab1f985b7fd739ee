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
    if let known = knownTombstones[base.table] { return known }
    var hasTombstone = false
    if engine.basesWithTombstones[base.table] ?? true {
      let bases = self.writer(base.table).version
      bases.forEachLive { slot in
        hasTombstone = bases.state(slot, base).isTombstone
        return !hasTombstone
      }
      engine.basesWithTombstones[base.table] = hasTombstone
    }
    knownTombstones[base.table] = hasTombstone
    return hasTombstone
  }

  /// Records that a base table has a tombstone.
  func noteTombstone(_ base: BaseLayout) {
    knownTombstones[base.table] = true
    engine.basesWithTombstones[base.table] = true
  }

  /// Lets links that a row lost return to another row: a tombstone to its object, or an object to its tombstone.
  ///
  /// - Parameter writer: The class of the object.
  /// - Complexity: O(references of the tombstones that have one from the row). The first call of a transaction reads the
  ///   references of all tombstones.
  func moveLostLinks(
    from old: LostReference.Source, to new: LostReference.Source, in writer: TableWriter
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
      let references = LostReference.list(text).map { $0.source == old ? $0.moved(to: new) : $0 }
      store(references, base, tombstone.slot)
      noteSources(of: references, base, tombstone.slot)
    }
    knownLostSources?[old] = nil
  }

  /// Records that a tombstone has references, if the index exists.
  func noteSources(of references: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
    if knownLostSources == nil { return }
    for reference in references {
      knownLostSources?[reference.source, default: []].insert(
        Tombstone(base: base.table, slot: tombstone))
    }
  }

  /// Returns the tombstones by the rows that lost links to their objects. Some may have no such reference any more.
  private func lostSources() -> [LostReference.Source: Set<Tombstone>] {
    if let knownLostSources { return knownLostSources }
    var sources: [LostReference.Source: Set<Tombstone>] = [:]
    for base in engine.tablesWithBases.compactMap(\.base) {
      let bases = writer(base.table).version
      bases.forEachLive { slot in
        for reference in LostReference.list(bases.ownBytes(slot, base, .references)) {
          sources[reference.source, default: []].insert(Tombstone(base: base.table, slot: slot))
        }
        return true
      }
    }
    knownLostSources = sources
    return sources
  }
}
