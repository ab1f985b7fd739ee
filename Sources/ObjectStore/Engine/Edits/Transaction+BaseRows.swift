// Reading and writing the rows of base tables.

extension Transaction {
  /// True if an object has unconfirmed edits.
  var hasBaseRows: Bool {
    engine.tablesWithBases.contains { table in
      table.base.map {
        rows($0.table, in: touchedVersion($0.table) == nil ? previous : nil).liveCount > 0
      }
        ?? false
    }
  }

  /// Returns the arrangement of a base table; nil for a table of objects.
  func baseLayout(ofTable table: Int) -> BaseLayout? {
    engine.tablesWithBases.lazy.compactMap(\.base).first { $0.table == table }
  }

  /// Returns the base row with the key of a row; nil if there is none. The row may be dead.
  @inline(__always)
  func baseRow(_ writer: TableWriter, _ slot: Int) -> Int? {
    guard let base = writer.base else { return nil }
    return withWriter(base.table) { bases in
      bases.withVersion { $0.liveCount } == 0 ? nil : bases.find(writer.keyCell(slot))
    }
  }

  /// Returns the base row of a live row. A tombstone is removed: it remains from a time when the class did not track edits.
  /// So is the base row of an object that only the user has named, because now the server names it.
  func liveBaseRow(_ writer: TableWriter, _ slot: Int, _ base: BaseLayout) -> Int? {
    guard let baseSlot = baseRow(writer, slot) else { return nil }
    let state = withWriter(base.table) { $0.withVersion { $0.state(baseSlot, base) } }
    guard state.isTombstone || state == .referenced else { return baseSlot }
    dropBaseRow(base, baseSlot)
    return nil
  }

  /// Returns the base row with a key if it is a tombstone; nil otherwise.
  @inline(__always)
  func tombstone(_ writer: TableWriter, _ key: BatchCell) -> Int? {
    guard let base = writer.base else { return nil }
    return withWriter(base.table) { bases in
      guard bases.withVersion({ $0.liveCount }) > 0, let slot = bases.find(key),
        bases.withVersion({ $0.state(slot, base) }).isTombstone
      else { return nil }
      return slot
    }
  }

  /// Adds a base row for a row that has none. Its order is after that of all others.
  @inline(never)
  func addBaseRow(_ writer: TableWriter, _ slot: Int, _ base: BaseLayout, _ state: BaseState) -> Int
  {
    let bases = self.writer(base.table)
    let baseSlot = bases.insertRow()
    bases.setNewKey(baseSlot, writer.keyCell(slot))
    bases.setWord(baseSlot, base.column(.state), state.rawValue)
    bases.setWord(baseSlot, base.column(.order), nextEditOrder())
    // Edits of an earlier base row of the object cannot be confirmed any more.
    bases.setWord(baseSlot, base.column(.confirmed), engine.lastSerial)
    copyKeyParts(of: slot, from: writer, to: bases, baseSlot)
    return baseSlot
  }

  /// Changes the key of a row's base row. Called before the key of the row itself changes.
  func rekeyBase(of slot: Int, _ writer: TableWriter, to key: BatchCell) {
    guard let base = writer.base, let baseSlot = baseRow(writer, slot) else { return }
    self.writer(base.table).rekey(baseSlot, to: key)
  }

  /// Copies the parts of a compound key to the base row.
  func updateBaseKeyParts(of slot: Int, _ writer: TableWriter) {
    guard let base = writer.base, let baseSlot = baseRow(writer, slot) else { return }
    copyKeyParts(of: slot, from: writer, to: self.writer(base.table), baseSlot)
  }

  private func copyKeyParts(
    of slot: Int, from source: TableWriter, to writer: TableWriter, _ target: Int
  ) {
    for column in source.firstAttribute..<source.columnCount
    where source.columnLayout(column).isKeyPart {
      copyValue(
        column, of: StoredRow(state: nil, table: source.table.index, slot: slot), to: writer, target
      )
    }
  }

  /// Returns the next position in the order of first changes.
  private func nextEditOrder() -> UInt64 {
    let last =
      engine.lastEditOrder
      ?? engine.tablesWithBases.reduce(0) { last, table in
        guard let base = table.base else { return last }
        var last = last
        let bases = writer(base.table).version
        bases.forEachLive {
          last = max(last, bases.own($0, base, .order))
          return true
        }
        return last
      }
    engine.lastEditOrder = last + 1
    return last + 1
  }

  /// Ends the edits of attributes that the class lacks, because the row with their values is deleted. Returns the base row
  /// that remains: another one, because only the file has these edits.
  func endUnseenEdits(_ base: BaseLayout, _ baseSlot: Int) -> Int {
    let bases = writer(base.table)
    guard bases.table.hasUnseenEdits(baseSlot) else { return baseSlot }
    let former = StoredRow(state: nil, table: base.table, slot: baseSlot)
    let new = bases.insertRow()
    for column in bases.firstAttribute..<bases.columnCount where column != bases.keyColumn {
      copyValue(column, of: former, to: bases, new)
    }
    let key = bases.keyCell(baseSlot)
    dropBaseRow(base, baseSlot)
    bases.setNewKey(new, key)
    // The outcome of a request under way concerns the row that was dropped.
    set(.session, base, new, to: 0)
    return new
  }

  /// Removes a base row: its object has no unconfirmed edits, or is gone.
  func dropBaseRow(_ base: BaseLayout, _ baseSlot: Int) {
    delete([(base.table, baseSlot)], replaces: true, mayBeLinked: false)
  }

  /// Removes the base row if its object has no unconfirmed edits; returns true if it did.
  ///
  /// - Parameter keepsUnseen: True to keep edits of attributes that the class lacks, which only the file has.
  @discardableResult
  func dropIfClean(_ base: BaseLayout, _ baseSlot: Int, keepsUnseen: Bool = true) -> Bool {
    let bases = writer(base.table)
    guard bases.version.state(baseSlot, base) == .edited,
      bases.version.editedAttributes(baseSlot, base).isEmpty,
      !(keepsUnseen && bases.table.hasUnseenEdits(baseSlot))
    else { return false }
    dropBaseRow(base, baseSlot)
    return true
  }

  /// Removes the base row if its object has no unconfirmed edits, after some were reverted; returns true if it did.
  ///
  /// - Parameter isGone: True if the server does not have the object, which is then deleted.
  func dropIfClean(
    _ base: BaseLayout, _ baseSlot: Int, isGone: Bool, _ writer: TableWriter, _ slot: Int
  ) -> Bool {
    guard dropIfClean(base, baseSlot) else { return false }
    if isGone { delete([(writer.table.index, slot)]) }
    return true
  }

  func setMarks(
    _ marks: EditMarks, of attribute: Int, _ base: BaseLayout, _ baseSlot: Int
  ) {
    guard let column = base.marksColumn(attribute) else { return }
    writer(base.table).setWord(baseSlot, column, marks.rawValue)
  }

  func set(_ own: BaseLayout.Own, _ base: BaseLayout, _ baseSlot: Int, to word: UInt64) {
    writer(base.table).setWord(baseSlot, base.column(own), word)
  }

  /// Ends the edit of an attribute: it has no marks and no base value.
  func clearEdit(_ attribute: Int, _ base: BaseLayout, _ baseSlot: Int) {
    setMarks([], of: attribute, base, baseSlot)
    clearBaseValue(attribute, base, baseSlot)
  }

  func clearBaseValue(_ attribute: Int, _ base: BaseLayout, _ baseSlot: Int) {
    let bases = writer(base.table)
    let column = bases.firstAttribute + attribute
    let layout = bases.columnLayout(column)
    switch layout.kind {
    case .word, .byte, .bytes: bases.setNull(baseSlot, column)
    case .link: setLink(bases, baseSlot, column, 0, replaces: true)
    case .collection: setElements(bases, baseSlot, column, layout, [], replaces: true)
    }
  }

  func setRejection(_ rejection: String, _ base: BaseLayout, _ baseSlot: Int) {
    Array(rejection.utf8).withUnsafeBytes {
      _ = writer(base.table).setText(baseSlot, base.column(.rejection), $0)
    }
  }

  func clearRejection(_ base: BaseLayout, _ baseSlot: Int) {
    withWriter(base.table) { _ = $0.setNull(baseSlot, base.column(.rejection)) }
  }

  /// Returns the row of the object of a base row; nil if it was deleted.
  func row(of baseSlot: Int, _ base: BaseLayout, in writer: TableWriter) -> Int? {
    writer.find(self.writer(base.table).keyCell(baseSlot))
  }
}
