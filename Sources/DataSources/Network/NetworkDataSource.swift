public import Foundation

/// Values of a server.
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
/// Each type of query that it answers has a ``NetworkRoute``. An answer that came with an `ETag` is kept;
/// when it is asked for again and the server says that it is still right, it is used without being sent once
/// more. What fails on the way, and a server that is busy, are tried again as ``Retry`` says: an idempotent
/// request always, a `POST` only where the server has said that it did nothing. `Retry-After` is honoured.
public struct NetworkDataSource<Value: Sendable>: DataSource {
  private let base: URL
  private let transport: any Transport
  private let routes: [NetworkRoute]
  private let coding: NetworkCoding<Value>
  private let headers: HeaderFields
  private let retry: Retry
  private let cache: ResponseCache

  /// - Parameters:
  ///   - base: what the paths of the routes stand behind; what it has behind a `?` is sent with each request.
  ///   - transport: what sends.
  ///   - routes: where the answers are found; the first one that fits is taken.
  ///   - coding: reads and writes values.
  ///   - headers: fields of each request.
  ///   - retry: how often to try.
  ///   - cacheByteLimit: how many bytes answers with an `ETag` take that are kept, each 512 beside itself and its
  ///     URL; 0 for none.
  public init(
    base: URL, transport: any Transport = URLSessionTransport(), routes: [NetworkRoute],
    coding: NetworkCoding<Value>, headers: HeaderFields = [:], retry: Retry = Retry(),
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

  /// - Throws: `notFound` for the statuses 404 and 410, `badStatus`, `notDecodable`, `queryNotSupported`,
  ///   `illegalArgument`; what the transport throws; `CancellationError`.
  public func get(_ query: some Query) async throws -> Value {
    try await fetch(try request(.get, query), query, coding.decode)
  }

  /// - Throws: as ``get(_:)-(Query)``.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await fetch(try request(.getAll, query), query, coding.decodeAll)
  }

  /// Sends a value; gives what the server answers, or the value itself where the answer is empty.
  /// - Throws: as ``get(_:)-(Query)``, and what encoding throws.
  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    let request = try request(.put, query)
    let body = try await exchange(request, query, sending: try await coding.encode(value)).body
    return body.isEmpty ? value : try await decode(body, of: request, coding.decode)
  }

  /// Sends a list; gives what the server answers, or the list itself where the answer is empty.
  /// - Throws: as ``get(_:)-(Query)``, and what encoding throws.
  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    let request = try request(.putAll, query)
    let body = try await exchange(request, query, sending: try await coding.encodeAll(values)).body
    return body.isEmpty ? values : try await decode(body, of: request, coding.decodeAll)
  }

  /// - Throws: as ``get(_:)-(Query)``, but for `notFound`: what is not there is deleted already.
  public func delete(_ query: some Query) async throws {
    try await remove(.delete, query)
  }

  /// - Throws: as ``delete(_:)-(Query)``.
  public func deleteAll(_ query: some Query) async throws {
    try await remove(.deleteAll, query)
  }

  private func remove(_ verb: DataSourceError.Verb, _ query: some Query) async throws {
    do {
      _ = try await exchange(try request(verb, query), query)
    } catch DataSourceError.notFound {}
  }

  // MARK: - Asking

  private func request(_ verb: DataSourceError.Verb, _ query: some Query) throws -> NetworkRequest {
    for route in routes where route.verb == verb {
      guard let path = try route.path(query) else { continue }
      var request = NetworkRequest(route.method, try path.url(relativeTo: base), headers: headers)
      if request.headers["Accept"] == nil { request.headers["Accept"] = coding.contentType }
      return request
    }
    throw query.notSupported(verb, Self.self)
  }

  /// What the server answers, or has answered before and says is still right. An answer is kept when it could be
  /// read: a broken one would be said to be still right for ever.
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

  /// An answer that says yes.
  private func exchange(
    _ request: NetworkRequest, _ query: some Query, sending body: Data? = nil,
    isConditional: Bool = false
  ) async throws -> NetworkResponse {
    var request = request
    request.body = body
    if body != nil { request.headers["Content-Type"] = coding.contentType }
    let response = try await send(request)
    switch response.status {
    // Nobody has asked for a part, which is what 206 has.
    case 200..<300 where response.status != 206: return response
    case 304 where isConditional: return response
    case 404, 410: throw query.notFound
    default:
      throw DataSourceError.badStatus(
        response.status, request: request.nameInMessages, body: response.body)
    }
  }

  /// Sends a request, and again if the failure or the status permits it.
  private func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    try await retry.repeating {
      try await transport.send(request)
    } after: { outcome, failureCount in
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

extension NetworkResponse {
  /// Whether the server may say something else later, and has done nothing that would be done twice.
  fileprivate func isWorthRetrying(_ method: NetworkRequest.Method) -> Bool {
    switch status {
    case 429, 503: true
    case 408, 500, 502, 504: method.isIdempotent
    default: false
    }
  }

  /// How long the server asks to wait (RFC 9110 §10.2.3): seconds, or a date by the server's own clock.
  fileprivate var retryAfter: Duration? {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    let seconds: Double
    if let number = Double(text), text.allSatisfy({ $0.isNumber || $0 == "-" }) {
      seconds = number
    } else if let date = HTTPDate.date(text) {
      let now = headers["Date"].flatMap(HTTPDate.date) ?? Date()
      seconds = date.timeIntervalSince(now)
    } else {
      return nil
    }
    return .seconds(min(max(seconds, 0), Double(Int32.max)))
  }
}
