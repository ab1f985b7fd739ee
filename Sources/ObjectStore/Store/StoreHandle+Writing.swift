// What the setters of managed objects and of their collections do.

extension StoreHandle {
  private func openTransaction(_ object: ObjectBase) -> Transaction {
    guard let transaction, !isFrozen else { object.misuseOutsideWrite() }
    return transaction
  }

  /// A deleted object has no row to write to: misuse, as assigning outside a write is.
  private func checkLive(_ object: ObjectBase, _ writer: TableWriter) {
    guard writer.version.isLive(object.slot) else {
      misuse("\(type(of: object)): the object was deleted; its attributes cannot be assigned")
    }
  }

  func write(_ object: ObjectBase, _ table: Int, _ column: Int, _ cell: ScalarCell) {
    let writer = openTransaction(object).writer(table)
    checkLive(object, writer)
    let layout = writer.layout
    if column == layout.keyColumn {
      guard isEqual(writer, object.slot, column, cell) else {
        misuse(
          "\(type(of: object)): the primary key of a managed object cannot be assigned; "
            + "use store.rekey(_:to:)")
      }
      return
    }
    switch layout.columns[column].kind {
    case .text:
      guard cell.bytes.count < BatchExport.sizeLimit else {
        misuse("\(type(of: object)): a value of \(cell.bytes.count) bytes is larger than 16 MiB")
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
    return writer.layout.columns[column].kind == .text
      ? current.textEquals(row, cell.bytes) : current.word(row) == cell.word
  }

  func writeNull(_ object: ObjectBase, _ table: Int, _ column: Int) {
    let writer = openTransaction(object).writer(table)
    checkLive(object, writer)
    writer.setNull(object.slot, column)
  }

  func writeLink(_ object: ObjectBase, _ table: Int, _ column: Int, _ value: ObjectBase?) {
    let transaction = openTransaction(object)
    let writer = transaction.writer(table)
    checkLive(object, writer)
    let word: UInt64
    do {
      word = try value.map { UInt64(try targetSlot($0)) + 1 } ?? 0
    } catch {
      misuse("\(type(of: object)): the link cannot be assigned: \(error)")
    }
    transaction.setLink(writer, object.slot, column, word, replaces: false)
  }

  /// The slot of an object that is assigned: its own, or that of the row made for it now.
  private func targetSlot(_ object: ObjectBase) throws -> Int {
    if object.isManaged && !(object is EmbeddedObject) { return try slot(of: object) }
    return try withBatch { batch in
      let export = BatchExport(batch, for: self)
      let cell = try export.link(object)
      if let row = cell.row, object.isManaged {
        batch.complete(row)
        row.markInstance()
      } else {
        try export.add(object)
      }
      try apply(batch, .error)
      promoteInstances(of: export)
      return cell.row?.header.pointee.slot ?? 0
    }
  }

  /// Makes all instances of the export accessors of their rows.
  func promoteInstances(of export: BatchExport) {
    for (object, row) in export.instances {
      promote(object, trustedEntry(type(of: object)), row.header.pointee.slot)
    }
  }

  // MARK: - Collections

  func appendElement<E: CollectionElement>(_ object: ObjectBase, _ column: Int, _ element: E) {
    let transaction = openTransaction(object)
    guard let storage = object.storage else { return }
    let writer = transaction.writer(storage.pointee.table)
    checkLive(object, writer)
    withElements(object, [element], keys: [], own: []) { values in
      let layout = writer.layout.columns[column]
      writer.appendElement(object.slot, column, values[0])
      if layout.elementKind == .link {
        transaction.moveLinks(
          writer, object.slot, column, layout, from: [], to: [values[0].word], replaces: false)
      }
    }
  }

  func writeCollection<E: CollectionElement>(
    _ object: ObjectBase, _ column: Int, _ elements: [E], keys: [String]
  ) {
    let transaction = openTransaction(object)
    guard let storage = object.storage else { return }
    let writer = transaction.writer(storage.pointee.table)
    checkLive(object, writer)
    let own = ownedSlots(object, column)
    withElements(object, elements, keys: keys, own: own) { values in
      let layout = writer.layout.columns[column]
      var values = values
      if layout.collection == .set { values.sortUnique(layout) }
      transaction.setElements(writer, object.slot, column, layout, values)
    }
  }

  /// Gives `body` the elements as the engine takes them; objects that are unmanaged are added.
  private func withElements<E: CollectionElement>(
    _ object: ObjectBase, _ elements: [E], keys: [String], own: Set<Int>,
    _ body: ([ElementValue]) -> Void
  ) {
    var own = own
    do {
      try withBatch { batch in
        let export = BatchExport(batch, for: self)
        var values: [ElementValue] = []
        values.reserveCapacity(elements.count)
        let isText = E.elementShape.scalar?.kind.column == .text
        for (index, element) in elements.enumerated() {
          var value = ElementValue()
          if let target = (element as Any?) as? ObjectBase {
            value.word = UInt64(try elementSlot(target, &own)) + 1
          } else {
            let cell = try element.elementExport(export)
            value.isNull = cell.state == .null
            if isText { value.bytes = cell.bytes } else { value.word = cell.bits }
          }
          if index < keys.count { value.key = batch.text(keys[index]).bytes }
          values.append(value)
        }
        body(values)
      }
    } catch {
      misuse("\(type(of: object)): the elements cannot be assigned: \(error)")
    }
  }

  /// The slot of an element. An embedded object stays the row it is in the collection that owns
  /// it, once; anywhere else it is copied.
  private func elementSlot(_ target: ObjectBase, _ own: inout Set<Int>) throws -> Int {
    if target is EmbeddedObject, target.isManaged, let slot = own.remove(try slot(of: target)) {
      return slot
    }
    return try targetSlot(target)
  }

  /// The targets that a collection owns: those of embedded objects.
  private func ownedSlots(_ object: ObjectBase, _ column: Int) -> Set<Int> {
    guard let table = object.storage?.pointee.table else { return [] }
    let layout = layout(table).columns[column]
    guard layout.hasLinks, self.layout(layout.targetTable).identity == .embedded else { return [] }
    var slots: Set<Int> = []
    tableVersion(table).forEachTarget(object.slot, column, layout) { slots.insert($0) }
    return slots
  }

  // MARK: - Copies

  /// A cell with the value of an attribute of a row, for a row of a batch.
  func copyCell(
    _ entry: ClassEntry, _ slot: Int, _ property: Property, _ export: BatchExport
  ) throws -> BatchCell {
    let layout = entry.layout.columns[property.column]
    let cell = tableVersion(entry.table).columns(slot)[property.column]
    let row = slot & ChunkLayout.mask
    switch layout.kind {
    case .byte:
      return cell.isNull(row) ? .null : .word(UInt64(cell.byte(row)))
    case .word:
      return cell.isNull(row) ? .null : .word(cell.word(row))
    case .text:
      return cell.isNull(row)
        ? .null : export.batch.text(copying: cell.bytes(ofWord: cell.word(row)))
    case .link:
      let word = cell.word(row)
      if word == 0 { return .null }
      return try copyTarget(property, Int(word) - 1, export)
    case .collection:
      let run = cell.run(row)
      let mark = export.batch.beginElements()
      for index in 0..<Int(run.length) {
        let element = cell.element(run, index, layout)
        if layout.collection == .map {
          export.batch.appendElement(export.batch.text(copying: element.key))
        }
        if element.isNull || layout.elementKind == .link && element.word == 0 {
          export.batch.appendElement(.null)
        } else if layout.elementKind == .link {
          export.batch.appendElement(
            try copyTarget(property, Int(element.word) - 1, export))
        } else if layout.elementKind == .text {
          export.batch.appendElement(export.batch.text(copying: element.bytes))
        } else {
          export.batch.appendElement(.word(element.word))
        }
      }
      return export.batch.endElements(mark)
    }
  }

  private func copyTarget(
    _ property: Property, _ slot: Int, _ export: BatchExport
  ) throws -> BatchCell {
    guard property.shape.isEmbedded, let type = property.shape.target else { return .slot(slot) }
    // What an embedded object owns is copied with it.
    return .row(try export.copy(of: trustedEntry(type), slot))
  }
}
