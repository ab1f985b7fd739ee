// Rows that come from a file, as they stood there.

extension TableWriter {
  /// Makes the loaded rows findable: by their keys and by the indexes.
  func indexLoadedRows() {
    if keyColumn >= 0, version.liveCount > 0 { rebuildKeys() }
    updateIndexes(from: table.emptyVersion)
    ownVersion()
    version.areIndexesCurrent = true
  }

  /// Notes which attributes of a loaded row hold their defaults.
  func setLoadedDefaults(_ slot: Int, _ bits: AttributeBits) {
    for first in stride(from: 0, to: columnCount - firstAttribute, by: 64) {
      setDefaults(slot, first, bits.word(first / 64))
    }
  }

  /// Gives a loaded row the default of an attribute that it lacks. Links stay empty.
  func storeLoadedDefault(_ slot: Int, _ column: Int, _ cell: BatchCell) {
    guard cell.state == .value else { return }
    let layout = columnLayout(column)
    switch layout.kind {
    case .word: setWord(slot, column, cell.bits)
    case .byte: setByte(slot, column, UInt8(truncatingIfNeeded: cell.bits))
    case .text: setText(slot, column, cell.bytes)
    case .link: break
    case .collection:
      guard layout.elementKind != .link else { return }
      let elements = cell.elements
      let stride = layout.collection == .map ? 2 : 1
      storeElements(slot, column, layout, count: elements.count / stride) { index in
        let element = elements[index * stride + stride - 1]
        var value = ElementValue(isNull: element.state == .null)
        if layout.elementKind == .text {
          value.bytes = element.bytes
        } else {
          value.word = element.bits
        }
        if stride == 2 { value.key = elements[index * 2].bytes }
        return value
      }
    }
  }
}

extension TableWriter {
  /// Clears the links of a cell for whose targets `isGone` says so.
  func clearLinks(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ isGone: (Int) -> Bool
  ) {
    let cell = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = cell.word(row)
      if word != 0, isGone(Int(word) - 1) { setWord(slot, column, 0) }
      return
    }
    let run = cell.run(row)
    if layout.collection == .map, layout.hasNullElements {
      // The key stays.
      var values = (0..<Int(run.length)).map { cell.element(run, $0, layout) }
      for index in values.indices where values[index].word != 0 {
        guard isGone(Int(values[index].word) - 1) else { continue }
        values[index].word = 0
        values[index].isNull = true
      }
      setElements(slot, column, count: values.count) { values[$0] }
      return
    }
    let kept = (0..<Int(run.length)).map { cell.element(run, $0, layout) }
      .filter { $0.word == 0 || !isGone(Int($0.word) - 1) }
    if kept.count < run.length { setElements(slot, column, count: kept.count) { kept[$0] } }
  }
}
