// The rows of a scope, for lists that contain all objects of it.

/// A scope of objects, and the rows in it at one time.
package struct ScopeRows<T: ObjectBase> {
  private let results: Results<T>
  /// The rows in the order of the scope. Slots are never reused (R2), so they identify rows of later versions.
  private let slots: [Int]
  /// The rows that were named since.
  private var named: SlotSet

  /// Records the rows that are in the scope now.
  package init(_ results: Results<T>) {
    self.results = results
    let sequence = results.slots
    slots = (0..<sequence.count).map { sequence[$0] }
    named = SlotSet(count: (slots.max() ?? -1) + 1)
  }

  /// The number of rows that were in the scope.
  package var count: Int { slots.count }

  /// Records the rows of an applied batch, at the top and nested, as named.
  package mutating func name(rowsOf batch: RowBatch) {
    batch.forEachSlot(in: results.entry.table) { named.insert($0) }
  }

  /// The rows that were not named, still exist, and are still in the scope, in its order.
  package func missing() -> [Int] {
    let version = results.handle.tableVersion(results.entry.table)
    return slots.filter { !named.contains($0) && version.isLive($0) && contains($0) }
  }

  /// Returns the rows without those to which rows of the store link.
  package func unlinked(_ slots: [Int]) throws -> [Int] {
    try results.handle.withTransaction { transaction in
      slots.filter { !transaction.isLinked(results.entry.table, $0) }
    }
  }

  /// True if a row satisfies the conditions of the scope, as far as these are conditions on rows.
  package func contains(_ slot: Int) -> Bool {
    guard let query = results.query else { return true }
    let table = query.queryTable(results.handle, results.entry.table)
    return query.verbs.allSatisfy {
      if case .filter(let test, _) = $0 { test.matches(table.context(slot)) } else { true }
    }
  }

  /// Returns the object of a row.
  package func object(_ slot: Int) -> T { results.handle.object(results.entry, slot) }

  /// Deletes rows in the open write.
  package func delete(_ slots: [Int]) throws {
    let table = results.entry.table
    try results.handle.withTransaction { $0.delete(slots.map { (table, $0) }) }
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
  /// True if a row of the store links to a row, which may be in a collection.
  ///
  /// - Complexity: O(number of attributes that link to the class); once per attribute, O(rows) to build its backlinks.
  fileprivate func isLinked(_ table: Int, _ slot: Int) -> Bool {
    engine.incoming(table).contains { incoming in
      let source = writer(incoming.table)
      guard source.version.liveCount > 0 else { return false }
      source.ensureBacklinks(incoming.column)
      var isLinked = false
      source.version.backlinks[incoming.column]?.forEachSlot(of: UInt64(slot)) {
        if source.version.isLive($0) { isLinked = true }
      }
      return isLinked
    }
  }
}
