/// How a date is written as text or number.
///
/// Where several are given they are tried in order, and the first that is read as the same date
/// writes; if none is, the first. A date is written with as many digits as it takes, up to a
/// nanosecond, which is enough for every `Date` that is half a year from 2001 or more.
public struct DateFormat: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The formats there are.
  public enum Kind: Sendable, Hashable {
    /// RFC 3339 and the ISO 8601 shapes in use.
    case iso8601
    /// `Fri, 18 May 2018 14:53:37 GMT`.
    case rfc1123
    /// A number of seconds since 1970.
    case unixSeconds
    /// A number of milliseconds since 1970.
    case unixMilliseconds
    /// `2018-05-18`.
    case date
    /// A pattern as of ``DateFormat/format(_:)``.
    case pattern(String)
  }

  /// Which format it is.
  public let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// A pattern: the same as ``format(_:)``.
  public init(stringLiteral value: String) { kind = .pattern(value) }

  /// RFC 3339 and the ISO 8601 shapes in use; writes `2018-05-18T14:53:37.000Z`.
  public static let iso8601 = DateFormat(.iso8601)
  /// `Fri, 18 May 2018 14:53:37 GMT`.
  public static let rfc1123 = DateFormat(.rfc1123)
  /// A number of seconds since 1970-01-01T00:00:00Z.
  public static let unixSeconds = DateFormat(.unixSeconds)
  /// A number of milliseconds since 1970-01-01T00:00:00Z.
  public static let unixMilliseconds = DateFormat(.unixMilliseconds)
  /// `2018-05-18`, midnight UTC; a text with a time is another format.
  public static let date = DateFormat(.date)

  /// A pattern of `yyyy MM dd HH mm ss SSS`, zones (`Z`, `XXX`), names (`MMM`, `EEE`) and punctuation.
  ///
  /// Names are English; a text without a zone is in UTC. A pattern with any other letter is a
  /// mistake in the declarations.
  public static func format(_ pattern: String) -> DateFormat { DateFormat(.pattern(pattern)) }

  /// As messages show it.
  public var name: String {
    switch kind {
    case .iso8601: "ISO 8601"
    case .rfc1123: "RFC 1123"
    case .unixSeconds: "seconds since 1970"
    case .unixMilliseconds: "milliseconds since 1970"
    case .date: "yyyy-MM-dd"
    case .pattern(let pattern): pattern
    }
  }
}
