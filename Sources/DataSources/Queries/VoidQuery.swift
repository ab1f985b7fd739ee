/// A query without content. It puts a value under the key that the source derives from the value.
public struct VoidQuery: Query, Hashable {
  /// Creates the query.
  public init() {}
}
