import JSONText

/// The JSON of an error response. Unlike a `JSONValue`, it keeps the order of the members and all duplicates.
enum ErrorBody {
  case null
  case string(String)
  /// A number or a Boolean.
  case other(String)
  case array([ErrorBody])
  case object([Member])

  struct Member {
    let name: String
    let value: ErrorBody
  }

  /// The maximum nesting of arrays and objects. Reading and walking a body recurse once per level.
  static let depthLimit = 64

  /// Reads a whole body. Invalid Unicode is replaced with U+FFFD.
  ///
  /// - Throws: `JSONError` if the body is not JSON or nested too deeply.
  /// - Complexity: O(bytes).
  init(_ body: UnsafeRawBufferPointer, _ configuration: CodingConfiguration) throws(JSONError) {
    var reader = JSONReader(
      try JSONInput(borrowing: body, encoding: .detected),
      dialect: configuration.dialect == .strict ? .strict : .default,
      depthLimit: min(configuration.limits.usedDepth, Self.depthLimit), repairsUnicode: true)
    self = try Self.read(&reader)
    try reader.finish()
  }

  private static func read(_ reader: inout JSONReader) throws(JSONError) -> ErrorBody {
    switch reader.kind() {
    case .string: return .string(try reader.string().string)
    case .number, .bool:
      return .other(String(decoding: try reader.rawValue(), as: UTF8.self))
    case .null:
      _ = try reader.null()
      return .null
    case .array:
      var elements: [ErrorBody] = []
      guard try reader.beginArray() else { return .array([]) }
      repeat { elements.append(try read(&reader)) } while try reader.arrayContinues()
      return .array(elements)
    case .object:
      var members: [Member] = []
      guard try reader.beginObject() else { return .object([]) }
      repeat {
        let name = try reader.key().string
        members.append(Member(name: name, value: try read(&reader)))
      } while try reader.objectContinues()
      return .object(members)
    case .invalid:
      try reader.skipValue()
      return .null
    }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .string, .other: false
    }
  }

  /// True if there is nothing in it that could be a message.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .string(let text): text.isEmpty
    case .other: false
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }
}

extension [ErrorBody.Member] {
  /// The value of the last member with this name that is not null; nil if there is none.
  subscript(name: String) -> ErrorBody? {
    last { $0.name == name && !$0.value.isNull }?.value
  }
}
