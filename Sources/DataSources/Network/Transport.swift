/// A type that sends requests: ``URLSessionTransport``, or your own, for example to add tokens or to log requests.
///
///     struct Authorized: Transport {
///       let transport: any Transport
///       let token: @Sendable () async throws -> String
///
///       func send(_ request: NetworkRequest) async throws -> NetworkResponse {
///         try await transport.send(authorized(request))
///       }
///
///       func stream(_ request: NetworkRequest) async throws -> NetworkResponse.Stream {
///         try await transport.stream(authorized(request))
///       }
///
///       private func authorized(_ request: NetworkRequest) async throws -> NetworkRequest {
///         var request = request
///         request.headers["Authorization"] = "Bearer \(try await token())"
///         return request
///       }
///     }
nonisolated public protocol Transport: Sendable {
  /// Sends a request and returns the response, regardless of its status. Returns immediately when the task is
  /// cancelled.
  /// - Throws: The error that prevented a response.
  func send(_ request: NetworkRequest) async throws -> NetworkResponse

  /// Sends a request and returns the response, regardless of its status, as soon as its header has arrived. Returns
  /// immediately when the task is cancelled. The default sends the request with ``send(_:)`` and returns the whole body
  /// as one chunk.
  /// - Throws: The error that prevented a response. Later errors are thrown by the chunks.
  func stream(_ request: NetworkRequest) async throws -> NetworkResponse.Stream
}
