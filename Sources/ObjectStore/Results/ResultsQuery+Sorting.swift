extension ResultsQuery {
  /// Sorts rows by `keys`. The sort is stable.
  ///
  /// - Parameter limit: The number of rows to return. The rows after them are left out.
  /// - Complexity: O(n log n); O(n log k) for the first k rows, usually close to O(n) if k is small.
  static func sorted(
    _ slots: [Int], _ keys: [SortKey], _ table: QueryTable, limit: Int = .max
  ) -> [Int] {
    guard let first = keys.first else { return slots }
    func isOrdered(_ a: Int, _ b: Int, _ keys: ArraySlice<SortKey>) -> Bool {
      Self.isOrdered(table.context(a), before: table.context(b), keys) ?? false
    }
    let prefixReader = SortPrefixReader(first.reader)
    let rest = keys.dropFirst()
    return prefixReader.withPrefixes(slots, table).sorted(first: limit) { a, b in
      if a.prefix != b.prefix {
        return first.ascending ? a.prefix < b.prefix : a.prefix > b.prefix
      }
      return isOrdered(a.slot, b.slot, prefixReader.isExact(a.prefix) ? rest : keys[...])
    }.map(\.slot)
  }

  /// True if row `a` precedes row `b`. Nil if their values of the keys are equal.
  static func isOrdered(
    _ a: EvaluationContext, before b: EvaluationContext, _ keys: ArraySlice<SortKey>
  ) -> Bool? {
    for key in keys {
      let order = key.reader.order(a, b)
      if order != 0 { return key.ascending ? order < 0 : order > 0 }
    }
    return nil
  }
}
