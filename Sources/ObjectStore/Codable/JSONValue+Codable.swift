import Foundation

extension JSONValue: Codable {
  /// Decodes any value that a decoder of JSON contains.
  ///
  /// The numbers of `JSONDecoder` do not keep their form: `1.0` is `.int(1)`, and numbers of more than 38 digits are
  /// rounded.
  /// - Throws: `DecodingError` if the decoder has a value of no JSON type.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: JSONCodingKey.self) {
      self = .object(
        JSONObject(
          try container.allKeys.map {
            (key: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0))
          }))
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .int(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = try Self.number(container)
    }
  }

  private static func number(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    let double = try container.decode(Double.self)
    guard let decimal = try? container.decode(Decimal.self) else { return .double(double) }
    // The shortest text of the Double is the number, unless the number has more digits.
    if Decimal(plain: "\(double)") == decimal { return .double(double) }
    return JSONValue(exactNumber: decimal.canonicalText)
  }

  /// Encodes the value in the encoder's form. A number beyond 64 bits is encoded as a `Decimal`.
  /// - Throws: `EncodingError` for a number that neither `Double` nor `Decimal` represents.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: JSONCodingKey.self)
      for (key, value) in members { try container.encode(value, forKey: JSONCodingKey(key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .number(let text):
        guard let decimal = Decimal(plain: text) else {
          throw EncodingError.invalidValue(
            self,
            .init(codingPath: encoder.codingPath, debugDescription: "\(text) is not a Decimal"))
        }
        try container.encode(decimal)
      case .array, .object: break
      }
    }
  }
}

extension JSONValue {
  /// Decodes the value as a Codable type, by the rules of ``CodablePersistable``.
  ///
  ///     let page = try json.decode(Page.self)
  ///
  /// - Throws: `DecodingError`, with the path to the value that does not fit; errors of the type's `init(from:)`.
  /// - Complexity: O(*n*) in the number of nested values.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try JSONValueDecoder(self).decode(type)
  }

  /// Creates the JSON of a Codable value, by the rules of ``CodablePersistable``.
  /// - Throws: `EncodingError` for numbers and dates without JSON form, for a type that encodes nothing, and above 128
  ///   nested arrays and objects; errors of the type's `encode(to:)`.
  public init(encoding value: some Encodable) throws { self = try JSONValueEncoder.json(of: value) }
}
