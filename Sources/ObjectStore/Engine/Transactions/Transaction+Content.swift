// Comparing content with rows. Equal content keeps its row and writes nothing (R9).

extension Transaction {
  /// True if the target of `oldWord` equals the target that the cell specifies.
  func matches(_ cell: BatchCell, _ oldWord: UInt64) -> Bool {
    if let content = content(cell) {
      return oldWord != 0 && holds(content, Int(oldWord) - 1)
    }
    return word(of: cell) == oldWord
  }

  /// True if a row equals the row that inserting the content would create.
  ///
  /// An attribute that a payload leaves out equals one that is missing from the row, although its default may differ from
  /// row to row (`Date()`). If the row has a value, it is compared with the current default: a body leaves out nil that the
  /// server has sent. A value in a payload never equals a missing attribute. Content of the user lacks nothing.
  func holds(_ content: BatchRow, _ slot: Int) -> Bool {
    contentComparisons &+= 1
    return withWriter(Int(content.header.pointee.table)) { holds(content, $0, slot) }
  }

  private func holds(_ content: BatchRow, _ writer: TableWriter, _ slot: Int) -> Bool {
    let mayLackAttributes = mayLackAttributes(content)
    for column in writer.firstAttribute..<writer.columnCount {
      let attribute = column - writer.firstAttribute
      var cell = content.cells[attribute]
      if cell.state == .absent || cell.isDefault || cell.isMissing {
        if mayLackAttributes, writer.isMissing(slot, attribute) { continue }
        fillDefaults(writer, content)
        cell = content.cells[attribute]
      }
      if writer.isMissing(slot, attribute) { return false }
      if !holds(cell, writer, slot, column, writer.columnLayout(column)) { return false }
    }
    if content.has(BatchRow.isWhole) { wholeContent.append((writer.table.index, slot)) }
    return true
  }

  /// Marks the rows as whole that equal content of whole objects. Deferred to the end of the batch, because the comparison
  /// reads the tables that this changes.
  @inline(never)
  func noteWholeContent() {
    for (table, slot) in wholeContent {
      let writer = writer(table)
      if writer.version.isLive(slot) { noteWhole(writer, slot) }
    }
    wholeContent = []
  }

  func holds(
    _ cell: BatchCell, _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout
  ) -> Bool {
    let row = slot & ChunkLayout.mask
    let current = writer.columns(slot)[column]
    let isNull = cell.state == .absent || cell.state == .null
    switch layout.kind {
    case .word, .byte, .bytes:
      if layout.isOptional, isNull || current.isNull(row) { return isNull == current.isNull(row) }
      switch layout.kind {
      case .byte: return current.byte(row) == UInt8(truncatingIfNeeded: cell.bits)
      case .bytes: return current.textEquals(row, cell.bytes)
      default: return current.word(row) == cell.bits
      }
    case .link:
      return isNull ? current.word(row) == 0 : matches(cell, current.word(row))
    case .collection:
      var elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
      if let batch, batch.hasWithheldRows {
        elements = withoutWithheldRows(elements, layout, batch)
      }
      return holds(elements, writer, slot, column, layout)
    }
  }

  func holds(
    _ elements: UnsafeBufferPointer<BatchCell>, _ writer: TableWriter, _ slot: Int, _ column: Int,
    _ layout: ColumnLayout
  ) -> Bool {
    let current = writer.columns(slot)[column]
    let slice = current.slice(slot & ChunkLayout.mask)
    switch layout.collection {
    case .list:
      guard Int(slice.length) == elements.count else { return false }
      for index in elements.indices {
        let old = current.element(slice, index, layout)
        if layout.elementKind == .link {
          if !matches(elements[index], old.word) { return false }
        } else if !old.equals(ElementValue(elements[index], layout)) {
          return false
        }
      }
      return true
    case .set where layout.elementKind == .link:
      let old = current.words(slice, layout)
      let referenced = referencedRows(elements)
      let contents = elements.compactMap { content($0) }
      guard referenced.count + contents.count == old.count, referenced.isSubset(of: old) else {
        return false
      }
      let matcher = ContentMatcher(self, layout.targetTable, old, taken: referenced)
      return !matcher.rows(of: contents).contains(nil)
    case .set:
      var values = elements.map { ElementValue($0, layout) }
      values.sortUnique(layout)
      guard values.count == Int(slice.length) else { return false }
      return values.indices.allSatisfy {
        current.element(slice, $0, layout).equals(values[$0])
      }
    case .map:
      let pairs = mapPairs(elements)
      guard pairs.count == Int(slice.length) else { return false }
      for (index, pair) in pairs.enumerated() {
        let old = current.element(slice, index, layout)
        guard pair.key.hasSameBytes(as: old.key) else { return false }
        if layout.elementKind == .link {
          if !matches(pair.cell, old.word) { return false }
        } else {
          var value = ElementValue(pair.cell, layout)
          value.key = pair.key
          if !old.equals(value) { return false }
        }
      }
      return true
    }
  }

  /// Returns the words of the rows that elements of a set reference by identity, without duplicates.
  func referencedRows(_ elements: UnsafeBufferPointer<BatchCell>) -> Set<UInt64> {
    Set(elements.lazy.filter { self.content($0) == nil }.map { self.word(of: $0) })
  }
}
