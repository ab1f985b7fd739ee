public import Foundation

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

/// An HTTP request.
public struct NetworkRequest: Sendable, Hashable {
  /// An HTTP method.
  public enum Method: String, Sendable, Hashable {
    /// Gets a resource.
    case get = "GET"
    /// Creates or replaces a resource.
    case put = "PUT"
    /// Submits data.
    case post = "POST"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Deletes a resource.
    case delete = "DELETE"

    /// True if repeating the request has the same effect as sending it once.
    var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// The HTTP method.
  public var method: Method
  /// The URL.
  public var url: URL
  /// The header fields.
  public var headers: NetworkResponse.Headers
  /// The body; nil for none.
  public var body: Data?

  /// Creates a request.
  public init(
    _ method: Method = .get, _ url: URL, headers: NetworkResponse.Headers = [:], body: Data? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The method and path, for error messages. The query string is omitted because it may contain user data.
  var nameInMessages: String { "\(method.rawValue) \(url.path(percentEncoded: true))" }
}

/// An HTTP response.
public struct NetworkResponse: Sendable, Hashable {
  /// The status code, for example 200 for success.
  public var status: Int
  /// The header fields.
  public var headers: Headers
  /// The body.
  public var body: Data

  /// Creates a response.
  public init(status: Int = 200, headers: Headers = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension NetworkResponse {
  /// Header fields by case-insensitive name.
  public struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The fields by lowercase name.
    public private(set) var fields: [String: String] = [:]

    /// Creates header fields. The last of several fields with the same name is used.
    public init(dictionaryLiteral elements: (String, String)...) {
      for (name, value) in elements { self[name] = value }
    }

    /// Creates header fields.
    public init(_ fields: [String: String]) {
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// The value of a field; nil for none.
    public subscript(name: String) -> String? {
      get { fields[name.lowercased()] }
      set { fields[name.lowercased()] = newValue }
    }
  }
}
