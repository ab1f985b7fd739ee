import Foundation

/// The path and query string of a request, relative to the base URL. Interpolated values are percent-encoded.
///
///     let path: NetworkPath = "items/\(id)?fields=\(fields)"
///     let other: NetworkPath = "\(verbatim: link)"
///
/// In the path itself, a value that is empty, `.` or `..` would lead to a different path. Such a request is not
/// sent and throws ``DataSourceError/illegalArgument(_:)``.
public struct NetworkPath: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The percent-encoded path.
  public let text: String
  /// True if a value in the path is empty, `.` or `..`.
  let isMisleading: Bool

  /// Creates a path from a literal, which is not encoded.
  public init(stringLiteral value: String) {
    text = value
    isMisleading = false
  }

  /// Creates a path with interpolated values.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    isMisleading = stringInterpolation.isMisleading
  }

  /// A path under construction.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var isMisleading = false

    /// Creates an empty path.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a literal without encoding it.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Appends the percent-encoded string of an id.
    public mutating func appendInterpolation(_ value: some Hashable) {
      let value = IdentifierString.string(of: value)
      if !text.contains("?"), ["", ".", ".."].contains(value) { isMisleading = true }
      text += value.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
    }

    /// Appends a string that is already percent-encoded.
    public mutating func appendInterpolation(verbatim piece: String) {
      text += piece
    }

    /// The unreserved characters (RFC 3986 §2.3).
    private static let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  }

  /// The URL relative to a base URL, with the query strings of both.
  /// - Throws: ``DataSourceError/illegalArgument(_:)``.
  func url(relativeTo base: URL) throws -> URL {
    let (basePath, baseQuery) = Self.parts(base.absoluteString.prefix { $0 != "#" })
    var start = basePath
    while start.hasSuffix("/") { start.removeLast() }
    let fragment = text.drop { $0 != "#" }
    let (path, pathQuery) = Self.parts(text.prefix { $0 != "#" })
    let query = [baseQuery, pathQuery].filter { !$0.isEmpty }.joined(separator: "&")
    let mark = query.isEmpty ? "" : "?"
    if isMisleading {
      throw DataSourceError.illegalArgument(
        "invalid path '\(path)': an id must not be empty, '.' or '..'")
    }
    let string = "\(start)/\(path.drop { $0 == "/" })\(mark)\(query)\(fragment)"
    guard let url = URL(string: string) else {
      throw DataSourceError.illegalArgument("'\(path)' is not a valid path")
    }
    return url
  }

  /// Splits a URL at the `?`.
  private static func parts(_ text: Substring) -> (path: Substring, query: Substring) {
    let path = text.prefix { $0 != "?" }
    return (path, text[path.endIndex...].dropFirst())
  }
}
