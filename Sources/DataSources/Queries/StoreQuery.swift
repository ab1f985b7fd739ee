public import ObjectStore

/// A query with a predicate and a sort order, which a store evaluates.
///
///     extension SearchTextQuery: StoreQuery {
///       var predicate: StorePredicate { StorePredicate(Item.self) { $0.text == text } }
///     }
///
///     let found = try await source.getAll(SearchTextQuery(text: "milk"))
///
/// A `StorePredicate` is itself a `StoreQuery`.
nonisolated public protocol StoreQuery: Query {
  /// The predicate on the objects.
  var predicate: StorePredicate { get }
  /// The sort order, most significant first; empty, the default, for the order of insertion.
  var sortDescriptors: [StoreSortDescriptor] { get }
}

extension StoreQuery {
  public var sortDescriptors: [StoreSortDescriptor] { [] }
}

extension StorePredicate: StoreQuery {}

extension StoreQuery where Self == StorePredicate {
  public var predicate: StorePredicate { self }
}
