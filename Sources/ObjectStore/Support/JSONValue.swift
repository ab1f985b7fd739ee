package import JSONText

/// Any JSON value, for attributes whose shape is defined by the server.
///
///     @Persisted var extra: JSONValue
///     animal.extra = ["color": "brown", "spots": [1, 2]]
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent that fits an Int64.
  case int(Int64)
  /// Any other number that equals the shortest decimal form of a Double, such as `0.1` and `1.0`.
  case double(Double)
  /// Any other number, as its text, because neither type represents it without loss.
  ///
  /// Decoding produces this case from JSON numbers only. Text from code is stored unchanged; if it is not a
  /// JSON number, encoding the object throws `invalidRawJSON`.
  ///
  /// An attribute keeps the notation of its numbers, although its value does not show it: `0.40` in a payload, and
  /// `.number("0.40")` assigned by code, read as `.double(0.4)` and are encoded as `0.40`. Assigning an equal value keeps the
  /// notation, too. Update dictionaries contain `.number("0.40")`. Elements of collections have no notation.
  case number(String)
  /// A string.
  case string(String)
  /// An array, in order.
  case array([JSONValue])
  /// An object, in which each key occurs once.
  case object(JSONObject)

  /// The maximum nesting depth of arrays and objects in decoded values.
  package static let depthLimit = StoredJSON.depthLimit

  /// The member of an object; nil for any other value, or if there is no such member.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The element of an array; nil for any other value, or if the index is out of range.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) {
      elements[index]
    } else {
      nil
    }
  }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `.null` from `nil`.
  public init(nilLiteral: ()) { self = .null }

  /// Creates `.bool` from `true` and `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates `.int` from `3`; a number beyond 64 bits does not compile.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// Creates `.double` from `2.5`.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// Creates `.string` from `"text"`.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates `.array` from `[1, "two"]`.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates `.object` from `["name": "Bella"]`; the last value of a repeated name is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

// MARK: - Storage

extension JSONValue {
  /// Decodes stored bytes; null if they are empty or invalid.
  ///
  /// - Parameter keepsNotation: True to decode a number with a notation of its own as `number`.
  package init(stored bytes: UnsafeRawBufferPointer, keepsNotation: Bool = false) {
    var reader = StoredJSONReader(bytes, keepsNotation: keepsNotation)
    self = Self.load(&reader) ?? .null
  }

  /// Reads a JSON text. Returns nil if it is not JSON, or has more than ``depthLimit`` levels.
  ///
  /// - Parameter keepsNotation: True to read a number with a notation of its own as `number`.
  /// - Complexity: O(bytes), and O(n log n) for objects whose keys are not in order.
  package init?(
    text: UnsafeRawBufferPointer, dialect: JSONDialect = .strict, repairsUnicode: Bool = false,
    keepsNotation: Bool = false
  ) {
    var stored = StoredJSON()
    let isJSON = stored.read(
      text, dialect: dialect, repairsUnicode: repairsUnicode, keepsNotation: keepsNotation)
    guard isJSON else { return nil }
    self = stored.withBytes { JSONValue(stored: $0, keepsNotation: keepsNotation) }
  }

  /// Creates the exact value of a JSON number; see ``ExactNumber``.
  package init(exactNumber text: String) {
    var utf8 = text
    self =
      utf8.withUTF8 {
        switch ExactNumber($0) {
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .text, nil: .number(text)
        }
      }
  }

  /// Calls `body` with the stored form of the value.
  ///
  /// - Parameter keepsNotation: True to keep the text of each `number`; false to store an integer or a double if it is one.
  func withStored<R>(
    keepsNotation: Bool, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    var stored = StoredJSON()
    store(into: &stored, keepsNotation)
    return try stored.withBytes(body)
  }

  private func store(into stored: inout StoredJSON, _ keepsNotation: Bool) {
    switch self {
    case .null: stored.null()
    case .bool(let value): stored.bool(value)
    case .int(let value): stored.int(value)
    case .double(let value): stored.double(value)
    case .number(var text):
      text.withUTF8 {
        stored.append((keepsNotation ? ExactNumber(written: $0) : ExactNumber($0)) ?? .text($0))
      }
    case .string(var text):
      text.withUTF8 { stored.string(UnsafeRawBufferPointer($0)) }
    case .array(let elements):
      let array = stored.beginArray()
      for element in elements { element.store(into: &stored, keepsNotation) }
      stored.endArray(array, count: elements.count)
    case .object(let members):
      let object = stored.beginObject()
      for (key, value) in members {
        var key = key
        key.withUTF8 { stored.key(UnsafeRawBufferPointer($0)) }
        value.store(into: &stored, keepsNotation)
      }
      stored.endObject(object)
    }
  }

  private static func load(_ reader: inout StoredJSONReader) -> JSONValue? {
    switch reader.next() {
    case nil: return nil
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .number(let text): return .number(String(decoding: text, as: UTF8.self))
    case .string(let text): return .string(String(decoding: text, as: UTF8.self))
    case .array(let count):
      var elements: [JSONValue] = []
      for _ in 0..<count {
        guard let element = load(&reader) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    case .object(let count):
      var members: [(key: String, value: JSONValue)] = []
      for _ in 0..<count {
        guard let key = reader.key(), let value = load(&reader) else { return nil }
        members.append((String(decoding: key, as: UTF8.self), value))
      }
      return .object(JSONObject(members))
    }
  }
}
