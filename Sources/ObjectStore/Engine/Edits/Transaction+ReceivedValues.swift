// R32. Values of the server for objects with base rows: an edited attribute keeps its value, and its base value changes.

/// A value of the server that is neither the base value nor the value of an edited attribute.
struct StoredConflict {
  let table: Int
  let slot: Int
  /// The attribute; nil if the server deleted the object, or the user did.
  let attribute: Int?
  /// The base table before the server's value arrived, if it had a known base value.
  let formerBase: TableVersion?
  let baseSlot: Int
  /// True if an edit of the attribute is in flight.
  let isInFlight: Bool
  /// True if the user deleted the object, so that it has only a base row.
  var isDeletedLocally = false
}

extension Transaction {
  // MARK: - Batches

  /// Writes the cells of a batch row to a row that has a base row: those of edited attributes to the base row.
  func receive(
    _ row: BatchRow, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int
  ) {
    let bases = self.writer(base.table)
    if bases.version.state(baseSlot, base) == .created {
      if precedesCreation(row, writer, slot, base) || mayBeDeletionInFlight(base, baseSlot) {
        return
      }
      set(.state, base, baseSlot, to: BaseState.edited.rawValue)
      // The response to a request under way says whether the server has applied the creation.
      if isInFlight(base, baseSlot) {
        noteShown(base, baseSlot)
      } else {
        endSentCreation(writer, slot, base, baseSlot)
      }
    } else if !isInFlight(base, baseSlot) {
      // The process ended while the creation was under way.
      endShownCreation(writer, base, baseSlot)
    }
    noteIsOnServer(base, baseSlot)
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let cell = row[attribute]
      guard cell.state != .absent, !cell.isDefault else { continue }
      if bases.version.marks(baseSlot, base, attribute).contains(.edited) {
        receive(cell, of: attribute, writer, slot, base, baseSlot)
      } else if cell.isMissing {
        makeMissing(writer, slot, column, cell)
      } else {
        write(writer, slot, column, cell, writesEqual: false)
        writer.give(slot, attribute)
      }
    }
    if row.has(BatchRow.isWhole) { noteWhole(writer, slot, isEdited: true) }
    dropIfClean(base, baseSlot)
  }

  /// True if a payload says nothing about a created object: it only links to it, or it was requested when the server had the
  /// object that was deleted before.
  private func precedesCreation(
    _ row: BatchRow, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout
  ) -> Bool {
    if row.isReference { return true }
    guard let version = edits.request?.version else { return false }
    let former = rows(writer.table.index, in: version)
    guard let formerSlot = former.find(keyOf: slot, in: writer.version, writer.layout) else {
      return false
    }
    let bases = rows(base.table, in: version)
    guard bases.liveCount > 0,
      let baseSlot = bases.find(keyOf: formerSlot, in: former, writer.layout)
    else { return true }
    return bases.state(baseSlot, base) == .edited
  }

  /// True if the request under way for a created object may be the deletion of the former one, which payloads may show: nothing is
  /// left of what was sent. The same holds for a creation of which everything has changed since.
  func mayBeDeletionInFlight(_ base: BaseLayout, _ baseSlot: Int) -> Bool {
    if !isInFlight(base, baseSlot) { return false }
    let sent = sentMarks(base, baseSlot)
    return !sent.isEmpty && sent.allSatisfy { $0.marks.contains(.changed) }
  }

  private func sentMarks(
    _ base: BaseLayout, _ baseSlot: Int
  ) -> [(attribute: Int, marks: EditMarks)] {
    let bases = writer(base.table).version
    return base.tracked.map { ($0, bases.marks(baseSlot, base, $0)) }
      .filter { $0.1.contains([.edited, .sent]) }
  }

  /// Records that the server has an object whose creation is under way.
  func noteShown(_ base: BaseLayout, _ baseSlot: Int) {
    if mayBeDeletionInFlight(base, baseSlot) { return }
    for (attribute, marks) in sentMarks(base, baseSlot) {
      setMarks(marks.union(.shown), of: attribute, base, baseSlot)
    }
  }

  /// Ends the edits of an object whose creation was sent and not confirmed, because a payload shows that the server has it.
  /// Attributes that have changed since stay edits.
  func endSentCreation(_ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int) {
    let bases = self.writer(base.table)
    var confirmed: [Int] = []
    for attribute in base.tracked {
      let marks = bases.version.marks(baseSlot, base, attribute)
      let isSetBack =
        marks.contains([.changed, .known])
        && isAtBase(attribute, writer, slot, base, baseSlot)
      guard marks.contains([.edited, .sent]), !marks.contains(.replaced),
        !marks.contains(.changed) || isSetBack
      else {
        setMarks(marks.subtracting(.shown), of: attribute, base, baseSlot)
        continue
      }
      if marks.contains(.known) {
        copyBaseValue(of: attribute, to: writer, slot, base, baseSlot)
        if marks.contains(.missing) { writer.setMissing(slot, attribute, to: true) }
      }
      clearEdit(attribute, base, baseSlot)
      confirmed.append(attribute)
    }
    if confirmed.isEmpty { return }
    noteCutLinks(writer, base, baseSlot)
    let key = ConfirmationLog.Key(bases.keyCell(baseSlot), isBytes: writer.isKeyBytes)
    edits.confirmations.append(
      .change(table: writer.table.index, key: key, attributes: confirmed))
  }

  /// Ends the rejection of an object that the server did not have, because the server has named it.
  func noteIsOnServer(_ base: BaseLayout, _ baseSlot: Int) {
    if writer(base.table).version.isGone(baseSlot, base) { clearRejection(base, baseSlot) }
  }

  /// Ends the rejection of an object; see ``noteIsOnServer(_:_:)-(BaseLayout,_)``.
  @inline(never)
  func noteIsOnServer(_ writer: TableWriter, _ slot: Int) {
    guard let base = writer.base, let baseSlot = baseRow(writer, slot) else { return }
    noteIsOnServer(base, baseSlot)
  }

  /// Writes the server's value of an edited attribute to the base row.
  func receive(
    _ cell: BatchCell, of attribute: Int, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout,
    _ baseSlot: Int
  ) {
    let bases = self.writer(base.table)
    let former = formerBase(base)
    let marks = bases.version.marks(baseSlot, base, attribute)
    let isKnown = marks.contains(.known)
    let column = bases.firstAttribute + attribute
    let isEqual = isEqualJSON(cell, bases, baseSlot, column)
    let differs = write(bases, baseSlot, column, cell, writesEqual: false)
    if isKnown, !differs || isEqual {
      var new = marks.contains(.missing) != cell.isMissing ? marks.withBase(cell) : marks
      // The server says which of the values it has that were sent.
      if !marks.contains(.sent) { new.remove(.replaced) }
      if new != marks { setMarks(new, of: attribute, base, baseSlot) }
      return
    }
    if cell.isMissing, marks.contains(.missing) {
      // The object had no value when the edit began, and the server has none.
      return setMarks(marks.withBase(cell), of: attribute, base, baseSlot)
    }
    noteMove(
      of: attribute, marks, marks.withBase(cell), writer, slot, base, baseSlot,
      former: isKnown ? former : nil)
  }

  /// True if a cell and the value of a row are equal JSON, regardless of the notation of numbers.
  private func isEqualJSON(
    _ cell: BatchCell, _ writer: TableWriter, _ slot: Int, _ column: Int
  ) -> Bool {
    guard writer.columnLayout(column).isJSON, cell.state == .value else { return false }
    let (current, row) = (writer.columns(slot)[column], slot & ChunkLayout.mask)
    return !current.isNull(row)
      && StoredJSONReader.areEqual(current.bytes(ofWord: current.word(row)), cell.bytes)
  }

  /// Records that the server has another value of an edited attribute, which the base row already holds.
  ///
  /// - Parameters:
  ///   - marks: The marks before.
  ///   - newMarks: The marks of the other value.
  private func noteMove(
    of attribute: Int, _ marks: EditMarks, _ newMarks: EditMarks, _ writer: TableWriter,
    _ slot: Int, _ base: BaseLayout, _ baseSlot: Int, former: TableVersion?
  ) {
    // The server may have one of the values that the user has sent.
    let isOwn = marks.contains(.replaced) && !marks.contains(.sent)
    setMarks(
      newMarks.union(.moved).subtracting(isOwn ? .replaced : []), of: attribute, base, baseSlot)
    if isAtBase(attribute, writer, slot, base, baseSlot) {
      if isOwn { clearEdit(attribute, base, baseSlot) }
      return
    }
    if isOwn { return }
    let isInFlight = self.writer(base.table).version.own(baseSlot, base, .session) == engine.session
    edits.conflicts.append(
      StoredConflict(
        table: writer.table.index, slot: slot, attribute: attribute, formerBase: former,
        baseSlot: baseSlot, isInFlight: isInFlight && marks.contains(.sent)))
  }

  /// Returns the base table as it was before the batch being applied, or this part of the write, changed it. Retains the
  /// tables with the content of base values, too.
  private func formerBase(_ base: BaseLayout) -> TableVersion {
    if let known = edits.formerBases[base.table] { return known }
    var pending = [base.table]
    while let table = pending.popLast() {
      guard edits.formerBases[table] == nil else { continue }
      let writer = writer(table)
      edits.formerBases[table] = writer.version
      // Later changes are made in copies.
      writer.seal(editOwner: engine.newEditOwner())
      pending += writer.contentColumns.map { writer.columnLayout($0).targetTable }
    }
    return edits.formerBases[base.table] ?? writer(base.table).version
  }

  /// Writes the cells of a batch row to a tombstone. Another value of an attribute that is encoded is a conflict with the
  /// deletion.
  func receive(_ row: BatchRow, tombstone: Int, _ writer: TableWriter, _ base: BaseLayout) {
    let bases = self.writer(base.table)
    let state = bases.version.state(tombstone, base)
    var isConflict = false
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let cell = row[attribute]
      guard cell.state != .absent, !cell.isDefault else { continue }
      let isEqual = isEqualJSON(cell, bases, tombstone, column)
      let marks = bases.version.marks(tombstone, base, attribute)
      let mayConflict =
        isConflicting(marks, state) && !cell.isMissing && !isEqual
      let former = mayConflict ? linkWords(bases, tombstone, column) : nil
      let differs = write(bases, tombstone, column, cell, writesEqual: false)
      if differs, mayConflict, former == nil || former != linkWords(bases, tombstone, column) {
        isConflict = true
      }
      setMarks(marks.withBase(cell), of: attribute, base, tombstone)
    }
    if isConflict { noteConflict(withDeletion: tombstone, writer, base) }
  }

  /// True if another value of the server for an attribute of a deleted object is the change of another client: the base value
  /// is known, and the user has sent no other value.
  private func isConflicting(_ marks: EditMarks, _ state: BaseState) -> Bool {
    state != .deletedCreation && marks.contains(.known) && !marks.contains([.edited, .sent])
  }

  /// The targets of a list of objects, sorted: links that returned to it may have another position. Nil for other attributes.
  private func linkWords(_ writer: TableWriter, _ slot: Int, _ column: Int) -> [UInt64]? {
    let layout = writer.columnLayout(column)
    guard layout.kind == .collection, layout.elementKind == .link, layout.collection == .list,
      self.writer(layout.targetTable).identity == .keyed
    else { return nil }
    return writer.words(slot, column, layout).sorted()
  }

  /// Records that the server has other values of an object than those that the user has deleted.
  private func noteConflict(
    withDeletion tombstone: Int, _ writer: TableWriter, _ base: BaseLayout
  ) {
    edits.conflicts.append(
      StoredConflict(
        table: writer.table.index, slot: 0, attribute: nil, formerBase: nil, baseSlot: tombstone,
        isInFlight: isInFlight(base, tombstone), isDeletedLocally: true))
  }

  // MARK: - Setters

  /// Moves the values that setters wrote for the server since the beginning of a phase to the base rows of edited
  /// attributes.
  func receiveChanges(
    of table: Table, _ base: BaseLayout, _ rows: TableDifference, since start: Version
  ) {
    let writer = writer(table.index)
    let bases = self.writer(base.table)
    if bases.version.liveCount == 0 { return }
    for slot in rows.deleted {
      if let baseSlot = baseRow(writer, slot) { dropBaseRow(base, baseSlot) }
    }
    for (slot, attributes) in rows.changed {
      guard let baseSlot = liveBaseRow(writer, slot, base) else { continue }
      noteIsOnServer(base, baseSlot)
      for attribute in base.tracked where attributes.has(attribute) {
        let marks = bases.version.marks(baseSlot, base, attribute)
        guard marks.contains(.edited) else { continue }
        let column = writer.firstAttribute + attribute
        let current = StoredRow(state: nil, table: table.index, slot: slot)
        let start = StoredRow(state: start, table: table.index, slot: slot)
        if hasEqualContent(column, writer, slot, start) { continue }
        if lostOnlyTargets(column, writer, slot, start) { continue }
        if bases.version.state(baseSlot, base) == .created {
          // The server has it after all.
          set(.state, base, baseSlot, to: BaseState.edited.rawValue)
        }
        let former = formerBase(base)
        let isKnown = marks.contains(.known)
        let isSame = isKnown && isAtBase(attribute, writer, slot, base, baseSlot)
        if !isSame { copyValue(column, of: current, to: bases, baseSlot) }
        copyValue(column, of: start, to: writer, slot)
        if isSame { continue }
        noteMove(
          of: attribute, marks, marks.withBase, writer, slot, base, baseSlot,
          former: isKnown ? former : nil)
      }
      dropIfClean(base, baseSlot)
    }
    for slot in rows.inserted {
      guard let baseSlot = baseRow(writer, slot) else { continue }
      if bases.version.state(baseSlot, base).isTombstone {
        let isConflict = base.tracked.contains { attribute in
          isConflicting(
            bases.version.marks(baseSlot, base, attribute), bases.version.state(baseSlot, base))
            && !writer.isMissing(slot, attribute)
            && !isAtBase(attribute, writer, slot, base, baseSlot)
        }
        if isConflict { noteConflict(withDeletion: baseSlot, writer, base) }
        copyValues(of: slot, writer, toTombstone: baseSlot, base)
        delete([(table.index, slot)])
      } else {
        dropBaseRow(base, baseSlot)
      }
    }
  }

  /// Copies the values of an object to a tombstone, as those of the server. An attribute that is missing from the object
  /// keeps its known value.
  func copyValues(
    of slot: Int, _ writer: TableWriter, toTombstone tombstone: Int, _ base: BaseLayout
  ) {
    let bases = self.writer(base.table)
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let marks = bases.version.marks(tombstone, base, attribute)
      let isMissing = writer.isMissing(slot, attribute)
      if isMissing, marks.contains(.known) { continue }
      copyValue(
        column, of: StoredRow(state: nil, table: writer.table.index, slot: slot), to: bases,
        tombstone)
      setMarks(
        isMissing ? marks.withoutBase.union(.missing) : marks.withBase, of: attribute, base,
        tombstone)
    }
  }

  // MARK: - Deletions

  /// Deletes rows that the server no longer has. Rows with edits are conflicts, which stay unless they are resolved
  /// otherwise.
  func deleteForServer(_ rows: [(table: Int, slot: Int)]) {
    var deleted: [(table: Int, slot: Int)] = []
    for (table, slot) in rows {
      let writer = writer(table)
      let baseSlot = writer.base.flatMap { liveBaseRow(writer, slot, $0) }
      if let base = writer.base, let baseSlot,
        self.writer(base.table).version.hasEdits(baseSlot, base)
      {
        edits.conflicts.append(
          StoredConflict(
            table: table, slot: slot, attribute: nil, formerBase: nil, baseSlot: baseSlot,
            isInFlight: self.writer(base.table).version.own(baseSlot, base, .session)
              == engine.session))
      } else {
        if let base = writer.base, let baseSlot { dropBaseRow(base, baseSlot) }
        deleted.append((table, slot))
      }
    }
    delete(deleted)
  }

  /// Ends a tombstone, because the server no longer has its object; returns false if there is none with the key.
  @discardableResult
  func endTombstone(_ writer: TableWriter, _ key: BatchCell) -> Bool {
    guard let base = writer.base, let tombstone = tombstone(writer, key) else { return false }
    confirmDeletion(tombstone, writer, base)
    return true
  }
}
