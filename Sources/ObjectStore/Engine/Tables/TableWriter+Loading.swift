// Loading the rows of a file into a table.

extension TableWriter {
  /// Adds the rows of a lazy chunk after all others. Must be called only while no version shows any row of the table.
  func addLazyChunk(_ index: Int, liveCount: Int) {
    ownVersion()
    let first = index << ChunkLayout.shift
    assert(version.count <= first, "Chunk \(index) is not after row \(version.count)")
    assert(version.hasChunk(index), "Chunk \(index) is absent")
    version.growSegments(to: index >> DirectoryLayout.segmentShift + 1)
    version.count = first + ChunkLayout.rows
    version.liveCount += liveCount
    nextSlot = version.count
    forgetCursor()
  }

  /// Returns a loaded chunk, as large as a full one; nil if it has no rows.
  func loadedChunk(_ index: Int) -> Chunk? {
    growFirstChunk(toHold: ChunkLayout.mask)
    return version.hasChunk(index) ? version.chunk(index).takeUnretainedValue() : nil
  }

  /// Adds loaded rows to a key index that has those of all other rows.
  ///
  /// - Parameter mayHaveMoved: True if the index may have other keys of these rows.
  func indexLoadedRows(in chunks: [Int], of keys: KeyIndex, mayHaveMoved: Bool) {
    ownVersion()
    version.keys = keys
    if mayHaveMoved { keys.noteMovedRow() }
    for chunk in chunks {
      // The last chunks may have no rows, and the table then ends before them.
      let first = min(chunk << ChunkLayout.shift, version.count)
      for slot in first..<min(first + ChunkLayout.rows, version.count) where version.isLive(slot) {
        indexKey(slot, keyCell(slot))
      }
    }
    indexLoadedRows(keysAreComplete: true)
  }

  /// Adds the loaded rows to the key index. The other indexes are built when they are first used.
  func indexLoadedRows(keysAreComplete: Bool = false) {
    if keyColumn >= 0, version.liveCount > 0, !keysAreComplete { rebuildKeys() }
    ownVersion()
    version.areIndexesCurrent = true
  }

  /// Records the missing attributes of a loaded row.
  func setLoadedMissing(_ slot: Int, _ bits: AttributeBits) {
    for column in layout.missingColumns {
      let bits = bits.word(column - TableLayout.missingColumn)
      if bits != word(slot, column) { setMissingWord(slot, column, bits) }
    }
  }

  /// Stores the default of an attribute that a loaded row lacks. Links stay empty.
  func storeLoadedDefault(_ slot: Int, _ column: Int, _ cell: BatchCell) {
    guard cell.state == .value else { return }
    let layout = columnLayout(column)
    switch layout.kind {
    case .word: setWord(slot, column, cell.bits)
    case .byte: setByte(slot, column, UInt8(truncatingIfNeeded: cell.bits))
    case .bytes: setText(slot, column, cell.bytes)
    case .link: break
    case .collection:
      guard layout.elementKind != .link else { return }
      let elements = cell.elements
      let stride = layout.collection == .map ? 2 : 1
      storeElements(slot, column, layout, count: elements.count / stride) { index in
        let element = elements[index * stride + stride - 1]
        var value = ElementValue(isNull: element.state == .null)
        if layout.elementKind == .bytes {
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
  /// Removes the links of a cell to targets for which `isDead` returns true. In a map whose values may be null, the
  /// values become null.
  func clearLinks(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ isDead: (Int) -> Bool
  ) {
    let current = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = current.word(row)
      if word != 0, isDead(Int(word) - 1) { setWord(slot, column, 0) }
      return
    }
    let slice = current.slice(row)
    if layout.collection == .map, layout.hasNullElements {
      // The key is kept.
      var values = (0..<Int(slice.length)).map { current.element(slice, $0, layout) }
      for index in values.indices where values[index].word != 0 {
        guard isDead(Int(values[index].word) - 1) else { continue }
        values[index].word = 0
        values[index].isNull = true
      }
      setElements(slot, column, count: values.count) { values[$0] }
      return
    }
    let kept = (0..<Int(slice.length)).map { current.element(slice, $0, layout) }
      .filter { $0.word == 0 || !isDead(Int($0.word) - 1) }
    if kept.count < slice.length { setElements(slot, column, count: kept.count) { kept[$0] } }
  }
}
