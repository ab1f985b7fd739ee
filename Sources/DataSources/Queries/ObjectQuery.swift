/// A query that identifies a value by the value itself. A deletion deletes the value with the same key.
///
/// A store converts the value to an object to get its key. In memory, an `Identifiable` value is found by its id.
public struct ObjectQuery<Value: Sendable>: Query {
  /// The value.
  public let value: Value

  /// Creates a query for this value.
  public init(_ value: Value) {
    self.value = value
  }
}

extension ObjectQuery: Equatable where Value: Equatable {}

extension ObjectQuery: Hashable where Value: Hashable {}

extension ObjectQuery: KeyQuery where Value: Hashable {
  /// The string of the id of an `Identifiable` value, otherwise of the value, as in ``IdQuery``.
  public var key: String { IdentifierString.key(of: value) ?? IdentifierString.string(of: value) }
}

/// A type-erased ``ObjectQuery`` or ``ObjectsQuery``.
protocol ValuesQuery: Query {
  /// The keys of the values' ids; nil if a value has no id.
  var valueKeys: [String]? { get }
}

extension ObjectQuery: ValuesQuery {
  var valueKeys: [String]? { IdentifierString.key(of: value).map { [$0] } }
}
