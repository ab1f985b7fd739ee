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
    /// The nodes of nested containers, which a later request for the same key continues.
    private var containers: [String: Node] = [:]

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

    /// Returns the node of a nested container for the key that accepts the content; a new member if there is none.
    func container(_ key: String, where accepts: (Content) -> Bool) -> Node {
      if let node = containers[key], accepts(node.content) { return node }
      let node = Node()
      containers[key] = node
      append(key, node)
      return node
    }

    /// Adds a member, of which the first makes the node an object.
    func append(_ key: String, _ node: Node) {
      guard case .object(var members) = content else { return content = .object([(key, node)]) }
      content = .none
      members.append((key, node))
      content = .object(members)
    }
  }

  /// The findings of all encoders of one value.
  final class Findings {
    /// True if containers are nested too deeply. Requesting a container cannot throw an error.
    var isTooDeep = false
    /// True if the value contains a `JSONValue`, which may be nested deeply.
    var hasJSON = false
  }

  let node: Node
  let codingPath: [any CodingKey]
  let findings: Findings
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the JSON of a value.
  /// - Throws: The errors of `encode(to:)`; `EncodingError` for dates and numbers without JSON form, for a type that
  ///   encodes nothing, above ``JSONValueDecoder/depthLimit`` levels, and for a `JSONValue` inside that exceeds
  ///   ``JSONValue/depthLimit`` levels with those around it.
  static func json(of value: some Encodable) throws -> JSONValue {
    let root = JSONValueEncoder(node: Node(), codingPath: [], findings: Findings())
    let node = try root.node(of: value)
    if root.findings.isTooDeep { throw root.tooDeep(value, JSONValueDecoder.depthLimit) }
    guard let json = node.value else { throw root.invalid(value, "the type encodes no value") }
    if root.findings.hasJSON, json.isDeeper(than: JSONValue.depthLimit) {
      throw root.tooDeep(value, JSONValue.depthLimit)
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

  /// Returns the encoder of a member or element. Above the depth limit, its output is discarded.
  fileprivate func inner(_ key: any CodingKey, _ node: () -> Node) -> JSONValueEncoder {
    guard codingPath.count + 1 < JSONValueDecoder.depthLimit else {
      findings.isTooDeep = true
      return JSONValueEncoder(node: Node(), codingPath: codingPath, findings: findings)
    }
    return JSONValueEncoder(node: node(), codingPath: codingPath + [key], findings: findings)
  }

  /// Encodes a value into a node of its own.
  fileprivate func node<T: Encodable>(of value: T, _ key: (any CodingKey)? = nil) throws -> Node {
    let encoder = JSONValueEncoder(
      node: Node(), codingPath: key.map { codingPath + [$0] } ?? [], findings: findings)
    try encoder.encode(value)
    return encoder.node
  }

  private func invalid(_ value: Any, _ reason: String) -> EncodingError {
    EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }

  private func tooDeep(_ value: Any, _ limit: Int) -> EncodingError {
    invalid(value, "more than \(limit) nested arrays and objects")
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
  func encode(_ value: Int128) { integer(value) }
  func encode(_ value: UInt128) { integer(value) }

  private func integer(_ value: some FixedWidthInteger) {
    node.content = .value(
      Int64(exactly: value).map { .int($0) } ?? JSONValue(exactNumber: "\(value)"))
  }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let json as JSONValue:
      findings.hasJSON = true
      node.content = .value(json)
    case let date as Date:
      guard let text = CodedDate.text(date) else { throw invalid(value, "\(date) is out of range") }
      node.content = .value(.string(text))
    case let data as Data: node.content = .value(.string(data.base64EncodedString()))
    case let url as URL: node.content = .value(.string(url.absoluteString))
    case let uuid as UUID: node.content = .value(.string(UUIDText.text(uuid)))
    case let decimal as Decimal:
      guard !decimal.isNaN else { throw invalid(value, "NaN is not a JSON number") }
      node.content = .value(JSONValue(exactNumber: decimal.canonicalText))
    default:
      guard codingPath.count < JSONValueDecoder.depthLimit else {
        throw tooDeep(value, JSONValueDecoder.depthLimit)
      }
      try value.encode(to: self)
      if case .array(let nodes) = node.content { sort(nodes, of: value) }
    }
  }

  /// Sorts the elements of a set, or the pairs of a dictionary whose keys are not strings, by their JSON. Equal
  /// collections may have their elements in different orders, but must have the same JSON.
  private func sort(_ nodes: [Node], of value: some Encodable) {
    let size = value is any UnorderedElements ? 1 : value is any UnorderedPairs ? 2 : 0
    guard size > 0, nodes.count > size else { return }
    let starts = Array(stride(from: 0, to: nodes.count, by: size))
    let keys = starts.map { start in (nodes[start].value ?? .null)._encode { Array($0.bytes) } }
    let order = starts.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    node.content = .array(order.flatMap { nodes[starts[$0]..<starts[$0] + size] })
  }
}

/// A collection whose elements are encoded in no particular order.
private protocol UnorderedElements {}

extension Set: UnorderedElements {}

/// A dictionary, which is encoded as an array of keys and values if its keys are neither strings nor integers.
private protocol UnorderedPairs {}

extension Dictionary: UnorderedPairs {}

extension JSONValue {
  /// True if arrays and objects are nested more deeply.
  fileprivate func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .array(let elements):
      limit == 0 || elements.contains { $0.isDeeper(than: limit - 1) }
    case .object(let members):
      limit == 0 || members.contains { $0.value.isDeeper(than: limit - 1) }
    default: false
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

  // The default implementations throw errors.

  func encode(_ value: Int128, forKey key: Key) throws {
    node.append(key.stringValue, try encoder.node(of: value, key))
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    node.append(key.stringValue, try encoder.node(of: value, key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let inner = encoder.inner(key) {
      node.container(key.stringValue) { if case .object = $0 { true } else { false } }
    }
    return inner.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let inner = encoder.inner(key) {
      node.container(key.stringValue) { if case .array = $0 { true } else { false } }
    }
    return inner.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { member(JSONCodingKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }

  private func member(_ key: any CodingKey) -> JSONValueEncoder {
    encoder.inner(key) {
      let member = JSONValueEncoder.Node()
      node.append(key.stringValue, member)
      return member
    }
  }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  let node: JSONValueEncoder.Node
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  /// The number of elements, also of those that another container for the same array encoded.
  var count: Int { if case .array(let nodes) = node.content { nodes.count } else { 0 } }

  func encodeNil() {
    let null = JSONValueEncoder.Node()
    null.content = .value(.null)
    node.append(null)
  }

  func encode<T: Encodable>(_ value: T) throws {
    node.append(try encoder.node(of: value, JSONCodingKey(count)))
  }

  func encode(_ value: Int128) throws {
    node.append(try encoder.node(of: value, JSONCodingKey(count)))
  }

  func encode(_ value: UInt128) throws {
    node.append(try encoder.node(of: value, JSONCodingKey(count)))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    element().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { element() }

  private func element() -> JSONValueEncoder {
    encoder.inner(JSONCodingKey(count)) {
      let element = JSONValueEncoder.Node()
      node.append(element)
      return element
    }
  }
}
