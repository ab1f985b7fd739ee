package import JSONText

/// The JSON of a document. Unlike a `JSONValue`, it keeps the order of the members, all duplicates and numbers as written.
///
/// `Label` is the type of the labels that a tree made from other values can have; with `Never`, it has none.
package indirect enum JSONTree<Label> {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])
  case labeled(Label, JSONTree)

  package struct Member {
    package let name: String
    package let value: JSONTree

    package init(name: String, value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// Reads the next value. Recurses once per level.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    switch reader.kind() {
    case .null:
      _ = try reader.null()
      self = .null
    case .bool: self = .bool(try reader.bool())
    case .number: self = .number(String(decoding: try reader.numberText(), as: UTF8.self))
    case .string: self = .string(try reader.string().string)
    case .array:
      var elements: [JSONTree] = []
      if try reader.beginArray() {
        repeat { elements.append(try JSONTree(&reader)) } while try reader.arrayContinues()
      }
      self = .array(elements)
    case .object, .invalid:
      var members: [Member] = []
      if try reader.beginObject() {
        repeat {
          members.append(Member(name: try reader.key().string, value: try JSONTree(&reader)))
        } while try reader.objectContinues()
      }
      self = .object(members)
    }
  }
}
