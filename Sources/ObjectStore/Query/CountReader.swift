/// Reads the number of elements, or of those that match a condition.
final class CountReader: OperandReader {
  private let collection: CollectionReader
  private let filter: RowFilter?

  init(_ collection: CollectionReader, where filter: RowFilter?) {
    self.collection = collection
    self.filter = filter
    super.init(.number, nil)
  }

  override func number(_ context: EvaluationContext) -> QueryNumber? {
    guard let filter else { return .int(Int64(collection.count(context))) }
    var count: Int64 = 0
    collection.forEach(context) { element in
      if filter.matches(element) { count += 1 }
      return true
    }
    return .int(count)
  }
}
