import Foundation

/// Decodes `Decodable` types from a JSON value.
///
/// Dates are ISO 8601 strings, `Data` is base64, URLs are strings, and a `Decimal` keeps all digits. An integral number
/// such as `1.0` is also an integer.
struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, at codingPath: [any CodingKey] = []) {
    self.value = value
    self.codingPath = codingPath
  }

  /// The maximum number of nested arrays and objects. Each level of a type takes several frames of the stack.
  static let depthLimit = 128

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object") }
    try checkDepth()
    return KeyedDecodingContainer(KeyedJSON(members: members, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    try checkDepth()
    return UnkeyedJSON(elements: elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func checkDepth() throws {
    if codingPath.count >= Self.depthLimit {
      throw mismatch("at most \(Self.depthLimit) nested arrays and objects")
    }
  }

  /// The error for a value of another type: `valueNotFound` for null, otherwise `typeMismatch`.
  fileprivate func mismatch(_ expected: String, _ type: Any.Type = JSONValue.self) -> DecodingError
  {
    value == .null
      ? .valueNotFound(type, context(expected)) : .typeMismatch(type, context(expected))
  }

  /// The error for a value of the right JSON type that the type cannot represent.
  fileprivate func corrupted(_ expected: String, isOutOfRange: Bool = false) -> DecodingError {
    .dataCorrupted(context(expected, isOutOfRange: isOutOfRange))
  }

  fileprivate func context(
    _ expected: String, isOutOfRange: Bool = false
  ) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath,
      debugDescription: isOutOfRange
        ? "the number is outside the range of \(expected)" : "expected \(expected)",
      underlyingError: CodedMistake(path: [], expected: expected, isOutOfRange: isOutOfRange))
  }

  fileprivate func inner(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
    JSONValueDecoder(value, at: codingPath + [key])
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let flag) = value else { throw mismatch("Bool", type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch("String", type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    try number(value.doubleValue)
  }

  func decode(_ type: Float.Type) throws -> Float {
    // Rounded once, from the decimal text.
    let nearest: Float? =
      switch value {
      case .int(let value): Float(value)
      case .double(let value): Float("\(value)")
      case .number(let text): Float(text)
      default: nil
      }
    return try number(nearest.flatMap { $0.isFinite ? $0 : nil })
  }

  /// Returns the number; throws an error if it is nil.
  private func number<T>(_ number: T?) throws -> T {
    if let number { return number }
    switch value {
    case .int, .double, .number:
      throw corrupted("\(T.self)", isOutOfRange: !(T.self is any FixedWidthInteger.Type) || isWhole)
    default: throw mismatch("\(T.self)", T.self)
    }
  }

  /// True for a number without a fraction.
  private var isWhole: Bool {
    switch value {
    case .int: true
    case .double(let value): value.rounded() == value
    case .number(let text):
      // A number that is not a Decimal is far beyond all integers, or between two of them.
      Decimal(plain: text).map(\.isWhole) ?? ((Double(text)?.magnitude ?? 0) >= 1)
    default: false
    }
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  private func integer<T: FixedWidthInteger>() throws -> T {
    try number(
      T.isSigned
        ? value.wholeNumber(as: Int128.self).flatMap { T(exactly: $0) }
        : value.wholeNumber(as: UInt128.self).flatMap { T(exactly: $0) })
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoded: (any Decodable)?
    switch type {
    case is JSONValue.Type: decoded = value
    case is Date.Type: decoded = try text("a date (ISO 8601)") { CodedDate.date($0) }
    case is Data.Type: decoded = try text("Data (base64)") { Data(base64Encoded: $0) }
    case is URL.Type: decoded = try text("URL") { URL(string: $0) }
    case is Decimal.Type: decoded = try number(value.decimalValue)
    default: decoded = nil
    }
    if let decoded {
      guard let decoded = decoded as? T else { throw mismatch("\(type)", type) }
      return decoded
    }
    return try T(from: self)
  }

  /// Returns the value that a string represents.
  private func text<T>(_ expected: String, _ parse: (String) -> T?) throws -> T {
    guard let value = parse(try decode(String.self)) else { throw corrupted(expected) }
    return value
  }
}

// MARK: - Objects

private struct KeyedJSON<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: JSONObject
  let decoder: JSONValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func value(_ key: Key) throws -> JSONValueDecoder {
    guard let member = members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, decoder.context("the key '\(key.stringValue)'"))
    }
    return decoder.inner(member, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).decode(type)
  }

  // The default implementations throw errors.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(key).decode(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    decoder.inner(members["super"] ?? .null, JSONCodingKey("super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.inner(members[key.stringValue] ?? .null, key)
  }
}

// MARK: - Arrays

private struct UnkeyedJSON: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let decoder: JSONValueDecoder
  private(set) var currentIndex = 0

  init(elements: [JSONValue], decoder: JSONValueDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func next(_ type: Any.Type = JSONValue.self) throws -> JSONValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, decoder.context("more than \(elements.count) elements"))
    }
    return decoder.inner(elements[currentIndex], JSONCodingKey(currentIndex))
  }

  mutating func decodeNil() throws -> Bool {
    guard try next().decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try next(type).decode(type)
    currentIndex += 1
    return value
  }

  // The default implementations throw errors.
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let value = try next(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let value = try next(type).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try next().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next()
    currentIndex += 1
    return decoder
  }
}

extension CodedMistake {
  /// Creates the reason for an error that an initializer threw.
  init(_ error: any Error, of type: String) {
    let context: DecodingError.Context? =
      switch error as? DecodingError {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      default: nil
      }
    let path = context?.codingPath.map { key -> Component in
      (key as? JSONCodingKey)?.intValue.map { .index($0) } ?? .key(key.stringValue)
    }
    let inner = context?.underlyingError as? CodedMistake
    self.init(
      path: path ?? [],
      expected: inner?.expected
        ?? "\(type) (\(MessageText.clipped(context?.debugDescription ?? "\(error)", characterCount: 160, byteCount: 160)))",
      isOutOfRange: inner?.isOutOfRange ?? false)
  }
}

extension Decimal {
  /// True for a number without a fraction.
  fileprivate var isWhole: Bool {
    var (number, rounded) = (self, Decimal())
    NSDecimalRound(&rounded, &number, 0, .plain)
    return rounded == number
  }
}
