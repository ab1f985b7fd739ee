// Recording the user's changes of a phase in base rows.

extension Transaction {
  /// Records the changes of a class since the beginning of a phase as edits.
  func recordEdits(
    of table: Table, _ base: BaseLayout, _ rows: TableDifference, _ changes: PhaseChanges
  ) {
    let writer = writer(table.index)
    let references = lostReferences(to: rows.deleted, in: writer, changes)
    for slot in rows.deleted {
      recordDeletion(slot, writer, base, changes, references[slot] ?? [])
    }
    for slot in rows.inserted { recordCreation(slot, writer, base, changes) }
    let bases = self.writer(base.table)
    for (slot, attributes) in rows.changed {
      if base.tracked.contains(where: attributes.has), isReferenced(slot, writer, base) {
        // The user describes an object that the server has never named.
        recordCreation(slot, writer, base, changes)
        writer.setWhole(slot)
        continue
      }
      recordChanges(attributes, slot, writer, base, bases, since: changes.start)
    }
  }

  private func recordChanges(
    _ attributes: AttributeBits, _ slot: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ bases: TableWriter, since start: Version
  ) {
    let former = StoredRow(state: start, table: writer.table.index, slot: slot)
    var baseSlot = liveBaseRow(writer, slot, base)
    var (isEdited, isCleared) = (false, false)
    for attribute in base.tracked where attributes.has(attribute) {
      let column = writer.firstAttribute + attribute
      let wasMissing = rows(writer.table.index, in: start).isMissing(slot, attribute)
      if !wasMissing, hasEqualContent(column, writer, slot, former) { continue }
      if let baseSlot {
        var marks = bases.withVersion { $0.marks(baseSlot, base, attribute) }
        if marks.contains(.edited) {
          isEdited = true
          if marks.canBeSetBack, mayLackLinks(column, writer) {
            marks.insert(.moved)
            setMarks(marks, of: attribute, base, baseSlot)
          }
          // Set back to what the server has, unless a request under way may have changed that.
          if marks.canBeSetBack, isAtBase(attribute, writer, slot, base, baseSlot),
            !lostRevertibleTarget(column, writer, slot, former)
          {
            endSetBack(attribute, writer, slot, base, baseSlot)
            isCleared = true
          } else if marks.contains(.sent), !marks.contains(.changed),
            !lostOnlyTargets(column, writer, slot, former)
          {
            setMarks(marks.union(.changed), of: attribute, base, baseSlot)
          }
          continue
        }
      }
      if !wasMissing, lostOnlyTargets(column, writer, slot, former) { continue }
      isEdited = true
      let edited = baseSlot ?? addBaseRow(writer, slot, base, .edited)
      baseSlot = edited
      copyValue(column, of: former, to: bases, edited)
      noteEditedLinks(column, of: former, copiedTo: wasMissing ? nil : (bases, edited))
      if wasMissing {
        setMarks([.edited, .missing], of: attribute, base, edited)
        continue
      }
      let isIncomplete =
        noteLostLinks(column, of: former, to: bases, edited) || mayLackLinks(column, writer)
      setMarks(
        isIncomplete ? [.edited, .known, .moved] : [.edited, .known], of: attribute, base, edited)
    }
    guard let baseSlot, isEdited else { return }
    clearRejection(base, baseSlot)
    if isCleared { dropIfClean(base, baseSlot) }
  }

  /// Returns true if the objects that a row owns were replaced by equal ones, or numbers of JSON were only written
  /// differently.
  func hasEqualContent(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    (writer.columnLayout(column).hasLinks || writer.columnLayout(column).isJSON)
      && isEqual(column, former, StoredRow(state: nil, table: writer.table.index, slot: slot))
  }

  /// Returns true if a value differs from an earlier one only because linked objects were deleted: that is no edit.
  func lostOnlyTargets(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    writer.columnLayout(column).hasLinks
      && isEqual(
        column, former, StoredRow(state: nil, table: writer.table.index, slot: slot),
        leavingOutDeleted: true)
  }

  /// Returns true if a value lacks a link of an earlier one whose object returns if its deletion is reverted.
  private func lostRevertibleTarget(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks else { return false }
    let targets = self.writer(layout.targetTable)
    guard let base = targets.base else { return false }
    let (formerTargets, formerBases) = (
      rows(layout.targetTable, in: former.state), rows(base.table, in: former.state)
    )
    var isLost = false
    rows(former.table, in: former.state).forEachTarget(slot, column, layout) { target in
      if isLost || targets.version.isLive(target) { return }
      guard formerBases.liveCount > 0,
        let baseSlot = formerBases.find(keyOf: target, in: formerTargets, targets.layout)
      else {
        isLost = true
        return
      }
      // A created object that was not sent leaves no tombstone.
      isLost =
        formerBases.state(baseSlot, base) != .created
        || formerBases.own(baseSlot, base, .serial) > formerBases.own(baseSlot, base, .confirmed)
    }
    return isLost
  }

  /// True if only a link of the user names the object.
  func isReferenced(_ slot: Int, _ writer: TableWriter, _ base: BaseLayout) -> Bool {
    let bases = self.writer(base.table).version
    return baseRow(writer, slot).map { bases.state($0, base) == .referenced } ?? false
  }

  private func recordCreation(
    _ slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ changes: PhaseChanges
  ) {
    // Only the key is known: the user links to an object that the server may have.
    let isPlaceholder = writer.isPlaceholder(slot)
    if let baseSlot = baseRow(writer, slot) {
      let state = self.writer(base.table).version.state(baseSlot, base)
      guard state.isTombstone else {
        dropBaseRow(base, baseSlot)
        return recordCreation(slot, writer, base, changes)
      }
      let tables = tablesByName
      returnLinks(to: slot, writer, base, baseSlot) { isEmptied($0, tables, changes) }
      if isPlaceholder {
        dropBaseRow(base, baseSlot)
        // A deletion that was not sent ends.
        if state != .deleted { _ = addBaseRow(writer, slot, base, .referenced) }
        return
      }
      clearRejection(base, baseSlot)
      if state != .deleted {
        // The server may not have the object.
        return resumeCreation(base, baseSlot, of: slot, writer, isRestored: false)
      }
      // Created again before the deletion was sent: all attributes are edits.
      set(.state, base, baseSlot, to: BaseState.edited.rawValue)
      for attribute in base.tracked {
        var marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
        if marks.hasNoValue { marks.insert(.missing) }
        if marks.contains(.sent) { marks.insert(.changed) }
        setMarks(marks.union([.edited, .moved]), of: attribute, base, baseSlot)
      }
      dropIfClean(base, baseSlot)
    } else if isPlaceholder {
      _ = addBaseRow(writer, slot, base, .referenced)
    } else {
      let baseSlot = addBaseRow(writer, slot, base, .created)
      for attribute in base.tracked { setMarks(.edited, of: attribute, base, baseSlot) }
    }
  }

  /// Makes a tombstone the base row of a created object. The server may have the object, with other values. Attributes that
  /// are missing are not edits.
  ///
  /// - Parameter isRestored: True if the object has the values of the deleted one.
  func resumeCreation(
    _ base: BaseLayout, _ tombstone: Int, of slot: Int, _ writer: TableWriter, isRestored: Bool
  ) {
    set(.state, base, tombstone, to: BaseState.created.rawValue)
    for attribute in base.tracked {
      var marks = self.writer(base.table).version.marks(tombstone, base, attribute).withoutBase
      marks.formUnion([.edited, .sent, .changed])
      if isRestored { marks.insert(.restored) } else { marks.remove(.restored) }
      setMarks(writer.isMissing(slot, attribute) ? [] : marks, of: attribute, base, tombstone)
      clearBaseValue(attribute, base, tombstone)
    }
  }

  private func recordDeletion(
    _ slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ changes: PhaseChanges,
    _ references: [LostReference]
  ) {
    // A dead row keeps its key.
    var baseSlot = baseRow(writer, slot)
    let bases = self.writer(base.table)
    var state = BaseState.deleted
    if let known = baseSlot, bases.version.state(known, base) == .created {
      state = .deletedCreation
      if !wasSent(base, known) { return dropBaseRow(base, known) }
    }
    let tombstone =
      baseSlot.map { endUnseenEdits(base, $0) } ?? addBaseRow(writer, slot, base, state)
    baseSlot = tombstone
    set(.state, base, tombstone, to: state.rawValue)
    clearRejection(base, tombstone)
    let former = StoredRow(state: changes.start, table: writer.table.index, slot: slot)
    var hasBaseValue: Set<String> = []
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let marks = bases.version.marks(tombstone, base, attribute)
      // The server's value of an edited attribute is already there.
      if marks.contains(.edited), !marks.isDisjoint(with: [.known, .missing]), state == .deleted {
        hasBaseValue.insert(writer.layout.shortName(column))
        continue
      }
      copyValue(column, of: former, to: bases, tombstone)
      moveLinksInside(column, of: former, to: bases, tombstone)
      noteLostLinks(column, of: former, to: bases, tombstone)
      let isMissing = rows(former.table, in: former.state).isMissing(slot, attribute)
      setMarks(
        isMissing ? marks.withoutBase.union(.missing) : marks.withBase, of: attribute, base,
        tombstone)
    }
    moveLostLinks(
      from: LostReference.Source(writer.layout.name, slot),
      to: LostReference.Source(bases.layout.name, tombstone), in: writer
    ) { hasBaseValue.contains($0) ? .drop : .move }
    noteTombstone(base)
    addReferences(references, base, tombstone)
  }
}
