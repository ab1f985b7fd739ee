public import Foundation

// Minimum, maximum, sum and average of an attribute. They ignore nulls.

extension Results {
  /// Returns the smallest value of an attribute, or nil if there is none.
  ///
  /// - Complexity: O(n). O(log n) for all objects of a class if the attribute is indexed.
  public func min<Value: ScalarValue & Comparable>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(keyPath, isSmallest: true)?[keyPath: keyPath]
  }

  /// Returns the smallest non-null value of an optional attribute, or nil if there is none.
  public func min<Value: ScalarValue & Comparable>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(keyPath, isSmallest: true)?[keyPath: keyPath]
  }

  /// Returns the largest value of an attribute, or nil if there is none. NaN is larger than any number.
  ///
  /// - Complexity: O(n). O(log n) for all objects of a class if the attribute is indexed.
  public func max<Value: ScalarValue & Comparable>(of keyPath: KeyPath<Element, Value>) -> Value? {
    extreme(keyPath, isSmallest: false)?[keyPath: keyPath]
  }

  /// Returns the largest non-null value of an optional attribute, or nil if there is none.
  public func max<Value: ScalarValue & Comparable>(of keyPath: KeyPath<Element, Value?>) -> Value? {
    extreme(keyPath, isSmallest: false)?[keyPath: keyPath]
  }

  /// Returns the sum of an integer attribute, clamped to the range of its type.
  ///
  /// - Complexity: O(n).
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { wholeSum(keyPath) }

  /// Returns the sum of the non-null values of an optional integer attribute, clamped to the range of its type.
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { wholeSum(keyPath) }

  /// Returns the sum of a floating-point attribute.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { Value(aggregate(.sum, keyPath)?.asDouble ?? 0) }

  /// Returns the sum of the non-null values of an optional floating-point attribute.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { Value(aggregate(.sum, keyPath)?.asDouble ?? 0) }

  /// Returns the sum of a decimal attribute.
  public func sum(of keyPath: KeyPath<Element, Decimal>) -> Decimal { decimalSum(keyPath) }

  /// Returns the sum of the non-null values of an optional decimal attribute.
  public func sum(of keyPath: KeyPath<Element, Decimal?>) -> Decimal { decimalSum(keyPath) }

  private func wholeSum<Value: FixedWidthInteger>(_ keyPath: PartialKeyPath<Element>) -> Value {
    switch aggregate(.sum, keyPath) {
    case .int(let sum): Value(clamping: sum)
    case .uint(let sum): Value(clamping: sum)
    case .double(let sum): sum < 0 ? Value.min : Value.max
    case .decimal, nil: 0
    }
  }

  private func decimalSum(_ keyPath: PartialKeyPath<Element>) -> Decimal {
    if case .decimal(let sum)? = aggregate(.sum, keyPath) { return sum }
    return 0
  }

  /// Returns the average of a numeric attribute, or nil if there is no value.
  ///
  /// - Complexity: O(n).
  public func average<Value: ScalarValue & Numeric>(of keyPath: KeyPath<Element, Value>) -> Double?
  {
    aggregate(.average, keyPath)?.asDouble
  }

  /// Returns the average of the non-null values of an optional numeric attribute, or nil if there is none.
  public func average<Value: ScalarValue & Numeric>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Double? {
    aggregate(.average, keyPath)?.asDouble
  }

  private func reader(_ keyPath: PartialKeyPath<Element>) -> OperandReader {
    do {
      let names = try _KeyPathRecorder.names(keyPath)
      noteSearch(reading: [names])
      return try QueryBinding.reader(names, handle.catalog, table: entry.table)
    } catch {
      misuse("Results: \(error)")
    }
  }

  /// Calls `body` with the evaluation context of each row.
  private func forEachRow(_ body: (EvaluationContext) -> Void) {
    let tables = QueryTables { [handle] in handle.tableVersion($0) }
    let version = tables[entry.table]
    let slots = slots
    for index in 0..<slots.count {
      let slot = slots[index]
      body(EvaluationContext(tables: tables, columns: version.columns(slot), slot: slot))
    }
  }

  /// Returns an object with the smallest or largest value.
  private func extreme(_ keyPath: PartialKeyPath<Element>, isSmallest: Bool) -> Element? {
    let reader = reader(keyPath)
    if query == nil, let end = indexedExtreme(reader, isSmallest: isSmallest) {
      return end.map { handle.object(entry, $0) }
    }
    let tables = QueryTables { [handle] in handle.tableVersion($0) }
    let table = QueryTable(entry.table, entry.layout, tables, handle.transaction)
    let sorter = RowSorter([ResultsQuery.SortKey(reader: reader, ascending: isSmallest)], table)
    return sorter.firstValue(of: slots).map { handle.object(entry, $0) }
  }

  /// Returns the row at one end of an index: nil if there is no usable index, `.some(nil)` if the index is empty.
  private func indexedExtreme(_ reader: OperandReader, isSmallest: Bool) -> Int?? {
    let tables = QueryTables { [handle] in handle.tableVersion($0) }
    let table = QueryTable(entry.table, entry.layout, tables, handle.transaction)
    guard let own = reader as? AttributeReader, own.path.isOwn,
      let key = entry.layout.columns[own.column].index, let tree = table.index(of: own.column)
    else { return nil }
    let writtenRows = table.changedRows([own.column])
    guard QueryPlan.mayMerge(writtenRows, in: table) else { return nil }
    let index = OrderedIndex(tree, ColumnIndex(own.column, key), table, changedRows: writtenRows)
    var best: Int?
    var bestKey: UInt64 = 0
    func visit(_ next: UInt64, _ slot: Int) -> Bool {
      guard let known = best else {
        (best, bestKey) = (slot, next)
        return !key.isExact(next)
      }
      // Strings with equal index keys share a prefix: compare the whole strings.
      if next != bestKey { return false }
      let order = reader.order(table.context(slot), table.context(known))
      if isSmallest ? order < 0 : order > 0 { best = slot }
      return true
    }
    if isSmallest {
      index.forEach(in: IndexKey.values, visit)
    } else {
      index.forEachReversed(in: IndexKey.values, visit)
    }
    return .some(best)
  }

  private func aggregate(
    _ aggregate: QueryAggregate, _ keyPath: PartialKeyPath<Element>
  ) -> QueryNumber? {
    let reader = reader(keyPath)
    var accumulator = AggregateAccumulator(aggregate)
    forEachRow { context in
      if let number = reader.number(context) { accumulator.add(number) }
    }
    return accumulator.result
  }
}
