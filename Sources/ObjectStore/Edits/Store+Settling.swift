// Settling the edits that were taken, by the outcome of their requests.

extension Store {
  /// Records the outcome of sending an edit.
  ///
  ///     while let edit = try store.takeEdit() {
  ///       try store.settle(edit, try await client.send(edit))
  ///     }
  ///
  /// A store cannot decode a response: `StoreCoder.settle` does. Without the response, a created object keeps its key.
  ///
  /// Does nothing for an edit that is confirmed, or older than one that was confirmed. An edit of ``pendingEdits()`` accepts only
  /// `.later`, by which one that the server rejected is offered again; if it is in flight, it stays in flight:
  ///
  ///     for edit in try store.pendingEdits() where edit.rejection != nil { try store.settle(edit, .later) }
  ///
  /// Opens a write of its own, or joins the open one.
  ///
  /// - Throws: `responseNotDecoded` for an outcome with a response; `editNotTaken` for an edit of ``pendingEdits()``;
  ///   `objectOfAnotherStore`, `alreadyWriting`, and the errors of the commit.
  public func settle(_ edit: Edit, _ outcome: Edit.Outcome) throws {
    if case .confirmed(let response?, _) = outcome, !response.isEmpty {
      throw StoreError(
        .responseNotDecoded(className: edit.className, key: PlannedText.text(edit.key)))
    }
    _ = try settle(edit, outcome) { _ in .keep }
  }

  /// Records the outcome of sending an edit, without the response.
  ///
  /// - Parameter resolve: Chooses whether an object with edits that the server does not have is kept, created again or
  ///   deleted.
  /// - Returns: The conflict of an edited object that the server does not have.
  package func settle(
    _ edit: Edit, _ outcome: Edit.Outcome,
    resolvingBy resolve: @escaping (Edit.Conflict) throws -> Edit.Choice
  ) throws -> [Edit.Conflict] {
    guard edit.handle.core === handle.core else {
      throw StoreError(.objectOfAnotherStore(className: edit.className))
    }
    guard edit.isTaken else {
      guard case .later = outcome else {
        throw StoreError(.editNotTaken(className: edit.className, key: "\(edit.key)"))
      }
      try handle.writeBases { $0.offerAgain(edit.taken) }
      return []
    }
    if case .gone = outcome, edit.kind == .edited { return try settleGone(edit, resolve) }
    try handle.writeBases { transaction in
      switch outcome {
      case .confirmed: transaction.confirm(edit.taken)
      case .gone where edit.kind == .deleted: transaction.confirm(edit.taken, isGone: true)
      case .rejected(let rejection): transaction.reject(edit.taken, rejection.storedText)
      case .reverted: transaction.revert(edit.taken)
      case .later, .gone: transaction.release(edit.taken)
      case .unapplied: transaction.releaseUnapplied(edit.taken)
      }
    }
    return []
  }

  /// Records that the server does not have an edited object. An object whose edits were set back since stays, and one that
  /// was deleted since is still to be deleted by the server.
  private func settleGone(
    _ edit: Edit, _ resolve: @escaping (Edit.Conflict) throws -> Edit.Choice
  ) throws -> [Edit.Conflict] {
    try handle.applying(as: .server(resolve)) {
      let transaction = try handle.writableTransaction()
      guard transaction.isInFlight(edit.taken, edit.base) else { return }
      transaction.releaseUnapplied(edit.taken)
      let writer = transaction.writer(edit.entry.table)
      // A deletion since is still sent: the request for the edit may have been wrong.
      guard transaction.writer(edit.base.table).version.isLive(edit.taken.baseSlot),
        let slot = transaction.row(of: edit.taken.baseSlot, edit.base, in: writer)
      else { return }
      transaction.deleteForServer([(edit.entry.table, slot)])
    }.conflicts
  }

  /// Confirms an edit, and gives the object the key that the server has assigned to it. If another object has the key,
  /// because a refresh was faster, the object is merged into that one.
  ///
  /// - Parameter update: The server's object; nil if its response contains none.
  /// - Returns: False if the edit was settled before, or its object is gone without a deletion to be sent: then the response
  ///   is out of date.
  @discardableResult
  package func confirm(_ edit: Edit, with update: UpdateDictionary?) throws -> Bool {
    guard edit.isTaken else {
      throw StoreError(.editNotTaken(className: edit.className, key: "\(edit.key)"))
    }
    guard edit.handle.core === handle.core else {
      throw StoreError(.objectOfAnotherStore(className: edit.className))
    }
    let entry = edit.entry
    return try handle.writeBases { transaction in
      if transaction.isSettled(edit.taken) { return false }
      let writer = transaction.writer(entry.table)
      let slot = transaction.row(of: edit.taken.baseSlot, edit.base, in: writer)
      transaction.confirm(edit.taken)
      guard edit.kind == .created, let update else { return true }
      try handle.withBatch { batch in
        guard let row = try keyRow(update, entry, batch) else { return }
        if let slot {
          transaction.adoptKey(
            of: row, slot, writer, edit.base, entry.schema, isResent: edit.isResent)
        } else {
          transaction.adoptKey(
            of: row, tombstone: edit.taken.baseSlot, writer, edit.base, entry.schema)
        }
      }
      return true
    }
  }

  /// Ends the edits of an object whose creation was confirmed when it was repeated, after the whole response was assigned:
  /// an assignment of the current value is not noticed.
  package func endRepeatedCreation<T: Object>(of object: T) throws {
    try handle.writeBases { transaction in
      let entry = try handle.entry(of: object)
      let writer = transaction.writer(entry.table)
      guard let base = entry.base,
        let baseSlot = transaction.liveBaseRow(writer, try handle.slot(of: object), base)
      else { return }
      for attribute in base.tracked {
        let marks = transaction.writer(base.table).version.marks(baseSlot, base, attribute)
        guard marks.contains(.replaced), marks.isDisjoint(with: [.sent, .known]) else { continue }
        transaction.clearEdit(attribute, base, baseSlot)
      }
      transaction.dropIfClean(base, baseSlot)
    }
  }

  /// The current key of the object of an edit. If the object was deleted, the key when the edit was taken; nil for a
  /// creation.
  package func currentKey(of edit: Edit) -> (any ObjectKey)? {
    let rows = handle.tableVersion(edit.entry.table)
    let bases = handle.tableVersion(edit.base.table)
    // A base row that was dropped keeps its key.
    guard let slot = rows.find(keyOf: edit.taken.baseSlot, in: bases, edit.entry.layout) else {
      if edit.kind == .created { return nil }
      return edit.key
    }
    return edit.entry.schema.key(of: handle.accessor(edit.entry, slot))
  }

  /// Returns a row with the key of an update; nil if the update has none.
  private func keyRow(
    _ update: UpdateDictionary, _ entry: ClassEntry, _ batch: RowBatch
  ) throws -> BatchRow? {
    let names =
      entry.hasCompoundKey
      ? entry.schema.compoundKey : [entry.schema.primaryKeyProperty?.name ?? ""]
    var key = UpdateDictionary()
    for name in names {
      guard let value = update[name] else { return nil }
      key.append(name, value)
    }
    return try UpdateConversion(handle, batch).row(key, entry, isTop: true)
  }
}

extension Transaction {
  /// Gives a created object the server's key.
  ///
  /// - Parameters:
  ///   - row: A batch row with the key.
  ///   - isResent: True if the creation was sent before.
  fileprivate func adoptKey(
    of row: BatchRow, _ slot: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ schema: ObjectSchema, isResent: Bool
  ) {
    let existing = writer.find(row.key)
    if existing == slot { return }
    if let existing {
      return merge(slot, into: existing, writer, base, isConfirming: true, isResent: isResent)
    }
    // The object that a refresh delivered was deleted since; this one remains.
    if let tombstone = tombstone(writer, row.key) { dropBaseRow(base, tombstone) }
    moveConfirmations(from: writer.keyCell(slot), to: row.key, writer, all: false)
    rekeyBase(of: slot, writer, to: row.key)
    writer.rekey(slot, to: row.key)
    fillKeyParts(of: slot, writer, schema, row)
    updateBaseKeyParts(of: slot, writer)
  }

  /// Gives the tombstone of a created object the server's key, so that its deletion can be sent.
  fileprivate func adoptKey(
    of row: BatchRow, tombstone: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ schema: ObjectSchema
  ) {
    let bases = self.writer(base.table)
    guard bases.version.isLive(tombstone) else { return }
    let existing = bases.find(row.key)
    if existing == tombstone { return }
    if let slot = writer.find(row.key) {
      if existing != nil {
        // The user has edited the object that a refresh delivered: it stays.
        return dropBaseRow(base, tombstone)
      }
      delete([(writer.table.index, slot)])
    } else if existing != nil {
      // It was deleted, too.
      return dropBaseRow(base, tombstone)
    }
    moveConfirmations(from: bases.keyCell(tombstone), to: row.key, writer, all: false)
    bases.rekey(tombstone, to: row.key)
    fillKeyParts(of: tombstone, bases, schema, row)
  }

  /// Stores the parts of a compound key in a row of a class or its base table.
  fileprivate func fillKeyParts(
    of slot: Int, _ writer: TableWriter, _ schema: ObjectSchema, _ row: BatchRow
  ) {
    for part in schema.keyParts {
      write(writer, slot, writer.firstAttribute + part, row[part], writesEqual: false)
    }
  }
}
