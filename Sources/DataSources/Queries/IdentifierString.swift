import Foundation
import ObjectStore

/// The text of an id, the same in every process: a hash value is not. An optional's is that of what it holds, and
/// empty for nil.
enum IdentifierString {
  static func string(of id: Any) -> String {
    switch id {
    case let optional as any MaybeNil where optional.isNil: ""
    case let text as String: text
    case let number as any BinaryInteger: "\(number)"
    case let uuid as UUID: uuid.uuidString
    case let key as CompoundKey: key.text
    case let id as any RawRepresentable: string(of: rawValue(of: id))
    case let id as any LosslessStringConvertible: id.description
    case let id as any Encodable: json(id) ?? String(reflecting: id)
    default: String(reflecting: id)
    }
  }

  /// What an id is at bottom: the raw value of a wrapper, else itself.
  static func rawValue(of id: Any) -> Any {
    (id as? any RawRepresentable).map { rawValue($0) } ?? id
  }

  private static func rawValue(_ id: some RawRepresentable) -> Any { id.rawValue }

  /// An id that is there.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  static func present<ID>(_ id: ID?) throws -> ID {
    guard let id else { throw isMissing(ID.self) }
    return id
  }

  /// Ids that are there.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil.
  static func present<ID>(_ ids: [ID?]) throws -> [ID] { try ids.map(present) }

  /// An id where several could stand as well.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for a collection that is no text and no bytes.
  static func single<ID>(_ id: ID) throws -> ID {
    guard holdsSeveral(id) else { return id }
    throw DataSourceError.illegalArgument(
      "a \(ID.self) is no id but holds several: give an Array or a Set")
  }

  /// The same of one that may be nil.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for nil, too.
  static func presentSingle<ID>(_ id: ID?) throws -> ID {
    let id = try present(id)
    guard holdsSeveral(id) else { return id }
    throw DataSourceError.illegalArgument(
      "an optional \(ID.self) is no id but holds several: unwrap it")
  }

  private static func holdsSeveral(_ id: Any) -> Bool {
    switch id {
    case is any StringProtocol, is any DataProtocol, is any RawRepresentable,
      is any LosslessStringConvertible:
      false
    default:
      id is any Collection
    }
  }

  /// The key of a value that says itself which id it has; nil where it says none.
  static func key(of value: Any) -> String? {
    guard let value = value as? any Identifiable else { return nil }
    let id: any Hashable = value.id
    if let optional = id as? any MaybeNil, optional.isNil { return nil }
    return string(of: id)
  }

  /// - Throws: ``DataSourceError/illegalArgument(_:)`` for one that is nil.
  static func checkPresent(_ ids: [any Hashable]) throws {
    for id in ids {
      if let id = id as? any MaybeNil, id.isNil { throw isMissing(type(of: id).wrapped) }
    }
  }

  private static func isMissing(_ type: Any.Type) -> DataSourceError {
    .illegalArgument("nil is no id: a \(type) is needed")
  }

  private static func json(_ id: any Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(id)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// An optional of whatever type.
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
