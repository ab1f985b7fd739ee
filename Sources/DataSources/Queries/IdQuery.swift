/// A query for the value with an id.
///
///     let item = try await source.get(IdQuery("x7"))   // or: source.get("x7")
///
/// Its key is the id's string: a `String` itself, an integer's digits, a UUID's `uuidString`, the raw value of a
/// `RawRepresentable`, the description of a `LosslessStringConvertible`, the JSON of an `Encodable`, otherwise
/// `String(reflecting:)`. An optional id has the string of its wrapped id. Ids with the same string have the same
/// key.
public struct IdQuery<ID: Hashable & Sendable>: KeyQuery, Hashable, DescribedQuery {
  /// The id.
  public let id: ID

  /// Creates a query for the value with this id.
  public init(_ id: ID) {
    self.id = id
  }

  /// The id's string.
  public var key: String { IdentifierString.string(of: id) }

  /// A description such as `IdQuery(x7)`.
  public var description: String { "IdQuery(\(key))" }
}
