/// Names a value by itself: what is deleted is what has its key.
///
/// A store makes the value's object to know its key. In memory an `Identifiable` value is found by its id.
public struct ObjectQuery<Value: Sendable>: Query {
  /// The value.
  public let value: Value

  /// Names this value.
  public init(_ value: Value) {
    self.value = value
  }
}

extension ObjectQuery: Equatable where Value: Equatable {}

extension ObjectQuery: Hashable where Value: Hashable {}

extension ObjectQuery: KeyQuery where Value: Hashable {
  /// The text of the value's id if it is `Identifiable`, else its own, as ``IdQuery`` makes them.
  public var key: String { IdentifierString.key(of: value) ?? IdentifierString.string(of: value) }
}

/// Names several values by themselves.
public struct ObjectsQuery<Value: Sendable>: Query {
  /// The values.
  public let values: [Value]

  /// Names these values.
  public init(_ values: [Value]) {
    self.values = values
  }
}

extension ObjectsQuery: Equatable where Value: Equatable {}

extension ObjectsQuery: Hashable where Value: Hashable {}

/// An ``ObjectQuery`` or ``ObjectsQuery`` of whatever values.
protocol ValuesQuery: Query {
  /// The keys of the values, as their ids have them; nil if one does not say which id it has.
  var valueKeys: [String]? { get }
}

extension ObjectQuery: ValuesQuery {
  var valueKeys: [String]? { IdentifierString.key(of: value).map { [$0] } }
}

extension ObjectsQuery: ValuesQuery {
  var valueKeys: [String]? {
    let keys = values.compactMap(IdentifierString.key(of:))
    return keys.count == values.count ? keys : nil
  }
}
