import Foundation
import JSONText
import ObjectStore

/// What `JSONSerialization` makes, as JSON text: dictionaries then take the one way into the store.
enum DictionaryText {
  static func json(of value: Any) throws -> Data {
    var writer = JSONWriter()
    try write(value, to: &writer)
    return writer.withBytes { Data($0) }
  }

  private static func write(_ value: Any, to writer: inout JSONWriter) throws {
    switch value {
    case let members as [String: Any]:
      writer.beginObject()
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        var key = key
        key.withUTF8 { writer.key($0) }
        do {
          try write(member, to: &writer)
        } catch var error as StoreCodingError {
          error.prepend(key: key)
          throw error
        }
      }
      writer.endObject()
    case let elements as [Any]:
      writer.beginArray()
      for (index, element) in elements.enumerated() {
        do {
          try write(element, to: &writer)
        } catch var error as StoreCodingError {
          error.prepend(index: index)
          throw error
        }
      }
      writer.endArray()
    case is NSNull:
      writer.null()
    default:
      try writeScalar(UpdateValue(any: value), value, to: &writer)
    }
  }

  private static func writeScalar(
    _ scalar: UpdateValue?, _ value: Any, to writer: inout JSONWriter
  ) throws {
    switch scalar {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .uint(let value): writer.uint(value)
    case .double(let value):
      guard writer.double(value) else {
        throw StoreCodingError(.nonFiniteNumber, found: "\(value)")
      }
    case .decimal(let value):
      var text = value.description
      text.withUTF8 { writer.numberText($0) }
    case .string(var text):
      text.withUTF8 { writer.string($0) }
    default:
      throw StoreCodingError(
        .notJSON, expected: "a value JSON has", found: "\(type(of: value))")
    }
  }
}
