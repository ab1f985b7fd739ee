// Recording the user's changes of a phase in base rows.

extension Transaction {
  /// Records the changes of a class since the beginning of a phase as edits.
  func recordEdits(
    of table: Table, _ base: BaseLayout, _ rows: TableDifference, _ changes: PhaseChanges
  ) {
    let writer = writer(table.index)
    let references = lostReferences(to: rows.deleted, in: writer, changes)
    for slot in rows.deleted {
      recordDeletion(slot, writer, base, changes, references[slot] ?? [])
    }
    for slot in rows.inserted { recordCreation(slot, writer, base, changes) }
    let bases = self.writer(base.table)
    for (slot, attributes) in rows.changed {
      if base.tracked.contains(where: attributes.has), isReferenced(slot, writer, base) {
        // The user describes an object that the server has never named.
        recordCreation(slot, writer, base, changes)
        writer.setWhole(slot)
        continue
      }
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
      let wasMissing = rows(writer.table.index, in: start).isMissing(slot, attribute)
      if !wasMissing, hasEqualContent(column, writer, slot, former) { continue }
      if let baseSlot {
        var marks = bases.withVersion { $0.marks(baseSlot, base, attribute) }
        if marks.contains(.edited) {
          isEdited = true
          if marks.canBeSetBack, mayLackLinks(column, writer) {
            marks.insert(.moved)
            setMarks(marks, of: attribute, base, baseSlot)
          }
          // Set back to what the server has, unless a request under way may have changed that.
          if marks.canBeSetBack, isAtBase(attribute, writer, slot, base, baseSlot),
            !lostRevertibleTarget(column, writer, slot, former)
          {
            endSetBack(attribute, writer, slot, base, baseSlot)
            isCleared = true
          } else if marks.contains(.sent), !marks.contains(.changed),
            !lostOnlyTargets(column, writer, slot, former)
          {
            setMarks(marks.union(.changed), of: attribute, base, baseSlot)
          }
          continue
        }
      }
      if !wasMissing, lostOnlyTargets(column, writer, slot, former) { continue }
      isEdited = true
      let edited = baseSlot ?? addBaseRow(writer, slot, base, .edited)
      baseSlot = edited
      copyValue(column, of: former, to: bases, edited)
      noteEditedLinks(column, of: former, copiedTo: wasMissing ? nil : (bases, edited))
      if wasMissing {
        setMarks([.edited, .missing], of: attribute, base, edited)
        continue
      }
      let isIncomplete =
        noteLostLinks(column, of: former, to: bases, edited) || mayLackLinks(column, writer)
      setMarks(
        isIncomplete ? [.edited, .known, .moved] : [.edited, .known], of: attribute, base, edited)
    }
    guard let baseSlot, isEdited else { return }
    clearRejection(base, baseSlot)
    if isCleared { dropIfClean(base, baseSlot) }
  }

  /// Returns true if the objects that a row owns were replaced by equal ones, or numbers of JSON were only written
  /// differently.
  func hasEqualContent(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    (writer.columnLayout(column).hasLinks || writer.columnLayout(column).isJSON)
      && isEqual(column, former, StoredRow(state: nil, table: writer.table.index, slot: slot))
  }

  /// Returns true if a value differs from an earlier one only because linked objects were deleted: that is no edit.
  func lostOnlyTargets(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    writer.columnLayout(column).hasLinks
      && isEqual(
        column, former, StoredRow(state: nil, table: writer.table.index, slot: slot),
        leavingOutDeleted: true)
  }

  /// Returns true if a value lacks a link of an earlier one whose object returns if its deletion is reverted.
  private func lostRevertibleTarget(
    _ column: Int, _ writer: TableWriter, _ slot: Int, _ former: StoredRow
  ) -> Bool {
    let layout = writer.columnLayout(column)
    guard layout.hasLinks else { return false }
    let targets = self.writer(layout.targetTable)
    guard let base = targets.base else { return false }
    let (formerTargets, formerBases) = (
      rows(layout.targetTable, in: former.state), rows(base.table, in: former.state)
    )
    var isLost = false
    rows(former.table, in: former.state).forEachTarget(slot, column, layout) { target in
      if isLost || targets.version.isLive(target) { return }
      guard formerBases.liveCount > 0,
        let baseSlot = formerBases.find(keyOf: target, in: formerTargets, targets.layout)
      else {
        isLost = true
        return
      }
      // A created object that was not sent leaves no tombstone.
      isLost =
        formerBases.state(baseSlot, base) != .created
        || formerBases.own(baseSlot, base, .serial) > formerBases.own(baseSlot, base, .confirmed)
    }
    return isLost
  }

  /// True if only a link of the user names the object.
  func isReferenced(_ slot: Int, _ writer: TableWriter, _ base: BaseLayout) -> Bool {
    let bases = self.writer(base.table).version
    return baseRow(writer, slot).map { bases.state($0, base) == .referenced } ?? false
  }

  private func recordCreation(
    _ slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ changes: PhaseChanges
  ) {
    // Only the key is known: the user links to an object that the server may have.
    let isPlaceholder = writer.isPlaceholder(slot)
    if let baseSlot = baseRow(writer, slot) {
      let state = self.writer(base.table).version.state(baseSlot, base)
      guard state.isTombstone else {
        dropBaseRow(base, baseSlot)
        return recordCreation(slot, writer, base, changes)
      }
      let tables = tablesByName
      returnLinks(to: slot, writer, base, baseSlot) { isEmptied($0, tables, changes) }
      if isPlaceholder {
        dropBaseRow(base, baseSlot)
        // A deletion that was not sent ends.
        if state != .deleted { _ = addBaseRow(writer, slot, base, .referenced) }
        return
      }
      clearRejection(base, baseSlot)
      if state != .deleted {
        // The server may not have the object.
        return resumeCreation(base, baseSlot, of: slot, writer, isRestored: false)
      }
      // Created again before the deletion was sent: all attributes are edits.
      set(.state, base, baseSlot, to: BaseState.edited.rawValue)
      for attribute in base.tracked {
        var marks = self.writer(base.table).version.marks(baseSlot, base, attribute)
        if marks.hasNoValue { marks.insert(.missing) }
        if marks.contains(.sent) { marks.insert(.changed) }
        setMarks(marks.union([.edited, .moved]), of: attribute, base, baseSlot)
      }
      dropIfClean(base, baseSlot)
    } else if isPlaceholder {
      _ = addBaseRow(writer, slot, base, .referenced)
    } else {
      let baseSlot = addBaseRow(writer, slot, base, .created)
      for attribute in base.tracked { setMarks(.edited, of: attribute, base, baseSlot) }
    }
  }

  /// Makes a tombstone the base row of a created object. The server may have the object, with other values. Attributes that
  /// are missing are not edits.
  ///
  /// - Parameter isRestored: True if the object has the values of the deleted one.
  func resumeCreation(
    _ base: BaseLayout, _ tombstone: Int, of slot: Int, _ writer: TableWriter, isRestored: Bool
  ) {
    set(.state, base, tombstone, to: BaseState.created.rawValue)
    for attribute in base.tracked {
      var marks = self.writer(base.table).version.marks(tombstone, base, attribute).withoutBase
      marks.formUnion([.edited, .sent, .changed])
      if isRestored { marks.insert(.restored) } else { marks.remove(.restored) }
      setMarks(writer.isMissing(slot, attribute) ? [] : marks, of: attribute, base, tombstone)
      clearBaseValue(attribute, base, tombstone)
    }
  }

  private func recordDeletion(
    _ slot: Int, _ writer: TableWriter, _ base: BaseLayout, _ changes: PhaseChanges,
    _ references: [LostReference]
  ) {
    // A dead row keeps its key.
    var baseSlot = baseRow(writer, slot)
    let bases = self.writer(base.table)
    var state = BaseState.deleted
    if let known = baseSlot, bases.version.state(known, base) == .created {
      state = .deletedCreation
      if !wasSent(base, known) { return dropBaseRow(base, known) }
    }
    let tombstone =
      baseSlot.map { endUnseenEdits(base, $0) } ?? addBaseRow(writer, slot, base, state)
    baseSlot = tombstone
    set(.state, base, tombstone, to: state.rawValue)
    clearRejection(base, tombstone)
    let former = StoredRow(state: changes.start, table: writer.table.index, slot: slot)
    var hasBaseValue: Set<String> = []
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      let marks = bases.version.marks(tombstone, base, attribute)
      // The server's value of an edited attribute is already there.
      if marks.contains(.edited), !marks.isDisjoint(with: [.known, .missing]), state == .deleted {
        hasBaseValue.insert(writer.layout.shortName(column))
        continue
      }
      copyValue(column, of: former, to: bases, tombstone)
      moveLinksInside(column, of: former, to: bases, tombstone)
      noteLostLinks(column, of: former, to: bases, tombstone)
      let isMissing = rows(former.table, in: former.state).isMissing(slot, attribute)
      setMarks(
        isMissing ? marks.withoutBase.union(.missing) : marks.withBase, of: attribute, base,
        tombstone)
    }
    moveLostLinks(
      from: LostReference.Source(writer.layout.name, slot),
      to: LostReference.Source(bases.layout.name, tombstone), in: writer
    ) { hasBaseValue.contains($0) ? .drop : .move }
    noteTombstone(base)
    addReferences(references, base, tombstone)
  }

  // MARK: - References

  /// Returns the links that deletions cleared, by deleted row.
  ///
  /// - Complexity: O(links of the changed rows).
  private func lostReferences(
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
  private func addReferences(_ new: [LostReference], _ base: BaseLayout, _ tombstone: Int) {
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

  private var tablesByName: [String: Table] {
    Dictionary(engine.allTables().map { ($0.layout.name, $0) }) { first, _ in first }
  }

  /// True if the phase has emptied the collection that lost a link, other than by deletions. It stays empty.
  private func isEmptied(
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
