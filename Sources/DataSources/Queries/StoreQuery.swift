public import ObjectStore

/// A query that a store answers by a condition and an order.
///
///     extension SearchTextQuery: StoreQuery {
///       var predicate: StorePredicate { StorePredicate(Item.self) { $0.text == text } }
///     }
///
///     let found = try await source.getAll(SearchTextQuery(text: "milk"))
///
/// A `StorePredicate` is one itself.
nonisolated public protocol StoreQuery: Query {
  /// The condition on the objects.
  var predicate: StorePredicate { get }
  /// The order, the first counting most; empty for that of insertion, which is the default.
  var sortDescriptors: [StoreSortDescriptor] { get }
}

extension StoreQuery {
  public var sortDescriptors: [StoreSortDescriptor] { [] }
}

extension StorePredicate: StoreQuery {}

extension StoreQuery where Self == StorePredicate {
  public var predicate: StorePredicate { self }
}
