// Links and collections, with their backlinks, the reference counts of keyless rows, and the replacement of nested
// rows.

extension Transaction {
  // MARK: - Single links

  /// Sets a link to `newWord` (target's slot + 1, or 0) and updates backlinks and reference counts.
  ///
  /// - Parameter replaces: True if an update replaces content. In that case, a born-nested row that loses its last
  ///   reference is deleted, too.
  @discardableResult
  func setLink(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ newWord: UInt64, replaces: Bool
  ) -> Bool {
    let oldWord = writer.columns(slot)[column].word(slot & ChunkLayout.mask)
    guard writer.setWord(slot, column, newWord) else { return false }
    writer.updateBacklinks(column) { tree, editOwner in
      if oldWord != 0 { tree.remove(key: oldWord - 1, slot: slot, editOwner: editOwner) }
      if newWord != 0 { tree.insert(key: newWord - 1, slot: slot, editOwner: editOwner) }
    }
    let target = writer.columnLayout(column).targetTable
    if newWord != 0 { retain(target, Int(newWord) - 1) }
    if oldWord != 0 { release(target, Int(oldWord) - 1, replaces: replaces) }
    return true
  }

  func writeLink(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ cell: BatchCell
  ) -> Bool {
    let oldWord = writer.columns(slot)[column].word(slot & ChunkLayout.mask)
    if let content = content(cell) {
      if oldWord != 0 {
        if content.has(BatchRow.isInPlace) {
          return updateInPlace(writer, slot, column, content, Int(oldWord) - 1)
        }
        if holds(content, Int(oldWord) - 1) { return false }
      }
      let new = insertContent(content)
      return setLink(writer, slot, column, UInt64(new) + 1, replaces: true)
    }
    if let tombstone = cell.row?.tombstone {
      noteReference(from: writer, slot, column, .index(0), to: tombstone)
    }
    return setLink(writer, slot, column, word(of: cell), replaces: true)
  }

  /// Updates the target of a link with nested content, at every depth; returns true if a value differed.
  @inline(never)
  private func updateInPlace(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ content: BatchRow, _ target: Int
  ) -> Bool {
    let differed = withWriter(content.table) { targetWriter in
      for column in targetWriter.contentColumns
      where targetWriter.columnLayout(column).kind == .link {
        let nested = content[column - targetWriter.firstAttribute].row
        if let nested, nested.has(BatchRow.isEmbedded) { nested.setInPlace() }
      }
      let before = targetWriter.times.last
      update(targetWriter, target, content, writesEqual: false)
      return targetWriter.times.last != before
    }
    if differed { writer.noteChange(slot, column) }
    return differed
  }

  /// Returns the nested content that a cell references, a batch row without a slot; nil for other cells.
  func content(_ cell: BatchCell) -> BatchRow? {
    guard let row = cell.row, row.header.pointee.slot == -1 else { return nil }
    return row
  }

  /// Returns slot + 1 of a target that already has a slot; 0 for none.
  func word(of cell: BatchCell) -> UInt64 {
    switch cell.state {
    case .slot: cell.bits + 1
    case .row: cell.row.map { UInt64(max(0, $0.header.pointee.slot + 1)) } ?? 0
    case .absent, .null, .value: 0
    }
  }

  /// Inserts the row of nested content.
  private func insertContent(_ row: BatchRow) -> Int {
    withWriter(Int(row.header.pointee.table)) { writer in
      let slot = insert(writer, row)
      if writer.identity != .keyed {
        writer.setBornNested(slot)
      }
      fill(writer, slot, row)
      return slot
    }
  }

  // MARK: - Collections

  func writeCollection(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ cell: BatchCell
  ) -> Bool {
    var elements = cell.state == .value ? cell.elements : .init(start: nil, count: 0)
    if let batch, batch.hasWithheldRows {
      elements = withoutWithheldRows(elements, layout, batch) {
        noteReference(from: writer, slot, column, $0, to: $1)
      }
    }
    switch (layout.collection, layout.elementKind) {
    case (.list, .link):
      return writeLinks(writer, slot, column, layout, elements)
    case (.list, _):
      return writer.setElements(slot, column, count: elements.count) {
        ElementValue(elements[$0], layout)
      }
    case (.set, .link):
      return writeLinkSet(writer, slot, column, layout, elements)
    case (.set, _):
      var values = elements.map { ElementValue($0, layout) }
      values.sortUnique(layout)
      return setElements(writer, slot, column, layout, values)
    case (.map, _):
      return writeMap(writer, slot, column, layout, elements)
    }
  }

  /// Returns the elements of a collection without links to deleted objects.
  ///
  /// - Parameter note: Called with the position of each link to an object that was deleted locally, and its tombstone.
  @inline(never)
  func withoutWithheldRows(
    _ elements: UnsafeBufferPointer<BatchCell>, _ layout: ColumnLayout, _ batch: RowBatch,
    note: (LostReference.Position, Int) -> Void = { _, _ in }
  ) -> UnsafeBufferPointer<BatchCell> {
    guard layout.elementKind == .link,
      elements.contains(where: { $0.row?.isWithheld ?? false })
    else { return elements }
    let mark = batch.beginElements()
    let isMap = layout.collection == .map
    for index in stride(from: 0, to: elements.count, by: isMap ? 2 : 1) {
      let cell = elements[isMap ? index + 1 : index]
      guard let row = cell.row, row.isWithheld else {
        if isMap { batch.appendElement(elements[index]) }
        batch.appendElement(cell)
        continue
      }
      if let tombstone = row.tombstone {
        note(isMap ? .key(Array(elements[index].bytes)) : .index(index), tombstone)
      }
      // A deletion leaves null only in a map.
      if isMap, layout.hasNullElements {
        batch.appendElement(elements[index])
        batch.appendElement(.null)
      }
    }
    return batch.endElements(mark).elements
  }

  /// Notes where an object that was deleted locally is linked.
  func noteReference(
    from writer: TableWriter, _ slot: Int, _ column: Int, _ position: LostReference.Position,
    to tombstone: Int
  ) {
    let reference = LostReference(
      tableName: writer.layout.name, attributeName: writer.layout.shortName(column), slot: slot,
      position: position)
    let target = writer.columnLayout(column).targetTable
    edits.withheldReferences[target, default: [:]][tombstone, default: []].append(reference)
  }

  /// Replaces all elements of a collection of any kind, and updates backlinks and reference counts.
  @discardableResult
  func setElements(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ values: [ElementValue], replaces: Bool = false
  ) -> Bool {
    replaceElements(
      writer, slot, column, layout, 0..<writer.elementCount(slot, column), with: values,
      replaces: replaces)
  }

  /// Replaces a range of elements of a collection of any kind, and updates backlinks and reference counts.
  @discardableResult
  func replaceElements(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ range: Range<Int>,
    with values: [ElementValue], replaces: Bool = false
  ) -> Bool {
    guard layout.elementKind == .link else {
      return writer.replaceElements(slot, column, range, with: values)
    }
    let old = writer.words(slot, column, layout, range)
    guard writer.replaceElements(slot, column, range, with: values) else { return false }
    moveLinks(writer, slot, column, layout, from: old, to: values.map(\.word), replaces: replaces)
    return true
  }

  /// Inserts the values that a set does not contain.
  func insertElements(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ values: [ElementValue]
  ) {
    var values = values
    values.sortUnique(layout)
    let current = writer.columns(slot)[column]
    let slice = current.slice(slot & ChunkLayout.mask)
    let new = values.compactMap { value -> (index: Int, value: ElementValue)? in
      let (index, isFound) = current.index(of: value, slice, layout)
      return isFound ? nil : (index, value)
    }
    guard !new.isEmpty else { return }
    writer.insertElements(slot, column, new)
    if layout.elementKind == .link {
      moveLinks(
        writer, slot, column, layout, from: [], to: new.map(\.value.word), replaces: false)
    }
  }

  /// Removes the elements at ascending `indices` of a collection of any kind, and updates backlinks and reference
  /// counts.
  func removeElements(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout, at indices: [Int]
  ) {
    let isLink = layout.elementKind == .link
    let current = writer.columns(slot)[column]
    let slice = current.slice(slot & ChunkLayout.mask)
    let removed = isLink ? indices.map { current.elementWord(slice, $0, layout) } : []
    writer.removeElements(slot, column, at: indices)
    if isLink {
      moveLinks(writer, slot, column, layout, from: removed, to: [], replaces: false)
    }
  }

  /// Writes a list of links. Equal elements at the front and the back keep their rows.
  private func writeLinks(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ elements: UnsafeBufferPointer<BatchCell>
  ) -> Bool {
    let old = writer.words(slot, column, layout)
    let shared = min(old.count, elements.count)
    var prefix = 0
    while prefix < shared, matches(elements[prefix], old[prefix]) { prefix += 1 }
    if prefix == old.count && prefix == elements.count { return false }
    var suffix = 0
    while suffix < shared - prefix,
      matches(elements[elements.count - 1 - suffix], old[old.count - 1 - suffix])
    { suffix += 1 }
    let new = (prefix..<elements.count - suffix).map { index in
      let cell = elements[index]
      return ElementValue(
        link: content(cell).map { UInt64(insertContent($0)) + 1 } ?? word(of: cell), layout)
    }
    return replaceElements(
      writer, slot, column, layout, prefix..<old.count - suffix, with: new, replaces: true)
  }

  /// Writes a set of links. An element with equal content keeps its row.
  private func writeLinkSet(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ elements: UnsafeBufferPointer<BatchCell>
  ) -> Bool {
    let old = writer.words(slot, column, layout)
    let referenced = referencedRows(elements)
    let contents = elements.compactMap { self.content($0) }
    let rows = ContentMatcher(self, layout.targetTable, old, taken: referenced).rows(of: contents)
    var values = zip(contents, rows).map { content, word in
      ElementValue(link: word ?? UInt64(insertContent(content)) + 1, layout)
    }
    values += referenced.map { ElementValue(link: $0, layout) }
    values.sortUnique(layout)
    return setElements(writer, slot, column, layout, values, replaces: true)
  }

  /// Writes a map. If a key is repeated, the last value is used. Equal content keeps its row.
  private func writeMap(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ elements: UnsafeBufferPointer<BatchCell>
  ) -> Bool {
    var values: [ElementValue] = []
    values.reserveCapacity(elements.count / 2)
    for (key, cell) in mapPairs(elements) {
      var value = ElementValue(cell, layout)
      value.key = key
      if layout.elementKind == .link {
        if let content = content(cell) {
          let oldWord = writer.mapWord(slot, column, layout, key: key)
          value.word =
            oldWord != 0 && holds(content, Int(oldWord) - 1)
            ? oldWord : UInt64(insertContent(content)) + 1
        } else {
          value.word = word(of: cell)
        }
      }
      values.append(value)
    }
    return setElements(writer, slot, column, layout, values, replaces: true)
  }

  /// Returns the pairs of a map as stored: sorted by key, with the last value of each key.
  func mapPairs(
    _ elements: UnsafeBufferPointer<BatchCell>
  ) -> [(key: UnsafeRawBufferPointer, cell: BatchCell)] {
    var pairs: [(key: UnsafeRawBufferPointer, cell: BatchCell)] = []
    pairs.reserveCapacity(elements.count / 2)
    if elements.hasAscendingKeys {
      for index in stride(from: 0, to: elements.count - 1, by: 2) {
        pairs.append((elements[index].bytes, elements[index + 1]))
      }
      return pairs
    }
    elements.withSortedKeys { keys in
      for (index, key) in keys.enumerated() {
        if index > 0, keys[index - 1].equals(key) { pairs.removeLast() }
        pairs.append((key.bytes, elements[2 * Int(key.position) + 1]))
      }
    }
    return pairs
  }

  /// Updates backlinks and reference counts after the targets of a collection changed.
  func moveLinks(
    _ writer: TableWriter, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    from old: [UInt64], to new: [UInt64], replaces: Bool
  ) {
    let shared = min(old.count, new.count)
    var prefix = 0
    while prefix < shared, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shared - prefix,
      old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
    { suffix += 1 }
    let removed = old[prefix..<old.count - suffix].filter { $0 != 0 }
    let added = new[prefix..<new.count - suffix].filter { $0 != 0 }
    writer.updateBacklinks(column) { tree, editOwner in
      for word in removed { tree.remove(key: word - 1, slot: slot, editOwner: editOwner) }
      for word in added { tree.insert(key: word - 1, slot: slot, editOwner: editOwner) }
    }
    for word in added { retain(layout.targetTable, Int(word) - 1) }
    for word in removed { release(layout.targetTable, Int(word) - 1, replaces: replaces) }
  }

  // MARK: - Keyless rows

  /// Counts a reference to a row, if the row is keyless.
  private func retain(_ table: Int, _ slot: Int) {
    withWriter(table) { writer in
      guard writer.identity != .keyed else { return }
      _ = writer.add(slot, writer.layout.referencesColumn, 1)
    }
  }

  /// Removes a reference to a keyless row. An embedded row dies with its only reference; a born-nested row dies if a
  /// replacement removed its last one (R9).
  func release(_ table: Int, _ slot: Int, replaces: Bool) {
    let writer = writer(table)
    guard writer.identity != .keyed, writer.version.isLive(slot) else { return }
    let references = writer.add(slot, writer.layout.referencesColumn, -1)
    guard references <= 0 else { return }
    let isOrphan =
      writer.identity == .embedded
      || replaces
        && writer.isBornNested(slot)
    guard isOrphan else { return }
    if batch == nil {
      delete([(table, slot)], replaces: replaces)
    } else {
      orphans.append((table, slot))
    }
  }

  /// Deletes the rows that the batch left without references. Runs once the whole batch is applied, since another part
  /// of it may reference them again.
  func deleteOrphans() {
    let removed = orphans.filter { table, slot in
      writer(table).references(slot) == 0
    }
    orphans.removeAll(keepingCapacity: true)
    delete(removed, replaces: true)
  }
}
