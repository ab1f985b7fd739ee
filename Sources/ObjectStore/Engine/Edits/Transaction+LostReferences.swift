// The references of tombstones: where deleted objects were linked. They are noted when the links are lost, and restored when the
// objects return.

extension Transaction {
  /// Returns the links that deletions cleared, by deleted row.
  ///
  /// - Complexity: O(links of the changed rows).
  func lostReferences(
    to deleted: some Sequence<Int>, in writer: TableWriter, _ changes: PhaseChanges
  ) -> [Int: [LostReference]] {
    let deleted = Set(deleted)
    if deleted.isEmpty { return [:] }
    var found: [Int: [LostReference]] = [:]
    for incoming in engine.incoming(writer.table.index) {
      let layout = engine.table(incoming.table).layout
      let attribute = incoming.column - layout.firstAttribute
      let former = changes.former(incoming.table)
      let current = rows(incoming.table, in: nil)
      let base = baseLayout(ofTable: incoming.table)
      for (source, attributes) in changes.allRows(of: incoming.table).changed
      where attributes.has(attribute) {
        // The user has set another link.
        if layout.columns[incoming.column].kind == .link, current.word(source, incoming.column) != 0
        {
          continue
        }
        let isOnServer = !wasEdited(incoming.column, self.writer(incoming.table), source, changes)
        var isLost = false
        former.forEachReference(
          source, incoming.column, layout.columns[incoming.column], to: deleted
        ) { target, position in
          isLost = true
          found[target, default: []].append(
            LostReference(
              tableName: layout.name, attributeName: layout.shortName(incoming.column),
              slot: source, position: position(), isOnServer: isOnServer))
        }
        if isLost, let base { noteIncompleteBase(attribute, base, source) }
      }
    }
    return found
  }

  /// True if an attribute, for a row without a key that of an owner, was an edit when the phase began.
  private func wasEdited(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ changes: PhaseChanges
  ) -> Bool {
    owners(ofLink: column, writer, slot, in: changes.start).contains { writer, slot, column in
      guard let base = writer.base else { return false }
      let bases = rows(base.table, in: changes.start)
      guard bases.liveCount > 0,
        let baseSlot = bases.find(
          keyOf: slot, in: changes.former(writer.table.index), writer.layout)
      else { return false }
      return bases.marks(baseSlot, base, column - writer.firstAttribute).contains(.edited)
    }
  }

  /// Records that a base value lacks links that return with their objects, so that an equal value ends no edit.
  private func noteIncompleteBase(_ attribute: Int, _ base: BaseLayout, _ baseSlot: Int) {
    let marks = writer(base.table).version.marks(baseSlot, base, attribute)
    if marks.contains([.edited, .known]) {
      setMarks(marks.union(.moved), of: attribute, base, baseSlot)
    }
  }

  /// Notes the links of an earlier value, which is copied to a base row, to objects that were deleted since, also those of the
  /// embedded objects in it. They return to the base row with the objects. Returns true if there are any.
  @discardableResult
  func noteLostLinks(
    _ column: Int, of former: StoredRow, to bases: TableWriter, _ baseSlot: Int
  ) -> Bool {
    var isLost = false
    forEachLinks(column, of: former, copiedTo: (bases, baseSlot)) { former, copy, column in
      guard let copy else { return }
      let (writer, layout) = (copy.writer, copy.writer.columnLayout(column))
      let targets = self.writer(layout.targetTable)
      if targets.base == nil { return }
      rows(former.table, in: former.state).forEachReference(former.slot, column, layout) {
        target, position in
        if targets.version.isLive(target) { return }
        isLost = true
        edits.lostBaseLinks[layout.targetTable, default: [:]][target, default: []].append(
          LostReference(
            tableName: writer.layout.name, attributeName: writer.layout.shortName(column),
            slot: copy.slot, position: position()))
      }
    }
    return isLost
  }

  /// Records, in the tombstone of each deleted target, the base values of a phase that lost a link to it.
  func addLostBaseLinks() {
    for (table, references) in edits.lostBaseLinks {
      let writer = writer(table)
      guard let base = writer.base else { continue }
      for (slot, references) in references {
        guard let tombstone = baseRow(writer, slot),
          self.writer(base.table).version.state(tombstone, base).isTombstone
        else { continue }
        addReferences(references, base, tombstone)
      }
    }
    edits.lostBaseLinks = [:]
  }

  /// Adds the references that the applied batch contained and its rows lack, because their objects were deleted locally.
  func addWithheldReferences() {
    for (table, references) in edits.withheldReferences {
      guard let base = engine.table(table).base else { continue }
      for (tombstone, references) in references { addReferences(references, base, tombstone) }
    }
    edits.withheldReferences = [:]
  }

  /// Replaces the references of a tombstone from the same attributes, and removes those of rows that were deleted since.
  ///
  /// - Complexity: O(references).
  func addReferences(_ new: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
    if new.isEmpty { return }
    let bases = writer(base.table)
    let stored = bases.version.ownBytes(tombstone, base, .references)
    // A list may contain an object several times.
    let places = Dictionary(grouping: new, by: \.place)
    if let stored, places.count < 8 {
      let found = places.values.map { LostReference.presence(of: $0, in: stored) }
      if found.allSatisfy({ $0 == .same }) { return }
      let text = LostReference.text(new)
      let count = stored.count + 1 + text.utf8.count
      // Mostly appends. Lines of deleted rows are removed whenever the text has doubled.
      if found.allSatisfy({ $0 == .none }),
        count.leadingZeroBitCount == stored.count.leadingZeroBitCount
      {
        let appended = Array(stored) + "\n\(text)".utf8
        appended.withUnsafeBytes { _ = bases.setText(tombstone, base.column(.references), $0) }
        noteSources(of: new, base, tombstone)
        return
      }
    }
    var references = LostReference.list(stored)
    let known = Dictionary(grouping: references, by: \.place)
    let changed = places.filter { place, new in
      known[place].map { $0.map(\.position) != new.map(\.position) } ?? true
    }
    if changed.isEmpty { return }
    let tables = tablesByName
    references.removeAll { reference in
      changed[reference.place] != nil
        || tables[reference.tableName].map { !writer($0.index).version.isLive(reference.slot) }
          ?? false
    }
    references += new.filter { changed[$0.place] != nil }
    store(references, base, tombstone)
    noteSources(of: new, base, tombstone)
  }

  func store(_ references: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
    Array(LostReference.text(references).utf8).withUnsafeBytes {
      _ = writer(base.table).setText(tombstone, base.column(.references), $0)
    }
  }

  var tablesByName: [String: Table] {
    Dictionary(engine.allTables().map { ($0.layout.name, $0) }) { first, _ in first }
  }

  /// True if the phase has emptied the collection that lost a link, other than by deletions. It stays empty.
  func isEmptied(
    _ reference: LostReference, _ tables: [String: Table], _ changes: PhaseChanges
  ) -> Bool {
    guard let (table, column) = cell(of: reference, tables),
      baseLayout(ofTable: table.index) == nil,
      table.layout.columns[column].kind == .collection,
      self.writer(table.index).elementCount(reference.slot, column) == 0,
      changes.allRows(of: table.index).attributes(of: reference.slot)?
        .has(column - table.layout.firstAttribute) ?? false
    else { return false }
    let former = StoredRow(state: changes.start, table: table.index, slot: reference.slot)
    return !lostOnlyTargets(column, self.writer(table.index), reference.slot, former)
  }

  /// Returns the table and the column of a lost link; nil if there is no such attribute any more.
  private func cell(
    of reference: LostReference, _ tables: [String: Table]
  ) -> (table: Table, column: Int)? {
    guard let table = tables[reference.tableName],
      let column = (table.layout.firstAttribute..<table.layout.columns.count)
        .first(where: { table.layout.shortName($0) == reference.attributeName }),
      table.layout.columns[column].hasLinks
    else { return nil }
    return (table, column)
  }

  /// Links an object that returned from where it was linked, unless another object has taken its place.
  ///
  /// - Returns: The cells with the links.
  func restore(
    _ references: [LostReference], to slot: Int, in writer: TableWriter
  ) -> [(table: Int, slot: Int, column: Int, isOnServer: Bool)] {
    let tables = tablesByName
    var restored: [(table: Int, slot: Int, column: Int, isOnServer: Bool)] = []
    var found: Set<LostReference.Place> = []
    for reference in references {
      guard let (table, column) = cell(of: reference, tables),
        table.layout.columns[column].targetTable == writer.table.index
      else { continue }
      let source = self.writer(table.index)
      guard source.version.isLive(reference.slot), hasValue(reference.slot, column, source) else {
        continue
      }
      let layout = table.layout.columns[column]
      let word = UInt64(slot) + 1
      if layout.kind == .link {
        if source.word(reference.slot, column) == 0 {
          setLink(source, reference.slot, column, word, replaces: false)
          restored.append((table.index, reference.slot, column, reference.isOnServer))
        }
        continue
      }
      // A list gets all of its positions, unless it has the object already.
      if layout.collection != .map, !found.contains(reference.place),
        source.words(reference.slot, column, layout).contains(word)
      {
        continue
      }
      found.insert(reference.place)
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
      restored.append((table.index, reference.slot, column, reference.isOnServer))
    }
    return restored
  }

  /// False for a base row without a base value of an attribute.
  private func hasValue(_ slot: Int, _ column: Int, _ writer: TableWriter) -> Bool {
    guard let base = baseLayout(ofTable: writer.table.index),
      !writer.version.state(slot, base).isTombstone
    else { return true }
    return writer.version.marks(slot, base, column - writer.firstAttribute).contains(.known)
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
  /// Calls `body` with each row to which a link or a collection of links refers, and a function that returns the position
  /// of the link.
  fileprivate func forEachReference(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout,
    _ body: (_ target: Int, _ position: () -> LostReference.Position) -> Void
  ) {
    let cells = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = cells.word(row)
      if word != 0 { body(Int(word) - 1) { .index(0) } }
      return
    }
    let slice = cells.slice(row)
    for index in 0..<Int(slice.length) {
      let element = cells.element(slice, index, layout)
      if element.word == 0 { continue }
      body(Int(element.word) - 1) {
        layout.collection == .map ? .key(Array(element.key)) : .index(index)
      }
    }
  }

  /// Calls `body` with each of some rows to which a link or a collection of links refers, and a function that returns the
  /// position of the link.
  fileprivate func forEachReference(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, to targets: Set<Int>,
    _ body: (_ target: Int, _ position: () -> LostReference.Position) -> Void
  ) {
    guard layout.collection == .list, layout.kind == .collection, targets.count <= 8 else {
      return forEachReference(slot, column, layout) { target, position in
        guard targets.contains(target) else { return }
        let position = position()
        body(target) { position }
      }
    }
    // A search for a few words is faster than reading each element of a long list.
    let cells = columns(slot)[column]
    let slice = cells.slice(slot & ChunkLayout.mask)
    for target in targets {
      for index in cells.indices(of: UInt64(target) + 1, slice, layout) {
        body(target) { .index(index) }
      }
    }
  }
}
