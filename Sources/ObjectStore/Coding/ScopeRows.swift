// The rows of a scope, for lists that contain all objects of it.

/// A scope of objects, and the rows in it at one time.
package struct ScopeRows<T: ObjectBase> {
  private let results: Results<T>
  /// The rows in the order of the scope. Slots are never reused (R2), so they identify rows of later versions.
  private let slots: [Int]
  /// The rows that were named since.
  private var named: SlotSet

  /// Records the rows that are in the scope now.
  ///
  /// - Parameters:
  ///   - results: The objects of the scope.
  ///   - store: The store.
  ///   - version: A version in which rows must exist to be missing later: rows that commits inserted or changed since then
  ///     count as named. Nil if each row can be missing.
  ///   - ownerName: The class of the object whose list is the scope; nil for other scopes.
  /// - Throws: `objectOfAnotherStore` if the scope belongs to another handle than `store`, or the version to another
  ///   store.
  /// - Complexity: O(rows of the scope + changes since the version).
  package init(
    _ results: Results<T>, in store: Store, since version: StoreVersion? = nil,
    ownerName: String? = nil
  ) throws {
    guard results.handle === store.handle, version?.isOf(store.handle) ?? true else {
      throw StoreError(
        .objectOfAnotherStore(className: ownerName ?? results.entry.schema.className))
    }
    self.results = results
    let sequence = results.slots
    let all = (0..<sequence.count).map { sequence[$0] }
    var seen = SlotSet(count: (all.max() ?? -1) + 1)
    // A list may contain a row several times.
    slots = all.filter { seen.insert($0) }
    named = SlotSet(count: (slots.max() ?? -1) + 1)
    if let version { name(rowsChangedSince: version) }
  }

  /// Records the rows that commits have inserted or changed since a version as named.
  ///
  /// - Complexity: O(changes since the version).
  package mutating func name(rowsChangedSince version: StoreVersion) {
    let handle = results.handle
    let newest = handle.transaction?.previous ?? handle.version
    let changes = VersionDifference(version.version, newest, handle.engine)[results.entry.table]
    for slot in changes.inserted { named.insert(slot) }
    for (slot, _) in changes.changed { named.insert(slot) }
  }

  /// The number of rows that were in the scope.
  package var count: Int { slots.count }

  /// The primary key of an applied row of the class, also of one that was deleted locally.
  package func key(of row: BatchRow) -> UpdateValue {
    results.handle.key(of: row, results.entry)
  }

  /// Records the rows of an applied batch, at the top and nested, as named.
  package mutating func name(rowsOf batch: RowBatch) {
    batch.forEachSlot(in: results.entry.table) { named.insert($0) }
  }

  /// Runs `body` in the open write, and records as named each row that it creates, updates or links to, also if the row
  /// is unchanged. The setters of objects record only rows that they change.
  package mutating func naming<R>(_ body: () throws -> R) rethrows -> R {
    let (handle, table) = (results.handle, results.entry.table)
    let recorder = RowRecorder(table: table, rows: named)
    let outer = handle.rowRecorder
    handle.rowRecorder = recorder
    defer { handle.rowRecorder = outer }
    let result = try body()
    named = recorder.rows
    for changes in handle.transaction?.changeLayers(table) ?? [] {
      changes.forEachChanged { slot, _ in named.insert(slot) }
    }
    return result
  }

  /// True if an object is in the scope, or may be outside of it only because of an unconfirmed edit.
  package func allows(_ object: T) -> Bool { allows(object.slot) }

  /// The missing rows, without these objects and those to which they, or objects embedded in them, link directly.
  package func missing(without objects: [T]) throws -> [Int] {
    let sources = Set(objects.map(\.slot))
    let missing = missing().filter { !sources.contains($0) }
    if missing.isEmpty { return [] }
    let table = results.entry.table
    return try results.handle.withTransaction { transaction in
      missing.filter { !transaction.isLinked(from: table, sources, to: table, $0) }
    }
  }

  /// The rows that were not named, still exist, are still in the scope and have no unconfirmed edits, in its order.
  package func missing() -> [Int] {
    let hasEdits = editTest
    return unnamed().filter { !hasEdits($0) }
  }

  /// The keys of the objects that would be missing if they had no unconfirmed edits, in the order of the scope.
  package func kept() -> [UpdateValue] {
    let hasEdits = editTest
    return keys(of: unnamed().filter(hasEdits))
  }

  /// The keys of rows.
  package func keys(of slots: [Int]) -> [UpdateValue] {
    let version = results.handle.tableVersion(results.entry.table)
    return slots.map { results.entry.key(of: $0, in: version) }
  }

  /// The rows that would be missing if they had no unconfirmed edits, and that the server has, in the order of the scope.
  package func edited() -> [Int] {
    let state = editState
    return unnamed().filter { state($0) == .edited }
  }

  private func unnamed() -> [Int] {
    let version = results.handle.tableVersion(results.entry.table)
    return slots.filter { !named.contains($0) && version.isLive($0) && contains($0) }
  }

  /// A function that returns true for a row with unconfirmed edits.
  private var editTest: (Int) -> Bool {
    let state = editState
    return { state($0) != nil }
  }

  /// A function that returns the state of the base row of a row; nil for a row without unconfirmed edits, unless only the
  /// user has named its object.
  private var editState: (Int) -> BaseState? {
    let (handle, entry) = (results.handle, results.entry)
    guard let base = entry.base else { return { _ in nil } }
    handle.settleEdits()
    let (rows, bases) = (handle.tableVersion(entry.table), handle.tableVersion(base.table))
    if bases.liveCount == 0 { return { _ in nil } }
    return { slot in
      guard let baseSlot = bases.find(keyOf: slot, in: rows, entry.layout) else { return nil }
      let state = bases.state(baseSlot, base)
      return bases.hasEdits(baseSlot, base) || state == .referenced ? state : nil
    }
  }

  /// Returns the rows without those that others of the store need: those to which another row links, or a row that is
  /// itself needed. Links among the rows do not count.
  package func unlinked(_ slots: [Int]) throws -> [Int] {
    let table = results.entry.table
    var rest = Set(slots)
    var targets: [Int: [Int]] = [:]
    var needed: [Int] = []
    try results.handle.withTransaction { transaction in
      for slot in slots {
        transaction.forEachLink(to: table, slot) { sourceTable, source in
          if sourceTable == table, rest.contains(source) {
            targets[source, default: []].append(slot)
          } else {
            needed.append(slot)
          }
        }
      }
    }
    while let slot = needed.popLast() {
      if rest.remove(slot) != nil { needed += targets[slot] ?? [] }
    }
    return slots.filter { rest.contains($0) }
  }

  /// True if a row satisfies the conditions of the scope, as far as these are conditions on rows.
  package func contains(_ slot: Int) -> Bool {
    guard let query = results.query else { return true }
    let table = query.queryTable(results.handle, results.entry.table)
    return query.verbs.allSatisfy {
      if case .filter(let test, _) = $0 { test.matches(table.context(slot)) } else { true }
    }
  }

  /// True if a row is in the scope, or may be outside of it only because of an unconfirmed edit.
  package func allows(_ slot: Int) -> Bool { contains(slot) || editTest(slot) }

  /// Returns the object of a row.
  package func object(_ slot: Int) -> T { results.handle.object(results.entry, slot) }

  /// Returns the class and the key of an object, for messages.
  package func name(of object: T) -> String { name(of: object.slot) }

  /// Returns the class and the key of a row, for messages.
  package func name(of slot: Int) -> String {
    let schema = results.entry.schema
    guard let key = schema.primaryKeyProperty, let value = object(slot)[key.name] else {
      return schema.className
    }
    return "\(schema.className) \(MessageText.clipped("\(value)"))"
  }

  /// Returns the reason for which a list is refused, and the names of the first 10 rows that it would remove.
  package func refusal(_ reason: String, _ missing: [Int]) -> String {
    if missing.isEmpty { return reason }
    let names = missing.prefix(10).map { name(of: $0) }.joined(separator: ", ")
    let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    return "\(reason); it would remove \(names)\(rest)"
  }

  /// Deletes rows in the open write.
  package func delete(_ slots: [Int]) throws {
    let table = results.entry.table
    if slots.isEmpty { return }
    try results.handle.withTransaction { transaction in
      transaction.run(as: .server, isApplying: true) {
        transaction.delete(slots.map { (table, $0) })
      }
    }
  }
}

extension ScopeRows where T: Object {
  /// Assigns attributes of rows in the open write.
  ///
  /// - Throws: The errors of ``Results/update(_:)``.
  package func update(_ slots: [Int], _ assignments: [Assignment<T>]) throws {
    try assignments.withUnsafeBytes { bytes in
      for slot in slots {
        _ = try results.handle.update(
          results.entry, slot, bytes.bindMemory(to: UntypedAssignment.self))
      }
    }
  }
}

extension Transaction {
  /// Calls `body` with each row that links to a row, once per attribute.
  ///
  /// - Complexity: O(links), and O(number of attributes that link to the class); once per attribute, O(rows) to build its
  ///   backlinks.
  fileprivate func forEachLink(
    to table: Int, _ slot: Int, _ body: (_ table: Int, _ slot: Int) -> Void
  ) {
    for incoming in engine.incoming(table) {
      let source = writer(incoming.table)
      guard source.version.liveCount > 0 else { continue }
      source.backlinks(of: incoming.column).forEachSlot(of: UInt64(slot)) {
        if source.version.isLive($0) { body(incoming.table, $0) }
      }
    }
  }

  /// True if one of some rows, or an object embedded in one, links to a row.
  fileprivate func isLinked(
    from table: Int, _ sources: Set<Int>, to target: Int, _ slot: Int
  ) -> Bool {
    var pending = [(table: target, slot: slot)]
    while let (target, slot) = pending.popLast() {
      var isLinked = false
      forEachLink(to: target, slot) { sourceTable, source in
        if sourceTable == table, sources.contains(source) {
          isLinked = true
        } else if engine.table(sourceTable).layout.identity == .embedded {
          pending.append((sourceTable, source))
        }
      }
      if isLinked { return true }
    }
    return false
  }
}

extension StoreHandle {
  /// The primary key of an applied row, also of one that was deleted locally.
  func key(of row: BatchRow, _ entry: ClassEntry) -> UpdateValue {
    row.isWithheld
      ? entry.key(row.key) : entry.key(of: row.slot, in: tableVersion(entry.table))
  }
}
