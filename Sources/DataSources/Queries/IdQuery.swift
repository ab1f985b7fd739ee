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

/// A query for the values with several ids, in the order of the ids.
public struct IdsQuery<ID: Hashable & Sendable>: Query, Hashable, DescribedQuery {
  /// The ids.
  public let ids: [ID]

  /// Creates a query for the values with these ids.
  public init(_ ids: [ID]) {
    self.ids = ids
  }

  /// The number of ids.
  public var description: String { "IdsQuery of \(ids.count)" }
}

/// A type-erased ``IdQuery``.
protocol IdentifierQuery: Query {
  var identifier: any Hashable { get }
}

extension IdQuery: IdentifierQuery {
  var identifier: any Hashable { id }
}

/// A type-erased ``IdsQuery``.
protocol IdentifiersQuery: Query {
  var identifiers: [any Hashable] { get }
}

extension IdsQuery: IdentifiersQuery {
  var identifiers: [any Hashable] { ids }
}

extension Query {
  /// The ids of a query for one or several ids; nil for any other query.
  var requestedIds: [any Hashable]? {
    (self as? any IdentifierQuery).map { [$0.identifier] }
      ?? (self as? any IdentifiersQuery)?.identifiers
  }
}

extension IdentifiersQuery {
  /// The keys of the ids, the same as those of an ``IdQuery`` for each.
  var keys: [String] { identifiers.map { IdentifierString.string(of: $0) } }
}
