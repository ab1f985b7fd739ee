import Foundation
import ObjectStore

/// The string form of an id. Unlike a hash value, it is the same in every process. An optional id has the string of
/// its wrapped id; nil has the empty string.
enum IdentifierString {
  static func string(of id: Any) -> String {
    switch id {
    case let optional as any MaybeNil where optional.isNil: ""
    case let string as String: string
    case let number as any BinaryInteger: "\(number)"
    case let uuid as UUID: uuid.uuidString
    case let key as CompoundKey: key.text
    case is UpdateValue: "\(rawValue(of: id))"
    case let id as any RawRepresentable: string(of: rawValue(of: id))
    case let id as any LosslessStringConvertible: id.description
    case let id as any Encodable: json(id) ?? String(reflecting: id)
    default: String(reflecting: id)
    }
  }

  /// The raw value of a `RawRepresentable` id, and the value in a key of an edit or a change; any other id itself.
  static func rawValue(of id: Any) -> Any {
    switch id as? UpdateValue {
    case .int(let key)?: key
    case .uint(let key)?: key
    case .string(let key)?: key
    case .uuid(let key)?: key
    default: (id as? any RawRepresentable).map { rawValue($0) } ?? id
    }
  }

  private static func rawValue(_ id: some RawRepresentable) -> Any { id.rawValue }

  /// Unwraps an optional id.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  static func present<ID>(_ id: ID?) throws -> ID {
    guard let id else { throw isMissing(ID.self) }
    return id
  }

  /// Unwraps optional ids.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if one is nil.
  static func present<ID>(_ ids: some Sequence<ID?>) throws -> [ID] { try ids.map(present) }

  /// Returns an ``IdQuery`` if the collection is a string or bytes, otherwise an ``IdsQuery`` for its elements.
  static func query<IDs: Collection & Hashable & Sendable>(_ ids: IDs) -> any Query
  where IDs.Element: Hashable & Sendable {
    // An array of `UInt8` is `DataProtocol` as well, but is treated as a list of ids.
    if ids is [IDs.Element] || ids is ArraySlice<IDs.Element> || holdsSeveral(ids) {
      return IdsQuery(Array(ids))
    }
    return IdQuery(ids)
  }

  /// Unwraps an id where a collection of ids is possible as well.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, and for a collection other than a string or bytes.
  static func single<ID>(_ id: ID?) throws -> ID {
    let id = try present(id)
    guard holdsSeveral(id), let collection = id as? any Collection else { return id }
    // A collection of ids that is not optional is not passed as an id.
    throw DataSourceError.illegalArgument(
      elementType(of: collection) is any Hashable.Type
        ? "an optional '\(ID.self)' is a collection and not an id: unwrap it"
        : "'\(ID.self)' is a collection and not an id: pass the ids as an Array or a Set")
  }

  private static func elementType<C: Collection>(of collection: C) -> Any.Type { C.Element.self }

  private static func holdsSeveral(_ id: Any) -> Bool {
    switch id {
    case is any StringProtocol, is any DataProtocol, is any RawRepresentable,
      is any LosslessStringConvertible:
      false
    default:
      id is any Collection
    }
  }

  /// The key of an `Identifiable` value; nil for any other value, and for one whose id is nil.
  static func key(of value: Any) -> String? {
    guard let value = value as? any Identifiable else { return nil }
    let id: any Hashable = value.id
    if let optional = id as? any MaybeNil, optional.isNil { return nil }
    return string(of: id)
  }

  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if an id is nil.
  static func checkPresent(_ ids: [any Hashable]) throws {
    for id in ids {
      if let id = id as? any MaybeNil, id.isNil { throw isMissing(type(of: id).wrapped) }
    }
  }

  private static func isMissing(_ type: Any.Type) -> DataSourceError {
    .illegalArgument("the id is nil; expected a value of type \(type)")
  }

  private static func json(_ id: any Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(id)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A type-erased optional.
private protocol MaybeNil {
  static var wrapped: Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: MaybeNil {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
  fileprivate var isNil: Bool {
    if case .none = self { true } else { false }
  }
}
