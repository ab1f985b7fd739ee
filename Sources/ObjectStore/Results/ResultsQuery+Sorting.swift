extension ResultsQuery {
  /// True if row `a` precedes row `b`. Nil if their sort keys are equal.
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
