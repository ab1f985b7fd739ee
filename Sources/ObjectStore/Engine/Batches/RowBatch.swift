/// Rows to be stored, typed and checked but not yet applied. This is the compact form of update dictionaries: a batch
/// is filled while data of any size is decoded, and is applied in one transaction.
///
///     BatchRow ─▶ [ header 32 bytes | cell 0 | cell 1 | … ]        a cell per attribute, 16 bytes
///     cell      = bits, count, state        state: absent, null, value, row, slot
///                  │     └ bytes of a string, elements of a collection
///                  └ the value; the address of the string, the elements or the nested row; the slot
///                    of a row of the store
///
/// Rows and strings lie in pages that never move, so an address is valid while the batch lives. Strings may also lie in
/// the caller's memory if it outlives the batch (a payload's bytes).
package final class RowBatch {
  // Exclusivity is not checked at run time: a batch is used by one decoder at a time, and the check costs 10 ns per row
  // and per string.
  @exclusivity(unchecked) private var pages = BatchPages()
  /// The rows with an identity of their own (a key, or an object rather than content) in order of completion: nested
  /// rows precede the row that contains them.
  @exclusivity(unchecked) private(set) var rows: ContiguousArray<BatchRow> = []
  /// The elements of all collections that have begun and not ended, the innermost last. The buffer is reused.
  @exclusivity(unchecked) private var openElements: ContiguousArray<_BatchCell> = []

  /// The indexes in `rows` of the rows that the caller requested.
  @exclusivity(unchecked) private var topIndexes: ContiguousArray<Int> = []
  /// The indexes in the payload's list of the elements that were skipped, ascending.
  @exclusivity(unchecked) private var skippedElements: ContiguousArray<Int> = []
  /// The slots of the rows that the caller requested, in their order. They are stored separately because the rows are
  /// no longer in the CPU cache, or are freed, once the batch is applied.
  @exclusivity(unchecked) private(set) var topSlots: ContiguousArray<Int> = []
  /// The attribute of each table whose cells may merge members.
  @exclusivity(unchecked) private(set) var mergedMembers: [Int: MergedMembers] = [:]
  /// The table of the last call of ``setMergedMembers(_:ofTable:limit:)``, which is usually that of the next one.
  @exclusivity(unchecked) private var lastMergedTable = -1
  /// The rows whose members and those of the store were more than the limit.
  @exclusivity(unchecked) package internal(set) var rowsWithoutEarlierMembers: [BatchRow] = []
  /// True if a row may link to a later one.
  @exclusivity(unchecked) var hasForwardLinks = false
  /// True if a collection has elements that are rows of the batch.
  @exclusivity(unchecked) private(set) var hasRowElements = false
  /// True if rows are freed as soon as they are applied, since only their slots are needed.
  @exclusivity(unchecked) package var releasesRows = false
  /// The order of the keys of each table's rows so far.
  @exclusivity(unchecked) var keyOrders: ContiguousArray<KeyOrder> = []
  /// True if a key may be repeated. Rows whose keys ascend or descend have distinct keys.
  @exclusivity(unchecked) var mayRepeatKeys = false
  /// True if rows were merged into earlier rows with their key.
  @exclusivity(unchecked) var hasMergedRows = false
  /// True if the objects of some rows were deleted, so that links to them are left out.
  @exclusivity(unchecked) var hasWithheldRows = false
  /// The rows of the store that cells link to. Applying the batch checks that they are still live, since user code may
  /// have run.
  @exclusivity(unchecked) private(set) var linkedRows: [(table: Int, slot: Int)] = []
  /// The evaluation state of the handle that the batch is for.
  let evaluation: DefaultEvaluation

  /// Creates an empty batch for no particular handle.
  package init() { evaluation = DefaultEvaluation() }

  init(_ evaluation: DefaultEvaluation) { self.evaluation = evaluation }

  /// Removes all rows and keeps a limited amount of memory for reuse.
  package func removeAll() {
    pages.reset()
    rows.removeAllKeepingSome()
    hasForwardLinks = false
    hasRowElements = false
    hasWithheldRows = false
    releasesRows = false
    forgetKeys()
    topIndexes.removeAllKeepingSome()
    if !skippedElements.isEmpty { skippedElements.removeAllKeepingSome() }
    topSlots.removeAllKeepingSome()
    openElements.removeAllKeepingSome()
    linkedRows = []
    if !mergedMembers.isEmpty {
      mergedMembers = [:]
      lastMergedTable = -1
      rowsWithoutEarlierMembers = []
    }
  }

  /// Sets the attribute of a table whose cells may merge members.
  package func setMergedMembers(_ merged: MergedMembers, ofTable table: Int, limit: Int?) {
    if table == lastMergedTable { return }
    var merged = merged
    merged.limit = limit
    mergedMembers[table] = merged
    lastMergedTable = table
  }

  // MARK: - Rows

  /// Creates a row of the class with all attributes absent.
  @inline(__always)
  package func makeRow(_ shape: BatchShape) -> BatchRow {
    let byteCount = BatchRow.headerBytes + shape.attributeCount * MemoryLayout<_BatchCell>.stride
    let address = pages.allocate(byteCount)
    address.zero(byteCount)
    let row = BatchRow(address: address)
    row.header.pointee = BatchRow.Header(
      slot: -1, table: Int32(truncatingIfNeeded: shape.table), flags: shape.flags,
      keyAttribute: shape.keyAttribute,
      attributeCount: Int32(truncatingIfNeeded: shape.attributeCount))
    return row
  }

  /// Adds a completed row that has an identity of its own.
  @inline(__always)
  package func complete(_ row: BatchRow) {
    rows.append(row)
    if row.isKeyed { noteKey(of: row) }
  }

  /// Removes the rows completed after the first `count`.
  package func truncate(toRowCount count: Int) {
    rows.removeLast(rows.count - count)
    while let last = topIndexes.last, last >= count { topIndexes.removeLast() }
  }

  /// Removes all rows of a list that another list replaces.
  package func dropList() {
    truncate(toRowCount: 0)
    skippedElements.removeAll(keepingCapacity: true)
  }

  /// Returns a link to a row of the store, which must live until the batch is applied.
  func link(toSlot slot: Int, of table: Int) -> _BatchCell {
    linkedRows.append((table, slot))
    return _BatchCell(bits: UInt64(slot), count: 0, state: .slot)
  }

  /// Forgets the linked rows of the store. Called once the links are written.
  func forgetLinks() { linkedRows = [] }

  /// The rows that the caller requested, in their order.
  package var topRows: [BatchRow] { topIndexes.map { rows[$0] } }

  /// The number of these rows.
  package var topRowCount: Int { topIndexes.count }

  /// The row at a position among those that the caller requested.
  package func topRow(at position: Int) -> BatchRow { rows[topIndexes[position]] }

  /// The index among all elements of a requested row, by its position among these rows.
  ///
  /// - Complexity: O(log *n*) in the number of elements without a row.
  package func elementIndex(ofTopRow position: Int) -> Int {
    // The number of elements without a row before it.
    var (low, high) = (0, skippedElements.count)
    while low < high {
      let middle = (low + high) / 2
      if skippedElements[middle] - middle <= position { low = middle + 1 } else { high = middle }
    }
    return position + low
  }

  /// The number of elements of the payload's list, including those without a row.
  package var topElementCount: Int { topIndexes.count + skippedElements.count }

  /// Records that the last completed row is one the caller requested.
  @inline(__always)
  package func noteTopRow() {
    topIndexes.append(rows.count - 1)
  }

  /// Records that the next element of the payload's list has no row.
  package func noteLeftOutElement() {
    skippedElements.append(topIndexes.count + skippedElements.count)
  }

  /// Records that the row at an index, and all rows before it, were applied.
  @inline(__always)
  func didApply(_ index: Int) {
    guard topSlots.count < topIndexes.count, topIndexes[topSlots.count] == index else { return }
    topSlots.append(rows[index].header.pointee.slot)
    // A row is allocated before its nested rows, so earlier pages belong to earlier rows.
    if releasesRows { pages.free(before: rows[index].address) }
  }

  /// Calls `body` with the slot of each applied row of a table. A slot may occur several times.
  func forEachSlot(in table: Int, _ body: (Int) -> Void) {
    for row in rows where row.header.pointee.table == table && row.header.pointee.slot >= 0 {
      body(row.header.pointee.slot)
    }
  }

  /// The number of completed rows.
  package var rowCount: Int { rows.count }

  /// Returns the outcomes of rows of one table. If several of them have the same key, the first gets the outcome and
  /// the others are unchanged.
  package func outcomes(of some: [BatchRow]) -> [RowOutcome] {
    guard let table = some.first?.header.pointee.table, hasMergedRows,
      mayRepeatKeys(of: Int(table))
    else { return some.map(\.outcome) }
    // The row that has the outcome may be nested in another row rather than one of `some`.
    var outcomes: [Int: RowOutcome] = [:]
    for row in rows where row.outcome != .unchanged && row.header.pointee.table == table {
      outcomes[row.header.pointee.slot] = row.outcome
    }
    return some.map { outcomes.removeValue(forKey: $0.header.pointee.slot) ?? .unchanged }
  }

  /// Returns the elements of an applied list that were merged into earlier elements with the same primary key, and
  /// their indices in the payload. Nested rows with the same key do not count.
  package func mergedElements() -> [(row: BatchRow, index: Int)] {
    guard hasMergedRows, topIndexes.contains(where: { rows[$0].has(BatchRow.isMerged) }) else {
      return []
    }
    var merged: [(BatchRow, Int)] = []
    var slots: Set<Int> = []
    // The result has no object for a row that is withheld.
    for (position, index) in topIndexes.enumerated() where !rows[index].isWithheld {
      if !slots.insert(rows[index].header.pointee.slot).inserted {
        merged.append((rows[index], elementIndex(ofTopRow: position)))
      }
    }
    return merged
  }

  // MARK: - Strings

  /// Returns a copy of the bytes that lives as long as the batch.
  @inline(__always)
  package func text(copying bytes: UnsafeRawBufferPointer) -> _BatchCell {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return .emptyText }
    let address = pages.allocate(bytes.count)
    address.copyMemory(from: start, byteCount: bytes.count)
    return .text(UnsafeRawPointer(address), bytes.count)
  }

  /// Returns a copy of the string that lives as long as the batch.
  package func text(_ string: String) -> _BatchCell {
    var string = string
    return string.withUTF8 { text(copying: UnsafeRawBufferPointer($0)) }
  }

  // MARK: - Collections

  /// Begins a collection and returns the mark for ``endElements(_:)``.
  @inline(__always)
  package func beginElements() -> Int { openElements.count }

  /// Appends an element to the collection begun last.
  @inline(__always)
  package func appendElement(_ cell: _BatchCell) {
    if cell.state == .row { hasRowElements = true }
    openElements.append(cell)
  }

  /// Removes the elements appended since the mark.
  package func cancelElements(_ mark: Int) {
    openElements.removeLast(openElements.count - mark)
  }

  /// Returns a collection of the elements appended since the mark. A map alternates keys and values.
  package func endElements(_ mark: Int) -> _BatchCell {
    let count = openElements.count - mark
    assert(count >= 0, "Elements were ended twice")
    let stride = MemoryLayout<_BatchCell>.stride
    let address = pages.allocate(max(1, count) * stride)
    openElements.withUnsafeBufferPointer { open in
      if let base = open.baseAddress, count > 0 {
        address.copyMemory(from: base + mark, byteCount: count * stride)
      }
    }
    openElements.removeLast(count)
    return _BatchCell(
      bits: UInt64(UInt(bitPattern: address)), count: UInt32(count), state: .value)
  }
}

/// A bump allocator that frees only whole pages.
private struct BatchPages: ~Copyable {
  private var pages: ContiguousArray<UnsafeMutableRawBufferPointer> = []
  private var current = -1
  private var next = UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  private var remaining = 0
  /// The number of leading pages that were freed; their entries are empty buffers.
  private var freedCount = 0

  deinit {
    for page in pages { page.deallocate() }
  }

  /// Returns memory aligned to 16 bytes.
  @inline(__always)
  mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    assert(byteCount >= 0, "Cannot allocate \(byteCount) bytes")
    let size = (byteCount + 15) & ~15
    if size > remaining { openPage(size) }
    let address = next
    next += size
    remaining -= size
    return address
  }

  @inline(never)
  private mutating func openPage(_ size: Int) {
    current += 1
    while current < pages.count, pages[current].count < size {
      pages[current].deallocate()
      pages.remove(at: current)
    }
    if current == pages.count {
      // Page sizes double, so that a small batch stays small and a large one allocates few pages.
      let usual = min(1 << 20, 4096 << min(pages.count, 8))
      pages.append(.allocate(byteCount: max(size, usual), alignment: 16))
    }
    next = pages[current].baseAddress.unsafelyUnwrapped
    remaining = pages[current].count
  }

  /// Frees the pages before the one that contains the address.
  @inline(__always)
  mutating func free(before address: UnsafeMutableRawPointer) {
    while freedCount < current, !pages[freedCount].holds(address) {
      pages[freedCount].deallocate()
      pages[freedCount] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      freedCount += 1
    }
  }

  /// Makes all memory available again and keeps at most 16 pages for the next batch.
  mutating func reset() {
    pages.removeFirst(freedCount)
    freedCount = 0
    while pages.count > 16 { pages.removeLast().deallocate() }
    current = -1
    remaining = 0
  }
}

extension UnsafeMutableRawBufferPointer {
  @inline(__always)
  fileprivate func holds(_ address: UnsafeMutableRawPointer) -> Bool {
    guard let baseAddress else { return false }
    return address >= baseAddress && address < baseAddress + count
  }
}

extension ContiguousArray {
  /// Removes all elements and keeps the memory, unless a large batch grew it.
  fileprivate mutating func removeAllKeepingSome() {
    removeAll(keepingCapacity: capacity <= 1 << 16)
  }
}
