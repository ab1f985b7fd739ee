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
    if writer.version.isLive(object.slot) { return writer }
    writer.failure.note(StoreError(.objectInvalidated(className: object.className)))
    return nil
  }

  func write(_ object: ObjectBase, _ table: Int, _ column: Int, _ cell: ScalarCell) {
    guard let writer = writer(of: object, table) else { return }
    let layout = writer.layout
    if column == layout.keyColumn {
      guard isEqual(writer, object.slot, column, cell) else {
        misuse(
          "\(object.className): the primary key of a managed object cannot be assigned; "
            + "use store.rekey(_:to:)")
      }
      return
    }
    if layout.columns[column].isKeyPart {
      guard isEqual(writer, object.slot, column, cell) else {
        misuse(
          "\(object.className): '\(layout.shortName(column))', part of the primary key of a managed "
            + "object, cannot be assigned; use store.rekey(_:to:)")
      }
      return
    }
    switch layout.columns[column].kind {
    case .bytes:
      guard cell.bytes.count < BatchExport.sizeLimit else {
        let property = object.objectSchema.storedProperties[column - layout.firstAttribute]
        writer.failure.note(
          StoreError(
            .valueTooLarge(
              attribute: "\(object.className).\(property.name)", byteCount: cell.bytes.count)))
        return
      }
      writer.setText(object.slot, column, cell.bytes)
    case .byte:
      writer.setByte(object.slot, column, UInt8(truncatingIfNeeded: cell.word))
    case .word, .link, .collection:
      writer.setWord(object.slot, column, cell.word)
    }
  }

  private func isEqual(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ cell: ScalarCell
  ) -> Bool {
    let current = writer.columns(slot)[column]
    let row = slot & ChunkLayout.mask
    return writer.layout.columns[column].kind == .bytes
      ? current.textEquals(row, cell.bytes) : current.word(row) == cell.word
  }

  func writeNull(_ object: ObjectBase, _ table: Int, _ column: Int) {
    writer(of: object, table)?.setNull(object.slot, column)
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
        return
      }
      word = try value.map { UInt64(try targetSlot($0, for: object, column)) + 1 } ?? 0
    } catch {
      return refuse(error, transaction, "\(object.className): the link cannot be assigned")
    }
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
