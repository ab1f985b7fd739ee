/// One run of an eviction, inside a write: finds the rows to delete.
///
///     policies ─▶ candidates: rows that a limit selects
///                   │ minus rows that rules keep, and rows that are observed in any handle
///                   │ minus rows to which remaining rows link: of the same class, of other classes, and of
///                   ▼ classes that only the file has
///                 rows to delete
struct Eviction {
  let handle: StoreHandle
  /// All tables when the run began. Links of classes that are registered later are read from the file.
  private let tables: ContiguousArray<Table>
  var classes: [ClassEviction]
  /// The observed contents that include candidates, to be notified after the eviction.
  private var watchers: [any ObservedContent] = []
  /// The rows whose date of use is in the future.
  private var futureUses: [DatedRow] = []

  /// A row of a class that records dates of use.
  struct DatedRow {
    let table: Int
    let slot: Int
    let dateColumn: Int
  }

  /// The rows to delete, the rows whose date of use is in the future, the report, and the observers to notify.
  typealias Outcome = (
    report: CachePolicy.Report, rows: [(table: Int, slot: Int)], futureUses: [DatedRow],
    watchers: [any ObservedContent]
  )

  init(_ handle: StoreHandle, _ classes: [ClassEviction]) {
    self.handle = handle
    self.classes = classes
    tables = handle.engine.allTables()
    for index in self.classes.indices {
      let entry = classes[index].entry
      self.classes[index].selectCandidates(handle.tableVersion(entry.table))
      if let column = classes[index].policy.dateColumn(in: entry.schema) {
        futureUses += self.classes[index].futureUses.map {
          DatedRow(table: entry.table, slot: $0, dateColumn: column)
        }
      }
    }
  }

  /// Finds the rows to delete that the limits select.
  /// - Throws: The error of reading links from the file.
  mutating func run() throws(StoreError) -> Outcome {
    let tracer = try tracedRoots()
    return outcome(tracer)
  }

  // MARK: - Remaining rows

  /// Marks the rows that stay regardless of links to them, and all rows that can be reached from them.
  ///
  /// - Parameter didMark: Called with each row that is marked.
  mutating func tracedRoots(
    didMark: @escaping (_ table: Int, _ slot: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> RowTracer {
    classes.removeAll { $0.candidates.isEmpty }
    findKeptAndObserved()
    let tracer = RowTracer(tables, open: Set(classes.map(\.entry.table))) {
      handle.tableVersion($0)
    }
    tracer.didMark = didMark
    if classes.isEmpty { return tracer }
    tracer.markWholeTables()
    try markLinksInFile(tracer)
    for eviction in classes {
      let table = eviction.entry.table
      handle.tableVersion(table).forEachLive { slot in
        if eviction.isRoot(slot) { tracer.mark(table, slot) }
        return true
      }
    }
    return tracer
  }

  /// Marks the rows to which unregistered classes of the file link.
  private func markLinksInFile(_ tracer: RowTracer) throws(StoreError) {
    guard let file = handle.core.rowsFile else { return }
    var tableByName: [String: Int] = [:]
    for table in tracer.tables { tableByName[tables[table].layout.name] = table }
    try file.forEachLink(
      ofClassesExcept: Set(tables.map(\.layout.name)), to: Set(tableByName.keys)
    ) { target, slot in
      if slot >= 0, let table = tableByName[target] { tracer.mark(table, slot) }
    }
  }

  /// Finds the candidates that rules keep and those that are observed.
  private mutating func findKeptAndObserved() {
    var observed: [Int: SlotSet] = [:]
    var candidates: [Int: SlotSet] = [:]
    for eviction in classes {
      let table = eviction.entry.table
      observed[table] = SlotSet(count: handle.tableVersion(table).count)
      candidates[table] = eviction.candidates
    }
    for content in classes.isEmpty ? [] : observedContents {
      var isWatcher = false
      content.forEachRow(handle) { table, slot in
        forEachOwner(table, slot) { table, slot in
          observed[table]?.insert(slot)
          isWatcher = isWatcher || candidates[table]?.contains(slot) ?? false
        }
      }
      if isWatcher { watchers.append(content) }
    }
    for index in classes.indices {
      let table = classes[index].entry.table
      let rows = ResultsQuery().queryTable(handle, table)
      classes[index].findKeptAndObserved(rows, observed: observed[table] ?? SlotSet(count: 0))
    }
  }

  /// The observed contents without redundant ones: one per scope, and no query of a table that is observed as a whole.
  private var observedContents: [any ObservedContent] {
    let all = handle.core.observed.all.map { (content: $0, scope: $0.scope) }
    let scopes = Set(all.compactMap(\.scope))
    var seen: Set<ObservedScope> = []
    return all.filter { _, scope in
      guard let scope else { return true }
      if case .query(_, let table?) = scope, scopes.contains(.table(table)) { return false }
      return seen.insert(scope).inserted
    }.map(\.content)
  }

  /// Calls `body` with a row or, if it is embedded, with the row that owns it directly or indirectly.
  private func forEachOwner(
    _ table: Int, _ slot: Int, _ body: (_ table: Int, _ slot: Int) -> Void
  ) {
    guard tables.indices.contains(table), tables[table].layout.identity == .embedded else {
      return body(table, slot)
    }
    // A work list instead of recursion: embedded objects may be nested deeply.
    var pending = [(table, slot)]
    while let (table, slot) = pending.popLast() {
      guard tables[table].layout.identity == .embedded else {
        body(table, slot)
        continue
      }
      for link in handle.engine.incoming(table) where link.table < tables.count {
        handle.forEachOrigin(of: slot, link) { pending.append((link.table, $0)) }
      }
    }
  }

  // MARK: - Outcome

  func outcome(_ tracer: RowTracer) -> Outcome {
    var rows: [(table: Int, slot: Int)] = []
    let reports = classes.map { eviction in
      let entry = eviction.entry
      let version = handle.tableVersion(entry.table)
      var report = CachePolicy.Report.ClassReport(
        className: entry.schema.className,
        type: entry.model.isDynamic ? nil : ObjectIdentifier(entry.model.type))
      eviction.candidates.forEach { slot in
        if eviction.kept.contains(slot) {
          report.keptCount += 1
        } else if eviction.observed.contains(slot) {
          report.observedCount += 1
        } else if tracer.isMarked(entry.table, slot) {
          report.linkedCount += 1
        } else {
          report.evicted.append(entry.key(of: slot, in: version))
          rows.append((entry.table, slot))
        }
      }
      return report
    }
    return (CachePolicy.Report(classes: reports), rows, futureUses, watchers)
  }
}

extension StoreHandle {
  /// Calls `body` with each row that links to a row through a column, as of the open write.
  fileprivate func forEachOrigin(
    of slot: Int, _ link: Table.Incoming, _ body: (Int) -> Void
  ) {
    transaction?.writer(link.table).backlinks(of: link.column).forEachSlot(of: UInt64(slot), body)
  }
}
