// Does a row hold this content already? Equal content keeps its row and writes nothing.

extension Transaction {
  /// Whether the target of `oldWord` is what the cell asks for.
  func matches(_ cell: BatchCell, _ oldWord: UInt64) -> Bool {
    if let content = content(cell) {
      return oldWord != 0 && holds(content, Int(oldWord) - 1)
    }
    return word(of: cell) == oldWord
  }

  /// Whether a row equals what inserting the content would make.
  ///
  /// An attribute that the content leaves to its default equals one that was left to it before,
  /// though the default may differ from row to row (`Date()`); any other is compared with what the
  /// default is now.
  func holds(_ content: BatchRow, _ slot: Int) -> Bool {
    let writer = writer(Int(content.header.pointee.table))
    let layout = writer.layout
    for column in layout.firstAttribute..<layout.columns.count {
      let attribute = column - layout.firstAttribute
      var cell = content.cells[attribute]
      if cell.state == .absent || cell.isDefault {
        if writer.isDefault(slot, attribute) { continue }
        fillDefaults(writer, content)
        cell = content.cells[attribute]
      }
      if !holds(cell, writer, slot, column, writer.columnLayout(column)) { return false }
    }
    return true
  }

  func holds(
    _ cell: BatchCell, _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout
  ) -> Bool {
    let row = slot & ChunkLayout.mask
    let current = writer.columns(slot)[column]
    let isNull = cell.state == .absent || cell.state == .null
    switch layout.kind {
    case .word, .byte, .text:
      if layout.isOptional, isNull || current.isNull(row) { return isNull == current.isNull(row) }
      switch layout.kind {
      case .byte: return current.byte(row) == UInt8(truncatingIfNeeded: cell.bits)
      case .text: return current.textEquals(row, cell.bytes)
      default: return current.word(row) == cell.bits
      }
    case .link:
      return isNull ? current.word(row) == 0 : matches(cell, current.word(row))
    case .collection:
      let elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
      return holds(elements, writer, slot, column, layout)
    }
  }

  func holds(
    _ elements: UnsafeBufferPointer<BatchCell>, _ writer: TableWriter, _ slot: Int, _ column: Int,
    _ layout: ColumnLayout
  ) -> Bool {
    let current = writer.columns(slot)[column]
    let run = current.run(slot & ChunkLayout.mask)
    switch layout.collection {
    case .list:
      guard Int(run.length) == elements.count else { return false }
      for index in elements.indices {
        let old = current.element(run, index, layout)
        if layout.elementKind == .link {
          if !matches(elements[index], old.word) { return false }
        } else if !old.equals(ElementValue(elements[index], layout)) {
          return false
        }
      }
      return true
    case .set where layout.elementKind == .link:
      var old = (0..<Int(run.length)).map { current.elementWord(run, $0, layout) }
      // A row that stands twice is one element; equal content is as many.
      var seen: Set<UInt64> = []
      let elements = elements.filter { content($0) != nil || seen.insert(word(of: $0)).inserted }
      guard old.count == elements.count else { return false }
      for cell in elements {
        guard let place = old.firstIndex(where: { matches(cell, $0) }) else { return false }
        old.remove(at: place)
      }
      return true
    case .set:
      var values = elements.map { ElementValue($0, layout) }
      values.sortUnique(layout)
      guard values.count == Int(run.length) else { return false }
      return values.indices.allSatisfy {
        current.element(run, $0, layout).equals(values[$0])
      }
    case .map:
      var keys = Set<[UInt8]>()
      for index in stride(from: 0, to: elements.count - 1, by: 2) {
        keys.insert(Array(elements[index].bytes))
      }
      guard keys.count == Int(run.length) else { return false }
      for index in 0..<Int(run.length) {
        let old = current.element(run, index, layout)
        var isFound = false
        // The last value of a key counts.
        for pair in stride(from: elements.count - 2, through: 0, by: -2)
        where elements[pair].bytes.hasSameBytes(as: old.key) {
          let cell = elements[pair + 1]
          if layout.elementKind == .link {
            isFound = matches(cell, old.word)
          } else {
            var value = ElementValue(cell, layout)
            value.key = old.key
            isFound = old.equals(value)
          }
          break
        }
        if !isFound { return false }
      }
      return true
    }
  }
}
