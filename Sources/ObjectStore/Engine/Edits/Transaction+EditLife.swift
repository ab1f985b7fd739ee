// The life of an edit: it is taken to be sent, then confirmed or released.

/// An edit that was taken: the object's row and base row, and the state that was sent.
struct TakenEdit {
  let table: Int
  /// The row in `state`; nil for a deletion.
  let slot: Int?
  let baseSlot: Int
  let kind: BaseState
  let serial: UInt64
  let attributes: [Int]
  /// The version that shows what was sent.
  let state: Version
}

extension Transaction {
  /// Marks the edits of an object as sent, and returns their serial number.
  ///
  /// - Parameter excluded: Edited attributes that are not sent.
  func take(_ base: BaseLayout, _ baseSlot: Int, without excluded: [Int] = []) -> UInt64 {
    let bases = writer(base.table)
    let version = bases.version
    // Above the numbers of earlier sessions, which the file contains.
    let serial =
      max(
        engine.lastSerial, version.own(baseSlot, base, .serial),
        version.own(baseSlot, base, .confirmed)) + 1
    engine.lastSerial = serial
    set(.serial, base, baseSlot, to: serial)
    set(.session, base, baseSlot, to: engine.session)
    let isDeleted = version.state(baseSlot, base).isTombstone
    if isDeleted {
      // Its marks are those of earlier edits.
      set(.state, base, baseSlot, to: BaseState.sentDeletion.rawValue)
      return serial
    }
    let isRepeatedCreation =
      version.state(baseSlot, base) == .created && wasSent(base, baseSlot)
    for attribute in base.tracked where !excluded.contains(attribute) {
      var marks = bases.version.marks(baseSlot, base, attribute)
      guard marks.contains(.edited) else { continue }
      if marks.contains([.sent, .changed]) || isRepeatedCreation && !marks.contains(.sent) {
        marks.insert(.replaced)
      }
      if marks.contains(.sent) { marks.insert(.uncertain) }
      marks.remove(.changed)
      if marks.isOvertaken { marks.remove(.moved) }
      setMarks(marks.union(.sent), of: attribute, base, baseSlot)
    }
    return serial
  }

  /// Returns true if an edit can no longer be confirmed.
  func isSettled(_ edit: TakenEdit) -> Bool {
    var isSettled = true
    withBase(edit) { _, _, _ in isSettled = false }
    return isSettled
  }

  /// Returns true if an edit is the last one of its object that was taken, and is not settled.
  func isInFlight(_ edit: TakenEdit, _ base: BaseLayout) -> Bool {
    var isInFlight = false
    withBase(edit) { _, _, bases in
      isInFlight =
        isLast(edit, base, bases)
        && bases.version.own(edit.baseSlot, base, .session) == engine.session
    }
    return isInFlight
  }

  /// Calls `body` with the base table of an edit, unless the edit is already settled.
  func withBase(_ edit: TakenEdit, _ body: (TableWriter, BaseLayout, TableWriter) -> Void) {
    let writer = writer(edit.table)
    guard let base = writer.base else { return }
    let bases = self.writer(base.table)
    guard bases.version.isLive(edit.baseSlot), edit.serial > 0,
      edit.serial > bases.version.own(edit.baseSlot, base, .confirmed)
    else { return }
    body(writer, base, bases)
  }

  /// True if no later edit of the object was taken.
  func isLast(_ edit: TakenEdit, _ base: BaseLayout, _ bases: TableWriter) -> Bool {
    bases.version.own(edit.baseSlot, base, .serial) == edit.serial
  }

  /// Records that the server has applied an edit.
  ///
  /// - Parameter isGone: True for a deletion of an object that the server did not have.
  func confirm(_ edit: TakenEdit, isGone: Bool = false) {
    withBase(edit) { writer, base, bases in
      let isLast = isLast(edit, base, bases)
      set(.confirmed, base, edit.baseSlot, to: edit.serial)
      if isLast {
        set(.session, base, edit.baseSlot, to: 0)
        clearRejection(base, edit.baseSlot)
      }
      let state = bases.version.state(edit.baseSlot, base)
      switch (edit.kind.isTombstone, state.isTombstone) {
      case (true, true):
        // A later deletion may be of an object that was created again, and sent, since this one.
        if isLast { confirmDeletion(edit.baseSlot, writer, base) }
      case (true, false):
        // Created again since: the server does not have it any more.
        noteConfirmedDeletion(edit.baseSlot, writer, base)
        // If the new object was sent, its own outcome counts.
        guard isLast else { return }
        let slot = row(of: edit.baseSlot, base, in: writer)
        if let slot, isGone, edit.kind == .deletedCreation {
          // The server may have the object with another key.
          resumeCreation(base, edit.baseSlot, of: slot, writer, isRestored: false)
        } else {
          recreate(writer, base, edit.baseSlot)
        }
      case (false, _):
        confirmValues(edit, writer, base, bases, isLast: isLast, state)
      }
    }
  }

  /// Ends a tombstone, because the server has deleted its object.
  func confirmDeletion(_ tombstone: Int, _ writer: TableWriter, _ base: BaseLayout) {
    noteConfirmedDeletion(tombstone, writer, base)
    dropBaseRow(base, tombstone)
  }

  private func noteConfirmedDeletion(
    _ baseSlot: Int, _ writer: TableWriter, _ base: BaseLayout
  ) {
    let key = self.writer(base.table).keyCell(baseSlot)
    edits.confirmations.append(
      .deletion(table: writer.table.index, key: .init(key, isBytes: writer.isKeyBytes)))
  }

  private func confirmValues(
    _ edit: TakenEdit, _ writer: TableWriter, _ base: BaseLayout, _ bases: TableWriter,
    isLast: Bool, _ state: BaseState
  ) {
    let isDeleted = state.isTombstone
    guard let sentSlot = edit.slot else { return }
    let slot = row(of: edit.baseSlot, base, in: writer)
    let key = ConfirmationLog.Key(bases.keyCell(edit.baseSlot), isBytes: writer.isKeyBytes)
    edits.confirmations.append(.change(table: edit.table, key: key, attributes: edit.attributes))
    // The server has it now, unless a later deletion was sent, also of an object that was created again since.
    if state != .sentDeletion, state != .created || edit.kind == .created {
      set(
        .state, base, edit.baseSlot, to: (isDeleted ? BaseState.deleted : .edited).rawValue)
    }
    for attribute in edit.attributes {
      var marks = bases.version.marks(edit.baseSlot, base, attribute)
      guard isDeleted || marks.contains([.edited, .sent]) else { continue }
      let column = writer.firstAttribute + attribute
      if isLast, marks.isOvertaken {
        marks.subtract(.sending.union(.moved))
        setMarks(marks, of: attribute, base, edit.baseSlot)
        continue
      }
      if isLast, !isDeleted, edit.kind == .created, marks.contains(.replaced), let slot {
        // The server may have recognized a repeated request, and have what was sent first.
        marks.subtract(.sending)
        setMarks(marks.union(.replaced), of: attribute, base, edit.baseSlot)
        if marks.contains(.known), isAtBase(attribute, writer, slot, base, edit.baseSlot) {
          clearEdit(attribute, base, edit.baseSlot)
        }
        continue
      }
      let sent = StoredRow(state: edit.state, table: edit.table, slot: sentSlot)
      copyValue(column, of: sent, to: bases, edit.baseSlot)
      let lost = lostTargets(column, of: sent)
      if lost.areDeleted { noteLostLinks(column, of: sent, to: bases, edit.baseSlot) }
      let isChanged = marks.contains(.changed)
      // The server has links that the base value lacks.
      marks = marks.withoutBase.union(
        lost.areGone || lost.areRecreated ? [] : lost.areDeleted ? [.known, .moved] : .known)
      if isLast { marks.subtract(.sending) }
      setMarks(marks, of: attribute, base, edit.baseSlot)
      guard isLast, !isDeleted, let slot else { continue }
      if !lost.areDeleted {
        // The server has the value without the links that return.
        noteEditedLinks(
          column, of: StoredRow(state: nil, table: edit.table, slot: slot), copiedTo: nil)
      }
      if !isChanged {
        // Without links to objects that were deleted since; some may have returned in another row. The server has removed
        // those to objects that it has deleted and that were created again.
        if !lost.areRecreated, !isAtBase(attribute, writer, slot, base, edit.baseSlot) {
          copyBaseValue(of: attribute, to: writer, slot, base, edit.baseSlot)
        }
        clearEdit(attribute, base, edit.baseSlot)
      } else if lost.isEmpty,
        isAtBase(attribute, writer, slot, base, edit.baseSlot)
      {
        clearEdit(attribute, base, edit.baseSlot)
      }
    }
    if edit.kind == .created, !isDeleted {
      if isLast {
        noteCutLinks(writer, base, edit.baseSlot)
      } else {
        noteShown(base, edit.baseSlot)
      }
    }
    addLostBaseLinks()
    dropIfClean(base, edit.baseSlot)
  }

  /// Records that the server has no value of the attributes without which a creation was sent, because their links waited for
  /// other creations.
  func noteCutLinks(_ writer: TableWriter, _ base: BaseLayout, _ baseSlot: Int) {
    for attribute in base.tracked
    where writer.columnLayout(writer.firstAttribute + attribute).hasLinks
      && self.writer(base.table).version.marks(baseSlot, base, attribute) == .edited
    {
      clearBaseValue(attribute, base, baseSlot)
      setMarks([.edited, .known], of: attribute, base, baseSlot)
    }
  }

  /// Offers an edit again: whether the server has applied it is unknown.
  func release(_ edit: TakenEdit) {
    withBase(edit) { writer, base, bases in
      guard isLast(edit, base, bases) else { return }
      set(.session, base, edit.baseSlot, to: 0)
      clearRejection(base, edit.baseSlot)
      endShownCreation(writer, base, edit.baseSlot)
      dropIfClean(base, edit.baseSlot)
    }
  }

  /// Ends the edits of an object that a payload has shown while its creation was under way, if the creation, or an earlier
  /// request for it, may have been applied and its fate stays unknown. Returns false if there was no such payload.
  @discardableResult
  func endShownCreation(_ writer: TableWriter, _ base: BaseLayout, _ baseSlot: Int) -> Bool {
    let bases = self.writer(base.table).version
    guard base.tracked.contains(where: { bases.marks(baseSlot, base, $0).contains(.shown) }),
      let slot = row(of: baseSlot, base, in: writer)
    else { return false }
    endSentCreation(writer, slot, base, baseSlot)
    return true
  }

  /// True if an edit of an object was sent and its fate is unknown.
  func wasSent(_ base: BaseLayout, _ baseSlot: Int) -> Bool {
    let bases = writer(base.table).version
    if base.tracked.isEmpty {
      return bases.own(baseSlot, base, .serial) > bases.own(baseSlot, base, .confirmed)
    }
    return base.tracked.contains { bases.marks(baseSlot, base, $0).contains(.sent) }
  }

  /// Gives an edited attribute its base value and ends its edit.
  ///
  /// - An unknown base value leaves the value.
  /// - An attribute that was sent stays edited, because the server may have the value that was sent, unless the server does
  ///   not have the object.
  /// - An attribute that was missing is missing again, but while its edit is in flight, it keeps its value: what the server
  ///   had is unknown.
  func revert(
    _ attribute: Int, isGone: Bool, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout,
    _ baseSlot: Int
  ) {
    let marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
    guard marks.contains(.edited) else { return }
    if marks.hasUnknownBase, marks.contains(.sent), isInFlight(base, baseSlot) { return }
    if !marks.isDisjoint(with: [.known, .missing]) {
      copyBaseValue(of: attribute, to: writer, slot, base, baseSlot)
      if marks.hasUnknownBase || marks.contains(.missing) && !marks.contains(.sent) {
        writer.setMissing(slot, attribute, to: true)
      }
    }
    if isGone || marks.hasUnknownBase || !marks.contains(.sent) {
      clearEdit(attribute, base, baseSlot)
    } else {
      noteChangedSinceSent(attribute, base, baseSlot)
    }
  }

  /// Records that an attribute has changed, if it was sent.
  func noteChangedSinceSent(_ attribute: Int, _ base: BaseLayout, _ baseSlot: Int) {
    let marks = writer(base.table).version.marks(baseSlot, base, attribute)
    if marks.contains([.edited, .sent]) {
      setMarks(marks.union(.changed), of: attribute, base, baseSlot)
    }
  }

  /// True if an edit of an object was sent and is not settled.
  func isInFlight(_ base: BaseLayout, _ baseSlot: Int) -> Bool {
    writer(base.table).version.own(baseSlot, base, .session) == engine.session
  }

  /// Deletes an object that the server does not have. If the server may have it, because its creation was sent, a deletion
  /// is sent as well.
  func revertCreation(_ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int) {
    if wasSent(base, baseSlot) {
      copyValues(of: slot, writer, toTombstone: baseSlot, base)
      set(.state, base, baseSlot, to: BaseState.deletedCreation.rawValue)
      noteTombstone(base)
      clearRejection(base, baseSlot)
    } else {
      dropBaseRow(base, baseSlot)
    }
    delete([(writer.table.index, slot)])
  }

  /// Brings a deleted object back with the values that the server has. Attributes that were sent stay edited, except those
  /// of which the server's value is unknown, unless they are in flight. If the server may not have the object, because its
  /// creation or its deletion was sent, it is a created one. Returns its row.
  func restore(_ base: BaseLayout, _ tombstone: Int, _ writer: TableWriter) -> Int {
    let bases = self.writer(base.table)
    let slot = writer.insertRow()
    let key = bases.keyCell(tombstone)
    let isInFlight = isInFlight(base, tombstone)
    func staysEdited(_ marks: EditMarks) -> Bool {
      marks.contains([.edited, .sent]) && !marks.hasNoValue
        && (isInFlight || !marks.hasUnknownBase)
    }
    writer.setNewKey(slot, key)
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      copyValue(
        column, of: StoredRow(state: nil, table: base.table, slot: tombstone), to: writer, slot)
      moveLinksInside(
        column, of: StoredRow(state: nil, table: base.table, slot: tombstone), to: writer, slot)
      let attribute = column - writer.firstAttribute
      let marks = bases.version.marks(tombstone, base, attribute)
      let isNew =
        base.marksColumn(attribute) != nil && marks.hasNoValue && !marks.isOvertaken
      if isNew || marks.contains(.missing) && !staysEdited(marks) {
        writer.setMissing(slot, attribute, to: true)
      }
    }
    moveLostLinks(
      from: LostReference.Source(bases.layout.name, tombstone),
      to: LostReference.Source(writer.layout.name, slot), in: writer)
    returnLinks(to: slot, writer, base, tombstone)
    clearRejection(base, tombstone)
    if bases.version.state(tombstone, base) == .deleted {
      set(.state, base, tombstone, to: BaseState.edited.rawValue)
      for attribute in base.tracked {
        // The server may have the value that was sent.
        let marks = bases.version.marks(tombstone, base, attribute)
        if marks.isOvertaken {
          // It has links that the server may have removed.
          setMarks(.edited, of: attribute, base, tombstone)
          clearBaseValue(attribute, base, tombstone)
        } else if staysEdited(marks) {
          noteChangedSinceSent(attribute, base, tombstone)
        } else {
          clearEdit(attribute, base, tombstone)
        }
      }
      // The row that had their values was deleted.
      dropIfClean(base, tombstone, keepsUnseen: false)
    } else {
      resumeCreation(base, tombstone, of: slot, writer, isRestored: true)
    }
    addReturningLinks()
    return slot
  }

  /// Ends the deletion of an object that the server certainly has, and brings the object back.
  func undelete(_ tombstone: Int, _ writer: TableWriter) {
    guard let base = writer.base, self.writer(base.table).version.isLive(tombstone) else { return }
    set(.state, base, tombstone, to: BaseState.deleted.rawValue)
    // The server's values end the edits, also those that were sent.
    for attribute in base.tracked {
      let marks = self.writer(base.table).version.marks(tombstone, base, attribute)
      setMarks(
        marks.subtracting(EditMarks.sending.union([.edited, .moved])), of: attribute, base,
        tombstone)
    }
    _ = restore(base, tombstone, writer)
  }

  /// Marks an attribute as edited although its base value is unknown.
  func markEdited(_ attribute: Int, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout) {
    let baseSlot = liveBaseRow(writer, slot, base) ?? addBaseRow(writer, slot, base, .edited)
    let bases = self.writer(base.table)
    if !bases.version.marks(baseSlot, base, attribute).contains(.edited) {
      noteEditedLinks(
        writer.firstAttribute + attribute,
        of: StoredRow(state: nil, table: writer.table.index, slot: slot), copiedTo: nil)
      let isMissing = writer.isMissing(slot, attribute)
      if isMissing {
        let current = StoredRow(state: nil, table: writer.table.index, slot: slot)
        copyValue(writer.firstAttribute + attribute, of: current, to: bases, baseSlot)
      }
      setMarks(isMissing ? [.edited, .missing] : .edited, of: attribute, base, baseSlot)
      clearRejection(base, baseSlot)
    }
    writer.give(slot, attribute)
  }

  /// Makes an object that the server deleted a new one, which all its known attributes describe.
  func recreate(_ writer: TableWriter, _ base: BaseLayout, _ baseSlot: Int) {
    clearRejection(base, baseSlot)
    set(.state, base, baseSlot, to: BaseState.created.rawValue)
    let slot = row(of: baseSlot, base, in: writer)
    for attribute in base.tracked {
      let isMissing = slot.map { writer.isMissing($0, attribute) } ?? false
      setMarks(isMissing ? [] : .edited, of: attribute, base, baseSlot)
      clearBaseValue(attribute, base, baseSlot)
    }
  }
}
