/// Rows on their way into the store: checked, typed, not yet applied. The compact form of update
/// dictionaries; what a decode of any size fills and one transaction applies.
///
///     BatchRow ─▶ [ header 32 bytes | cell 0 | cell 1 | … ]        a cell per attribute, 16 bytes
///     cell      = bits, count, state        state: absent, null, value, row, slot
///                  │     └ bytes of a string, elements of a collection
///                  └ the value; the address of the string, the elements or the nested row; the slot
///                    of a row of the store
///
/// Rows and texts lie in pages that never move, so an address stays good while the batch lives.
/// Texts may also lie in memory of the caller's that outlives the batch (a payload's bytes).
package final class RowBatch {
  // Exclusivity is not checked at run time: a batch is confined to one decode, and the check costs
  // 10 ns per row and per text.
  @exclusivity(unchecked) private var pages = BatchPages()
  /// Rows with an identity of their own (a key, or an object of the user's), in the order of their
  /// completion: nested before the row around them.
  @exclusivity(unchecked) private(set) var rows: ContiguousArray<BatchRow> = []
  /// Reused while a list is read: elements of the lists around it wait here.
  @exclusivity(unchecked) private var openElements: ContiguousArray<_BatchCell> = []

  /// Places in `rows` of those the caller asked for.
  @exclusivity(unchecked) private var topPlaces: ContiguousArray<Int> = []
  /// Indices in the payload's list of the elements that were left out, ascending.
  @exclusivity(unchecked) private var leftOutElements: ContiguousArray<Int> = []
  /// The slots that applying gave the rows the caller asked for, in their order: nobody has to look
  /// at the rows again, which are out of the cache by then, or freed.
  @exclusivity(unchecked) private(set) var topSlots: ContiguousArray<Int> = []
  /// Whether a row may link to one that stands behind it.
  @exclusivity(unchecked) var hasForwardLinks = false
  /// Whether applying frees the rows it is through with: nothing but their slots is asked for.
  @exclusivity(unchecked) package var releasesRows = false
  /// By table, how the keys of its rows went so far.
  @exclusivity(unchecked) var keyRuns: ContiguousArray<KeyRun> = []
  /// Whether a key may stand twice; rows whose keys rise or fall have each once.
  @exclusivity(unchecked) var mayRepeatKeys = false
  /// Whether rows were folded into earlier ones of their key.
  @exclusivity(unchecked) var hasFoldedRows = false
  /// Rows of the store that cells refer to; code of the user's may have run since.
  @exclusivity(unchecked) private(set) var linkedRows: [(table: Int, slot: Int)] = []
  /// That of the handle the batch is for.
  let evaluation: DefaultEvaluation

  /// An empty batch for no handle in particular.
  package init() { evaluation = DefaultEvaluation() }

  init(_ evaluation: DefaultEvaluation) { self.evaluation = evaluation }

  /// Forgets all rows and keeps memory for a few thousand.
  package func removeAll() {
    pages.reset()
    rows.removeAllKeepingSome()
    hasForwardLinks = false
    releasesRows = false
    forgetKeys()
    topPlaces.removeAllKeepingSome()
    if !leftOutElements.isEmpty { leftOutElements.removeAllKeepingSome() }
    topSlots.removeAllKeepingSome()
    openElements.removeAllKeepingSome()
    linkedRows = []
  }

  // MARK: - Rows

  /// A row of the class with all attributes absent.
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

  /// Enters a finished row that has an identity of its own.
  @inline(__always)
  package func complete(_ row: BatchRow) {
    rows.append(row)
    if row.isKeyed && !mayRepeatKeys { noteKey(of: row) }
  }

  /// Drops rows completed since there were `count`, as if they had never been read.
  package func truncate(toRowCount count: Int) {
    rows.removeLast(rows.count - count)
    while let last = topPlaces.last, last >= count { topPlaces.removeLast() }
  }

  /// Drops all rows of a list that another list replaces.
  package func dropList() {
    truncate(toRowCount: 0)
    leftOutElements.removeAll(keepingCapacity: true)
  }

  /// A link to a row of the store, which must live until the batch is applied.
  func link(toSlot slot: Int, of table: Int) -> _BatchCell {
    linkedRows.append((table, slot))
    return _BatchCell(bits: UInt64(slot), count: 0, state: .slot)
  }

  /// Forgets which rows of the store cells refer to: they were written.
  func forgetLinks() { linkedRows = [] }

  /// The rows the caller asked for, in their order.
  package var topRows: [BatchRow] { topPlaces.map { rows[$0] } }

  /// Notes that the row completed last is one the caller asked for.
  @inline(__always)
  package func noteTopRow() {
    topPlaces.append(rows.count - 1)
  }

  /// Notes that the next element of the payload's list has no row.
  package func noteLeftOutElement() {
    leftOutElements.append(topPlaces.count + leftOutElements.count)
  }

  /// Notes that the row at a place was applied, and those before it.
  @inline(__always)
  func didApply(_ place: Int) {
    guard topSlots.count < topPlaces.count, topPlaces[topSlots.count] == place else { return }
    topSlots.append(rows[place].header.pointee.slot)
    // A row is made before what stands inside it: pages before its own belong to earlier rows.
    if releasesRows { pages.free(before: rows[place].address) }
  }

  /// Rows completed so far.
  package var rowCount: Int { rows.count }

  /// The outcomes of these rows of one table. The first of several rows with one key has the outcome of all.
  package func outcomes(of some: [BatchRow]) -> [RowOutcome] {
    guard hasFoldedRows, let table = some.first?.header.pointee.table else {
      return some.map(\.outcome)
    }
    // The first of them may stand inside another row.
    var outcomes: [Int: RowOutcome] = [:]
    for row in rows where row.outcome != .unchanged && row.header.pointee.table == table {
      outcomes[row.header.pointee.slot] = row.outcome
    }
    return some.map { outcomes.removeValue(forKey: $0.header.pointee.slot) ?? .unchanged }
  }

  /// The elements of an applied list that were merged into earlier elements with the same primary key,
  /// with their indices in the payload. Nested rows with the same key do not count.
  package func mergedElements() -> [(row: BatchRow, index: Int)] {
    guard hasFoldedRows, topPlaces.contains(where: { rows[$0].has(BatchRow.isFolded) }) else {
      return []
    }
    var merged: [(BatchRow, Int)] = []
    var slots: Set<Int> = []
    var leftOut = leftOutElements[...]
    for (position, place) in topPlaces.enumerated() {
      while leftOut.first == position + leftOut.startIndex { leftOut.removeFirst() }
      if !slots.insert(rows[place].header.pointee.slot).inserted {
        merged.append((rows[place], position + leftOut.startIndex))
      }
    }
    return merged
  }

  // MARK: - Texts

  /// A copy of the bytes that lives as long as the batch.
  @inline(__always)
  package func text(copying bytes: UnsafeRawBufferPointer) -> _BatchCell {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return .emptyText }
    let address = pages.allocate(bytes.count)
    address.copyMemory(from: start, byteCount: bytes.count)
    return .text(UnsafeRawPointer(address), bytes.count)
  }

  /// A copy of the text that lives as long as the batch.
  package func text(_ string: String) -> _BatchCell {
    var string = string
    return string.withUTF8 { text(copying: UnsafeRawBufferPointer($0)) }
  }

  // MARK: - Collections

  /// Begins a collection; give the mark to ``endElements(_:)``.
  @inline(__always)
  package func beginElements() -> Int { openElements.count }

  /// Appends an element to the collection begun last.
  @inline(__always)
  package func appendElement(_ cell: _BatchCell) { openElements.append(cell) }

  /// Drops what was appended since the mark.
  package func cancelElements(_ mark: Int) {
    openElements.removeLast(openElements.count - mark)
  }

  /// A collection of the elements since the mark (for a map: key and value by turns).
  package func endElements(_ mark: Int) -> _BatchCell {
    let count = openElements.count - mark
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

/// Memory handed out from front to back, freed all at once.
private struct BatchPages: ~Copyable {
  private var pages: ContiguousArray<UnsafeMutableRawBufferPointer> = []
  private var current = -1
  private var next = UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  private var remaining = 0
  /// Pages at the front that are freed already; their places are empty.
  private var freedCount = 0

  deinit {
    for page in pages { page.deallocate() }
  }

  /// Aligned to 16 bytes.
  @inline(__always)
  mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
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
      // Pages double, so that a small batch stays small and a large one opens few.
      let usual = min(1 << 20, 4096 << min(pages.count, 8))
      pages.append(.allocate(byteCount: max(size, usual), alignment: 16))
    }
    next = pages[current].baseAddress.unsafelyUnwrapped
    remaining = pages[current].count
  }

  /// Frees the pages before the one that holds the address.
  @inline(__always)
  mutating func free(before address: UnsafeMutableRawPointer) {
    while freedCount < current, !pages[freedCount].holds(address) {
      pages[freedCount].deallocate()
      pages[freedCount] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      freedCount += 1
    }
  }

  /// Keeps at most a few megabytes for the next batch.
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
  /// Keeps the memory, unless it is that of a large batch.
  fileprivate mutating func removeAllKeepingSome() {
    removeAll(keepingCapacity: capacity <= 1 << 16)
  }
}
