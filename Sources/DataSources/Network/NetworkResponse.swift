public import Foundation

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
