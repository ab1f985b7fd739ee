/// The rows and attributes that a query reads. A write that changes none of them leaves the result as it is.
struct QueryReads {
  private let table: Int
  /// The attributes that the query reads. Nil if any change may change the result.
  private let attributes: WatchedAttributes?
  /// The collection from which the rows come, or nil for all rows of the class.
  private let collection: ResultsSource.Cell?

  init(_ query: ResultsQuery, _ handle: StoreHandle, _ table: Int) {
    self.table = table
    collection = query.source.row
    // The rows that link to a row depend on links that are not among the dependencies.
    if query.readsEdits {
      attributes = nil
    } else if case .origins = query.source {
      attributes = nil
    } else {
      attributes = try? WatchedAttributes(query.dependencies, handle, table: table)
    }
  }

  /// The time at which the open write last changed something that the query reads, in ticks of its clock. Nil if that is
  /// unknown.
  func lastChange(in transaction: Transaction) -> Int? {
    guard let attributes else { return nil }
    var last = max(attributes.lastChange(in: transaction), transaction.times(table)?.ofRows ?? 0)
    if let collection, let times = transaction.times(collection.table) {
      last = max(last, times.ofRows, times.ofColumn(collection.column))
    }
    return last
  }
}
