/// A query for all values.
public struct AllObjectsQuery: KeyQuery, Hashable {
  /// Creates the query.
  public init() {}

  /// `"allObjects"`.
  public var key: String { "allObjects" }
}
