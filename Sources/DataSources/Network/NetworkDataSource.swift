public import Foundation

/// A data source that gets values from an HTTP server and sends values to it.
///
///     let source = NetworkDataSource<ItemEntity>(
///       base: url,
///       routes: [
///         .get(IdQuery<Int>.self) { "items/\($0.id)" },
///         .getAll(AllObjectsQuery.self) { _ in "items" },
///         .put(IdQuery<Int>.self) { "items/\($0.id)" },
///       ],
///       coding: .json())
///
/// Each supported type of query has a ``NetworkRequest/Route``. A response with an `ETag` is cached: the next request
/// for it is conditional, and a 304 response reuses the cached body. Failed requests and busy servers are retried as
/// the ``Retry`` specifies: idempotent requests after any such failure, a `POST` or `PATCH` only if the status shows
/// that the server did not process it. `Retry-After` is honored.
public struct NetworkDataSource<Value: Sendable>: DataSource {
  private let base: URL
  let transport: any Transport
  private let routes: [NetworkRequest.Route]
  private let coding: Coding
  private let headers: NetworkResponse.Headers
  private let retry: Retry
  private let cache: ResponseCache

  /// Creates a data source.
  /// - Parameters:
  ///   - base: The URL to which the paths of the routes are appended. Its query string is sent with each request.
  ///   - transport: The transport that sends requests.
  ///   - routes: The supported queries. The first matching route is used.
  ///   - coding: The coding of values.
  ///   - headers: The header fields of each request.
  ///   - retry: The number of attempts and the delays between them.
  ///   - cacheByteLimit: The size limit of cached responses with an `ETag`, each counted with its URL and 512 bytes
  ///     of overhead; 0 disables the cache.
  public init(
    base: URL, transport: any Transport = URLSessionTransport(), routes: [NetworkRequest.Route],
    coding: Coding, headers: NetworkResponse.Headers = [:], retry: Retry = Retry(),
    cacheByteLimit: Int = 8 << 20
  ) {
    self.base = base
    self.transport = transport
    self.routes = routes
    self.coding = coding
    self.headers = headers
    self.retry = retry
    cache = ResponseCache(byteLimit: cacheByteLimit)
  }

  // MARK: - Verbs

  /// Returns the decoded response.
  /// - Throws: `notFound` for the statuses 404 and 410, `badStatus` with up to 1 MiB of the body, `notDecodable`,
  ///   `queryNotSupported`, `illegalArgument`; the errors of the transport; `CancellationError`.
  public func get(_ query: some Query) async throws -> Value {
    try await fetch(try request(.get, query), query, coding.decode)
  }

  /// Returns the decoded response.
  /// - Throws: The same errors as ``get(_:)-(Query)``.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await fetch(try request(.getAll, query), query, coding.decodeAll)
  }

  /// Sends a value and returns the decoded response, or the value itself if the response is empty.
  ///
  /// With a ``ChangesQuery``, sends only the changes. If there are none, sends nothing and returns the value.
  /// - Throws: The same errors as ``get(_:)-(Query)``, and those of the encoding.
  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    let request = try request(.put, query)
    guard let sent = try await encoded(value, for: query) else { return value }
    let body = try await exchange(request, query, sending: sent).body
    return body.isEmpty ? value : try await decode(body, of: request, coding.decode)
  }

  /// Sends a list and returns the decoded response, or the list itself if the response is empty.
  /// - Throws: The same errors as ``get(_:)-(Query)``, and those of the encoding.
  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    let request = try request(.putAll, query)
    let sent = try await coding.encodeAll(values)
    let body = try await exchange(request, query, sending: (sent, coding.contentType)).body
    return body.isEmpty ? values : try await decode(body, of: request, coding.decodeAll)
  }

  /// The body of a request and its media type.
  private typealias Content = (body: Data, type: String)

  /// Returns a value as the body of a put, or its changes for a ``ChangesQuery``; nil if there are none.
  private func encoded(_ value: Value, for query: some Query) async throws -> Content? {
    guard let query = query as? any PreviousValueQuery else {
      return (try await coding.encode(value), coding.contentType)
    }
    guard let encodeChanges = coding.encodeChanges else {
      throw query.notSupported(.put, Self.self)
    }
    guard let previous = query.previousValue as? Value else {
      throw DataSourceError.illegalArgument(
        "the previous value of \(query.nameInMessages) has the type "
          + "\(type(of: query.previousValue)); expected \(Value.self)")
    }
    return try await encodeChanges(previous, value).map { ($0, coding.changesContentType) }
  }

  /// Sends a deletion. A value that the server does not have counts as deleted.
  /// - Throws: The same errors as ``get(_:)-(Query)`` except `notFound`.
  public func delete(_ query: some Query) async throws {
    try await remove(.delete, query)
  }

  /// Sends a deletion. Values that the server does not have count as deleted.
  /// - Throws: The same errors as ``delete(_:)-(Query)``.
  public func deleteAll(_ query: some Query) async throws {
    try await remove(.deleteAll, query)
  }

  private func remove(_ verb: DataSourceError.Verb, _ query: some Query) async throws {
    do {
      _ = try await exchange(try request(verb, query), query)
    } catch DataSourceError.notFound {}
  }

  // MARK: - Requests

  func request(_ verb: DataSourceError.Verb, _ query: some Query) throws -> NetworkRequest {
    for route in routes where route.verb == verb {
      guard let path = try route.path(query) else { continue }
      var request = NetworkRequest(route.method, try path.url(relativeTo: base), headers: headers)
      if request.headers["Accept"] == nil { request.headers["Accept"] = coding.contentType }
      return request
    }
    throw query.notSupported(verb, Self.self)
  }

  /// Returns the decoded response, or the decoded cached body if the server responds with 304. A response is cached
  /// only after it was decoded, because otherwise an invalid one would be revalidated forever.
  private func fetch<R>(
    _ request: NetworkRequest, _ query: some Query,
    _ decode: @Sendable (Data) async throws -> R
  ) async throws -> R {
    var conditional = request
    let entry = cache.entry(for: request.url)
    if let entry { conditional.headers["If-None-Match"] = entry.tag }
    let response = try await exchange(conditional, query, isConditional: entry != nil)
    if response.status == 304, let entry {
      return try await self.decode(entry.body, of: request, decode)
    }
    let result = try await self.decode(response.body, of: request, decode)
    cache.keep(response, for: request.url)
    return result
  }

  /// Sends a request and returns a successful response.
  private func exchange(
    _ request: NetworkRequest, _ query: some Query, sending content: Content? = nil,
    isConditional: Bool = false
  ) async throws -> NetworkResponse {
    var request = request
    request.body = content?.body
    if let content { request.headers["Content-Type"] = content.type }
    let sent = request
    let response = try await retrying(sent) { try await transport.send(sent) }
    if isConditional, response.status == 304 { return response }
    if try isSuccess(response.status, query) { return response }
    throw DataSourceError.badStatus(
      response.status, request: request.nameInMessages,
      body: Data(response.body.prefix(Self.errorByteCount)))
  }

  /// Returns true for a status of a complete response.
  /// - Throws: `notFound` for the statuses 404 and 410.
  func isSuccess(_ status: Int, _ query: some Query) throws -> Bool {
    switch status {
    // 206 is a partial response, which no route requests.
    case 200..<300: return status != 206
    case 404, 410: throw query.notFound
    default: return false
    }
  }

  /// Calls `send`, and repeats it if the failure or the status permits.
  func retrying<Response: ResponseHead>(
    _ request: NetworkRequest, _ send: () async throws -> Response
  ) async throws -> Response {
    try await retry.repeating(send) { outcome, failureCount in
      switch outcome {
      case .success(let response):
        guard response.isWorthRetrying(request.method) else { return nil }
        let delay = response.retryAfter ?? retry.delay(afterFailures: failureCount)
        return delay <= retry.longestDelay ? delay : nil
      case .failure(let error):
        guard request.method.isIdempotent, !(error is DataSourceError) else { return nil }
        return retry.delay(afterFailures: failureCount)
      }
    }
  }

  private func decode<R>(
    _ data: Data, of request: NetworkRequest, _ decode: (Data) async throws -> R
  ) async throws -> R {
    do {
      return try await decode(data)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw DataSourceError.notDecodable(request: request.nameInMessages, reason: "\(error)")
    }
  }
}
