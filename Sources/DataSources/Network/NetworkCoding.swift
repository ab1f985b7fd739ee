public import Foundation

/// The functions with which a ``NetworkDataSource`` decodes responses and encodes the values that it sends.
///
///     NetworkCoding<ItemEntity>.json()   // for `Codable` values
///     NetworkCoding<ItemEntity>(
///       decode: { data in try await decodeIntoTheStore(data) },
///       decodeAll: { data in … })
public struct NetworkCoding<Value: Sendable>: Sendable {
  let contentType: String
  let decode: @Sendable (Data) async throws -> Value
  let decodeAll: @Sendable (Data) async throws -> [Value]
  let encode: @Sendable (Value) async throws -> Data
  let encodeAll: @Sendable ([Value]) async throws -> Data

  /// Creates a coding from closures. Values can be sent only with `encode` and `encodeAll`.
  public init(
    contentType: String = "application/json",
    decode: @escaping @Sendable (Data) async throws -> Value,
    decodeAll: @escaping @Sendable (Data) async throws -> [Value],
    encode: (@Sendable (Value) async throws -> Data)? = nil,
    encodeAll: (@Sendable ([Value]) async throws -> Data)? = nil
  ) {
    self.contentType = contentType
    self.decode = decode
    self.decodeAll = decodeAll
    self.encode = encode ?? { _ in throw Self.noEncoding }
    self.encodeAll = encodeAll ?? { _ in throw Self.noEncoding }
  }

  private static var noEncoding: DataSourceError {
    .notImplemented("the coding of \(Value.self) has no closures for encoding")
  }

  /// JSON of `Codable` values.
  public static func json(
    decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> NetworkCoding where Value: Codable {
    NetworkCoding(
      decode: { try decoder.decode(Value.self, from: $0) },
      decodeAll: { try decoder.decode([Value].self, from: $0) },
      encode: { try encoder.encode($0) },
      encodeAll: { try encoder.encode($0) })
  }
}
