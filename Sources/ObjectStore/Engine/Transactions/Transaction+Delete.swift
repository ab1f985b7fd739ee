// Deleting rows, in two steps, so that the cost is proportional to the number of rows and of their links:
//
//     1  the rows die, and the rows they own with them
//     2  the links to them are found, and each cell is written once, however many of its targets
//        died: collections are written before they are read again

extension Transaction {
  /// Deletes rows: links to them are cleared, collections lose them, and rows they own are deleted. Their cells are
  /// kept, so that a deleted object reads its last values.
  ///
  /// - Parameters:
  ///   - replaces: True if a replacement deletes the rows. In that case, born-nested rows that lose their last
  ///     reference are deleted, too.
  ///   - mayBeLinked: True if remaining rows may link to them.
  /// - Complexity: O(n log n) in the deleted rows and the links to and from them, plus the length of each collection
  ///   that loses elements when it is read again, or at the end of the transaction. The first deletion from a table that
  ///   others link to reads those tables once to build their backlinks.
  func delete(
    _ rows: [(table: Int, slot: Int)], replaces: Bool = false, mayBeLinked: Bool = true
  ) {
    guard !rows.isEmpty else { return }
    var dead: [(table: Int, slot: Int)] = []
    // A worklist instead of recursion, since rows may be nested as deeply as a payload.
    var pending = rows
    pending.reverse()
    while let (table, slot) = pending.popLast() {
      let writer = writerWithDeadLinks(table)
      guard writer.version.isLive(slot) else { continue }
      writer.killRow(slot)
      dead.append((table, slot))
      dropTargets(writer, slot, replaces: replaces, &pending)
    }
    if mayBeLinked { clearLinks(to: dead) }
  }

  /// Removes the references of a dead row, and adds the rows that die with it to `pending`.
  private func dropTargets(
    _ writer: TableWriter, _ slot: Int, replaces: Bool, _ pending: inout [(table: Int, slot: Int)]
  ) {
    for (column, layout) in writer.layout.columns.enumerated() where layout.hasLinks {
      var targets: [Int] = []
      writer.version.forEachTarget(slot, column, layout) { targets.append($0) }
      writer.updateBacklinks(column) { tree, editOwner in
        for target in targets { tree.remove(key: UInt64(target), slot: slot, editOwner: editOwner) }
      }
      let targetWriter = writerWithDeadLinks(layout.targetTable)
      guard targetWriter.identity != .keyed else { continue }
      for target in targets where targetWriter.version.isLive(target) {
        let references = targetWriter.add(target, targetWriter.layout.referencesColumn, -1)
        let isOwned = targetWriter.identity == .embedded
        if references <= 0, isOwned || replaces && targetWriter.isBornNested(target) {
          pending.append((layout.targetTable, target))
        }
      }
    }
  }

  private func clearLinks(to dead: [(table: Int, slot: Int)]) {
    var slotsByTable: [Int: [Int]] = [:]
    for (table, slot) in dead { slotsByTable[table, default: []].append(slot) }
    for (table, slots) in slotsByTable.sorted(byNumber: \.key) {
      for incoming in engine.incoming(table) {
        let source = writerWithDeadLinks(incoming.table)
        guard source.version.liveCount > 0 else { continue }
        clearLinks(to: slots, from: source, incoming.column)
      }
    }
  }

  /// In tables that another handle has since added with rows of a file, clears the links to rows deleted by this
  /// transaction.
  func clearLinks(ofTablesFrom first: Int, to dead: [Int], in table: Int) {
    for incoming in engine.incoming(table) where incoming.table >= first {
      let source = writer(incoming.table)
      guard source.version.liveCount > 0 else { continue }
      clearLinks(to: dead, from: source, incoming.column)
    }
  }

  /// Clears the links of one column to dead targets.
  private func clearLinks(to dead: [Int], from source: TableWriter, _ column: Int) {
    let backlinks = source.backlinks(of: column)
    var sources: [Int] = []
    for slot in dead { backlinks.forEachSlot(of: UInt64(slot)) { sources.append($0) } }
    guard !sources.isEmpty else { return }
    sources.sort()
    var previous = -1
    for slot in sources where slot != previous {
      previous = slot
      guard source.version.isLive(slot) else { continue }
      if source.columnLayout(column).kind == .link {
        setLink(source, slot, column, 0, replaces: false)
      } else {
        noteDeadLinks(source, slot, column, to: dead)
      }
    }
  }

  /// Removes dead targets from a collection. A map keeps the key if the value can be null.
  ///
  /// - Parameter dead: The dead targets; empty if there are many.
  func dropDeadElements(
    _ source: TableWriter, _ slot: Int, _ column: Int, _ dead: [Int]
  ) {
    guard source.version.isLive(slot) else { return }
    let layout = source.columnLayout(column)
    let targets = writerWithDeadLinks(layout.targetTable)
    func isDead(_ word: UInt64) -> Bool {
      // A few comparisons cost less than reading the target row.
      dead.isEmpty
        ? word != 0 && !targets.version.isLive(Int(word) - 1) : dead.contains(Int(word) - 1)
    }
    let removed: [UInt64]
    if layout.collection == .map && layout.hasNullElements {
      var values = source.values(slot, column, layout)
      removed = values.map(\.word).filter(isDead)
      for index in values.indices where isDead(values[index].word) {
        values[index].word = 0
        values[index].isNull = true
      }
      source.setElements(slot, column, count: values.count) { values[$0] }
    } else if dead.count == 1 {
      let word = UInt64(dead[0]) + 1
      let indices = source.indices(of: word, slot, column, layout)
      removed = [UInt64](repeating: word, count: indices.count)
      source.removeElements(slot, column, at: indices)
    } else {
      let words = source.words(slot, column, layout)
      let indices = words.indices.filter { isDead(words[$0]) }
      removed = indices.map { words[$0] }
      source.removeElements(slot, column, at: indices)
    }
    source.updateBacklinks(column) { tree, editOwner in
      for word in removed { tree.remove(key: word - 1, slot: slot, editOwner: editOwner) }
    }
  }
}
