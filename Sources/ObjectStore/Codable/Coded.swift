/// A Codable collection that is stored as JSON, for lists of lists and maps of lists.
///
///     @Persisted var rings: Coded<[[[Double]]]>
///     feature.rings.value.append([[8.5, 49.1]])
///
/// See ``CodablePersistable`` for the rules.
public struct Coded<Value: CodedContent & Sendable>: CodablePersistable {
  /// The collection.
  public var value: Value

  /// Creates an empty collection.
  public init() { value = Value() }

  /// Wraps a collection.
  public init(_ value: Value) { self.value = value }

  /// Decodes the collection itself, without a key for the wrapper.
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  /// Encodes the collection itself, without a key for the wrapper.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
