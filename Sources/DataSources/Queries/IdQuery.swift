/// Asks for the value with an id.
///
///     let item = try await source.get(IdQuery("x7"))   // or: source.get("x7")
///
/// Its key is the id's text: a `String` itself, an integer's digits, a UUID's text, a `RawRepresentable` id's
/// raw value, a `LosslessStringConvertible`'s description, an `Encodable`'s JSON, else what `String(reflecting:)`
/// says; an optional's is that of what it holds. Two ids with one text are one key.
public struct IdQuery<ID: Hashable & Sendable>: KeyQuery, Hashable, DescribedQuery {
  /// The id.
  public let id: ID

  /// Asks for the value with this id.
  public init(_ id: ID) {
    self.id = id
  }

  /// The id's text.
  public var key: String { IdentifierString.string(of: id) }

  /// `IdQuery(x7)`.
  public var description: String { "IdQuery(\(key))" }
}

/// Asks for the values with several ids, in their order.
public struct IdsQuery<ID: Hashable & Sendable>: Query, Hashable, DescribedQuery {
  /// The ids.
  public let ids: [ID]

  /// Asks for the values with these ids.
  public init(_ ids: [ID]) {
    self.ids = ids
  }

  /// How many ids it has.
  public var description: String { "IdsQuery of \(ids.count)" }
}

/// An ``IdQuery`` of whatever id.
protocol IdentifierQuery: Query {
  var identifier: any Hashable { get }
}

extension IdQuery: IdentifierQuery {
  var identifier: any Hashable { id }
}

/// An ``IdsQuery`` of whatever ids.
protocol IdentifiersQuery: Query {
  var identifiers: [any Hashable] { get }
}

extension IdsQuery: IdentifiersQuery {
  var identifiers: [any Hashable] { ids }
}

extension Query {
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for an id that is nil.
  func checkIdsPresent() throws {
    switch self {
    case let query as any IdentifierQuery: try IdentifierString.checkPresent([query.identifier])
    case let query as any IdentifiersQuery: try IdentifierString.checkPresent(query.identifiers)
    default: break
    }
  }
}

extension IdentifiersQuery {
  /// The keys of the ids, as an ``IdQuery`` of each has it.
  var keys: [String] { identifiers.map { IdentifierString.string(of: $0) } }
}
