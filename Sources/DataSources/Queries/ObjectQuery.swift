/// Names a value by itself: what is deleted is what has its key.
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
  /// The value's text, as ``IdQuery`` makes it of an id.
  public var key: String { IdentifierText.text(of: value) }
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
