import Foundation

extension NetworkDataSource {
  /// The maximum number of bytes of the body of an error response that are kept.
  static var errorByteCount: Int { 1 << 20 }

  /// Returns the response to a query that has a route for `getAll`, as soon as its header has arrived. The body is not
  /// decoded, and is read in chunks.
  ///
  ///     let response = try await source.stream(AllObjectsQuery())
  ///     let summary = try await coder.readAll([Order].self, from: response.chunks)
  ///
  /// Requests are retried as for the other verbs, but only until the header of a successful response has arrived. An
  /// error after that is thrown by ``NetworkResponse/Stream/chunks``. The body is neither cached nor revalidated.
  /// - Throws: `notFound` for the statuses 404 and 410, `badStatus` with up to 1 MiB of the body, `queryNotSupported`,
  ///   `illegalArgument`; the errors of the transport; `CancellationError`.
  public func stream(_ query: some Query) async throws -> NetworkResponse.Stream {
    let request = try request(.getAll, query)
    let response = try await retrying(request) { try await transport.stream(request) }
    if try isSuccess(response.status, query) { return response }
    var body = Data()
    for try await chunk in response.chunks {
      body += chunk.prefix(Self.errorByteCount - body.count)
      if body.count == Self.errorByteCount { break }
    }
    try Task.checkCancellation()
    throw DataSourceError.badStatus(
      response.status, request: request.nameInMessages, body: body)
  }
}
