#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport that uses a `URLSession`.
///
/// The session's cache is bypassed: ``NetworkDataSource`` revalidates cached responses itself.
public struct URLSessionTransport: Transport {
  private let session: URLSession

  /// - Parameter session: The session that sends requests. Its configuration sets timeouts and other options.
  public init(session: URLSession = .shared) {
    self.session = session
  }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let (data, response): (Data, URLResponse)
    do {
      #if canImport(FoundationNetworking)
        (data, response) = try await RunningRequest.data(for: Self.urlRequest(request), in: session)
      #else
        (data, response) = try await session.data(for: Self.urlRequest(request))
      #endif
    } catch {
      try Task.checkCancellation()
      throw error
    }
    let (status, headers) = try Self.head(of: response, to: request)
    return NetworkResponse(status: status, headers: headers, body: data)
  }

  /// Sends a request and returns the response as soon as its header has arrived.
  ///
  /// Unread bytes of the body are kept in memory up to 1 MiB, and the rest in a temporary file. On Linux, the request is
  /// sent by a new session with the same configuration, but without the delegate of the session.
  public func stream(_ request: NetworkRequest) async throws -> NetworkResponse.Stream {
    let transfer = BodyTransfer()
    let response: URLResponse
    do {
      response = try await transfer.start(Self.urlRequest(request), in: session)
    } catch {
      try Task.checkCancellation()
      throw error
    }
    let reading = BodyTransfer.Reading(transfer)
    let (status, headers) = try Self.head(of: response, to: request)
    return NetworkResponse.Stream(
      status: status, headers: headers,
      chunks: AsyncThrowingStream(unfolding: { try await reading.next() }))
  }

  private static func urlRequest(_ request: NetworkRequest) -> URLRequest {
    var sent = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
    sent.httpMethod = request.method.rawValue
    sent.httpBody = request.body
    for (name, value) in request.headers.fields { sent.setValue(value, forHTTPHeaderField: name) }
    return sent
  }

  private static func head(
    of response: URLResponse, to request: NetworkRequest
  ) throws -> (Int, NetworkResponse.Headers) {
    guard let response = response as? HTTPURLResponse else {
      throw DataSourceError.failed(
        "\(request.nameInMessages): the response is not an HTTP response")
    }
    var headers = NetworkResponse.Headers()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return (response.statusCode, headers)
  }
}
