/// The state that a ``Store`` and its objects share: the version they show, and the open write.
///
/// Confined to the isolation that opened the store; objects keep it alive.
@usableFromInline
final class StoreHandle {
  let core: StoreCore
  var engine: StoreEngine { core.engine }
  /// True for a handle that shows one version and cannot be written. Any thread may read it, so its state never
  /// changes, except `frozenOrigins`.
  let isFrozen: Bool

  // The version and the open write.
  @exclusivity(unchecked) private(set) var version: Version
  @exclusivity(unchecked) private(set) var transaction: Transaction? {
    didSet { knownTransaction = transaction.map { Unmanaged.passUnretained($0) } }
  }
  /// `transaction`, for reading without counting a reference.
  @exclusivity(unchecked) private var knownTransaction: Unmanaged<Transaction>?
  /// The nesting of writes: 0 outside a write, 1 in the outermost.
  private(set) var writeDepth = 0
  var writeBlock = WriteBlock()
  /// Records the rows that updates name; nil while none is needed.
  var rowRecorder: RowRecorder?
  var attachments = Attachments()
  @exclusivity(unchecked) var changedNames = ChangedNames()
  /// Records whether a default is being evaluated for this handle.
  let evaluation: DefaultEvaluation

  // Classes, tables and objects.
  @exclusivity(unchecked) var classes = HandleClasses()
  @exclusivity(unchecked) var keyPaths = KeyPathCache()
  @exclusivity(unchecked) var accessTables = AccessTables()
  /// Valid for `version` outside a write.
  @exclusivity(unchecked) private var readTables: ContiguousArray<ReadTable?> = []
  /// Valid for `version` and the transaction state that it contains.
  @exclusivity(unchecked) var lastOrigins: GatheredOrigins?
  /// The inverse links that a frozen view gathered last; nil for any other handle.
  let frozenOrigins: FrozenOrigins?
  /// The frozen view of `version`; nil until one is needed.
  private var frozenView: StoreHandle?
  @exclusivity(unchecked) var batches: BatchPool

  // Observation.
  /// Delivers changes to observers; nil while there are none.
  var delivery: (any ChangeDelivery)?
  /// Requests a delivery on the actor that the handle follows; nil if it follows none.
  var requestDelivery: (@Sendable () -> Void)?
  /// Follows the actor of an observation if the store follows none yet; nil for a handle that no store owns.
  var followObserver: ((any Actor) -> Void)?
  /// Records the reads of `withObservationTracking`; nil for a handle that notifies no tracked reads.
  @exclusivity(unchecked) var tracker: ReadTracker?
  /// True once the store is deallocated: nothing is delivered.
  private(set) var hasEnded = false

  /// - Parameter version: The version of a frozen view; nil for a handle that shows the newest one.
  init(_ core: StoreCore, frozen version: Version? = nil) {
    self.core = core
    isFrozen = version != nil
    frozenOrigins = version == nil ? nil : FrozenOrigins()
    evaluation = DefaultEvaluation()
    batches = BatchPool(evaluation)
    self.version = version ?? core.engine.newest
  }

  /// Creates a view of a version. Only the classes in `entries` can be read through it.
  convenience init(
    _ core: StoreCore, frozen version: Version, _ entries: some Collection<ClassEntry>
  ) {
    self.init(core, frozen: version)
    for entry in entries {
      classes.insert(entry)
      addAccessTable(entry)
      setReadTable(makeReadTable(entry.table), entry.table)
    }
  }

  deinit {
    // An open write can no longer be ended, so it is undone to let other handles write.
    if let transaction {
      transaction.cancel()
      engine.writerLock.release()
    }
  }

  // MARK: - Tables of the version

  /// The cached table for reading row by row, without counting a reference.
  @inline(__always)
  func readTable(_ table: Int) -> ReadTable {
    if table < readTables.count, let known = readTables[table] { return known }
    return addReadTable(table)
  }

  @inline(never)
  private func addReadTable(_ table: Int) -> ReadTable {
    let read = makeReadTable(table)
    // A frozen handle is read by several threads; a write replaces its table versions.
    if !isFrozen, transaction == nil { setReadTable(read, table) }
    return read
  }

  private func makeReadTable(_ index: Int) -> ReadTable {
    let table = engine.table(index)
    return ReadTable(
      version: Unmanaged.passUnretained(tableVersion(index)), layouts: table.columnLayouts,
      firstAttribute: table.layout.firstAttribute,
      missingColumnCount: table.layout.missingColumns.count)
  }

  private func setReadTable(_ read: ReadTable, _ table: Int) {
    while readTables.count <= table { readTables.append(nil) }
    readTables[table] = read
  }

  /// The table as this handle shows it, with the changes of the open write.
  func tableVersion(_ table: Int) -> TableVersion {
    if let touched = transaction?.touchedVersion(table) { return touched }
    return version[engine.table(table)]
  }

  /// Runs `body` with ``tableVersion(_:)`` without counting a reference. `body` must not write.
  @inline(__always)
  func withTableVersion<R>(_ table: Int, _ body: (TableVersion) -> R) -> R {
    if let knownTransaction {
      let touched = knownTransaction._withUnsafeGuaranteedRef {
        $0.withTouchedVersion(table, body)
      }
      if let touched { return touched }
    }
    return Unmanaged.passUnretained(version)._withUnsafeGuaranteedRef {
      $0.withTouched(table, body)
    } ?? body(version[engine.table(table)])
  }

  // MARK: - Versions

  /// A handle that shows the current state, with all classes known now, and never changes, so any thread may read it.
  /// Outside a write, the frozen values of one version share a handle.
  /// - Complexity: O(1) after the first call for a version, else O(classes).
  func freeze() -> StoreHandle {
    let entries = core.allEntries()
    if let transaction {
      return StoreHandle(core, frozen: transaction.freeze(), entries)
    }
    if let frozenView, frozenView.classes.byTable.count == entries.count { return frozenView }
    let view = StoreHandle(core, frozen: version, entries)
    frozenView = view
    return view
  }

  /// A frozen view of the newest state: that of the open write, or else the newest version, which the handle may not show
  /// yet.
  func freezeNewest() -> StoreHandle {
    if transaction != nil || isFrozen { return freeze() }
    let newest = engine.newest
    return newest === version ? freeze() : StoreHandle(core, frozen: newest, core.allEntries())
  }

  private func show(_ newVersion: Version) {
    guard newVersion !== version else { return }
    version = newVersion
    frozenView = nil
    lastOrigins = nil
    readTables.removeAll(keepingCapacity: true)
    accessTables.moveEpochs()
  }

  /// Shows empty tables: all objects become invalid, and all collections and results empty. Never called inside a
  /// write.
  func showNothing() {
    let tables = engine.allTables().map(\.emptyVersion)
    show(Version(number: version.number, touchedTables: ContiguousArray(tables), registry: nil))
  }

  /// Shows the newest version. Does nothing inside a write.
  func advance() {
    guard transaction == nil, !isFrozen, !evaluation.isRunning else { return }
    show(engine.newest)
    tracker?.versionMoved()
  }

  /// Shows the newest version and notifies the observers. Does nothing inside a write.
  /// - Throws: `unbalancedWrite` if an observer left a write open. That write is undone.
  func advanceAndDeliver() throws(StoreError) {
    if transaction == nil, !isFrozen, !evaluation.isRunning { core.file?.refresh(engine) }
    advance()
    try delivery?.deliver()
  }

  /// Ends all observation, because the store is deallocated. Observers are released: they may hold the handle.
  func end() {
    hasEnded = true
    delivery?.end()
  }

  // MARK: - Transactions

  var isWriting: Bool { transaction != nil }

  /// The open write.
  /// - Throws: `notWriting`; `writeInDefault` while a default is evaluated, because an update has then been read or
  ///   applied only partly.
  func writableTransaction() throws(StoreError) -> Transaction {
    try checkMayWrite()
    guard let transaction else { throw StoreError(.notWriting) }
    return transaction
  }

  /// Runs `body` with the open write, without counting a reference.
  /// - Throws: `notWriting`, `writeInDefault`.
  @inline(__always)
  func withTransaction<R>(_ body: (Transaction) throws -> R) throws -> R {
    try checkMayWrite()
    guard let knownTransaction else { throw StoreError(.notWriting) }
    return try knownTransaction._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` with the open write, without counting a reference; returns nil outside a write.
  @inline(__always)
  func withOpenTransaction<R>(_ body: (Transaction) -> R) -> R? {
    knownTransaction?._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` with the open write and its writer of a table, without counting a reference.
  /// - Throws: `notWriting`, `writeInDefault`.
  @inline(__always)
  func withWriter<R>(_ table: Int, _ body: (Transaction, TableWriter) throws -> R) throws -> R {
    try withTransaction { transaction in
      try transaction.withWriter(table) { try body(transaction, $0) }
    }
  }

  /// - Throws: `writeInDefault`.
  @inline(__always)
  func checkMayWrite() throws(StoreError) {
    if evaluation.isRunning { throw StoreError(.writeInDefault) }
  }

  /// Begins a write, or a savepoint inside the open write. Waits while another handle writes.
  /// - Throws: `notWriting` for a frozen handle, `writeInDefault`, `alreadyWriting`, `unbalancedWrite`.
  func begin() throws(StoreError) {
    if isFrozen { throw StoreError(.notWriting) }
    try checkMayWrite()
    if transaction == nil, delivery != nil || tracker?.isWaiting ?? false {
      // Before the write, so that no observer is notified inside it.
      try advanceAndDeliver()
    }
    if let transaction {
      transaction.beginSavepoint()
      attachments.beginSavepoint()
      writeDepth += 1
      return
    }
    try engine.writerLock.acquire()
    open()
  }

  /// Opens the transaction. The handle already holds the writer lock.
  func open() {
    let transaction = Transaction(engine)
    transaction.accessTable = { [unowned self] in accessTables[$0] }
    show(transaction.previous)
    self.transaction = transaction
    readTables.removeAll(keepingCapacity: true)
    writeDepth = 1
    accessTables.setWritable(true)
  }

  /// Ends the innermost write.
  /// - Throws: The error of a value that the write could not store, or of the file. In both cases, the write was rolled
  ///   back.
  func commit() throws(StoreError) {
    guard let transaction else { return }
    if let error = transaction.failure.error {
      cancel()
      throw error
    }
    if writeDepth > 1 {
      transaction.releaseSavepoint()
      attachments.releaseSavepoint()
      writeDepth -= 1
      return
    }
    let next: Version?
    do {
      transaction.endPhase()
      next = try transaction.commit()
    } catch {
      // The file could not make the commit durable.
      cancel()
      throw error
    }
    let attached = close()
    if let next {
      show(next)
    } else {
      // Nothing changed, but accessors may have read rows that were inserted and deleted again.
      accessTables.moveEpochs()
    }
    tracker?.versionMoved()
    // Objects that refer to each other in a cycle would otherwise keep the store alive. Last, because it may release
    // objects and thereby run a `deinit` of user code.
    for object in attached.objects { object.model.releaseReferences(of: object) }
  }

  /// Undoes the innermost write.
  func cancel() {
    guard let transaction else { return }
    if writeDepth > 1 {
      transaction.rollBackSavepoint()
      writeDepth -= 1
      attachments.takeSavepoint().detach()
      return
    }
    transaction.cancel()
    let attached = close()
    accessTables.moveEpochs()
    attached.detach()
    tracker?.versionMoved()
  }

  /// Undoes the writes that user code, called outside any write, began and did not end.
  /// - Returns: True if there was one.
  func undoOpenWrites() -> Bool {
    guard isWriting else { return false }
    while isWriting { cancel() }
    return true
  }

  /// - Returns: The instances that became managed.
  private func close() -> Attachments.Instances {
    transaction = nil
    writeDepth = 0
    accessTables.setWritable(false)
    engine.writerLock.release()
    return attachments.takeAll()
  }
}
