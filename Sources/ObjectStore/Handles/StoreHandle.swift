/// What a ``Store`` and the objects from it share: the version they show, and the open write.
///
/// Confined to the isolation that opened the store; objects keep it alive.
@usableFromInline
final class StoreHandle {
  let core: StoreCore
  var engine: StoreEngine { core.engine }
  @exclusivity(unchecked) private(set) var version: Version
  @exclusivity(unchecked) private(set) var transaction: Transaction? {
    didSet { knownTransaction = transaction.map { Unmanaged.passUnretained($0) } }
  }
  /// The same, for reading without counting a reference.
  @exclusivity(unchecked) private(set) var knownTransaction: Unmanaged<Transaction>?
  /// A pinned version that never advances and is never written.
  let isFrozen: Bool

  /// By table; nil where no object of it was made yet.
  @exclusivity(unchecked) private var access: ContiguousArray<UnsafeMutablePointer<AccessTable>?> =
    []
  /// Good for `version` outside of a write.
  @exclusivity(unchecked) private var readTables: ContiguousArray<ReadTable?> = []
  /// The classes this handle has met, by table.
  private var entryByTable: ContiguousArray<ClassEntry?> = []
  private var entryByClass: [ObjectIdentifier: ClassEntry] = [:]
  @exclusivity(unchecked) private var lastClass: (id: ObjectIdentifier, entry: ClassEntry)?
  @exclusivity(unchecked) private var keyPaths = KeyPathCache()
  private var attachments = Attachments()
  /// Nesting of `write`: 0 outside, 1 in the outermost.
  private(set) var writeDepth = 0
  /// What the running block of `write` may end.
  var blockLevel = WriteLevel()
  @exclusivity(unchecked) var changedNames = ChangedNames()
  /// Whether a default is being evaluated for this handle.
  let evaluation: DefaultEvaluation
  /// Good for `version` and the state of the transaction that is in it.
  @exclusivity(unchecked) var lastOrigins: GatheredOrigins?
  /// Tells what changed to those who want to know; nil while nobody does.
  var delivery: (any ChangeDelivery)?
  /// Asks the actor that the handle follows to deliver soon; nil where it follows none.
  var requestDelivery: (@Sendable () -> Void)?
  /// Sees what is read for `withObservationTracking`; nil where nobody can be told.
  @exclusivity(unchecked) var tracker: ReadTracker?
  /// Whether each read of an attribute is told to the tracker.
  @exclusivity(unchecked) var tracksReads = false {
    didSet { for case let table? in access { table.pointee.isTracked = tracksReads } }
  }
  /// Whether its store is gone: nobody delivers any more.
  private(set) var hasEnded = false
  private let spareBatch: RowBatch
  @exclusivity(unchecked) private var isSpareBatchTaken = false

  /// - Parameter version: The version of a frozen view; nil for a handle that shows the newest one.
  init(_ core: StoreCore, frozen version: Version? = nil) {
    self.core = core
    isFrozen = version != nil
    evaluation = DefaultEvaluation()
    spareBatch = RowBatch(evaluation)
    self.version = version ?? core.engine.newest
  }

  deinit {
    // A write that nobody can end any more is undone, so that others may write.
    if let transaction {
      transaction.cancel()
      engine.writerLock.release()
    }
    for case let table? in access { table.deallocate() }
    if isFrozen { core.removeFrozenView(self) }
  }

  // MARK: - Classes

  func entry(_ type: ObjectBase.Type) throws -> ClassEntry {
    let id = ObjectIdentifier(type)
    if let lastClass, lastClass.id == id { return lastClass.entry }
    if let entry = entryByClass[id] {
      if !isFrozen { lastClass = (id, entry) }
      return entry
    }
    // Several threads may read a frozen view, of which nobody can write.
    if isFrozen { return try core.entry(type) }
    let entry = try evaluation.run { try core.entry(type) }
    enter(entry)
    lastClass = (id, entry)
    return entry
  }

  /// The class of a table.
  @inline(__always)
  func entry(ofTable table: Int) -> ClassEntry {
    if table < entryByTable.count, let entry = entryByTable[table] { return entry }
    return meet(table)
  }

  @inline(never)
  private func meet(_ table: Int) -> ClassEntry {
    let entry = core.entry(ofTable: table)
    if !isFrozen { enter(entry) }
    return entry
  }

  /// The classes this handle has met, by table.
  var entries: ContiguousArray<ClassEntry?> { entryByTable }

  func layout(_ table: Int) -> TableLayout {
    if table < entryByTable.count, let entry = entryByTable[table] { return entry.layout }
    return engine.table(table).layout
  }

  // MARK: - Versions

  /// The table as it is read row by row: no reference counted, nothing looked up twice.
  @inline(__always)
  func readTable(_ table: Int) -> ReadTable {
    if table < readTables.count, let known = readTables[table] { return known }
    return makeReadTable(table)
  }

  @inline(never)
  private func makeReadTable(_ index: Int) -> ReadTable {
    let table = engine.table(index)
    let read = ReadTable(
      version: Unmanaged.passUnretained(tableVersion(index)), layouts: table.columnLayouts,
      firstAttribute: table.layout.firstAttribute)
    // A frozen handle is read by several threads; a write replaces its versions.
    if !isFrozen, transaction == nil { remember(read, index) }
    return read
  }

  private func remember(_ read: ReadTable, _ index: Int) {
    while readTables.count <= index { readTables.append(nil) }
    readTables[index] = read
  }

  /// The table as this handle shows it now.
  func tableVersion(_ table: Int) -> TableVersion {
    if let touched = transaction?.touchedVersion(table) { return touched }
    return version.touched(table) ?? engine.table(table).initialVersion
  }

  /// Runs `body` with ``tableVersion(_:)``, counting no reference; nothing may be written meanwhile.
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
    } ?? body(engine.table(table).initialVersion)
  }

  /// Runs `body` with the open write and its writer of a table, counting no reference.
  /// - Throws: `notWriting`, `writeInDefault`.
  @inline(__always)
  func withWriter<R>(_ table: Int, _ body: (Transaction, TableWriter) throws -> R) throws -> R {
    try checkMayWrite()
    guard let knownTransaction else { throw StoreError(.notWriting) }
    return try knownTransaction._withUnsafeGuaranteedRef { transaction in
      try transaction.withWriter(table) { try body(transaction, $0) }
    }
  }

  /// A handle for what this one shows now: immutable, so it may be read anywhere. Outside of a write all views of one
  /// version are one handle.
  func freeze() -> StoreHandle {
    if let transaction {
      return StoreHandle(core, frozen: transaction.freeze(), core.allEntries())
    }
    return core.frozenView(of: version)
  }

  /// A view of a version, with the classes that can be read through it.
  convenience init(
    _ core: StoreCore, frozen version: Version, _ entries: some Collection<ClassEntry>
  ) {
    self.init(core, frozen: version)
    for entry in entries {
      enter(entry)
      _ = addAccess(entry)
      remember(makeReadTable(entry.table), entry.table)
    }
  }

  private func enter(_ entry: ClassEntry) {
    if !entry.model.isDynamic { entryByClass[ObjectIdentifier(entry.model.type)] = entry }
    while entryByTable.count <= entry.table { entryByTable.append(nil) }
    entryByTable[entry.table] = entry
  }

  /// The attribute a key path names, by its index; remembered by the key path's identity.
  @inline(__always)
  func attribute(_ keyPath: AnyKeyPath, _ entry: ClassEntry) throws -> Int {
    try keyPaths.attribute(keyPath, entry)
  }

  private func show(_ newVersion: Version) {
    guard newVersion !== version else { return }
    version = newVersion
    lastOrigins = nil
    readTables.removeAll(keepingCapacity: true)
    moveEpochs()
  }

  /// Shows no row any more: all objects are invalidated, collections and results empty. Outside of a write.
  func showNothing() {
    let tables = engine.allTables().map(\.emptyVersion)
    show(Version(number: version.number, touchedTables: ContiguousArray(tables), pins: nil))
  }

  /// Accessors have to look up their columns again.
  private func moveEpochs() {
    for case let table? in access { table.pointee.moveEpoch() }
  }

  /// Shows the newest version. Inside a write nothing happens.
  func advance() {
    guard transaction == nil, !isFrozen else { return }
    show(engine.newest)
    tracker?.versionMoved()
  }

  /// Shows the newest version and notifies the observers. Inside a write nothing happens.
  /// - Throws: `unbalancedWrite` if an observer left a write open, which is undone.
  func advanceAndDeliver() throws(StoreError) {
    advance()
    try delivery?.deliver()
  }

  /// The store is gone; what observers hold may hold the handle.
  func end() {
    hasEnded = true
    delivery?.end()
  }

  // MARK: - Accessors

  private func access(_ entry: ClassEntry) -> UnsafeMutablePointer<AccessTable> {
    if entry.table < access.count, let table = access[entry.table] { return table }
    if isFrozen { misuse("a frozen view met a class it was not made for") }
    return addAccess(entry)
  }

  private func addAccess(_ entry: ClassEntry) -> UnsafeMutablePointer<AccessTable> {
    while access.count <= entry.table { access.append(nil) }
    let table = UnsafeMutablePointer<AccessTable>.allocate(capacity: 1)
    table.initialize(
      to: AccessTable(
        entry.model, table: entry.table, isWritable: transaction != nil, tracker: tracker,
        isTracked: tracksReads))
    access[entry.table] = table
    transaction?.setAccess(entry.table, table)
    return table
  }

  /// An object that shows the row.
  @inline(__always)
  func object<T: ObjectBase>(_ entry: ClassEntry, _ slot: Int) -> T {
    let object = entry.model.makeAccessor(T.self)
    show(entry, slot, by: object)
    return object
  }

  /// An object that shows the row, of a class known only at run time.
  func accessor(_ entry: ClassEntry, _ slot: Int) -> ObjectBase {
    let object = entry.model.makeAccessor(entry.model.type)
    show(entry, slot, by: object)
    return object
  }

  @inline(__always)
  func show(_ entry: ClassEntry, _ slot: Int, by object: ObjectBase) {
    let table = access(entry)
    object.storage = table
    object.owner = self
    object.slot = slot
    object.row = slot & ChunkLayout.mask
    object.columns = columns(entry.table, slot)
    object.epoch = table.pointee.columnEpoch
  }

  /// Where the row stands now.
  @inline(__always)
  private func columns(_ table: Int, _ slot: Int) -> UnsafeMutablePointer<StorageColumn> {
    if transaction != nil { return withTableVersion(table) { $0.columns(slot) } }
    return readTable(table).version._withUnsafeGuaranteedRef { $0.columns(slot) }
  }

  /// Learns the object's columns again.
  func refresh(_ object: ObjectBase, _ storage: UnsafeMutablePointer<AccessTable>) {
    object.columns = columns(storage.pointee.table, object.slot)
    object.epoch = storage.pointee.columnEpoch
  }

  // MARK: - Transactions

  var isWriting: Bool { transaction != nil }

  /// The open write, to be written to.
  /// - Throws: `notWriting`, and `writeInDefault` while a default is evaluated: then some update is
  ///   read or applied in part.
  func writableTransaction() throws(StoreError) -> Transaction {
    try checkMayWrite()
    guard let transaction else { throw StoreError(.notWriting) }
    return transaction
  }

  /// - Throws: `writeInDefault`.
  @inline(__always)
  func checkMayWrite() throws(StoreError) {
    if evaluation.isRunning { throw StoreError(.writeInDefault) }
  }

  func begin() throws(StoreError) {
    if isFrozen { throw StoreError(.notWriting) }
    try checkMayWrite()
    if transaction == nil, delivery != nil || tracker?.isWaiting ?? false {
      // Before the write, so that nobody is told of anything inside of it.
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

  /// Opens the transaction of a writer's turn that is this handle's already.
  func open() {
    let transaction = Transaction(engine)
    transaction.accessTable = { [unowned self] table in
      table < access.count ? access[table] : nil
    }
    show(transaction.base)
    self.transaction = transaction
    readTables.removeAll(keepingCapacity: true)
    writeDepth = 1
    setWritable(true)
  }

  private func setWritable(_ isWritable: Bool) {
    for case let table? in access { table.pointee.isWritable = isWritable }
  }

  /// Ends the innermost write.
  /// - Throws: what the write could not store; then it was rolled back.
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
      next = try transaction.commit()
    } catch {
      // It cannot be made durable.
      cancel()
      throw error
    }
    let attached = close()
    if let next {
      show(next)
    } else {
      // What was made and deleted again leaves nothing, but accessors may have looked at it.
      moveEpochs()
    }
    tracker?.versionMoved()
    // Last, because it may release objects, and a `deinit` is the user's code. Objects that refer to each other in a
    // cycle would keep the store for ever.
    for object in attached.objects { object.model.forgetReferences(of: object) }
  }

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
    moveEpochs()
    attached.detach()
    tracker?.versionMoved()
  }

  /// Undoes the writes that the user's code, called outside of any, began and did not end.
  /// - Returns: Whether there was one.
  func undoOpenWrites() -> Bool {
    guard isWriting else { return false }
    while isWriting { cancel() }
    return true
  }

  /// - Returns: The instances that became managed.
  private func close() -> Attachments.Instances {
    transaction = nil
    writeDepth = 0
    setWritable(false)
    engine.writerLock.release()
    return attachments.takeAll()
  }

  // MARK: - Promotion

  /// Makes the instance show the row; a rollback makes it unmanaged again.
  func attach(_ object: ObjectBase, _ entry: ClassEntry, _ slot: Int) {
    let table = access(entry)
    object.storage = table
    object.owner = self
    object.slot = slot
    object.row = slot & ChunkLayout.mask
    refresh(object, table)
    attachments.note(object)
  }

  /// Makes the collection show the row also when its object is gone; a rollback undoes it.
  func attach(_ box: any AttachableBox, to location: CollectionLocation) {
    box.attach(to: location)
    attachments.note(box)
  }

  // MARK: - Batches

  /// Runs `body` with an empty batch, whose memory is kept for the next one.
  func withBatch<R>(_ body: (RowBatch) throws -> R) rethrows -> R {
    if isSpareBatchTaken { return try body(RowBatch(evaluation)) }
    isSpareBatchTaken = true
    defer {
      spareBatch.removeAll()
      isSpareBatchTaken = false
    }
    return try body(spareBatch)
  }
}
