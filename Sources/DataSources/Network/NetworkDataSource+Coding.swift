public import Foundation

extension NetworkDataSource {
  /// The functions with which the source decodes responses and encodes the values that it sends.
  ///
  ///     NetworkDataSource<ItemEntity>.Coding.json()   // for `Codable` values
  ///     NetworkDataSource<ItemEntity>.Coding(
  ///       decode: { data in try await decodeIntoTheStore(data) },
  ///       decodeAll: { data in … })
  ///
  /// A put with a ``ChangesQuery`` sends the result of `encodeChanges`.
  public struct Coding: Sendable {
    let contentType: String
    let decode: @Sendable (Data) async throws -> Value
    let decodeAll: @Sendable (Data) async throws -> [Value]
    let encode: @Sendable (Value) async throws -> Data
    let encodeAll: @Sendable ([Value]) async throws -> Data
    let changesContentType: String
    let encodeChanges: (@Sendable (_ previous: Value, _ value: Value) async throws -> Data?)?

    /// Creates a coding from closures. Values can be sent only with `encode` and `encodeAll`. Without `encodeChanges`, the
    /// source does not support a ``ChangesQuery``, and a repository puts whole values.
    ///
    /// - Parameters:
    ///   - contentType: The media type of bodies and of accepted responses.
    ///   - decode: The conversion of a response to a value.
    ///   - decodeAll: The conversion of a response to values.
    ///   - encode: The conversion of a value to a body.
    ///   - encodeAll: The conversion of values to a body.
    ///   - changesContentType: The media type of the bodies of `encodeChanges`.
    ///   - encodeChanges: The conversion of the changes between two values to a body; nil if there are none. Then
    ///     nothing is sent.
    public init(
      contentType: String = "application/json",
      decode: @escaping @Sendable (Data) async throws -> Value,
      decodeAll: @escaping @Sendable (Data) async throws -> [Value],
      encode: (@Sendable (Value) async throws -> Data)? = nil,
      encodeAll: (@Sendable ([Value]) async throws -> Data)? = nil,
      changesContentType: String = "application/merge-patch+json",
      encodeChanges: (@Sendable (_ previous: Value, _ value: Value) async throws -> Data?)? = nil
    ) {
      self.contentType = contentType
      self.decode = decode
      self.decodeAll = decodeAll
      self.encode = encode ?? { _ in throw Self.noEncoding }
      self.encodeAll = encodeAll ?? { _ in throw Self.noEncoding }
      self.changesContentType = changesContentType
      self.encodeChanges = encodeChanges
    }

    private static var noEncoding: DataSourceError {
      .notImplemented("the coding of \(Value.self) has no closures for encoding")
    }

    /// JSON of `Codable` values. Changes are a JSON Merge Patch (RFC 7396) between the encodings of the two values.
    ///
    /// Objects are compared member by member, and arrays are sent whole. A member that the new value lacks is null in
    /// the patch, and the server removes it. A member that is null in the new value is treated in the same way, because
    /// a merge patch cannot set a member to null.
    ///
    /// - Parameters:
    ///   - valuePath: The names of the members that lead to the value in a response, separated by dots: `"data"`. Empty if the
    ///     response is the value.
    ///   - listPath: The names of the members that lead to the array of a list: `"data.items"`.
    ///   - decoder: The decoder of responses.
    ///   - encoder: The encoder of values. Patches are compact, with sorted names.
    ///   - changesContentType: The media type of patches. Some servers accept only `application/json`.
    public static func json(
      valueAt valuePath: String = "", listAt listPath: String = "",
      decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder(),
      changesContentType: String = "application/merge-patch+json"
    ) -> Self where Value: Codable {
      Self(
        decode: { try decoder.decode(Value.self, from: Envelope.content(of: $0, at: valuePath)) },
        decodeAll: {
          try decoder.decode([Value].self, from: Envelope.content(of: $0, at: listPath))
        },
        encode: { try encoder.encode($0) },
        encodeAll: { try encoder.encode($0) },
        changesContentType: changesContentType,
        encodeChanges: {
          try MergePatch.body(from: encoder.encode($0), to: encoder.encode($1))
        })
    }
  }
}
