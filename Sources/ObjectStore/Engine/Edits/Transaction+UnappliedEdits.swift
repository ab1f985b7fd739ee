// Edits that the server has certainly not applied: they are sent again, rejected or undone.

extension Transaction {
  /// Offers an edit again that the server has not applied.
  func releaseUnapplied(_ edit: TakenEdit) {
    withBase(edit) { writer, base, bases in
      guard isLast(edit, base, bases) else { return }
      forgetSending(edit, base)
      clearRejection(base, edit.baseSlot)
      guard let slot = row(of: edit.baseSlot, base, in: writer) else {
        return dropUnsentCreation(edit, base)
      }
      endUnappliedEdits(edit, writer, slot, base, bases)
      dropIfClean(base, edit.baseSlot)
    }
  }

  /// Ends the edits that were set back while they were in flight, and those of a creation that a payload has shown.
  private func endUnappliedEdits(
    _ edit: TakenEdit, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ bases: TableWriter
  ) {
    endShownCreation(writer, base, edit.baseSlot)
    for attribute in edit.attributes
    where bases.version.marks(edit.baseSlot, base, attribute).canBeSetBack
      && isAtBase(attribute, writer, slot, base, edit.baseSlot)
      && !mayLackLinks(writer.firstAttribute + attribute, writer)
    {
      endSetBack(attribute, writer, slot, base, edit.baseSlot)
    }
  }

  /// Ends the edit of an attribute that was set back to what the server has.
  func endSetBack(
    _ attribute: Int, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int
  ) {
    if self.writer(base.table).version.marks(baseSlot, base, attribute).contains(.missing) {
      writer.setMissing(slot, attribute, to: true)
    }
    clearEdit(attribute, base, baseSlot)
  }

  /// Drops the tombstone of an object of which neither the server nor the store has the creation.
  private func dropUnsentCreation(_ edit: TakenEdit, _ base: BaseLayout) {
    let state = writer(base.table).version.state(edit.baseSlot, base)
    if edit.kind == .created, state == .deletedCreation, !wasSent(base, edit.baseSlot) {
      dropBaseRow(base, edit.baseSlot)
    }
  }

  /// Offers a rejected edit that was not taken again.
  func offerAgain(_ edit: TakenEdit) {
    guard let base = writer(edit.table).base,
      writer(base.table).version.isLive(edit.baseSlot)
    else { return }
    clearRejection(base, edit.baseSlot)
  }

  /// Records that the server did not apply an edit. It is not offered again until the object is edited. An object that was
  /// edited or deleted since is offered, because the rejection does not concern its current state.
  func reject(_ edit: TakenEdit, _ rejection: String) {
    withBase(edit) { writer, base, bases in
      guard isLast(edit, base, bases) else { return }
      let state = bases.version.state(edit.baseSlot, base)
      forgetSending(edit, base)
      if edit.kind == .created, state == .deletedCreation, !wasSent(base, edit.baseSlot) {
        // Neither the server nor the store has the object.
        return dropBaseRow(base, edit.baseSlot)
      }
      if let slot = row(of: edit.baseSlot, base, in: writer) {
        endUnappliedEdits(edit, writer, slot, base, bases)
      }
      if dropIfClean(base, edit.baseSlot) { return }
      if state.isTombstone {
        guard edit.kind.isTombstone else { return }
      } else if edit.kind.isTombstone || !isUnchanged(edit, writer, base, bases) {
        return
      }
      setRejection(rejection, base, edit.baseSlot)
    }
  }

  /// True if an object has not changed since its edit was taken.
  private func isUnchanged(
    _ edit: TakenEdit, _ writer: TableWriter, _ base: BaseLayout, _ bases: TableWriter
  ) -> Bool {
    guard let slot = row(of: edit.baseSlot, base, in: writer) else { return false }
    let unchanged = unchangedAttributes(edit, slot, writer)
    // Links that are sent later were edited before.
    let former = rows(base.table, in: edit.state).editedAttributes(edit.baseSlot, base)
    return bases.version.editedAttributes(edit.baseSlot, base).allSatisfy {
      unchanged.contains($0) || former.contains($0) && !edit.attributes.contains($0)
    }
  }

  /// The attributes of an edit that still have the values that were sent; none for a deletion.
  private func unchangedAttributes(
    _ edit: TakenEdit, _ slot: Int, _ writer: TableWriter
  ) -> [Int] {
    guard let sentSlot = edit.slot else { return [] }
    return edit.attributes.filter { attribute in
      isEqual(
        writer.firstAttribute + attribute,
        StoredRow(state: nil, table: edit.table, slot: slot),
        StoredRow(state: edit.state, table: edit.table, slot: sentSlot))
    }
  }

  /// Records that the server did not apply an edit, the last one of its object. It may have applied an earlier one.
  private func forgetSending(_ edit: TakenEdit, _ base: BaseLayout) {
    let baseSlot = edit.baseSlot
    set(.session, base, baseSlot, to: 0)
    switch writer(base.table).version.state(baseSlot, base) {
    case .sentDeletion: set(.state, base, baseSlot, to: edit.kind.rawValue)
    case .created where edit.kind == .deleted:
      // The server still has the object, which was created again.
      set(.state, base, baseSlot, to: BaseState.edited.rawValue)
    case .deletedCreation where edit.kind == .deleted:
      // And deleted again.
      restoreTombstone(edit, base)
    default: break
    }
    if edit.kind.isTombstone {
      // The marks are those of earlier edits, whose fate is still unknown.
      if edit.kind == .deleted { endUndoneDeletion(edit, base) }
      return
    }
    for attribute in base.tracked {
      let marks = writer(base.table).version.marks(baseSlot, base, attribute)
      if marks.contains(.uncertain) { continue }
      // Only an earlier request can have replaced a value.
      setMarks(
        marks.subtracting(.sending.subtracting(.replaced)), of: attribute, base, baseSlot)
    }
  }

  /// Gives a tombstone the values of the object whose deletion was sent, in place of those of one that was created and
  /// deleted since.
  private func restoreTombstone(_ edit: TakenEdit, _ base: BaseLayout) {
    let (writer, bases) = (writer(edit.table), writer(base.table))
    let tombstone = StoredRow(state: edit.state, table: base.table, slot: edit.baseSlot)
    set(.state, base, edit.baseSlot, to: BaseState.deleted.rawValue)
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      copyValue(column, of: tombstone, to: bases, edit.baseSlot)
      noteLostLinks(column, of: tombstone, to: bases, edit.baseSlot)
      let marks = rows(base.table, in: edit.state).marks(edit.baseSlot, base, attribute)
      setMarks(marks, of: attribute, base, edit.baseSlot)
    }
    addLostBaseLinks()
  }

  /// Ends the edits of an object that was brought back while its deletion was under way, and that the server still has: only
  /// what differs from the deleted object is an edit. The values of an object that was created again are all edits.
  private func endUndoneDeletion(_ edit: TakenEdit, _ base: BaseLayout) {
    let (writer, bases) = (writer(edit.table), writer(base.table))
    guard let slot = row(of: edit.baseSlot, base, in: writer) else { return }
    let tombstone = StoredRow(state: edit.state, table: base.table, slot: edit.baseSlot)
    for attribute in base.tracked {
      let column = writer.firstAttribute + attribute
      let former = rows(base.table, in: edit.state).marks(edit.baseSlot, base, attribute)
      let marks = bases.version.marks(edit.baseSlot, base, attribute)
      // An edit before the deletion may have been applied.
      guard marks.contains(.edited), !former.contains(.sent) else { continue }
      if marks.contains(.restored), former.contains(.known),
        isEqual(
          column, tombstone, StoredRow(state: nil, table: edit.table, slot: slot),
          leavingOutDeleted: true)
      {
        if marks.contains(.known) {
          copyBaseValue(of: attribute, to: writer, slot, base, edit.baseSlot)
        }
        clearEdit(attribute, base, edit.baseSlot)
      } else if marks.contains(.known) || !former.contains(.known) || mayLackLinks(column, writer) {
        setMarks(marks.subtracting(.sending), of: attribute, base, edit.baseSlot)
      } else {
        copyValue(column, of: tombstone, to: bases, edit.baseSlot)
        setMarks(
          marks.contains(.restored) ? [.edited, .known] : [.edited, .known, .moved],
          of: attribute, base, edit.baseSlot)
      }
    }
  }

  /// Undoes an edit that the server did not apply: attributes that still have the value that was sent get their base
  /// values.
  func revert(_ edit: TakenEdit) {
    withBase(edit) { writer, base, bases in
      let isLast = isLast(edit, base, bases)
      let isGone = bases.version.isGone(edit.baseSlot, base)
      if isLast {
        forgetSending(edit, base)
        clearRejection(base, edit.baseSlot)
      }
      let state = bases.version.state(edit.baseSlot, base)
      guard let slot = row(of: edit.baseSlot, base, in: writer) else {
        guard isLast, state.isTombstone else { return }
        if edit.kind.isTombstone {
          _ = restore(base, edit.baseSlot, writer)
        } else {
          dropUnsentCreation(edit, base)
        }
        return
      }
      if edit.kind.isTombstone {
        dropIfClean(base, edit.baseSlot)
        return
      }
      let unchanged = unchangedAttributes(edit, slot, writer)
      if edit.kind == .created, state == .created {
        if unchanged.count < edit.attributes.count { return }
        return revertCreation(writer, slot, base, edit.baseSlot)
      }
      if isLast { endUnappliedEdits(edit, writer, slot, base, bases) }
      for attribute in unchanged
      where bases.version.marks(edit.baseSlot, base, attribute).contains(.edited) {
        revert(attribute, isGone: isGone, writer, slot, base, edit.baseSlot)
      }
      _ = dropIfClean(base, edit.baseSlot, isGone: isGone, writer, slot)
    }
  }
}
