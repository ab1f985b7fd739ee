import Foundation
import JSONText

extension JSONValue {
  /// The value as compact JSON text, with the members of objects in the order of their names. A number that is not finite
  /// is written as null.
  ///
  /// - Complexity: O(size), to a depth of ``depthLimit`` levels; more deeply nested values are null.
  package var jsonText: String {
    var writer = JSONWriter(capacity: 64)
    write(to: &writer, levels: Self.depthLimit)
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func write(to writer: inout JSONWriter, levels: Int) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .double(let value): if !writer.double(value) { writer.null() }
    case .number(var text): text.withUTF8 { writer.numberText($0) }
    case .string(var text): text.withUTF8 { writer.string($0) }
    case .array, .object:
      if levels == 0 { return writer.null() }
      writeContainer(to: &writer, levels: levels - 1)
    }
  }

  private func writeContainer(to writer: inout JSONWriter, levels: Int) {
    switch self {
    case .array(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer, levels: levels) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        var key = key
        key.withUTF8 { writer.key($0) }
        value.write(to: &writer, levels: levels)
      }
      writer.endObject()
    default: break
    }
  }
}
