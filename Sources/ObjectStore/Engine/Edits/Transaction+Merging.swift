// Merging an object that was created locally into the server's one.

/// A row that was merged into another one.
struct MergedRow: Hashable {
  let table: Int
  let slot: Int
}

extension Transaction {
  /// Moves the links, the unconfirmed edits and the confirmations of an object to another one of its class, and deletes it.
  ///
  /// - Parameters:
  ///   - isConfirming: True if a confirmation of this transaction gives the object the key of the other one.
  ///   - isResent: True if the creation was sent before: the server may have executed either request, so that it is unknown
  ///     if it has the values of the other object or those that were sent last.
  func merge(
    _ slot: Int, into other: Int, _ writer: TableWriter, _ base: BaseLayout,
    isConfirming: Bool = false, isResent: Bool = false
  ) {
    moveConfirmations(
      from: writer.keyCell(slot), to: writer.keyCell(other), writer, all: !isConfirming)
    moveEdits(slot, to: other, writer, base, areUncertain: isResent)
    if isConfirming { giveConfirmedValues(slot, to: other, writer) }
    moveLostLinks(
      from: LostReference.Source(writer.layout.name, slot),
      to: LostReference.Source(writer.layout.name, other), in: writer)
    moveReferences(slot, to: other, writer)
    edits.mergedRows[MergedRow(table: writer.table.index, slot: slot)] = other
    if let baseSlot = baseRow(writer, slot) { dropBaseRow(base, baseSlot) }
    delete([(writer.table.index, slot)])
  }

  /// Copies the values that the server has confirmed and that the other object does not know.
  private func giveConfirmedValues(_ slot: Int, to other: Int, _ writer: TableWriter) {
    for column in writer.firstAttribute..<writer.columnCount where column != writer.keyColumn {
      let attribute = column - writer.firstAttribute
      guard writer.isMissing(other, attribute), !writer.isMissing(slot, attribute) else { continue }
      giveValue(column, of: slot, to: other, writer)
    }
  }

  private func giveValue(_ column: Int, of slot: Int, to other: Int, _ writer: TableWriter) {
    let source = StoredRow(state: nil, table: writer.table.index, slot: slot)
    copyValue(column, of: source, to: writer, other)
    moveLinksInside(column, of: source, to: writer, other)
    writer.give(other, column - writer.firstAttribute)
  }

  /// Records the confirmations of an object for its new key.
  ///
  /// - Parameter all: False for those of this transaction only, if the object had another key only locally.
  /// - Complexity: O(confirmations since the oldest live version), or those of this transaction.
  func moveConfirmations(
    from oldKey: BatchCell, to newKey: BatchCell, _ writer: TableWriter, all: Bool
  ) {
    let table = writer.table.index
    let old = ConfirmationLog.Key(oldKey, isBytes: writer.isKeyBytes)
    let new = ConfirmationLog.Key(newKey, isBytes: writer.isKeyBytes)
    var moved: Set<Int> = []
    var known: Set<Int> = []
    let earlier = all ? engine.confirmations.entries(after: 0) : []
    for case .change(table, let key, let attributes) in earlier + edits.confirmations {
      if key == old { moved.formUnion(attributes) }
      if key == new { known.formUnion(attributes) }
    }
    let missing = moved.subtracting(known).sorted()
    if missing.isEmpty { return }
    edits.confirmations.append(.change(table: table, key: new, attributes: missing))
  }

  private func moveEdits(
    _ slot: Int, to other: Int, _ writer: TableWriter, _ base: BaseLayout, areUncertain: Bool
  ) {
    guard let baseSlot = liveBaseRow(writer, slot, base) else { return }
    let bases = self.writer(base.table)
    let state = bases.version.state(baseSlot, base)
    var target = liveBaseRow(writer, other, base)
    var confirmed: [Int] = []
    for attribute in bases.version.editedAttributes(baseSlot, base) {
      let column = writer.firstAttribute + attribute
      let sending = bases.version.marks(baseSlot, base, attribute)
      if state == .created, !areUncertain, sending.contains(.sent),
        sending.isDisjoint(with: [.changed, .replaced])
      {
        // The creation is applied: the other object shows it.
        confirmed.append(attribute)
        if writer.isMissing(other, attribute) { giveValue(column, of: slot, to: other, writer) }
        continue
      }
      if let target, bases.version.marks(target, base, attribute).contains(.edited) { continue }
      let source = StoredRow(state: nil, table: writer.table.index, slot: slot)
      let row = StoredRow(state: nil, table: writer.table.index, slot: other)
      let isEqual = isEqual(column, source, row)
      let former = bases.version.marks(baseSlot, base, attribute)
      // The creation is confirmed, but not with which value.
      let isReplaced = former.contains(.replaced) && !former.contains(.sent)
      // The server may have a value that was sent since, and the value of the other object may be older than it.
      let sent: EditMarks =
        isReplaced
        ? .replaced
        : areUncertain ? [.sent, .uncertain] : former.intersection([.sent, .uncertain])
      let mayLackLinks = mayLackLinks(column, writer)
      if isEqual, isReplaced || state == .created && sent.isEmpty, !mayLackLinks { continue }
      let edited = target ?? addBaseRow(writer, other, base, .edited)
      target = edited
      copyValue(column, of: row, to: bases, edited)
      moveLinksInside(column, of: row, to: bases, edited)
      var marks: EditMarks =
        isEqual || mayLackLinks ? [.edited, .known, .moved] : [.edited, .known]
      if writer.isMissing(other, attribute) { marks = [.edited, .missing] }
      setMarks(sent.union(marks), of: attribute, base, edited)
      if !isEqual {
        copyValue(column, of: source, to: writer, other)
        moveLinksInside(column, of: source, to: writer, other)
      }
      writer.give(other, attribute)
      clearRejection(base, edited)
    }
    if confirmed.isEmpty { return }
    let key = ConfirmationLog.Key(writer.keyCell(other), isBytes: writer.isKeyBytes)
    edits.confirmations.append(
      .change(table: writer.table.index, key: key, attributes: confirmed))
  }

  private func moveReferences(_ slot: Int, to other: Int, _ writer: TableWriter) {
    let (old, new) = (UInt64(slot) + 1, UInt64(other) + 1)
    for incoming in engine.incoming(writer.table.index) {
      let source = self.writer(incoming.table)
      guard source.version.liveCount > 0 else { continue }
      var origins: [Int] = []
      source.backlinks(of: incoming.column).forEachSlot(of: UInt64(slot)) { origins.append($0) }
      let layout = source.columnLayout(incoming.column)
      for origin in Set(origins).sorted() where source.version.isLive(origin) {
        if layout.kind == .link {
          setLink(source, origin, incoming.column, new, replaces: false)
          continue
        }
        var elements = source.values(origin, incoming.column, layout)
        let hasOther = elements.contains { $0.word == new }
        if hasOther, layout.collection != .map {
          elements.removeAll { $0.word == old }
        } else {
          for index in elements.indices where elements[index].word == old {
            elements[index].word = new
          }
        }
        let keys = elements.map { Array($0.key) }
        withKeys(keys) { keys in
          for index in elements.indices { elements[index].key = keys[index] }
          if layout.collection == .set { elements.sortUnique(layout) }
          setElements(source, origin, incoming.column, layout, elements)
        }
      }
    }
  }

  /// Calls `body` with copies of keys, which writing does not move.
  private func withKeys(_ keys: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) -> Void) {
    let bytes = keys.flatMap { $0 }
    bytes.withUnsafeBytes { buffer in
      var start = 0
      body(
        keys.map { key in
          defer { start += key.count }
          return UnsafeRawBufferPointer(rebasing: buffer[start..<start + key.count])
        })
    }
  }
}
