/// The chosen way to find the rows of a query: the candidates and their order. ``Results/explainQuery()`` describes it.
///
///     key, index, links,
///     words               the candidates, ascending, each tested
///     order               the rows in the order of an index, until enough are found
///     scan                all chunks
struct QueryPlan {
  enum Access {
    case scan
    case rows(AccessPath, changedRows: [Int])
    /// Indirect, so that other plans stay small.
    indirect case order(QueryOrder)

    /// True for rows found by their primary keys.
    var isKey: Bool {
      if case .rows(let rows, _) = self, case .key = rows.kind { true } else { false }
    }
  }

  let access: Access
  let filter: AndFilter
  let table: QueryTable
  /// For an index order, the number of rows to examine before falling back to another plan.
  let budget: Int

  /// The number of rows that can be scanned in the time of finding one row by an index.
  private static let costOfCandidate = 8
  /// The divisor of the row count that gives the basic budget for examining rows in index order. If too few rows match,
  /// examining them costs about an eighth of a scan.
  private static let rowsForOrder = 64
  /// The cost up to which an access path is used without comparing it with a scan.
  static let few = 16
  /// The number of rows that may be examined in index order even in a small table.
  private static let fewInOrder = 64

  /// - Parameter order: Nil if the rows are wanted in slot order.
  init(_ filter: AndFilter, _ table: QueryTable, order: QueryOrder.Request? = nil) {
    self.filter = filter
    self.table = table
    let rowCount = table.version.liveCount
    var access = Access.scan
    var cost = rowCount / Self.costOfCandidate
    if let rows = AccessPath(filter, in: table) {
      let changedRows = table.changedRows(rows.indexedColumns(table.layout))
      let rowsCost = rows.cost + changedRows.count
      // Searching a text costs more than finding its row.
      let isExpensive = rows.isSearch && filter.leastCost >= SearchFilter.cost
      if rowsCost <= max(Self.few, isExpensive ? rowCount : cost) {
        access = .rows(rows, changedRows: changedRows)
        cost = rowsCost
      }
    }
    var budget = Int.max
    let isAll = filter.parts.isEmpty
    // The limit is tested before the order is made, which may build indexes.
    if let request = order, !access.isKey, request.limit <= (isAll ? rowCount / 4 : cost),
      let order = QueryOrder(request, filter, in: table)
    {
      // Without conditions, every row matches. With conditions that the index does not cover, the number of matches is
      // unknown.
      if request.limit <= (isAll ? rowCount / 4 : order.isCertain ? cost : cost / 4) {
        access = .order(order)
        // Rows with equal keys are read together, and there may be many.
        budget =
          isAll
          ? rowCount / 4 + request.limit
          : min(cost, max(Self.fewInOrder, rowCount / Self.rowsForOrder, 4 * request.limit))
      }
    }
    self.budget = budget
    self.access = access
  }

  /// True if reading an index in order, merged with these rows of a write, costs less than a scan.
  static func mayMerge(_ changedRows: [Int], in table: QueryTable) -> Bool {
    changedRows.count + table.deletedCount <= max(few, table.version.liveCount / costOfCandidate)
  }

  /// The plan without the index order, for use when the budget is exhausted.
  var withoutOrder: QueryPlan { QueryPlan(filter, table) }

  /// The first line of an explanation, such as `index on legs, legs > 3`.
  var text: String {
    switch access {
    case .scan: return "every row"
    case .rows(let rows, let changedRows):
      return rows.name(table.layout) + ", "
        + QueryText.text(rows.nodes.count == 1 ? rows.nodes[0] : .and(rows.nodes))
        + (changedRows.isEmpty ? "" : ", and what the write changed")
    case .order(let order): return order.text(table.layout)
    }
  }
}

/// The result of running a plan.
struct QueryRun {
  var slots: [Int] = []
  /// The number of rows examined.
  var candidates = 0
  /// True if the budget was exhausted before enough rows matched.
  var isGivenUp = false
}

extension QueryPlan {
  /// Returns the first matching rows in ascending order. The plan's access must not be `.order`.
  func run(limit: Int = .max) -> QueryRun {
    var run = QueryRun()
    guard limit > 0 else { return run }
    guard case .rows(let access, let changedRows) = access else {
      if case .order = access { assertionFailure("runInOrder(limit:_:) runs this plan") }
      scan(limit, &run)
      return run
    }
    var slots: [Int] = []
    slots.reserveCapacity(access.count + changedRows.count)
    access.forEach(in: table) { slots.append($0) }
    slots += changedRows
    let chunkCount = (table.version.count + ChunkLayout.mask) >> ChunkLayout.shift
    if slots.count <= max(64, chunkCount) {
      filter(few: &slots, limit, &run)
    } else {
      filter(many: slots, chunkCount, limit, &run)
    }
    return run
  }

  /// Tests rows one by one.
  private func filter(few slots: inout [Int], _ limit: Int, _ run: inout QueryRun) {
    slots.sort()
    var previous = -1
    for slot in slots where slot != previous {
      previous = slot
      guard table.version.isLive(slot) else { continue }
      run.candidates += 1
      guard filter.matches(table.context(slot)) else { continue }
      run.slots.append(slot)
      if run.slots.count >= limit { return }
    }
  }

  /// Tests rows chunk by chunk, without sorting. A slot found twice is tested once.
  private func filter(many slots: [Int], _ chunkCount: Int, _ limit: Int, _ run: inout QueryRun) {
    var masks = ContiguousArray(repeating: RowMask(), count: chunkCount)
    for slot in slots where slot < table.version.count {
      masks[slot >> ChunkLayout.shift].insert(slot & ChunkLayout.mask)
    }
    for (chunk, mask) in masks.enumerated() where !mask.isEmpty {
      let first = chunk << ChunkLayout.shift
      let slots = first..<min(table.version.count, first + ChunkLayout.rows)
      if !filter(mask, slots, limit, &run) { return }
    }
  }

  private func scan(_ limit: Int, _ run: inout QueryRun) {
    table.version.forEachChunk { slots in
      filter(RowMask(count: slots.count), slots, limit, &run)
    }
  }

  /// Tests rows of one chunk; returns true if more rows are needed.
  private func filter(
    _ mask: RowMask, _ slots: Range<Int>, _ limit: Int, _ run: inout QueryRun
  ) -> Bool {
    assert(
      slots.lowerBound & ChunkLayout.mask == 0 && slots.count <= ChunkLayout.rows,
      "Rows \(slots) are not those of a chunk")
    let columns = table.version.columns(slots.lowerBound)
    var rows = mask
    if table.version.liveCount < table.version.count {
      let live = columns[TableLayout.liveColumn].values.assumingMemoryBound(to: UInt8.self)
      rows.keep(slots.count) { live[$0] != 0 }
    }
    run.candidates += rows.count
    filter.narrow(
      &rows,
      in: QueryChunk(
        tables: table.tables, columns: columns, firstSlot: slots.lowerBound, count: slots.count))
    rows.forEach { row in
      run.slots.append(slots.lowerBound + row)
      return run.slots.count < limit
    }
    return run.slots.count < limit
  }
}
