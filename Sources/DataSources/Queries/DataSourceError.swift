public import Foundation
import ObjectStore

/// An error of a data source or a repository.
///
///     do {
///       item = try await source.get("x7")
///     } catch DataSourceError.notFound {
///       item = nil
///     }
///
/// Errors of stores, mappers, transports and encoding are thrown unchanged. An error of decoding a response is the reason of
/// ``notDecodable(request:reason:)``.
public enum DataSourceError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// An operation of a data source.
  public enum Verb: String, Sendable, Hashable {
    /// Gets one value.
    case get
    /// Gets several values.
    case getAll
    /// Puts one value.
    case put
    /// Puts several values.
    case putAll
    /// Deletes one value.
    case delete
    /// Deletes several values.
    case deleteAll
    /// Observes values.
    case observe
  }

  /// The query has no result.
  case notFound(query: String)
  /// The cache has a result, but the validator rejects it, for example because it is too old.
  case notValid(query: String)
  /// The source does not support this query, or does not support it with this verb.
  case queryNotSupported(query: String, verb: Verb, source: String)
  /// An argument is invalid, for example a key of another type, or a number of ids that differs from the number of
  /// values.
  case illegalArgument(String)
  /// A subclass does not implement a required method.
  case notImplemented(String)
  /// Another failure.
  case failed(String)
  /// The server responded with an error status. `body` is the body of the response, which often contains the reason;
  /// ``description`` includes at most 200 characters of it. A ``NetworkDataSource`` keeps its first 1 MiB.
  ///
  ///     } catch DataSourceError.badStatus(422, _, let body) {
  ///       let rejection = coder.rejection(of: Item.self, in: body)
  ///     }
  ///
  /// The method `rejection(of:in:)` of a `StoreCoder` reads the messages of common frameworks.
  case badStatus(Int, request: String, body: Data = Data())
  /// The body of the response could not be decoded.
  case notDecodable(request: String, reason: String)
  /// The response lacks so many values of the cache that it may be incomplete. A ``StoreDataSource`` that prunes did
  /// not store it. The reason names the objects at risk.
  case incompleteResponse(query: String, reason: String)

  /// The same string as ``description``, for alerts and logs that use `LocalizedError`.
  public var errorDescription: String? { description }

  /// The error as one line.
  public var description: String {
    switch self {
    case .notFound(let query):
      "nothing was found for \(query)"
    case .notValid(let query):
      "the cached value for \(query) is no longer valid"
    case .queryNotSupported(let query, let verb, let source):
      "\(source) does not support '\(verb.rawValue)' with \(query)"
    case .illegalArgument(let reason), .notImplemented(let reason), .failed(let reason):
      reason
    case .badStatus(let status, let request, let body):
      "\(request): the server responded with status \(status)" + Self.suffix(showing: body)
    case .notDecodable(let request, let reason):
      "\(request): the response cannot be decoded: \(reason)"
    case .incompleteResponse(let query, let reason):
      "the response to \(query) may be incomplete: \(reason)"
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
  /// True if the operation can never succeed.
  var isMisuse: Bool {
    switch self {
    case .queryNotSupported, .illegalArgument, .notImplemented: true
    case .notFound, .notValid, .failed, .badStatus, .notDecodable, .incompleteResponse: false
    }
  }

  /// True if a put or deletion was certainly not executed. After other errors, such as a timeout, it may have been.
  var isRejection: Bool {
    switch self {
    case .notFound: true
    case .badStatus(let status, _, _): (400..<500).contains(status) && status != 408
    default: isMisuse
    }
  }
}
