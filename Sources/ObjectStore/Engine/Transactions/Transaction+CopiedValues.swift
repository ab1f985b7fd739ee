// Copying and comparing the values of rows of different tables and versions, with the embedded rows that they own.
//
// A class and its base table have the same attributes in the same columns, so one column index serves for both rows.

/// A row as a version or the open write shows it.
struct StoredRow {
  /// The version; nil for the current state of the open write.
  let state: Version?
  let table: Int
  let slot: Int
}

extension Transaction {
  /// Returns a table as a version shows it; of the open write if `state` is nil.
  func rows(_ table: Int, in state: Version?) -> TableVersion {
    state.map { $0[engine.table(table)] } ?? writer(table).version
  }

  // MARK: - Copying

  /// Copies the value of a column to a row of the same class or its base table.
  ///
  /// An embedded or keyless row is copied with the rows to which it links. A link to a deleted object becomes null.
  @inline(never)
  func copyValue(_ column: Int, of source: StoredRow, to writer: TableWriter, _ slot: Int) {
    var pending = RowCopies()
    copyValue(column, of: source, to: writer, slot, &pending)
    // A worklist instead of recursion, since rows may be nested as deeply as a payload.
    while let copy = pending.rows.popLast() {
      let writer = self.writer(copy.source.table)
      for column in writer.firstAttribute..<writer.columnCount {
        copyValue(column, of: copy.source, to: writer, copy.slot, &pending)
      }
      copyMissing(of: copy.source, to: writer, copy.slot)
    }
  }

  /// The rows whose values are still to be copied, and the copies of keyless rows so far, which may form cycles.
  private struct RowCopies {
    var rows: [(source: StoredRow, slot: Int)] = []
    var copies: [Key: Int] = [:]

    struct Key: Hashable {
      let table: Int
      let slot: Int
    }
  }

  @inline(never)
  private func copyValue(
    _ column: Int, of source: StoredRow, to writer: TableWriter, _ slot: Int,
    _ pending: inout RowCopies
  ) {
    let cells = rows(source.table, in: source.state).columns(source.slot)[column]
    let row = source.slot & ChunkLayout.mask
    let layout = writer.columnLayout(column)
    if layout.kind != .link, layout.kind != .collection, cells.isNull(row) {
      writer.setNull(slot, column)
      return
    }
    switch layout.kind {
    case .word: writer.setWord(slot, column, cells.word(row))
    case .byte: writer.setByte(slot, column, cells.byte(row))
    case .bytes:
      // A copy, because writing may replace the arena that contains the bytes.
      Array(cells.bytes(ofWord: cells.word(row))).withUnsafeBytes {
        _ = writer.setText(slot, column, $0)
      }
    case .link:
      let word = copyTarget(cells.word(row), layout, source.state, &pending)
      setLink(writer, slot, column, word, replaces: true)
    case .collection:
      copyElements(cells, row, layout, of: source, to: writer, slot, column, &pending)
    }
  }

  private func copyElements(
    _ cells: StorageColumn, _ row: Int, _ layout: ColumnLayout, of source: StoredRow,
    to writer: TableWriter, _ slot: Int, _ column: Int, _ pending: inout RowCopies
  ) {
    let slice = cells.slice(row)
    var elements = (0..<Int(slice.length)).map { cells.element(slice, $0, layout) }
    if layout.elementKind == .link {
      elements = elements.compactMap { element in
        var element = element
        let word = element.word
        element.word = copyTarget(word, layout, source.state, &pending)
        element.isNull = element.word == 0
        // A deletion leaves null only in a map.
        let isLost = word != 0 && layout.collection != .map
        return element.isNull && (isLost || !layout.hasNullElements) ? nil : element
      }
    }
    if layout.collection == .set { elements.sortUnique(layout) }
    // A copy, because writing may replace the arena that contains the bytes.
    let bytes = layout.hasBytes ? elements.flatMap { Array($0.key) + Array($0.bytes) } : []
    bytes.withUnsafeBytes { buffer in
      var start = 0
      func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        defer { start += bytes.count }
        return UnsafeRawBufferPointer(rebasing: buffer[start..<start + bytes.count])
      }
      if layout.hasBytes {
        for index in elements.indices {
          elements[index].key = copied(elements[index].key)
          elements[index].bytes = copied(elements[index].bytes)
        }
      }
      setElements(writer, slot, column, layout, elements, replaces: true)
    }
  }

  /// Returns the link word of the row to which a copied link refers: the same row, or a copy to be filled.
  private func copyTarget(
    _ word: UInt64, _ layout: ColumnLayout, _ state: Version?, _ pending: inout RowCopies
  ) -> UInt64 {
    if word == 0 { return 0 }
    let slot = Int(word) - 1
    let target = writer(layout.targetTable)
    if target.identity == .keyed {
      let word = currentTarget(word, layout.targetTable, linkedIn: state)
      return target.version.isLive(Int(word) - 1) ? word : 0
    }
    let key = RowCopies.Key(table: layout.targetTable, slot: slot)
    if target.identity == .keyless, let copy = pending.copies[key] { return UInt64(copy) + 1 }
    let copy = target.insertRow()
    if target.identity == .keyless {
      target.setBornNested(copy)
      pending.copies[key] = copy
    }
    pending.rows.append(
      (StoredRow(state: state, table: layout.targetTable, slot: slot), copy))
    return UInt64(copy) + 1
  }

  /// Returns the link word of a keyed row; for a dead one, of the row into which it was merged, or that has its key now.
  ///
  /// - Parameter state: The version with the link; nil for the open write.
  func currentTarget(_ word: UInt64, _ table: Int, linkedIn state: Version?) -> UInt64 {
    let targets = writer(table)
    var slot = Int(word) - 1
    while !targets.version.isLive(slot) {
      let row = MergedRow(table: table, slot: slot)
      guard let other = edits.mergedRows[row] ?? engine.mergedRows[row] else { break }
      slot = other
    }
    if targets.version.isLive(slot) { return UInt64(slot) + 1 }
    // An object that returned or was created again has another row. Only the version that shows the link certainly has the
    // key of a dead row, whose memory may have been reclaimed.
    let former = rows(table, in: state)
    let linked = Int(word) - 1
    guard former.isLive(linked) else { return word }
    return targets.version.find(keyOf: linked, in: former, targets.layout).map { UInt64($0) + 1 }
      ?? word
  }

  /// Records in a copy which attributes are missing.
  private func copyMissing(of source: StoredRow, to writer: TableWriter, _ slot: Int) {
    let version = rows(source.table, in: source.state)
    for column in writer.layout.missingColumns
    where version.word(source.slot, column) != writer.word(slot, column) {
      writer.setMissingWord(slot, column, version.word(source.slot, column))
    }
  }

  // MARK: - Comparing

  /// Returns true if two rows, of a class or its base table, have equal values in a column.
  ///
  /// Embedded rows and keyless content are compared by their values.
  ///
  /// - Parameter leavingOutDeleted: True if links of `a` to objects that the open write has deleted are null, or not in
  ///   their collections.
  func isEqual(
    _ column: Int, _ a: StoredRow, _ b: StoredRow, leavingOutDeleted: Bool = false
  ) -> Bool {
    var pending: [(StoredRow, StoredRow)] = []
    guard isEqual(column, a, b, &pending, leavingOutDeleted) else { return false }
    var seen: Set<RowPair> = []
    while let (a, b) = pending.popLast() {
      guard seen.insert(RowPair(a: a.slot, b: b.slot, table: a.table)).inserted else { continue }
      let layout = engine.table(a.table).layout
      guard
        rows(a.table, in: a.state).missing(a.slot, layout)
          == rows(b.table, in: b.state).missing(b.slot, layout)
      else { return false }
      for column in layout.firstAttribute..<layout.columns.count
      where !isEqual(column, a, b, &pending, leavingOutDeleted) { return false }
    }
    return true
  }

  /// Returns true if a row has the base value of an attribute.
  func isAtBase(
    _ attribute: Int, _ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ baseSlot: Int
  ) -> Bool {
    let column = writer.firstAttribute + attribute
    let layout = writer.columnLayout(column)
    if layout.kind != .link, layout.kind != .collection {
      return withWriter(base.table) { bases in
        writer.columns(slot)[column].hasEqualScalar(
          slot & ChunkLayout.mask, bases.columns(baseSlot)[column], baseSlot & ChunkLayout.mask,
          layout)
      }
    }
    return isEqual(
      column, StoredRow(state: nil, table: writer.table.index, slot: slot),
      StoredRow(state: nil, table: base.table, slot: baseSlot))
  }

  private struct RowPair: Hashable {
    let a: Int
    let b: Int
    let table: Int
  }

  /// - Parameter pending: Receives the pairs of rows that must also be equal.
  private func isEqual(
    _ column: Int, _ a: StoredRow, _ b: StoredRow, _ pending: inout [(StoredRow, StoredRow)],
    _ leavesOutDeleted: Bool
  ) -> Bool {
    let (aCells, bCells) = (
      rows(a.table, in: a.state).columns(a.slot)[column],
      rows(b.table, in: b.state).columns(b.slot)[column]
    )
    let (aRow, bRow) = (a.slot & ChunkLayout.mask, b.slot & ChunkLayout.mask)
    let layout = engine.table(a.table).columnLayouts[column]
    func areEqualTargets(_ aWord: UInt64, _ bWord: UInt64) -> Bool {
      if aWord == 0 || bWord == 0 { return aWord == bWord }
      let identity = engine.table(layout.targetTable).layout.identity
      if identity == .keyed {
        return aWord == bWord
          || currentTarget(aWord, layout.targetTable, linkedIn: a.state)
            == currentTarget(bWord, layout.targetTable, linkedIn: b.state)
      }
      if identity == .keyless, aWord == bWord, a.state === b.state { return true }
      pending.append(
        (
          StoredRow(state: a.state, table: layout.targetTable, slot: Int(aWord) - 1),
          StoredRow(state: b.state, table: layout.targetTable, slot: Int(bWord) - 1)
        ))
      return true
    }
    func remaining(_ word: UInt64) -> UInt64 {
      guard leavesOutDeleted, word != 0 else { return word }
      let targets = writer(layout.targetTable)
      return targets.identity != .keyed || targets.version.isLive(Int(word) - 1) ? word : 0
    }
    switch layout.kind {
    case .word, .byte, .bytes:
      return aCells.hasEqualScalar(aRow, bCells, bRow, layout)
    case .link:
      return areEqualTargets(remaining(aCells.word(aRow)), bCells.word(bRow))
    case .collection:
      let (aSlice, bSlice) = (aCells.slice(aRow), bCells.slice(bRow))
      if leavesOutDeleted, layout.elementKind == .link,
        writer(layout.targetTable).identity == .keyed
      {
        if layout.collection != .map {
          let (all, rest) = (
            StoredElements(aCells, aRow, layout), StoredElements(bCells, bRow, layout)
          )
          var (index, restIndex) = (0, 0)
          while true {
            let count = all.equalCount(from: index, with: rest, from: restIndex)
            (index, restIndex) = (index + count, restIndex + count)
            guard index < all.count else { return restIndex == rest.count }
            let word = all.word(index)
            if remaining(word) == word { return false }
            index += 1
          }
        }
        var index = 0
        for aIndex in 0..<Int(aSlice.length) {
          var element = aCells.element(aSlice, aIndex, layout)
          let word = remaining(element.word)
          if word != element.word {
            if !layout.hasNullElements { continue }
            element.word = 0
            element.isNull = true
          }
          guard index < Int(bSlice.length),
            element.equals(bCells.element(bSlice, index, layout))
          else { return false }
          index += 1
        }
        return index == Int(bSlice.length)
      }
      guard aSlice.length == bSlice.length else { return false }
      for index in 0..<Int(aSlice.length) {
        var aElement = aCells.element(aSlice, index, layout)
        var bElement = bCells.element(bSlice, index, layout)
        if layout.elementKind == .link {
          guard areEqualTargets(aElement.word, bElement.word) else { return false }
          (aElement.word, bElement.word) = (0, 0)
        }
        guard aElement.equals(bElement) else { return false }
      }
      return true
    }
  }
}

extension StorageColumn {
  /// Returns true if two cells with the same layout, which are neither links nor collections, have equal values.
  @inline(__always)
  fileprivate func hasEqualScalar(
    _ row: Int, _ other: StorageColumn, _ otherRow: Int, _ layout: ColumnLayout
  ) -> Bool {
    if isNull(row) || other.isNull(otherRow) { return isNull(row) && other.isNull(otherRow) }
    return switch layout.kind {
    case .byte: byte(row) == other.byte(otherRow)
    case .bytes where layout.isJSON:
      StoredJSONReader.areEqual(
        bytes(ofWord: word(row)), other.bytes(ofWord: other.word(otherRow)))
    case .bytes:
      bytes(ofWord: word(row)).hasSameBytes(as: other.bytes(ofWord: other.word(otherRow)))
    default: word(row) == other.word(otherRow)
    }
  }
}
