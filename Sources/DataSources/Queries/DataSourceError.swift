public import Foundation
import ObjectStore

/// What a data source or a repository could not do, and why.
///
///     do {
///       item = try await source.get("x7")
///     } catch DataSourceError.notFound {
///       item = nil
///     }
///
/// What a store, a mapper, a transport of yours or a coder throws comes through as it is.
public enum DataSourceError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// What a source is asked to do.
  public enum Verb: String, Sendable, Hashable {
    /// Give a value.
    case get
    /// Give several.
    case getAll
    /// Take a value.
    case put
    /// Take several.
    case putAll
    /// Delete what is asked for.
    case delete
    /// Delete all that is asked for.
    case deleteAll
    /// Tell what is there, now and later.
    case observe
  }

  /// There is nothing that the query asks for.
  case notFound(query: String)
  /// The cache has what the query asks for, and its validator says that it is too old or otherwise not to be
  /// used.
  case notValid(query: String)
  /// The source does not know how to answer this query, or not for this verb.
  case queryNotSupported(query: String, verb: Verb, source: String)
  /// An argument that makes no sense: a key of another type, another number of ids than of values.
  case illegalArgument(String)
  /// Something that a subclass was to do.
  case notImplemented(String)
  /// Something failed in a way that has no other name.
  case failed(String)
  /// The server's response has an error status. The body is the whole body of the response, which often has the reason;
  /// ``description`` shows at most 200 characters of it.
  case badStatus(Int, request: String, body: Data = Data())
  /// The server's answer could not be read.
  case notDecodable(request: String, reason: String)

  /// The same as ``description``, for alerts and logs that ask an error so.
  public var errorDescription: String? { description }

  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .notFound(let query):
      "nothing was found for \(query)"
    case .notValid(let query):
      "what the cache has for \(query) is not valid any more"
    case .queryNotSupported(let query, let verb, let source):
      "\(source) has no '\(verb.rawValue)' for \(query)"
    case .illegalArgument(let reason), .notImplemented(let reason), .failed(let reason):
      reason
    case .badStatus(let status, let request, let body):
      "\(request): the server answered with status \(status)" + Self.suffix(showing: body)
    case .notDecodable(let request, let reason):
      "\(request): the answer cannot be read: \(reason)"
    }
  }

  /// The beginning of a response's body, escaped; empty for an empty body.
  private static func suffix(showing body: Data) -> String {
    if body.isEmpty { return "" }
    guard let text = String(data: body, encoding: .utf8) else {
      return ": \(body.count) bytes that are not UTF-8"
    }
    return ": " + MessageText.clipped(text, characterCount: 200, byteCount: 600)
  }
}

extension DataSourceError {
  /// Whether it was asked what it can never do.
  var isMisuse: Bool {
    switch self {
    case .queryNotSupported, .illegalArgument, .notImplemented: true
    case .notFound, .notValid, .failed, .badStatus, .notDecodable: false
    }
  }

  /// Whether what was to be put or deleted has not been: else nobody knows, as after a timeout.
  var isRejection: Bool {
    switch self {
    case .notFound: true
    case .badStatus(let status, _, _): (400..<500).contains(status) && status != 408
    default: isMisuse
    }
  }
}
