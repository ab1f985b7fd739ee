/// A representation of dates as strings or numbers.
///
/// If an attribute has several formats, decoding tries them in order. Encoding uses the first format that reproduces
/// the same date when decoded, or else the first one. In ISO 8601 and numeric formats, fractions have enough digits to
/// reproduce the date, up to nanoseconds, which is exact for every `Date` that is at least half a year from 2001.
public struct DateFormat: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The kinds of formats.
  public enum Kind: Sendable, Hashable {
    /// RFC 3339 and the common forms of ISO 8601.
    case iso8601
    /// `Fri, 18 May 2018 14:53:37 GMT`.
    case rfc1123
    /// A number of seconds since 1970.
    case unixSeconds
    /// A number of milliseconds since 1970.
    case unixMilliseconds
    /// `2018-05-18`.
    case date
    /// A pattern; see ``DateFormat/format(_:)``.
    case pattern(String)
  }

  /// The kind of the format.
  public let kind: Kind
  /// The identifier of the time zone of a pattern without one, such as `Europe/Berlin`; nil for UTC.
  public let timeZone: String?

  init(_ kind: Kind, timeZone: String? = nil) {
    self.kind = kind
    self.timeZone = timeZone
  }

  /// Creates a pattern, like ``format(_:)``.
  public init(stringLiteral value: String) { self.init(.pattern(value)) }

  /// RFC 3339 and the common forms of ISO 8601. Encodes as `2018-05-18T14:53:37Z`, and with milliseconds or more digits
  /// if the date has a fraction of a second. The pattern `"yyyy-MM-dd'T'HH:mm:ss.SSSX"` always encodes milliseconds.
  public static let iso8601 = DateFormat(.iso8601)
  /// `Fri, 18 May 2018 14:53:37 GMT`.
  public static let rfc1123 = DateFormat(.rfc1123)
  /// A number of seconds since 1970-01-01T00:00:00Z.
  public static let unixSeconds = DateFormat(.unixSeconds)
  /// A number of milliseconds since 1970-01-01T00:00:00Z.
  public static let unixMilliseconds = DateFormat(.unixMilliseconds)
  /// `2018-05-18`, midnight UTC. Strings with a time do not match.
  public static let date = DateFormat(.date)

  /// Returns a pattern of `yyyy MM dd HH mm ss SSS`, zones (`Z`, `XXX`), names (`MMM`, `EEE`) and punctuation.
  ///
  /// `hh` and `h` are hours from 1 to 12 with `a` for AM or PM. `yy` is a year from 1969 to 2068. Names are in English; a
  /// string without a zone is in UTC. Any other letter makes the declaration invalid.
  public static func format(_ pattern: String) -> DateFormat { DateFormat(.pattern(pattern)) }

  /// Returns a pattern for strings without a zone, which are in the given time zone.
  ///
  ///     @Persisted(.date(.format("yyyy-MM-dd HH:mm:ss", timeZone: "Europe/Berlin"))) var opened: Date
  ///
  /// A time that occurs twice when clocks are set back is read as the first one. A time that clocks skip is refused. A
  /// pattern without a time, such as `dd/MM/yyyy`, reads the beginning of the day in the time zone.
  ///
  /// - Parameters:
  ///   - pattern: A pattern without a zone, with month, day, hour and minute or without a time; another one makes the
  ///     declaration invalid.
  ///   - timeZone: An identifier of the tz database; an unknown one makes the declaration invalid.
  public static func format(_ pattern: String, timeZone: String) -> DateFormat {
    DateFormat(.pattern(pattern), timeZone: timeZone)
  }

  /// The name of the format in messages.
  public var name: String {
    switch kind {
    case .iso8601: "ISO 8601"
    case .rfc1123: "RFC 1123"
    case .unixSeconds: "seconds since 1970"
    case .unixMilliseconds: "milliseconds since 1970"
    case .date: "yyyy-MM-dd"
    case .pattern(let pattern): timeZone.map { "\(pattern) in \($0)" } ?? pattern
    }
  }
}
