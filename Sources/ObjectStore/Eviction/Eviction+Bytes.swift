// Evicts objects until a file is small enough.

extension Eviction {
  /// A row and the date of its last use.
  private struct AgedRow {
    let date: Double
    /// The index of its class among those of the eviction.
    let classIndex: Int
    let slot: Int
  }

  /// Finds the rows to delete so that the file uses no more than `limit` bytes: those that the limits select and, by
  /// estimate, as many of the oldest others as necessary.
  ///
  /// - Parameter used: The number of bytes that the file uses now.
  /// - Throws: The error of reading links from the file.
  /// - Complexity: O(n log n) in the rows of classes with a policy, plus O(links).
  mutating func run(toBytes limit: Int, used: Int) throws(StoreError) -> Outcome {
    let sizes = RowSizes(handle)
    // All rows are candidates. Rows that no limit selects are kept, from the newest to the oldest, as long as they fit.
    var total = 0
    for index in classes.indices {
      let table = classes[index].entry.table
      classes[index].selectAll(handle.tableVersion(table))
      classes[index].candidates.forEach { total += sizes.size(table, $0) }
    }
    var marked: [(table: Int, slot: Int)] = []
    var bytes = max(0, used - total)
    let isOpen = Set(classes.map(\.entry.table))
    let tracer = try tracedRoots { table, slot in
      marked.append((table, slot))
      if isOpen.contains(table) { bytes += sizes.size(table, slot) }
    }
    for row in rowsByAge() {
      let table = classes[row.classIndex].entry.table
      let before = bytes
      marked.removeAll(keepingCapacity: true)
      tracer.mark(table, row.slot)
      if bytes > limit, bytes > before {
        for (table, slot) in marked { tracer.unmark(table, slot) }
        break
      }
      classes[row.classIndex].candidates.remove(row.slot)
    }
    return outcome(tracer)
  }

  /// Returns the candidates that no limit selects, no rule keeps and nothing observes, newest first.
  private func rowsByAge() -> [AgedRow] {
    var rows: [AgedRow] = []
    for (classIndex, eviction) in classes.enumerated() {
      let version = handle.tableVersion(eviction.entry.table)
      eviction.candidates.forEach { slot in
        if !eviction.isLimited(slot), !eviction.isRoot(slot) {
          rows.append(
            AgedRow(date: eviction.date(slot, version), classIndex: classIndex, slot: slot))
        }
      }
    }
    return rows.sorted { ($0.date, $0.classIndex, $0.slot) > ($1.date, $1.classIndex, $1.slot) }
  }
}

/// Estimates the bytes that rows take in a file, including the embedded rows that they own.
private final class RowSizes {
  private let handle: StoreHandle
  private var layouts: [Int: (layout: TableLayout, owning: [Int])] = [:]

  init(_ handle: StoreHandle) {
    self.handle = handle
  }

  private func layout(_ table: Int) -> (layout: TableLayout, owning: [Int]) {
    if let known = layouts[table] { return known }
    let layout = handle.layout(table)
    let owning = layout.columns.indices.filter {
      layout.columns[$0].hasLinks
        && handle.layout(layout.columns[$0].targetTable).identity == .embedded
    }
    layouts[table] = (layout, owning)
    return (layout, owning)
  }

  func size(_ table: Int, _ slot: Int) -> Int {
    var size = 0
    var pending = [(table, slot)]
    while let (table, slot) = pending.popLast() {
      let (layout, owning) = layout(table)
      let version = handle.tableVersion(table)
      size += version.estimatedFileBytes(slot, layout)
      for column in owning {
        let column = (index: column, layout: layout.columns[column])
        version.forEachTarget(slot, column.index, column.layout) {
          pending.append((column.layout.targetTable, $0))
        }
      }
    }
    return size
  }
}
