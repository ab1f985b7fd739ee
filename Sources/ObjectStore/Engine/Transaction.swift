/// A write at work: table writers over the version it began from.
///
///     idle ──begin──▶ open ──savepoint──▶ open ──release / roll back──▶ open
///                      │ commit: publishes the next version, if anything changed
///                      └ cancel: drops the working versions; the slots given out stay used
///
/// While it is open, only its own handle sees what it wrote. One whose ``failure`` was noted is
/// rolled back and never committed.
final class Transaction {
  let engine: StoreEngine
  let base: Version
  private let firstEditOwner: UInt64
  /// Tables from here on were added since.
  private let tableCount: Int
  private(set) var editOwner: UInt64
  /// What could not be stored; its table writers note it, too.
  let failure = TransactionFailure()
  @exclusivity(unchecked) private var writers: ContiguousArray<TableWriter?> = []
  /// The same, for loops over rows: looking at one counts no reference.
  @exclusivity(unchecked) private var knownWriters: ContiguousArray<Unmanaged<TableWriter>?> = []
  private var savepoints: [Savepoint] = []
  /// The accessors of the writing handle, by table; nil where it has none.
  var accessTable: (Int) -> UnsafeMutablePointer<AccessTable>? = { _ in nil }
  /// The batch being applied.
  @exclusivity(unchecked) var batch: RowBatch?
  /// Rows that the batch being applied took the last place from.
  @exclusivity(unchecked) var orphans: [(table: Int, slot: Int)] = []
  /// See ``useTime``.
  @exclusivity(unchecked) var knownUseTime: Double?
  /// Counts how often content of an update was compared with a row.
  @exclusivity(unchecked) var contentComparisons = 0
  /// Whether a frozen view or a loop may look at what this transaction wrote when it is undone.
  private(set) var isLookedInto = false

  private struct Savepoint {
    /// Working versions and what had changed, by table; tables touched later are not in it.
    var states: [Int: (version: TableVersion, changes: TableChanges)]
  }

  init(_ engine: StoreEngine) {
    self.engine = engine
    base = engine.newest
    tableCount = engine.tableCount
    editOwner = engine.newEditOwner()
    firstEditOwner = editOwner
  }

  // MARK: - Tables

  @inline(__always)
  func writer(_ table: Int) -> TableWriter {
    if table < writers.count, let writer = writers[table] { return writer }
    return makeWriter(table)
  }

  /// Runs `body` with the writer of a table. The transaction holds it until the end, so no reference is
  /// counted: that was a tenth of what applying a row costs.
  @inline(__always)
  func withWriter<R>(_ table: Int, _ body: (TableWriter) throws -> R) rethrows -> R {
    if table < knownWriters.count, let writer = knownWriters[table] {
      return try writer._withUnsafeGuaranteedRef(body)
    }
    return try body(makeWriter(table))
  }

  /// Runs `body` with the writer of a table that this transaction has written to; does nothing for others.
  @inline(__always)
  func withKnownWriter(_ table: Int, _ body: (TableWriter) -> Void) {
    if table < knownWriters.count, let writer = knownWriters[table] {
      writer._withUnsafeGuaranteedRef(body)
    }
  }

  @inline(never)
  private func makeWriter(_ index: Int) -> TableWriter {
    while writers.count <= index {
      writers.append(nil)
      knownWriters.append(nil)
    }
    let table = engine.table(index)
    let version = base.touched(index) ?? table.initialVersion
    let writer = TableWriter(
      table, version: version, editOwner: editOwner,
      nextSlot: engine.nextSlots[index] ?? table.firstFreeSlot,
      nextVersion: base.number + 1, failure: failure)
    writer.access = accessTable(index)
    writers[index] = writer
    knownWriters[index] = Unmanaged.passUnretained(writer)
    return writer
  }

  /// The working version of a table; nil if this transaction did not touch it.
  func touchedVersion(_ table: Int) -> TableVersion? {
    table < writers.count ? writers[table]?.version : nil
  }

  /// Runs `body` with the working version of a table, counting no reference; nil if this transaction
  /// did not touch it.
  @inline(__always)
  func withTouchedVersion<R>(_ table: Int, _ body: (TableVersion) -> R) -> R? {
    guard table < knownWriters.count, let writer = knownWriters[table] else { return nil }
    return writer._withUnsafeGuaranteedRef { $0.withVersion(body) }
  }

  /// Whether this transaction made the row or found it, and then deleted it.
  func diedInside(_ table: Int, _ slot: Int) -> Bool {
    guard let version = touchedVersion(table), slot < version.count, !version.isLive(slot) else {
      return false
    }
    let before = baseVersion(table)
    return slot >= before.count || before.isLive(slot)
  }

  /// The table as the transaction found it.
  func baseVersion(_ table: Int) -> TableVersion {
    base.touched(table) ?? engine.table(table).initialVersion
  }

  func setAccess(_ table: Int, _ access: UnsafeMutablePointer<AccessTable>) {
    if table < writers.count { writers[table]?.access = access }
  }

  /// Tells states of one store apart that its tables are in while this transaction writes them: what
  /// was found in one of them is to be found again in another.
  var state: State {
    var ticks = 0
    for case let writer? in writers { ticks &+= writer.changeTicks }
    return State(editOwner: editOwner, ticks: ticks)
  }

  struct State: Equatable {
    /// Another one in each transaction, savepoint and rollback.
    let editOwner: UInt64
    /// Grows with everything that is written.
    let ticks: Int
  }

  /// What changed in a table since the transaction began: a layer for each open savepoint, and what
  /// was written since the last.
  func changeLayers(_ table: Int) -> [TableChanges] {
    guard table < writers.count, let writer = writers[table] else { return [] }
    return savepoints.compactMap { $0.states[table]?.changes } + [writer.changes]
  }

  var hasChanges: Bool {
    writers.contains { $0.map { !$0.changes.isEmpty } ?? false }
  }

  // MARK: - Savepoints

  /// What was written so far is not written in place any more (R5).
  private func seal() {
    editOwner = engine.newEditOwner()
    for case let writer? in writers { writer.seal(editOwner: editOwner) }
  }

  /// What is written from here on can be undone alone.
  func beginSavepoint() {
    failure.beginSavepoint()
    seal()
    var states: [Int: (TableVersion, TableChanges)] = [:]
    for case let writer? in writers {
      states[writer.table.index] = (writer.version, writer.changes)
      writer.replaceChanges(TableChanges())
    }
    savepoints.append(Savepoint(states: states))
  }

  /// Keeps what was written since the savepoint.
  func releaseSavepoint() {
    guard let savepoint = savepoints.popLast() else { return }
    failure.endSavepoint()
    for case let writer? in writers {
      guard var earlier = savepoint.states[writer.table.index]?.changes else { continue }
      earlier.merge(writer.changes)
      writer.replaceChanges(earlier)
    }
  }

  /// Undoes what was written since the savepoint.
  func rollBackSavepoint() {
    guard let savepoint = savepoints.popLast() else { return }
    failure.endSavepoint()
    editOwner = engine.newEditOwner()
    for case let writer? in writers {
      let index = writer.table.index
      let state = savepoint.states[index]
      let earlier = state?.version ?? baseVersion(writer.table.index)
      if isLookedInto { writer.forgetAppendRoom(earlier) }
      writer.restore(earlier, changes: state?.changes ?? TableChanges(), editOwner: editOwner)
    }
  }

  // MARK: - Views

  /// The state as of now, immutable from here on.
  func freeze() -> Version {
    isLookedInto = true
    seal()
    return Version(
      number: base.number, touchedTables: workingTables(), pins: nil, base: base)
  }

  /// A loop walks the elements of a collection: no edit may change them where they stand, and if they
  /// were appended in this transaction, a rollback and another append may not write over them.
  func noteLoop(_ table: Int, _ slot: Int, _ column: Int) {
    guard table < writers.count, let writer = writers[table] else { return }
    writer.ownRuns.remove(RowCollection(slot: slot, column: column))
    guard !isLookedInto else { return }
    let editOwner = writer.version.columns(slot)[column].editOwner
    if editOwner >= firstEditOwner || slot >= writer.baseCount {
      isLookedInto = true
    }
  }

  // MARK: - End

  private func workingTables() -> ContiguousArray<TableVersion?> {
    var tables = base.touchedTables
    for case let writer? in writers {
      let index = writer.table.index
      while tables.count <= index { tables.append(nil) }
      tables[index] = writer.version
    }
    return tables
  }

  /// Publishes the next version and returns it; nil if nothing changed.
  /// - Throws: why it cannot be made durable; nothing is published then, and ``cancel()`` follows.
  func commit() throws(StoreError) -> Version? {
    defer { finish() }
    guard hasChanges else { return nil }
    clearLinksOfNewTables()
    for wanted in engine.takeWantedBacklinks(holdsRows) {
      writer(wanted.table).needBacklinks(wanted.column)
    }
    reclaim()
    for case let writer? in writers { writer.updateIndexes(from: baseVersion(writer.table.index)) }
    let tables = workingTables()
    let number = base.number + 1
    if let log = engine.commitLog {
      try log.write(base, Version(number: number, touchedTables: tables, pins: nil), engine)
    }
    let version = Version(number: number, touchedTables: tables, pins: engine.pins)
    engine.publish(version)
    engine.commitLog?.didPublish(version, engine)
    noteReplacedTables(in: version)
    return version
  }

  /// Another handle may have met classes of a file that link to what died here.
  private func clearLinksOfNewTables() {
    guard engine.commitLog != nil, engine.tableCount > tableCount else { return }
    for case let writer? in writers where !writer.changes.deleted.isEmpty {
      clearLinks(
        ofTablesFrom: tableCount, to: writer.changes.deleted, in: writer.table.index)
    }
  }

  /// Lets go of the initial rows of tables that all versions shown have replaced.
  private func noteReplacedTables(in version: Version) {
    guard engine.commitLog != nil else { return }
    for case let writer? in writers
    where writer.table.initialRows != nil && base.touched(writer.table.index) == nil {
      engine.replacedTables.note(writer.table, from: version.number)
    }
    engine.replacedTables.sweep(engine.pins)
  }

  private func holdsRows(_ table: Int) -> Bool {
    let version = touchedVersion(table) ?? base.touched(table) ?? engine.table(table).loadedVersion
    return version.liveCount > 0
  }

  func cancel() {
    if isLookedInto {
      for case let writer? in writers { writer.forgetAppendRoom(baseVersion(writer.table.index)) }
    }
    finish()
  }

  private func finish() {
    for case let writer? in writers { engine.nextSlots[writer.table.index] = writer.nextSlot }
    savepoints = []
  }

  // MARK: - Giving back

  /// Gives back what nobody needs any more of the chunks that earlier commits noted, and notes
  /// those of this one. It is a change nobody can see but in `isInvalidated` objects.
  ///
  /// Freeing a chunk costs next to nothing; of those to be packed a commit takes a millisecond's
  /// worth, and twice what it leaves itself.
  private func reclaim() {
    var noted = 0
    for case let writer? in writers {
      noted += note(writer)
      if !writer.deadRowChunks.isEmpty { writer.trimKeys() }
    }
    for due in engine.reclaimer.takeDue(engine.pins, packing: 64 + 2 * noted) {
      let writer = writer(due.table)
      if writer.isWhollyDead(due.chunk) {
        writer.removeChunk(due.chunk)
      } else if writer.isWorthPacking(due.chunk) {
        writer.pack(due.chunk)
      }
    }
  }

  /// Notes the chunks of a table that have something to give back; returns how many.
  private func note(_ writer: TableWriter) -> Int {
    var noted = 0
    func versions(showing chunk: Int) -> Range<UInt64> {
      noted += 1
      let birth = writer.version.chunk(chunk)._withUnsafeGuaranteedRef { $0.birth }
      return min(birth, base.number + 1)..<base.number + 1
    }
    if !writer.deadRowChunks.isEmpty {
      for chunk in writer.deadRowChunks {
        let dead = TableChunk(table: writer.table.index, chunk: chunk)
        let isWhollyDead = writer.isWhollyDead(chunk)
        // One that waits already must not be packed while a version shows the rows that died now.
        if isWhollyDead || engine.reclaimer.holds(dead) || writer.isWorthPacking(chunk) {
          engine.reclaimer.note(
            deadRowsIn: dead, isWhollyDead: isWhollyDead, versions: versions(showing: chunk),
            engine.pins)
        }
      }
    }
    if !writer.replacedContent.isEmpty {
      for replaced in writer.replacedContent
      where writer.isWorthPacking(replaced.chunk, column: replaced.column) {
        engine.reclaimer.note(
          replacedContentIn: TableChunk(table: writer.table.index, chunk: replaced.chunk),
          versions: versions(showing: replaced.chunk), engine.pins)
      }
    }
    return noted
  }
}
