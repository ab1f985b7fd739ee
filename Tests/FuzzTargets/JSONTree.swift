import JSONText

/// A JSON value as a tree, in which strings are UTF-8 and numbers keep their text.
indirect enum JSONTree: Equatable {
  case object([Member])
  case array([JSONTree])
  case string([UInt8])
  case number([UInt8])
  case bool(Bool)
  case null

  struct Member: Equatable {
    var key: [UInt8]
    var value: JSONTree
  }

  init(_ reader: inout JSONReader) throws(JSONError) {
    switch reader.kind() {
    case .object:
      var members: [Member] = []
      if try reader.beginObject() {
        repeat {
          let key = Array(try reader.key().bytes)
          members.append(Member(key: key, value: try JSONTree(&reader)))
        } while try reader.objectContinues()
      }
      self = .object(members)
    case .array:
      var elements: [JSONTree] = []
      if try reader.beginArray() {
        repeat { elements.append(try JSONTree(&reader)) } while try reader.arrayContinues()
      }
      self = .array(elements)
    case .string: self = .string(Array(try reader.string().bytes))
    case .number: self = .number(Array(try reader.numberText()))
    case .bool: self = .bool(try reader.bool())
    case .null, .invalid:
      // Reading an invalid value as a string throws its error.
      if try !reader.null() { _ = try reader.string() }
      self = .null
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .object(let members):
      writer.beginObject()
      for member in members {
        member.key.withUnsafeBufferPointer { writer.key($0) }
        member.value.write(to: &writer)
      }
      writer.endObject()
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .string(let bytes): bytes.withUnsafeBufferPointer { writer.string($0) }
    case .number(let text): text.withUnsafeBufferPointer { writer.numberText($0) }
    case .bool(let value): writer.bool(value)
    case .null: writer.null()
    }
  }

  /// Calls `body` with the text of each number.
  func forEachNumber(_ body: ([UInt8]) -> Void) {
    switch self {
    case .object(let members): for member in members { member.value.forEachNumber(body) }
    case .array(let elements): for element in elements { element.forEachNumber(body) }
    case .number(let text): body(text)
    default: break
    }
  }

  /// The same value with the members of each object sorted by key, in a stable order.
  var sorted: JSONTree {
    switch self {
    case .object(let members):
      let sorted = members.enumerated().sorted {
        $0.element.key == $1.element.key
          ? $0.offset < $1.offset : $0.element.key.lexicographicallyPrecedes($1.element.key)
      }
      return .object(sorted.map { Member(key: $0.element.key, value: $0.element.value.sorted) })
    case .array(let elements): return .array(elements.map(\.sorted))
    default: return self
    }
  }
}
