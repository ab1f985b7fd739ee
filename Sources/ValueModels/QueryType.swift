public import ObjectStore

/// A query for values, usually an enum with a case for each query.
///
///     enum Query: QueryType {
///       case publisherName(String)
///
///       var predicate: StorePredicate? {
///         switch self {
///         case .publisherName(let name):
///           StorePredicate(CharacterObject.self) { $0.publisher.name == name }
///         }
///       }
///       var sortDescriptors: [StoreSortDescriptor] { [StoreSortDescriptor("name")] }
///     }
public protocol QueryType {
  /// The predicate on the managed objects; nil for all objects.
  var predicate: StorePredicate? { get }
  /// The sort order, most significant first; empty, the default, for the order of insertion.
  var sortDescriptors: [StoreSortDescriptor] { get }
}

extension QueryType {
  public var predicate: StorePredicate? { nil }
  public var sortDescriptors: [StoreSortDescriptor] { [] }
}
