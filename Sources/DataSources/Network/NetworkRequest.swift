public import Foundation

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
