/// A filter that checks whether a condition holds for some, all or none of the elements of a collection.
final class QuantifiedFilter: RowFilter {
  private let quantifier: QueryQuantifier
  private let collection: CollectionReader
  private let filter: RowFilter
  private let elementCost: Int

  init(_ quantifier: QueryQuantifier, _ collection: CollectionReader, _ filter: RowFilter) {
    elementCost = filter.cost
    self.quantifier = quantifier
    self.collection = collection
    self.filter = filter
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    // The loop stops at the first element that decides the result.
    let decisive = quantifier != .all
    var isFound = false
    collection.forEach(context) { element in
      isFound = filter.matches(element) == decisive
      return !isFound
    }
    return isFound == (quantifier == .any)
  }

  override var cost: Int { min(200 + 10 * elementCost, Self.mostCost) }
}
