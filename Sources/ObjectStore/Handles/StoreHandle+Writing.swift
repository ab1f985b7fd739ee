// The setters of managed objects.

extension StoreHandle {
  func openTransaction(_ object: ObjectBase) -> Transaction {
    guard let transaction, !isFrozen else { object.misuseOutsideWrite() }
    if evaluation.isRunning {
      misuse("\(object.className): \(StoreError(.writeInDefault))")
    }
    return transaction
  }

  /// The writer of the object's table. Nil if the object was deleted. Because other code may have deleted it, this is
  /// not misuse: the write fails with `objectInvalidated` when it ends.
  func writer(of object: ObjectBase, _ table: Int) -> TableWriter? {
    let writer = openTransaction(object).writer(table)
    if writer.version.isLive(object.slot) {
      return writer
    }
    writer.failure.note(StoreError(.objectInvalidated(className: object.className)))
    return nil
  }

  /// Runs `body` with the writer of the object's table, without counting a reference: that would take four fifths of an
  /// assignment. Does nothing if the object was deleted; see ``writer(of:_:)``.
  @inline(__always)
  private func withWriter(
    of object: ObjectBase, _ table: Int, _ body: (TableWriter) -> Void
  ) {
    // Misuse, with the message for its reason.
    if evaluation.isRunning || isFrozen { _ = openTransaction(object) }
    let isOpen: Void? = withOpenTransaction { transaction in
      transaction.withWriter(table) { writer in
        if writer.withVersion({ $0.isLive(object.slot) }) {
          body(writer)
        } else {
          // Records that the write fails.
          _ = self.writer(of: object, table)
        }
      }
    }
    if isOpen == nil { object.misuseOutsideWrite() }
  }

  func write(_ object: ObjectBase, _ table: Int, _ column: Int, _ cell: ScalarCell) {
    withWriter(of: object, table) { writer in
      let layout = writer.columnLayout(column)
      if column == writer.keyColumn || layout.isKeyPart {
        return checkKey(writer, object, column, cell)
      }
      writer.give(object.slot, column - writer.firstAttribute)
      switch layout.kind {
      case .bytes:
        guard cell.bytes.count < BatchExport.sizeLimit else {
          return refuse(size: cell.bytes.count, writer, object, column)
        }
        if layout.isJSON {
          writer.setJSON(object.slot, column, cell.bytes)
        } else {
          writer.setText(object.slot, column, cell.bytes)
        }
      case .byte:
        writer.setByte(object.slot, column, UInt8(truncatingIfNeeded: cell.word))
      case .word, .link, .collection:
        writer.setWord(object.slot, column, cell.word)
      }
    }
  }

  @inline(never)
  private func refuse(
    size byteCount: Int, _ writer: TableWriter, _ object: ObjectBase, _ column: Int
  ) {
    let property = object.objectSchema.storedProperties[column - writer.firstAttribute]
    writer.failure.note(
      StoreError(
        .valueTooLarge(
          attribute: "\(object.className).\(property.name)", byteCount: byteCount)))
  }

  /// Checks that a value assigned to the primary key, or to a part of it, is the current one; anything else is misuse.
  @inline(never)
  private func checkKey(
    _ writer: TableWriter, _ object: ObjectBase, _ column: Int, _ cell: ScalarCell
  ) {
    let current = writer.columns(object.slot)[column]
    let row = object.slot & ChunkLayout.mask
    let isEqual =
      writer.columnLayout(column).kind == .bytes
      ? current.textEquals(row, cell.bytes) : current.word(row) == cell.word
    if isEqual { return }
    if column == writer.keyColumn {
      misuse(
        "\(object.className): the primary key of a managed object cannot be assigned; "
          + "use store.rekey(_:to:)")
    }
    misuse(
      "\(object.className): '\(writer.layout.shortName(column))', part of the primary key of a managed "
        + "object, cannot be assigned; use store.rekey(_:to:)")
  }

  func writeNull(_ object: ObjectBase, _ table: Int, _ column: Int) {
    withWriter(of: object, table) { writer in
      writer.give(object.slot, column - writer.firstAttribute)
      writer.setNull(object.slot, column)
    }
  }

  func writeLink(_ object: ObjectBase, _ table: Int, _ column: Int, _ value: ObjectBase?) {
    let transaction = openTransaction(object)
    guard let writer = writer(of: object, table) else { return }
    let word: UInt64
    do {
      let current = writer.columns(object.slot)[column].word(object.slot & ChunkLayout.mask)
      if let value, value.isOwned, value.handle?.core === core,
        current == UInt64(value.slot) + 1
      {
        // The attribute already holds this embedded object, which a copy would replace.
        return writer.give(object.slot, column - writer.firstAttribute)
      }
      word = try value.map { UInt64(try targetSlot($0, for: object, column)) + 1 } ?? 0
    } catch {
      return refuse(error, transaction, "\(object.className): the link cannot be assigned")
    }
    writer.give(object.slot, column - writer.firstAttribute)
    transaction.setLink(writer, object.slot, column, word, replaces: false)
  }

  /// Called by a setter that cannot store its value. If the value itself is the reason, the write fails, because the
  /// value may come from data. Any other error, such as an object of another store, is misuse.
  func refuse(_ error: any Error, _ transaction: Transaction, _ what: String) {
    guard let error = error as? StoreError, error.concernsValue else { misuse("\(what): \(error)") }
    transaction.failure.note(error)
  }

  /// The slot of an object that is assigned to an attribute of `owner`. An unmanaged object and an embedded object that
  /// already has an owner get a new row.
  func targetSlot(
    _ object: ObjectBase, for owner: ObjectBase, _ column: Int
  ) throws -> Int {
    let schema = owner.objectSchema
    let property = schema.storedProperties[column - schema.firstAttribute]
    if object.isManaged, !object.isOwned, property.shape.target.map(object.isOf) ?? false {
      return try slot(of: object)
    }
    return try withBatch { batch in
      let export = BatchExport(batch, for: self)
      export.attribute = (schema.className, property)
      let cell = try export.link(object)
      if let row = cell.row, object.isManaged {
        batch.complete(row)
        row.setInstance()
      } else {
        try export.add(object)
      }
      try apply(batch, .error)
      attachInstances(of: export)
      return cell.row?.header.pointee.slot ?? 0
    }
  }

  /// Attaches all instances of the export to their rows.
  func attachInstances(of export: BatchExport) {
    for (object, row) in export.instances {
      attach(
        object, entry(ofTable: Int(row.header.pointee.table)), row.header.pointee.slot)
    }
    for (box, owner, column) in export.boxes where owner.owner === self {
      let entry = entry(ofTable: owner.storage?.pointee.table ?? 0)
      attach(
        box, to: CollectionLocation(handle: self, entry: entry, slot: owner.slot, column: column))
    }
  }
}
