/// An open write: the version from which it began, and the writers of the tables.
///
///     idle ──begin──▶ open ──savepoint──▶ open ──release / roll back──▶ open
///                      │ commit: publishes the next version, if anything changed
///                      └ cancel: drops the working versions; assigned slots stay used
///
/// While it is open, only its own handle sees its changes. A transaction with a recorded ``failure`` is rolled back,
/// never committed.
final class Transaction {
  let engine: StoreEngine
  /// The version from which the transaction began.
  let previous: Version
  private let firstEditOwner: UInt64
  /// The number of tables when the transaction began.
  private let tableCount: Int
  private(set) var editOwner: UInt64
  /// The error of a write that failed. The table writers share it.
  let failure = TransactionFailure()
  private let clock = ChangeClock()
  @exclusivity(unchecked) private var writers: ContiguousArray<TableWriter?> = []
  /// The writers, unretained, so that loops over rows retain nothing. Nil for tables in `deadLinks`.
  @exclusivity(unchecked) private var knownWriters: ContiguousArray<Unmanaged<TableWriter>?> = []
  /// The collections that still contain links to rows that died, by table. They lose the links before they are read.
  @exclusivity(unchecked) private var deadLinks: [Int: DeadLinks] = [:]
  private var savepoints: [Savepoint] = []
  /// A function that returns the writing handle's accessors of a table; nil if it has none.
  var accessTable: (Int) -> UnsafeMutablePointer<AccessTable>? = { _ in nil }
  /// The batch being applied.
  @exclusivity(unchecked) var batch: RowBatch?
  /// The rows that equal content of whole objects; see ``noteWholeContent()``.
  @exclusivity(unchecked) var wholeContent: [(table: Int, slot: Int)] = []
  /// The rows that have lost their last reference while a batch is applied.
  @exclusivity(unchecked) var orphans: [(table: Int, slot: Int)] = []
  /// The stored value of ``useTime``; nil until it is used.
  @exclusivity(unchecked) var knownUseTime: Double?
  /// The number of times that an update's content was compared with a row.
  @exclusivity(unchecked) var contentComparisons = 0
  @exclusivity(unchecked) var edits = EditRecords()
  /// The first of the tables whose rows of the file are deleted, because the engine did not have them when all rows were
  /// deleted; nil if none are.
  @exclusivity(unchecked) private var firstDroppedTable: Int?
  /// True if a frozen view or a loop may still read this transaction's changes when it is rolled back.
  private(set) var hasReaders = false

  private struct Savepoint {
    /// The working versions and changes by table. Tables touched later are absent.
    var states: [Int: (version: TableVersion, changes: TableChanges)]
    let phase: WritePhase
    let confirmationCount: Int
    let mergedRows: [MergedRow: Int]
    let firstDroppedTable: Int?
  }

  init(_ engine: StoreEngine) {
    self.engine = engine
    previous = engine.newest
    tableCount = engine.tableCount
    editOwner = engine.newEditOwner()
    firstEditOwner = editOwner
  }

  // MARK: - Tables

  @inline(__always)
  func writer(_ table: Int) -> TableWriter {
    if table < knownWriters.count, let writer = knownWriters[table] {
      return writer.takeUnretainedValue()
    }
    return makeWriter(table)
  }

  /// Returns the writer of a table whose collections may contain links to dead rows.
  func writerWithDeadLinks(_ table: Int) -> TableWriter {
    if table < writers.count, let writer = writers[table] { return writer }
    return makeWriter(table)
  }

  /// Calls `body` with the writer of a table. The transaction owns the writer until the end, so it is not retained:
  /// retaining it was a tenth of the cost of applying a row.
  @inline(__always)
  func withWriter<R>(_ table: Int, _ body: (TableWriter) throws -> R) rethrows -> R {
    if table < knownWriters.count, let writer = knownWriters[table] {
      return try writer._withUnsafeGuaranteedRef(body)
    }
    return try body(makeWriter(table))
  }

  /// Calls `body` with the writer of a table if the transaction already has one.
  @inline(__always)
  func withKnownWriter(_ table: Int, _ body: (TableWriter) -> Void) {
    if table < knownWriters.count, let writer = knownWriters[table] {
      writer._withUnsafeGuaranteedRef(body)
    }
  }

  @inline(never)
  private func makeWriter(_ index: Int) -> TableWriter {
    if index < writers.count, let writer = writers[index] {
      removeDeadLinks(from: index, writer)
      return writer
    }
    while writers.count <= index {
      writers.append(nil)
      knownWriters.append(nil)
    }
    let table = engine.table(index)
    let writer = TableWriter(
      table, version: previous[table], editOwner: editOwner,
      nextSlot: engine.nextSlots[index] ?? table.firstFreeSlot,
      nextVersion: previous.number + 1, failure: failure, clock: clock)
    writer.access = accessTable(index)
    writers[index] = writer
    knownWriters[index] = Unmanaged.passUnretained(writer)
    if let firstDroppedTable, index >= firstDroppedTable { dropRows(of: writer) }
    return writer
  }

  /// Returns the working version of a table; nil if this transaction has not touched it.
  func touchedVersion(_ table: Int) -> TableVersion? {
    table < writers.count && writers[table] != nil || isDropped(table)
      ? writer(table).version : nil
  }

  /// Calls `body` with the working version of a table without retaining it; returns nil if this transaction has not
  /// touched it.
  @inline(__always)
  func withTouchedVersion<R>(_ table: Int, _ body: (TableVersion) -> R) -> R? {
    guard table < knownWriters.count else {
      return isDropped(table) ? body(writer(table).version) : nil
    }
    if let writer = knownWriters[table] {
      return writer._withUnsafeGuaranteedRef { $0.withVersion(body) }
    }
    return touchedVersion(table).map(body)
  }

  // MARK: - Classes that only the file has

  /// Deletes the rows of all classes that the engine does not have, also if it gets a class before the commit.
  func dropOtherClasses() {
    if firstDroppedTable == nil { firstDroppedTable = engine.tableCount }
  }

  private func isDropped(_ table: Int) -> Bool {
    firstDroppedTable.map { table >= $0 } ?? false
  }

  /// Deletes the rows of the classes that the engine has got since.
  func dropRowsOfOtherClasses() {
    guard let firstDroppedTable else { return }
    for index in firstDroppedTable..<max(firstDroppedTable, engine.tableCount) {
      dropRows(of: writer(index))
    }
  }

  /// Deletes the rows that a table had before the transaction. The user has not deleted them: the open phase begins without
  /// them.
  private func dropRows(of writer: TableWriter) {
    let table = writer.table.index
    var rows: [(table: Int, slot: Int)] = []
    baseVersion(table).forEachLive { slot in
      if writer.version.isLive(slot) { rows.append((table, slot)) }
      return true
    }
    if rows.isEmpty { return }
    let isApplying = edits.phase.isApplying
    edits.phase.isApplying = true
    // May need the writer of another such table, and drop its rows.
    delete(rows)
    edits.phase.isApplying = isApplying
    // Later changes are made in copies.
    writer.seal(editOwner: engine.newEditOwner())
    let start = edits.phase.start ?? previous
    var tables = start.touchedTables
    while tables.count <= table { tables.append(nil) }
    tables[table] = writer.version
    edits.phase.start = Version(
      number: start.number, touchedTables: tables, registry: nil, base: start)
  }

  // MARK: - Dead links

  /// Records that a collection contains links to rows that died. All of them are removed at once, so that deleting the
  /// elements of a list one by one takes linear time.
  func noteDeadLinks(_ writer: TableWriter, _ slot: Int, _ column: Int, to targets: [Int]) {
    let table = writer.table.index
    deadLinks[table, default: DeadLinks()].add(column, slot, targets)
    knownWriters[table] = nil
    writer.forgetCursor()
  }

  private func removeDeadLinks(from table: Int, _ writer: TableWriter) {
    knownWriters[table] = Unmanaged.passUnretained(writer)
    guard let dead = deadLinks.removeValue(forKey: table) else { return }
    dead.forEach { dropDeadElements(writer, $1, $0, $2) }
  }

  /// Removes the links to dead rows from all collections.
  func removeDeadLinks() {
    while let table = deadLinks.keys.min() { _ = writer(table) }
  }

  private func forgetDeadLinks() {
    for table in deadLinks.keys {
      knownWriters[table] = writers[table].map { Unmanaged.passUnretained($0) }
    }
    deadLinks = [:]
  }

  /// True if the row was live at the beginning of this transaction or inserted by it, and has since been deleted.
  func diedInside(_ table: Int, _ slot: Int) -> Bool {
    guard let version = touchedVersion(table), slot < version.count, !version.isLive(slot) else {
      return false
    }
    let before = baseVersion(table)
    return slot >= before.count || before.isLive(slot)
  }

  /// Returns the version of a table at the beginning of the transaction.
  func baseVersion(_ table: Int) -> TableVersion { previous[engine.table(table)] }

  func setAccess(_ table: Int, _ access: UnsafeMutablePointer<AccessTable>) {
    if table < writers.count { writers[table]?.access = access }
  }

  /// The state of the tables while this transaction writes them. Cached query results are valid only while the state is
  /// equal.
  var state: State { State(editOwner: editOwner, ticks: changeTicks) }

  /// The number of changes recorded by all writers.
  var changeTicks: Int { clock.ticks.pointee }

  /// The times of the last changes to a table. Nil if this transaction has not touched it.
  func times(_ table: Int) -> ChangeTimes? {
    table < writers.count && writers[table] != nil ? writer(table).times : nil
  }

  struct State: Equatable {
    /// The current edit owner, which differs between transactions and changes with each savepoint and rollback.
    let editOwner: UInt64
    /// The number of changes recorded by all writers.
    let ticks: Int
  }

  /// Returns the changes to a table since the transaction began: one layer of changes up to each open savepoint, and
  /// one since the last.
  func changeLayers(_ table: Int) -> [TableChanges] {
    guard table < writers.count, writers[table] != nil else { return [] }
    let writer = writer(table)
    return savepoints.compactMap { $0.states[table]?.changes } + [writer.changes]
  }

  var hasChanges: Bool {
    writers.contains { $0.map { !$0.changes.isEmpty } ?? false }
  }

  // MARK: - Savepoints

  /// Prevents in-place changes to everything written so far (R5).
  func seal() {
    removeDeadLinks()
    editOwner = engine.newEditOwner()
    for case let writer? in writers { writer.seal(editOwner: editOwner) }
  }

  /// Begins a savepoint, so that later changes can be rolled back separately.
  func beginSavepoint() {
    failure.beginSavepoint()
    seal()
    var states: [Int: (TableVersion, TableChanges)] = [:]
    for case let writer? in writers {
      states[writer.table.index] = (writer.version, writer.changes)
      writer.replaceChanges(TableChanges())
    }
    savepoints.append(
      Savepoint(
        states: states, phase: edits.phase, confirmationCount: edits.confirmations.count,
        mergedRows: edits.mergedRows, firstDroppedTable: firstDroppedTable))
  }

  /// Ends the savepoint and keeps its changes.
  func releaseSavepoint() {
    removeDeadLinks()
    guard let savepoint = savepoints.popLast() else { return }
    failure.endSavepoint()
    for case let writer? in writers {
      guard var earlier = savepoint.states[writer.table.index]?.changes else { continue }
      earlier.merge(writer.changes)
      writer.replaceChanges(earlier)
    }
  }

  /// Rolls back the changes since the savepoint.
  func rollBackSavepoint() {
    guard let savepoint = savepoints.popLast() else { return }
    forgetDeadLinks()
    failure.endSavepoint()
    edits.phase = savepoint.phase
    edits.confirmations.removeSubrange(savepoint.confirmationCount...)
    edits.mergedRows = savepoint.mergedRows
    firstDroppedTable = savepoint.firstDroppedTable
    (edits.knownLostSources, edits.knownTombstones) = (nil, [:])
    editOwner = engine.newEditOwner()
    for case let writer? in writers {
      let index = writer.table.index
      let state = savepoint.states[index]
      let earlier = state?.version ?? baseVersion(writer.table.index)
      if hasReaders { writer.forgetAppendCapacity(earlier) }
      writer.restore(earlier, changes: state?.changes ?? TableChanges(), editOwner: editOwner)
    }
  }

  // MARK: - Views

  /// Returns an immutable view of the current state.
  func freeze() -> Version {
    hasReaders = true
    seal()
    return workingVersion()
  }

  /// The current state as a version, which later changes do not affect once everything is sealed.
  func workingVersion() -> Version {
    Version(number: previous.number, touchedTables: workingTables(), registry: nil, base: previous)
  }

  /// Records that a loop reads the elements of a collection: no edit may change them in place, and if they were
  /// appended in this transaction, an append after a rollback may not overwrite them.
  func noteLoop(_ table: Int, _ slot: Int, _ column: Int) {
    guard table < writers.count, let writer = writers[table] else { return }
    writer.ownSlices.remove(RowCollection(slot: slot, column: column))
    guard !hasReaders else { return }
    let editOwner = writer.version.columns(slot)[column].editOwner
    if editOwner >= firstEditOwner || slot >= writer.baseCount {
      hasReaders = true
    }
  }

  // MARK: - Commit and cancel

  private func workingTables() -> ContiguousArray<TableVersion?> {
    removeDeadLinks()
    var tables = previous.touchedTables
    for case let writer? in writers {
      let index = writer.table.index
      while tables.count <= index { tables.append(nil) }
      tables[index] = writer.version
    }
    return tables
  }

  /// Publishes the next version and returns it; nil if nothing changed.
  ///
  /// - Parameter isInFile: True if the changes are those of the file, so that they need not be made durable.
  /// - Throws: The reason that the version cannot be made durable. In that case nothing is published, and the caller
  ///   must call ``cancel()``.
  func commit(isInFile: Bool = false) throws(StoreError) -> Version? {
    defer { finish() }
    let dropsOthers = firstDroppedTable != nil && engine.commitLog != nil
    if dropsOthers { dropRowsOfOtherClasses() }
    guard hasChanges || dropsOthers || isInFile else { return nil }
    clearLinksOfNewTables()
    removeDeadLinks()
    reclaim()
    for case let writer? in writers { writer.updateIndexes(from: baseVersion(writer.table.index)) }
    let tables = workingTables()
    let number = previous.number + 1
    if let log = engine.commitLog, !isInFile {
      try log.write(
        previous, Version(number: number, touchedTables: tables, registry: nil), engine,
        dropsOtherClasses: dropsOthers)
    }
    let version = Version(number: number, touchedTables: tables, registry: engine.registry)
    engine.publish(version)
    engine.commitLog?.didPublish(version, engine)
    engine.confirmations.add(edits.confirmations, of: number, engine.registry)
    engine.mergedRows.merge(edits.mergedRows) { $1 }
    engine.basesWithTombstones.merge(edits.knownTombstones) { $1 }
    noteBaseChanges(in: number)
    if let sources = edits.knownLostSources {
      edits.knownLostSources = nil
      engine.keep(sources)
    }
    noteReplacedTables(in: version)
    #if CHECK_INVARIANTS && (DEBUG || STORE_INVARIANTS)
      // Without loading rows: tests of files depend on the time at which they are loaded.
      let broken = version.brokenInvariants(engine, loadsRows: false)
      precondition(broken.isEmpty, "A commit broke the invariants of the engine: \(broken)")
    #endif
    return version
  }

  /// The number of the version that a commit publishes.
  var nextVersion: UInt64 { previous.number + 1 }

  /// Records that base tables have changed. A queue of edits stays valid if base rows were only deleted.
  private func noteBaseChanges(in number: UInt64) {
    let changed = engine.tablesWithBases.compactMap { table -> TableWriter? in
      guard let base = table.base?.table, base < writers.count, let writer = writers[base],
        !writer.changes.isEmpty
      else { return nil }
      return writer
    }
    if changed.isEmpty { return }
    let isValid = engine.editQueue?.version == engine.lastBaseVersion
    engine.lastBaseVersion = number
    if isValid, changed.allSatisfy(\.hasOnlyDeletedRows) { engine.editQueue?.version = number }
  }

  /// In tables that another handle has added with rows of a file since the transaction began, clears the links to
  /// deleted rows.
  private func clearLinksOfNewTables() {
    guard engine.commitLog != nil, engine.tableCount > tableCount else { return }
    for case let writer? in writers where !writer.changes.deleted.isEmpty {
      clearLinks(
        ofTablesFrom: tableCount, to: writer.changes.deleted, in: writer.table.index)
    }
  }

  /// Records the tables whose initial rows this commit replaced, and releases initial rows that no live version shows.
  private func noteReplacedTables(in version: Version) {
    guard engine.commitLog != nil else { return }
    for case let writer? in writers
    where writer.table.initialRows != nil && previous.touched(writer.table.index) == nil {
      engine.replacedTables.note(writer.table, from: version.number)
    }
    engine.replacedTables.sweep(engine.registry)
  }

  func cancel() {
    forgetDeadLinks()
    engine.editQueue = nil
    if hasReaders {
      for case let writer? in writers {
        writer.forgetAppendCapacity(baseVersion(writer.table.index))
      }
    }
    finish()
  }

  private func finish() {
    for case let writer? in writers { engine.nextSlots[writer.table.index] = writer.nextSlot }
    savepoints = []
  }

  // MARK: - Reclaiming

  /// Reclaims memory of due chunks that earlier commits noted, and notes the chunks of this one. The only visible
  /// effect is that invalidated objects read zero values instead of their last ones.
  ///
  /// Freeing a chunk costs next to nothing. The number of chunks packed per commit is limited to 64, about a
  /// millisecond of work, plus twice the number that the commit notes.
  private func reclaim() {
    var noted = 0
    for case let writer? in writers {
      noted += note(writer)
      if !writer.chunksWithDeadRows.isEmpty { writer.trimKeys() }
    }
    for due in engine.reclaimer.takeDue(engine.registry, packing: 64 + 2 * noted) {
      let writer = writer(due.table)
      if writer.isWhollyDead(due.chunk) {
        writer.removeChunk(due.chunk)
      } else if writer.isWorthPacking(due.chunk) {
        writer.pack(due.chunk)
      }
    }
  }

  /// Notes the chunks of a table with memory to reclaim; returns their number.
  private func note(_ writer: TableWriter) -> Int {
    var noted = 0
    func versions(showing chunk: Int) -> Range<UInt64> {
      noted += 1
      let birth = writer.version.chunk(chunk)._withUnsafeGuaranteedRef { $0.birth }
      return min(birth, previous.number + 1)..<previous.number + 1
    }
    if !writer.chunksWithDeadRows.isEmpty {
      for chunk in writer.chunksWithDeadRows {
        let dead = TableChunk(table: writer.table.index, chunk: chunk)
        let isWhollyDead = writer.isWhollyDead(chunk)
        // A chunk that is already waiting must not be packed while a version shows the rows that died now.
        if isWhollyDead || engine.reclaimer.holds(dead) || writer.isWorthPacking(chunk) {
          engine.reclaimer.note(
            deadRowsIn: dead, isWhollyDead: isWhollyDead, versions: versions(showing: chunk),
            engine.registry)
        }
      }
    }
    if !writer.replacedContent.isEmpty {
      for replaced in writer.replacedContent
      where writer.isWorthPacking(replaced.chunk, column: replaced.column) {
        engine.reclaimer.note(
          replacedContentIn: TableChunk(table: writer.table.index, chunk: replaced.chunk),
          versions: versions(showing: replaced.chunk), engine.registry)
      }
    }
    return noted
  }
}
