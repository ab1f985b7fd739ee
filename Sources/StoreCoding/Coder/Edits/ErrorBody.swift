import JSONText

/// The JSON of an error response.
typealias ErrorBody = JSONTree<Never>

extension ErrorBody {
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
    self = try ErrorBody(&reader)
    try reader.finish()
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }

  var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// True if there is nothing in it that could be a message.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .string(let text): text.isEmpty
    case .bool, .number: false
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
