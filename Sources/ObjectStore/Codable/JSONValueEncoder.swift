import Foundation

/// Encodes `Encodable` types as JSON values, in the form that ``JSONValueDecoder`` reads.
struct JSONValueEncoder: Encoder {
  /// The value that an encoder produces.
  final class Node {
    enum Content {
      case none
      case value(JSONValue)
      case array([Node])
      case object([(key: String, value: Node)])
    }

    var content = Content.none

    /// The value; nil if nothing was encoded.
    var value: JSONValue? {
      switch content {
      case .none: nil
      case .value(let value): value
      case .array(let nodes): .array(nodes.map { $0.value ?? .object(JSONObject()) })
      case .object(let members):
        .object(
          JSONObject(members.map { ($0.key, $0.value.value ?? .object(JSONObject())) }))
      }
    }

    /// Adds an element, of which the first makes the node an array.
    func append(_ node: Node) {
      guard case .array(var nodes) = content else { return content = .array([node]) }
      content = .none
      nodes.append(node)
      content = .array(nodes)
    }

    /// Adds a member, of which the first makes the node an object.
    func append(_ key: String, _ node: Node) {
      guard case .object(var members) = content else { return content = .object([(key, node)]) }
      content = .none
      members.append((key, node))
      content = .object(members)
    }
  }

  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the JSON of a value.
  /// - Throws: The errors of `encode(to:)`; `EncodingError` for dates and numbers without JSON form, for a type that
  ///   encodes nothing, and above ``JSONValueDecoder/depthLimit`` levels.
  static func json(of value: some Encodable) throws -> JSONValue {
    let node = try JSONValueEncoder(node: Node(), codingPath: []).node(of: value)
    guard let json = node.value else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "the type encodes no value"))
    }
    return json
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .none = node.content { node.content = .object([]) }
    return KeyedEncodingContainer(Keyed(node: node, encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .none = node.content { node.content = .array([]) }
    return Unkeyed(node: node, encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func inner(_ node: Node, _ key: any CodingKey) -> JSONValueEncoder {
    JSONValueEncoder(node: node, codingPath: codingPath + [key])
  }

  /// Encodes a value into a node of its own.
  fileprivate func node<T: Encodable>(of value: T, _ key: (any CodingKey)? = nil) throws -> Node {
    let encoder = JSONValueEncoder(node: Node(), codingPath: key.map { codingPath + [$0] } ?? [])
    try encoder.encode(value)
    return encoder.node
  }

  private func invalid(_ value: Any, _ reason: String) -> EncodingError {
    EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.content = .value(.null) }
  func encode(_ value: Bool) { node.content = .value(.bool(value)) }
  func encode(_ value: String) { node.content = .value(.string(value)) }
  func encode(_ value: Double) throws {
    guard value.isFinite else { throw invalid(value, "\(value) is not a JSON number") }
    node.content = .value(Self.number(value))
  }
  func encode(_ value: Float) throws {
    guard value.isFinite else { throw invalid(value, "\(value) is not a JSON number") }
    // The shortest text of a Float differs from that of the Double nearest to it.
    node.content = .value(Double("\(value)").map(Self.number) ?? .double(Double(value)))
  }

  /// The number in the form of most JSON writers, without a fraction of 0.
  private static func number(_ value: Double) -> JSONValue {
    let isInteger = value.rounded() == value && abs(value) < 0x1p53
    return isInteger && !(value == 0 && value.sign == .minus) ? .int(Int64(value)) : .double(value)
  }

  func encode(_ value: Int) { integer(value) }
  func encode(_ value: Int8) { integer(value) }
  func encode(_ value: Int16) { integer(value) }
  func encode(_ value: Int32) { integer(value) }
  func encode(_ value: Int64) { integer(value) }
  func encode(_ value: UInt) { integer(value) }
  func encode(_ value: UInt8) { integer(value) }
  func encode(_ value: UInt16) { integer(value) }
  func encode(_ value: UInt32) { integer(value) }
  func encode(_ value: UInt64) { integer(value) }

  private func integer(_ value: some FixedWidthInteger) {
    node.content = .value(Int64(exactly: value).map { .int($0) } ?? .number("\(value)"))
  }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let json as JSONValue: node.content = .value(json)
    case let date as Date:
      guard let text = CodedDate.text(date) else { throw invalid(value, "\(date) is out of range") }
      node.content = .value(.string(text))
    case let data as Data: node.content = .value(.string(data.base64EncodedString()))
    case let url as URL: node.content = .value(.string(url.absoluteString))
    case let decimal as Decimal:
      guard !decimal.isNaN else { throw invalid(value, "NaN is not a JSON number") }
      node.content = .value(JSONValue(exactNumber: decimal.canonicalText))
    default:
      guard codingPath.count < JSONValueDecoder.depthLimit else {
        throw invalid(
          value, "more than \(JSONValueDecoder.depthLimit) nested arrays and objects")
      }
      try value.encode(to: self)
    }
  }
}

// MARK: - Containers

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONValueEncoder.Node
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) {
    let null = JSONValueEncoder.Node()
    null.content = .value(.null)
    node.append(key.stringValue, null)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    node.append(key.stringValue, try encoder.node(of: value, key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(JSONCodingKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> JSONValueEncoder {
    let inner = encoder.inner(JSONValueEncoder.Node(), key)
    node.append(key.stringValue, inner.node)
    return inner
  }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  let node: JSONValueEncoder.Node
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  private(set) var count = 0

  init(node: JSONValueEncoder.Node, encoder: JSONValueEncoder) {
    self.node = node
    self.encoder = encoder
  }

  mutating func encodeNil() {
    let null = JSONValueEncoder.Node()
    null.content = .value(.null)
    append(null)
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    append(try encoder.node(of: value, JSONCodingKey(count)))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    nested().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { nested() }

  private mutating func append(_ element: JSONValueEncoder.Node) {
    node.append(element)
    count += 1
  }

  private mutating func nested() -> JSONValueEncoder {
    let inner = encoder.inner(JSONValueEncoder.Node(), JSONCodingKey(count))
    append(inner.node)
    return inner
  }
}
