// Recording the user's changes of a phase in base rows.

extension Transaction {
  /// Records the changes of a class since the beginning of a phase as edits.
  func recordEdits(
    of table: Table, _ base: BaseLayout, _ rows: TableDifference, _ changes: PhaseChanges
  ) {
    let writer = writer(table.index)
    for slot in rows.deleted { recordDeletion(slot, writer, base, changes) }
    for slot in rows.inserted { recordCreation(slot, writer, base) }
    let bases = self.writer(base.table)
    for (slot, attributes) in rows.changed {
      recordChanges(attributes, slot, writer, base, bases, since: changes.start)
    }
  }

  private func recordChanges(
    _ attributes: AttributeBits, _ slot: Int, _ writer: TableWriter, _ base: BaseLayout,
    _ bases: TableWriter, since start: Version
  ) {
    let former = StoredRow(state: start, table: writer.table.index, slot: slot)
    var baseSlot = liveBaseRow(writer, slot, base)
    var (isEdited, isCleared) = (false, false)
    for attribute in base.tracked where attributes.has(attribute) {
      let column = writer.firstAttribute + attribute
      if hasEqualContent(column, writer, slot, former) { continue }
      if let baseSlot {
        let marks = bases.withVersion { $0.marks(baseSlot, base, attribute) }
        if marks.contains(.edited) {
          isEdited = true
          // Set back to what the server has, unless a request under way may have changed that.
          if marks == [.edited, .known], isAtBase(attribute, writer, slot, base, baseSlot) {
            clearEdit(attribute, base, baseSlot)
            isCleared = true
          }
          continue
        }
      }
      if lostOnlyTargets(column, writer, slot, former) { continue }
      isEdited = true
      let edited = baseSlot ?? addBaseRow(writer, slot, base, .edited)
      baseSlot = edited
      copyValue(column, of: former, to: bases, edited)
      setMarks([.edited, .known], of: attribute, base, edited)
    }
    guard let baseSlot, isEdited else { return }
    clearRejection(base, baseSlot)
    if isCleared { dropIfClean(base, baseSlot) }
  }

  /// Returns true if the objects that a row owns were replaced by equal ones.
  func hasEqualContent(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    writer.columnLayout(column).hasLinks
      && isEqual(column, former, StoredRow(state: nil, table: writer.table.index, slot: slot))
  }

  /// Returns true if a value differs from an earlier one only because linked objects were deleted: that is no edit.
  func lostOnlyTargets(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks else { return false }
    let targets = self.writer(layout.targetTable)
    guard targets.identity != .embedded else { return false }
    var old: [UInt64] = []
    rows(former.table, in: former.state).forEachTarget(slot, column, layout) {
      old.append(UInt64($0) + 1)
    }
    let remaining = old.filter { targets.version.isLive(Int($0) - 1) }
    if remaining.count == old.count { return false }
    var new: [UInt64] = []
    writer.version.forEachTarget(slot, column, layout) { new.append(UInt64($0) + 1) }
    return remaining == new
  }

  private func recordCreation(_ slot: Int, _ writer: TableWriter, _ base: BaseLayout) {
    if let baseSlot = baseRow(writer, slot) {
      let state = self.writer(base.table).version.state(baseSlot, base)
      guard state.isTombstone else {
        dropBaseRow(base, baseSlot)
        return recordCreation(slot, writer, base)
      }
      clearRejection(base, baseSlot)
      self.writer(base.table).setNull(baseSlot, base.column(.references))
      // A deletion is sent with all attributes.
      let wasSent = base.tracked.allSatisfy {
        self.writer(base.table).version.marks(baseSlot, base, $0).contains(.sent)
      }
      if state == .deletedCreation || wasSent {
        // The server may not have the object.
        return resumeCreation(base, baseSlot)
      }
      // Created again before the deletion was sent: all attributes are edits.
      set(.state, base, baseSlot, to: BaseState.edited.rawValue)
      for attribute in base.tracked {
        let marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
        setMarks(marks.union([.edited, .moved]), of: attribute, base, baseSlot)
      }
    } else {
      let baseSlot = addBaseRow(writer, slot, base, .created)
      for attribute in base.tracked { setMarks(.edited, of: attribute, base, baseSlot) }
    }
  }

  /// Makes a tombstone the base row of a created object. The server may have the object.
  func resumeCreation(_ base: BaseLayout, _ tombstone: Int) {
    set(.state, base, tombstone, to: BaseState.created.rawValue)
    for attribute in base.tracked {
      let marks = writer(base.table).version.marks(tombstone, base, attribute)
      setMarks(
        marks.union([.edited, .sent]).subtracting([.known, .moved]), of: attribute, base, tombstone)
      clearBaseValue(attribute, base, tombstone)
    }
  }

  private func recordDeletion(
    _ slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ changes: PhaseChanges
  ) {
    // A dead row keeps its key.
    var baseSlot = baseRow(writer, slot)
    let bases = self.writer(base.table)
    var state = BaseState.deleted
    if let known = baseSlot, bases.version.state(known, base) == .created {
      state = .deletedCreation
      let wasSent = base.tracked.contains {
        bases.version.marks(known, base, $0).contains(.sent)
      }
      if !wasSent { return dropBaseRow(base, known) }
    }
    let tombstone = baseSlot ?? addBaseRow(writer, slot, base, state)
    baseSlot = tombstone
    set(.state, base, tombstone, to: state.rawValue)
    clearRejection(base, tombstone)
    let former = StoredRow(state: changes.start, table: writer.table.index, slot: slot)
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let marks = bases.version.marks(tombstone, base, attribute)
      // The server's value of an edited attribute is already there.
      if marks.contains([.edited, .known]), state == .deleted { continue }
      copyValue(column, of: former, to: bases, tombstone)
      setMarks(marks.union(.known), of: attribute, base, tombstone)
    }
    recordReferences(to: slot, in: writer, base, tombstone, changes)
  }

  // MARK: - References

  /// Records the links that a deletion cleared.
  private func recordReferences(
    to slot: Int, in writer: TableWriter, _ base: BaseLayout, _ tombstone: Int,
    _ changes: PhaseChanges
  ) {
    var found: [LostReference] = []
    for incoming in engine.incoming(writer.table.index) {
      let layout = engine.table(incoming.table).layout
      let attribute = incoming.column - layout.firstAttribute
      let former = changes.former(incoming.table)
      for (source, attributes) in changes.allRows(of: incoming.table).changed
      where attributes.has(attribute) {
        former.forEachReference(to: slot, source, incoming.column, layout.columns[incoming.column])
        {
          found.append(
            LostReference(
              tableName: layout.name, attributeName: layout.shortName(incoming.column),
              slot: source, position: $0))
        }
      }
    }
    addReferences(found, base, tombstone)
  }

  /// Adds the references that the applied batch contained and its rows lack, because their objects were deleted locally.
  func addWithheldReferences() {
    for (table, references) in withheldReferences {
      guard let base = engine.table(table).base else { continue }
      for (tombstone, references) in references { addReferences(references, base, tombstone) }
    }
    withheldReferences = [:]
  }

  /// Adds references that a tombstone does not have yet, and removes those of rows that were deleted since.
  ///
  /// - Complexity: O(references).
  private func addReferences(_ new: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
    if new.isEmpty { return }
    let bases = writer(base.table)
    var references = LostReference.list(bases.version.ownBytes(tombstone, base, .references))
    var places = Set(references.map(\.place))
    let missing = new.filter { places.insert($0.place).inserted }
    if missing.isEmpty { return }
    let tables = tablesByName
    references.removeAll { reference in
      tables[reference.tableName].map { !writer($0.index).version.isLive(reference.slot) } ?? false
    }
    references += missing
    Array(LostReference.text(references).utf8).withUnsafeBytes {
      _ = bases.setText(tombstone, base.column(.references), $0)
    }
  }

  private var tablesByName: [String: Table] {
    Dictionary(engine.allTables().map { ($0.layout.name, $0) }) { first, _ in first }
  }

  /// Links an object that returned from where it was linked, unless another object has taken its place.
  func restore(_ references: [LostReference], to slot: Int, in writer: TableWriter) {
    let tables = tablesByName
    for reference in references {
      guard let table = tables[reference.tableName],
        let column = (table.layout.firstAttribute..<table.layout.columns.count)
          .first(where: { table.layout.shortName($0) == reference.attributeName }),
        table.layout.columns[column].hasLinks,
        table.layout.columns[column].targetTable == writer.table.index
      else { continue }
      let source = self.writer(table.index)
      guard source.version.isLive(reference.slot) else { continue }
      let layout = table.layout.columns[column]
      let word = UInt64(slot) + 1
      if layout.kind == .link {
        if source.word(reference.slot, column) == 0 {
          setLink(source, reference.slot, column, word, replaces: false)
        }
        continue
      }
      guard !source.words(reference.slot, column, layout).contains(word) else { continue }
      let element = ElementValue(link: word, layout)
      switch (layout.collection, reference.position) {
      case (.list, .index(let index)):
        let index = min(index, source.elementCount(reference.slot, column))
        replaceElements(source, reference.slot, column, layout, index..<index, with: [element])
      case (.set, _):
        insertElements(source, reference.slot, column, layout, [element])
      case (.map, .key(let key)):
        restore(element, key, source, reference.slot, column, layout)
      default: continue
      }
    }
  }

  private func restore(
    _ element: ElementValue, _ key: [UInt8], _ source: TableWriter, _ slot: Int, _ column: Int,
    _ layout: ColumnLayout
  ) {
    key.withUnsafeBytes { key in
      var element = element
      element.key = key
      let cells = source.columns(slot)[column]
      let (index, isFound) = cells.index(
        of: ElementValue(key: key), cells.slice(slot & ChunkLayout.mask), layout)
      if isFound, source.mapWord(slot, column, layout, key: key) != 0 { return }
      replaceElements(
        source, slot, column, layout, index..<(isFound ? index + 1 : index), with: [element])
    }
  }
}

extension TableVersion {
  /// Calls `body` with each position at which a link or a collection of links refers to a row.
  fileprivate func forEachReference(
    to target: Int, _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ body: (LostReference.Position) -> Void
  ) {
    let cells = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    let word = UInt64(target) + 1
    if layout.kind == .link {
      if cells.word(row) == word { body(.index(0)) }
      return
    }
    let slice = cells.slice(row)
    for index in 0..<Int(slice.length) {
      let element = cells.element(slice, index, layout)
      guard element.word == word else { continue }
      body(layout.collection == .map ? .key(Array(element.key)) : .index(index))
    }
  }
}
