/// Writes to one table in one transaction: the working version, a cursor, and the changes.
///
/// Every write uses ``writable(_:_:)``, which implements copy-on-write:
///
///     slot at or past the sealed count            write in place: no version can see the row
///     column has the transaction's edit owner     write in place: it is this transaction's copy
///     else                                        copy the chunk's column table, then the column
final class TableWriter {
  // Exclusivity checks at run time, which cost 10 ns per access, are disabled: one thread writes at a time, and no two
  // methods overlap.
  let table: Table
  private let columnLayouts: UnsafePointer<ColumnLayout>
  // The parts of the layout that inner loops read. Reading them here retains nothing.
  let firstAttribute: Int
  let missingColumnCount: Int
  let columnCount: Int
  /// -1 without a primary key.
  let keyColumn: Int
  let isKeyBytes: Bool
  let identity: TableLayout.Identity
  /// True if updates set a date of last use in each row that they name.
  let hasUseDate: Bool
  /// The base table of the class; nil if the class does not track edits.
  let base: BaseLayout?
  /// The columns of links to keyless rows.
  let contentColumns: [Int]
  /// The transaction's failure, in which a write that cannot be stored is recorded.
  let failure: TransactionFailure
  @exclusivity(unchecked) private(set) var version: TableVersion
  @exclusivity(unchecked) private(set) var editOwner: UInt64
  /// The first slot that is invisible to every version.
  @exclusivity(unchecked) private(set) var sealedCount: Int
  /// The row count when the transaction began. Rows at or past it were inserted by the transaction.
  let baseCount: Int
  /// The number of the version that a commit publishes.
  let nextVersion: UInt64
  /// The next slot to assign. Slots are never reused, not even after a rollback (R2).
  @exclusivity(unchecked) var nextSlot: Int
  @exclusivity(unchecked) private(set) var changes = TableChanges()
  /// Keeps the memory alive in which `times` counts.
  private let clock: ChangeClock
  /// The times of the last changes.
  @exclusivity(unchecked) private(set) var times: ChangeTimes
  /// The chunks with newly dead rows, and the columns in which large strings or collections were replaced. Checked
  /// once, at the commit.
  @exclusivity(unchecked) private(set) var chunksWithDeadRows: Set<Int> = []
  @exclusivity(unchecked) private(set) var replacedContent: Set<ChunkColumn> = []
  // The last entries recorded, which are the most likely to be recorded again.
  @exclusivity(unchecked) private var lastChunkWithDeadRow = -1
  @exclusivity(unchecked) private var lastReplaced = ChunkColumn(chunk: -1, column: 0)
  /// The collections whose slices only this transaction can read: slices created since the last seal and not read by a
  /// loop.
  @exclusivity(unchecked) var ownSlices: Set<RowCollection> = []
  /// The accessors of the writing handle, notified when a chunk is replaced.
  @exclusivity(unchecked) var access: UnsafeMutablePointer<AccessTable>?

  // The cursor: the chunk last read or written.
  @exclusivity(unchecked) private var cursorIndex = -1
  @exclusivity(unchecked) private var cursorColumns: UnsafeMutablePointer<StorageColumn>
  @exclusivity(unchecked) private var cursorIsOwned = false
  /// False if no attribute of a row of the chunk is missing.
  @exclusivity(unchecked) var cursorMayLackAttributes = false

  /// One column of one chunk.
  struct ChunkColumn: Hashable {
    let chunk: Int
    let column: Int
  }

  init(
    _ table: Table, version: TableVersion, editOwner: UInt64, nextSlot: Int, nextVersion: UInt64,
    failure: TransactionFailure, clock: ChangeClock
  ) {
    self.table = table
    contentColumns = table.contentColumns
    base = table.base
    self.failure = failure
    self.clock = clock
    times = ChangeTimes(clock, columnCount: table.layout.columns.count)
    columnLayouts = table.columnLayouts
    let layout = table.layout
    firstAttribute = layout.firstAttribute
    missingColumnCount = layout.missingColumns.count
    columnCount = layout.columns.count
    keyColumn = layout.keyColumn ?? -1
    isKeyBytes = layout.keyColumn.map { layout.columns[$0].kind == .bytes } ?? false
    identity = layout.identity
    hasUseDate = table.useDate != nil
    self.version = version
    self.editOwner = editOwner
    self.nextSlot = max(nextSlot, version.count)
    sealedCount = version.count
    baseCount = version.count
    self.nextVersion = nextVersion
    cursorColumns = version.empty.columns
  }

  deinit { times.deallocate() }

  @inline(__always)
  var layout: TableLayout { table.layout }

  /// Returns the layout of a column without retaining anything.
  @inline(__always)
  func columnLayout(_ column: Int) -> ColumnLayout { columnLayouts[column] }

  // MARK: - Sealing and rolling back

  /// Prevents in-place changes to everything written so far.
  func seal(editOwner newEditOwner: UInt64) {
    editOwner = newEditOwner
    sealedCount = version.count
    ownSlices = []
    forgetCursor()
  }

  /// Restores an earlier state of the same transaction. Slots assigned since then stay used.
  func restore(_ earlier: TableVersion, changes earlierChanges: TableChanges, editOwner: UInt64) {
    version = earlier
    changes = earlierChanges
    seal(editOwner: editOwner)
  }

  func replaceChanges(_ new: TableChanges) {
    changes = new
  }

  func forgetCursor() {
    cursorIndex = -1
    cursorIsOwned = false
    chunkMoved()
  }

  private func chunkMoved() {
    access?.pointee.moveEpoch()
  }

  @inline(__always)
  func ownVersion() {
    if version.editOwner != editOwner {
      version = TableVersion(copying: version, editOwner: editOwner)
    }
  }

  /// Calls `body` with the working version without retaining it. `body` must not replace the version.
  @inline(__always)
  func withVersion<R>(_ body: (TableVersion) -> R) -> R {
    Unmanaged.passUnretained(version)._withUnsafeGuaranteedRef(body)
  }

  // MARK: - Cursor

  /// Returns the columns of the chunk of `slot`, for reading.
  @inline(__always)
  func columns(_ slot: Int) -> UnsafeMutablePointer<StorageColumn> {
    if slot >> ChunkLayout.shift != cursorIndex { seek(slot) }
    assert(
      slot >= version.count || cursorColumns == withVersion { $0.columns(slot) },
      "The cursor is not at the chunk of slot \(slot)")
    return cursorColumns
  }

  @inline(never)
  private func seek(_ slot: Int) {
    guard slot < version.count else {
      cursorIndex = -1
      cursorColumns = version.empty.columns
      cursorIsOwned = false
      cursorMayLackAttributes = false
      return
    }
    cursorIndex = slot >> ChunkLayout.shift
    let chunk = version.chunk(cursorIndex)
    cursorColumns = chunk._withUnsafeGuaranteedRef { $0.columns }
    cursorIsOwned =
      version.editOwner == editOwner && chunk._withUnsafeGuaranteedRef { $0.editOwner } == editOwner
    cursorMayLackAttributes = layout.missingColumns.contains {
      !cursorColumns[$0].block._withUnsafeGuaranteedRef(\.isShared)
    }
  }

  /// Returns the column of the chunk of `slot`, ready for writing the cell of that row.
  @inline(__always)
  func writable(_ slot: Int, _ column: Int) -> UnsafeMutablePointer<StorageColumn> {
    assert((0..<columnCount).contains(column), "Column index \(column) is not below \(columnCount)")
    assert(slot < version.count, "Slot \(slot) is not below \(version.count)")
    let columns = self.columns(slot)
    // R1. A column has the edit owner only in a chunk that has it.
    if slot >= sealedCount || columns[column].editOwner == editOwner {
      assert(slot >= sealedCount || cursorIsOwned, "A column is owned in a chunk that is not")
      return columns + column
    }
    return owned(slot, column)
  }

  /// Returns the column owned by this transaction, even if the row could be written in place.
  @inline(never)
  func owned(_ slot: Int, _ column: Int) -> UnsafeMutablePointer<StorageColumn> {
    _ = columns(slot)
    if !cursorIsOwned { ownChunk() }
    if cursorColumns[column].editOwner != editOwner {
      version.chunk(cursorIndex)._withUnsafeGuaranteedRef {
        $0.ownColumn(column, layout.columns[column], editOwner: editOwner)
      }
    }
    assert(
      cursorColumns[column].editOwner == editOwner && version.editOwner == editOwner,
      "Column \(column) is not owned by the writer")
    return cursorColumns + column
  }

  func isChunkOwned(_ slot: Int) -> Bool {
    _ = columns(slot)
    return cursorIsOwned
  }

  private func ownChunk() {
    ownVersion()
    let chunk = version.chunk(cursorIndex).takeUnretainedValue()
    if chunk.editOwner != editOwner || chunk === version.empty {
      let copy = Chunk(copying: chunk, editOwner: editOwner)
      version.setChunk(cursorIndex, copy)
      cursorColumns = copy.columns
      chunkMoved()
    }
    cursorIsOwned = true
  }

  // MARK: - Rows

  /// Inserts a live row of zeros at the next slot and returns the slot.
  func insertRow() -> Int {
    ownVersion()
    if nextSlot != version.count { closeGap() }
    let slot = nextSlot
    if slot > ChunkLayout.lastSlot {
      failure.note(StoreError(.tooManyObjects(className: layout.name)))
    }
    nextSlot += 1
    ensureChunk(holding: slot)
    version.count = slot + 1
    version.liveCount += 1
    let row = slot & ChunkLayout.mask
    columns(slot)[TableLayout.liveColumn].values.storeBytes(
      of: 1, toByteOffset: row, as: UInt8.self)
    changes.insertedCount += 1
    times.noteRow()
    return slot
  }

  /// Inserts a live row of zeros at a slot after all others. The slots in between become dead rows of zeros. Must be
  /// called only while no version shows any row of the table.
  func insertLoadedRow(at slot: Int) {
    addDeadRows(upTo: slot)
    nextSlot = slot
    _ = insertRow()
  }

  /// Adds dead rows of zeros after all others, up to a number of slots. Must be called only while no version shows any row of
  /// the table.
  func addDeadRows(upTo slotCount: Int) {
    ownVersion()
    guard slotCount > version.count else { return }
    growFirstChunk(toHold: min(slotCount, ChunkLayout.rows) - 1)
    version.count = slotCount
    forgetCursor()
  }

  private func ensureChunk(holding slot: Int) {
    let index = slot >> ChunkLayout.shift
    if !version.hasChunk(index) {
      // After a rollback, the first row may have a slot past the initial capacity.
      let isSmall = slot < ChunkLayout.firstRows
      let capacity = isSmall ? ChunkLayout.firstRows : ChunkLayout.rows
      version.addChunk(
        index,
        Chunk(
          layout, sharing: version.empty, capacity: capacity, editOwner: editOwner,
          birth: nextVersion))
      if cursorIndex == index { cursorIndex = -1 }
    } else if index == 0 {
      let chunk = version.chunk(0).takeUnretainedValue()
      guard slot >= chunk.capacity else { return }
      let grown = Chunk(
        growing: chunk, layout, to: min(ChunkLayout.rows, chunk.capacity * 2), editOwner: editOwner)
      version.setChunk(0, grown)
      cursorIndex = -1
      chunkMoved()
      ensureChunk(holding: slot)
    }
  }

  /// Turns the slots that a rolled-back transaction assigned into dead rows of zeros (R2).
  private func closeGap() {
    let gap = version.count..<nextSlot
    zero(gap)
    version.count = gap.upperBound
    // The first chunk may have less capacity than it now has rows.
    growFirstChunk(toHold: min(gap.upperBound, ChunkLayout.rows) - 1)
    forgetCursor()
  }

  /// Assigns the slots again that rolled-back transactions have assigned. Only for rows of a file, whose slots are those of the
  /// process that writes it.
  func reuseSlots() {
    guard nextSlot > version.count else { return }
    ownVersion()
    zero(version.count..<nextSlot)
    nextSlot = version.count
    forgetCursor()
  }

  /// Makes the cells of slots past the rows zero.
  private func zero(_ gap: Range<Int>) {
    var next = version.presentChunk(from: gap.lowerBound >> ChunkLayout.shift, end: nextSlot)
    while let index = next {
      let first = index << ChunkLayout.shift
      let slots = gap.clamped(to: first..<first + ChunkLayout.rows)
      if slots.count == ChunkLayout.rows {
        version.removeChunk(index, openIndex: nextSlot >> ChunkLayout.shift)
      } else {
        // A frozen view of the rolled-back transaction may still read these rows, so a copy is zeroed.
        let chunk = version.chunk(index).takeUnretainedValue()
        let copy = Chunk(growing: chunk, layout, to: chunk.capacity, editOwner: editOwner)
        copy.zero(
          rows: slots.lowerBound - first..<min(slots.upperBound - first, copy.capacity), layout)
        version.setChunk(index, copy)
        noteDeadRow(first)
      }
      next = version.presentChunk(from: index + 1, end: nextSlot)
    }
  }

  /// Replaces the first chunk, if there is one, by a full one unless it can hold a row.
  func growFirstChunk(toHold row: Int) {
    guard version.hasChunk(0) else { return }
    let chunk = version.chunk(0).takeUnretainedValue()
    guard chunk.capacity <= row else { return }
    version.setChunk(0, Chunk(growing: chunk, layout, to: ChunkLayout.rows, editOwner: editOwner))
  }

  /// Marks a row as dead. Only its live byte is cleared; the other cells keep their last values (R4).
  func killRow(_ slot: Int) {
    assert(version.isLive(slot), "Row \(slot) is dead")
    let live = writable(slot, TableLayout.liveColumn)
    // The count may be changed only in a version that the writer owns.
    ownVersion()
    live.pointee.values.storeBytes(of: 0, toByteOffset: slot & ChunkLayout.mask, as: UInt8.self)
    version.liveCount -= 1
    noteDeadRow(slot)
    if slot < baseCount {
      changes.deleted.append(slot)
    } else {
      changes.insertedCount -= 1
    }
    times.noteRow()
  }

  private func noteDeadRow(_ slot: Int) {
    let chunk = slot >> ChunkLayout.shift
    if lastChunkWithDeadRow != chunk {
      lastChunkWithDeadRow = chunk
      chunksWithDeadRows.insert(chunk)
    }
  }

  /// Records that content of `byteCount` bytes was replaced, unless it is so small that 256 such values do not fill a
  /// small arena.
  @inline(__always)
  func noteReplaced(_ slot: Int, _ column: Int, byteCount: Int) {
    if byteCount >= 16 { noteReplaced(slot, column) }
  }

  @inline(never)
  private func noteReplaced(_ slot: Int, _ column: Int) {
    let content = ChunkColumn(chunk: slot >> ChunkLayout.shift, column: column)
    if lastReplaced != content {
      lastReplaced = content
      replacedContent.insert(content)
    }
  }

  /// Records that elements and their strings were removed by shortening a slice in place. Shortening costs nothing, so
  /// the column is checked only once it has made an eighth of an arena garbage.
  func noteShortened(_ slot: Int, _ column: Int, elementBytes: Int, textBytes: Int) {
    let isMuch = columns(slot)[column].block._withUnsafeGuaranteedRef {
      let areElements = $0.elements?.noteGarbage(elementBytes) ?? false
      let areTexts = $0.text?.noteGarbage(textBytes) ?? false
      return areElements || areTexts
    }
    if isMuch { noteReplaced(slot, column) }
  }

  /// The cell of a row's primary key. Its bytes are valid until the next write.
  func keyCell(_ slot: Int) -> BatchCell {
    let column = columns(slot)[keyColumn]
    let word = column.word(slot & ChunkLayout.mask)
    guard isKeyBytes else { return .word(word) }
    let bytes = column.bytes(ofWord: word)
    return bytes.baseAddress.map { .text($0, bytes.count) } ?? .emptyText
  }

  /// Records that an attribute of a row was written. Only rows from before the transaction are added to the changes.
  @inline(__always)
  func noteChange(_ slot: Int, _ column: Int) {
    times.noteChange(of: column)
    give(slot, column - firstAttribute)
    if slot < baseCount { changes.note(slot, attribute: column - firstAttribute) }
  }

  /// Records that an attribute was given or became missing. It is no change of the row, but a reason for a new version.
  func noteKnownChange(_ slot: Int, _ column: Int) {
    times.noteKnown(of: column)
    if slot < baseCount { changes.areKnownChanged = true }
  }

  // MARK: - Backlinks

  /// Calls `body` with the backlinks of `column`, if they are maintained.
  @inline(__always)
  func updateBacklinks(_ column: Int, _ body: (inout SlotTree<UInt64>, UInt64) -> Void) {
    // Another version is copied before it changes, without its late backlinks.
    if version.editOwner == editOwner {
      withVersion { $0.late?.forgetBacklinks(of: column) }
    }
    if withVersion({ $0.indexes.backlinks.isEmpty }) { return }
    ownVersion()
    guard let index = version.indexes.backlinks.index(forKey: column) else { return }
    body(&version.indexes.backlinks.values[index], editOwner)
  }

  /// Returns the backlinks of `column`, which are maintained from now on.
  ///
  /// - Complexity: O(n log n) in the number of links if they are not maintained yet, otherwise O(1).
  @discardableResult
  func backlinks(of column: Int) -> SlotTree<UInt64> {
    if let tree = version.indexes.backlinks[column] { return tree }
    ownVersion()
    let tree = version.makeBacklinks(of: column, columnLayout(column), editOwner: editOwner)
    version.indexes.backlinks[column] = tree
    return tree
  }

  /// Removes a chunk without live rows from the table.
  func removeChunk(_ index: Int) {
    ownVersion()
    version.removeChunk(index, openIndex: nextSlot >> ChunkLayout.shift)
    forgetCursor()
  }
}
