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
    var sent = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
    sent.httpMethod = request.method.rawValue
    sent.httpBody = request.body
    for (name, value) in request.headers.fields { sent.setValue(value, forHTTPHeaderField: name) }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: sent)
    } catch {
      try Task.checkCancellation()
      throw error
    }
    guard let response = response as? HTTPURLResponse else {
      throw DataSourceError.failed(
        "\(request.nameInMessages): the response is not an HTTP response")
    }
    var headers = HeaderFields()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return NetworkResponse(status: response.statusCode, headers: headers, body: data)
  }
}
