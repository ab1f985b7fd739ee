import Foundation
import ObjectStore

/// The text of an id, the same in every process: a hash value is not.
enum IdentifierText {
  static func text(of id: Any) -> String {
    switch id {
    case let text as String: text
    case let number as any BinaryInteger: "\(number)"
    case let uuid as UUID: uuid.uuidString
    case let key as CompoundKey: key.text
    case let id as any RawRepresentable: text(of: rawValue(of: id))
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

  private static func json(_ id: any Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(id)).map { String(decoding: $0, as: UTF8.self) }
  }
}
