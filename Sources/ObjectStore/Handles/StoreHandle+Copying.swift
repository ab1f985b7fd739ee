// Copying the values of rows into a batch.

extension StoreHandle {
  /// Copies the value of an attribute of a row into a cell of a batch.
  func copyCell(
    _ entry: ClassEntry, _ slot: Int, _ property: Property, _ export: BatchExport
  ) throws -> BatchCell {
    let layout = entry.layout.columns[property.column]
    let column = tableVersion(entry.table).columns(slot)[property.column]
    let row = slot & ChunkLayout.mask
    switch layout.kind {
    case .byte:
      return column.isNull(row) ? .null : .word(UInt64(column.byte(row)))
    case .word:
      return column.isNull(row) ? .null : .word(column.word(row))
    case .bytes:
      return column.isNull(row)
        ? .null : export.batch.text(copying: column.bytes(ofWord: column.word(row)))
    case .link:
      let word = column.word(row)
      if word == 0 { return .null }
      return try copyTarget(layout, Int(word) - 1, export)
    case .collection:
      let slice = column.slice(row)
      let mark = export.batch.beginElements()
      for index in 0..<Int(slice.length) {
        let element = column.element(slice, index, layout)
        if layout.elementKind == .link, element.word != 0, !layout.hasNullElements,
          !canCopy(layout, Int(element.word) - 1)
        {
          continue
        }
        if layout.collection == .map {
          export.batch.appendElement(export.batch.text(copying: element.key))
        }
        if element.isNull || layout.elementKind == .link && element.word == 0 {
          export.batch.appendElement(.null)
        } else if layout.elementKind == .link {
          export.batch.appendElement(
            try copyTarget(layout, Int(element.word) - 1, export))
        } else if layout.elementKind == .bytes {
          export.batch.appendElement(export.batch.text(copying: element.bytes))
        } else {
          export.batch.appendElement(.word(element.word))
        }
      }
      return export.batch.endElements(mark)
    }
  }

  /// True if the target of a copied link can be used: an embedded object, which is copied even if it was deleted, or a
  /// live row. The open write may have deleted the target after the row that is copied.
  private func canCopy(_ layout: ColumnLayout, _ slot: Int) -> Bool {
    entry(ofTable: layout.targetTable).schema.isEmbedded
      || tableVersion(layout.targetTable).isLive(slot)
  }

  private func copyTarget(
    _ layout: ColumnLayout, _ slot: Int, _ export: BatchExport
  ) throws -> BatchCell {
    guard canCopy(layout, slot) else { return .null }
    let target = entry(ofTable: layout.targetTable)
    guard target.schema.isEmbedded else {
      return export.batch.link(toSlot: slot, of: layout.targetTable)
    }
    // The objects that an embedded object owns are copied with it.
    return .row(try export.copy(of: target, slot))
  }
}
