// Query planning: choosing and running the plan that finds the first rows of a query, and explaining it.

extension ResultsQuery.Verb {
  var test: RowFilter? {
    if case .filter(let test, _) = self { test } else { nil }
  }

  var isFilter: Bool { test != nil }
}

extension ResultsQuery {
  /// Finds the rows that match the leading conditions. If a limit follows, directly or after a sort that an index
  /// provides, finds only the rows within the limit. Removes such a sort from `rest`, the verbs that are still to be
  /// applied.
  func firstSlots(
    _ test: AndFilter, _ rest: inout ArraySlice<Verb>, _ table: QueryTable,
    _ note: (@autoclosure () -> String) -> Void
  ) -> [Int] {
    var plan = QueryPlan(test, table, order: order(rest))
    if case .order = plan.access, case .sort(let keys)? = rest.first {
      let limit = Self.limit(rest.dropFirst().first) ?? .max
      let sorter = RowSorter(keys, table)
      if let run = plan.runInOrder(limit: limit, { sorter.sorted($0) }) {
        if !run.isGivenUp {
          rest.removeFirst()
          noteFirst(plan, run, note)
          note("sorted by \(Self.text(keys))")
          return run.slots
        }
        note("\(plan.text): given up after \(Self.text(candidates: run))")
      }
      plan = plan.withoutOrder
    }
    // The rows after the limit are not tested.
    let run = plan.run(limit: Self.limit(rest.first) ?? .max)
    noteFirst(plan, run, note)
    return run.slots
  }

  private func noteFirst(
    _ plan: QueryPlan, _ run: QueryRun, _ note: (@autoclosure () -> String) -> Void
  ) {
    note("\(plan.text): \(Self.text(candidates: run))")
    noteConditions(found: run.slots.count, note)
  }

  private static func text(candidates run: QueryRun) -> String {
    "\(run.candidates) candidate\(run.candidates == 1 ? "" : "s")"
  }

  /// Adds the leading conditions and the number of rows that match them to the explanation.
  func noteConditions(found: Int, _ note: (@autoclosure () -> String) -> Void) {
    let nodes = verbs.prefix { $0.isFilter }.compactMap { $0.test?.node }
    if !nodes.isEmpty {
      note("where \(QueryText.text(nodes.count == 1 ? nodes[0] : .and(nodes))): \(found) found")
    }
  }

  /// The leading sort by attributes of the class itself, or nil if no sort with a limit follows.
  private func order(_ rest: ArraySlice<Verb>) -> QueryOrder.Request? {
    guard case .sort(let keys)? = rest.first, let limit = Self.limit(rest.dropFirst().first) else {
      return nil
    }
    return Self.orderRequest(keys, limit)
  }

  private static func orderRequest(_ keys: [SortKey], _ limit: Int) -> QueryOrder.Request {
    var own: [(column: Int, ascending: Bool)] = []
    for key in keys {
      guard let reader = key.reader as? AttributeReader, reader.path.isOwn else { break }
      own.append((reader.column, key.ascending))
    }
    return QueryOrder.Request(keys: own, isWhole: own.count == keys.count, limit: limit)
  }

  /// The number of leading rows that a limit reads. Nil for other verbs, which read all rows, and
  /// if the sum of count and offset overflows.
  static func limit(_ verb: Verb?) -> Int? {
    guard case .limit(let count, let offset)? = verb else { return nil }
    let (limit, overflow) = count.addingReportingOverflow(offset)
    return overflow ? nil : limit
  }

  /// True if the first row can be found without the others: if the query has only conditions, or conditions and a sort
  /// that an index provides.
  func findsFirstAlone(_ handle: StoreHandle, _ table: Int) -> Bool {
    let rest = verbs.drop { $0.isFilter }
    if rest.isEmpty { return true }
    guard rest.count == 1, case .sort(let keys)? = rest.first else { return false }
    let request = Self.orderRequest(keys, 1)
    let layout = handle.entry(ofTable: table).layout
    guard let first = request.keys.first else { return false }
    if layout.columns[first.column].index != nil { return true }
    if layout.compoundIndexes.isEmpty { return false }
    let test = AndFilter(verbs.compactMap(\.test))
    return QueryOrder(request, test, in: queryTable(handle, table)) != nil
  }

  static func text(_ keys: [SortKey]) -> String {
    keys.map { $0.reader.name + ($0.ascending ? "" : " descending") }.joined(separator: ", ")
  }
}

extension Results {
  /// Runs the query and returns a description of its plan and of the rows it visited.
  ///
  ///     let few = animals.where { $0.legs > 6 && $0.owner.name == "Jo" }.sorted(by: \.name)
  ///     print(few.explainQuery())
  ///     // Animal: index on legs, legs > 6: 12 candidates
  ///     //   where legs > 6 AND owner.name == "Jo": 4 found
  ///     //   sorted by name
  ///
  /// The first line has the source of the candidate rows (`key`, `index on …`, `words of …`, `links of …`, `every row`,
  /// or the `collection`) and their number. A line for each verb follows. If a scan in index order was abandoned
  /// because it did not find enough rows, a preceding line reports that.
  ///
  /// The text is meant for people and may change with any version of this package.
  ///
  /// - Complexity: The cost of running the query.
  public func explainQuery() -> String {
    guard let query else {
      let count = count
      return "\(entry.schema.className): every row: \(count) candidate\(count == 1 ? "" : "s")"
    }
    var lines: [String] = []
    _ = query.slots(handle, entry.table) { lines.append($0()) }
    return "\(entry.schema.className): " + lines.joined(separator: "\n  ")
  }
}
