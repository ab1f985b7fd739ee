public import Foundation

/// Sends requests: by ``URLSessionTransport``, or in a way of your own, which is also where tokens are added and
/// what is sent is logged.
///
///     struct Authorized: Transport {
///       let transport: any Transport
///       let token: @Sendable () async throws -> String
///
///       func send(_ request: NetworkRequest) async throws -> NetworkResponse {
///         var request = request
///         request.headers["Authorization"] = "Bearer \(try await token())"
///         return try await transport.send(request)
///       }
///     }
nonisolated public protocol Transport: Sendable {
  /// Sends a request and waits for the answer, whatever its status; ends at once when the task is
  /// cancelled.
  /// - Throws: what kept it from getting an answer.
  func send(_ request: NetworkRequest) async throws -> NetworkResponse
}

/// What is sent to a server.
public struct NetworkRequest: Sendable, Hashable {
  /// What the server is to do.
  public enum Method: String, Sendable, Hashable {
    /// Give what is there.
    case get = "GET"
    /// Put this in the place of what is there.
    case put = "PUT"
    /// Take this.
    case post = "POST"
    /// Change a part.
    case patch = "PATCH"
    /// Delete what is there.
    case delete = "DELETE"

    /// Whether doing it twice is the same as once.
    var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// What the server is to do.
  public var method: Method
  /// Where.
  public var url: URL
  /// The header fields.
  public var headers: HeaderFields
  /// What is sent along; nil for nothing.
  public var body: Data?

  /// A request.
  public init(
    _ method: Method = .get, _ url: URL, headers: HeaderFields = [:], body: Data? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// What messages call it; what stands behind the `?` is not told.
  var nameInMessages: String { "\(method.rawValue) \(url.path(percentEncoded: true))" }
}

/// What a server answers.
public struct NetworkResponse: Sendable, Hashable {
  /// The status: 200 for success.
  public var status: Int
  /// The header fields.
  public var headers: HeaderFields
  /// What came along.
  public var body: Data

  /// A response.
  public init(status: Int = 200, headers: HeaderFields = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Header fields by name, in which small and capital letters are the same.
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]

  /// Fields; the last of several with one name counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// Fields.
  public init(_ fields: [String: String]) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
  }

  /// The value of a field; nil for none.
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// The fields, by names in small letters.
  public var fields: [String: String] { values }

  /// These fields and others, which win.
  func merging(_ others: HeaderFields) -> HeaderFields {
    HeaderFields(values.merging(others.values) { $1 })
  }
}
