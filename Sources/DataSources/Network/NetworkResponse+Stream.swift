public import Foundation

extension NetworkResponse {
  /// An HTTP response whose body arrives in chunks.
  ///
  ///     let response = try await source.stream(AllObjectsQuery())
  ///     for try await batch in coder.batches(of: Order.self, from: response.chunks) {
  ///       progress = response.byteCount.map { Double(batch.byteCount) / Double($0) }
  ///     }
  ///
  /// The request ends when the body was read, when the reading task is cancelled, or when the response and its chunks are
  /// released.
  public struct Stream: Sendable {
    /// The status code, for example 200 for success.
    public var status: Int
    /// The header fields.
    public var headers: Headers
    /// The chunks of the body, which can be read once, by one task. Their sizes have no meaning.
    ///
    /// They throw the error that ended the transfer, for example a `URLError` if the connection is lost. If the reading
    /// task is cancelled, they end or throw `CancellationError`.
    public var chunks: AsyncThrowingStream<Data, any Error>

    /// Creates a response. A transport that produces chunks on demand uses `AsyncThrowingStream(unfolding:)`.
    public init(
      status: Int = 200, headers: Headers = [:], chunks: AsyncThrowingStream<Data, any Error>
    ) {
      self.status = status
      self.headers = headers
      self.chunks = chunks
    }

    /// Creates a response with the whole body as one chunk, or without chunks if the body is empty.
    public init(_ response: NetworkResponse) {
      self.init(
        status: response.status, headers: response.headers,
        chunks: AsyncThrowingStream { continuation in
          if !response.body.isEmpty { continuation.yield(response.body) }
          continuation.finish()
        })
    }

    /// The size of the body in bytes, from the field `Content-Length`. Nil if the field is absent, or if the body is
    /// compressed, because the chunks are not.
    public var byteCount: Int? {
      guard headers["Content-Encoding"] == nil else { return nil }
      return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
  }
}

extension Transport {
  /// Sends the request with ``send(_:)`` and returns the whole body as one chunk.
  public func stream(_ request: NetworkRequest) async throws -> NetworkResponse.Stream {
    NetworkResponse.Stream(try await send(request))
  }
}
