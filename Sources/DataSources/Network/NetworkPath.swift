import Foundation

/// The path of a request behind the base URL, with what stands behind a `?`. What is interpolated is a value:
/// each character that has a meaning in a URL is escaped.
///
///     let path: NetworkPath = "items/\(id)?fields=\(fields)"
///     let other: NetworkPath = "\(verbatim: link)"
///
/// In front of the `?` a value that is empty, `.` or `..` would be another path than is meant:
/// such a request is not sent, but is a ``DataSourceError/illegalArgument(_:)``.
public struct NetworkPath: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The path, escaped.
  public let text: String
  /// Whether a value cannot stand where it stands.
  let isMisleading: Bool

  /// A path that stands in the program as it is.
  public init(stringLiteral value: String) {
    text = value
    isMisleading = false
  }

  /// A path with values in it.
  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    isMisleading = stringInterpolation.isMisleading
  }

  /// Puts a path together.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var isMisleading = false

    /// An empty one.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends what stands in the program.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Appends a value: the text of an id, escaped.
    public mutating func appendInterpolation(_ value: some Hashable) {
      let value = IdentifierString.string(of: value)
      if !text.contains("?"), ["", ".", ".."].contains(value) { isMisleading = true }
      text += value.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
    }

    /// Appends what is a piece of a path already.
    public mutating func appendInterpolation(verbatim piece: String) {
      text += piece
    }

    /// Those that no URL escapes (RFC 3986 §2.3).
    private static let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  }

  /// The URL behind a base, with what stands behind a `?` in either.
  /// - Throws: ``DataSourceError/illegalArgument(_:)``.
  func url(relativeTo base: URL) throws -> URL {
    let (basePath, baseQuery) = Self.parts(base.absoluteString.prefix { $0 != "#" })
    var start = basePath
    while start.hasSuffix("/") { start.removeLast() }
    let fragment = text.drop { $0 != "#" }
    let (path, pathQuery) = Self.parts(text.prefix { $0 != "#" })
    let query = [baseQuery, pathQuery].filter { !$0.isEmpty }.joined(separator: "&")
    let mark = query.isEmpty ? "" : "?"
    guard !isMisleading,
      let url = URL(string: "\(start)/\(path.drop { $0 == "/" })\(mark)\(query)\(fragment)")
    else {
      throw DataSourceError.illegalArgument(
        "an id that is empty, '.' or '..' leads elsewhere, or the path is none: '\(path)'")
    }
    return url
  }

  /// What stands in front of the `?`, and what behind it.
  private static func parts(_ text: Substring) -> (path: Substring, query: Substring) {
    let path = text.prefix { $0 != "?" }
    return (path, text[path.endIndex...].dropFirst())
  }
}
