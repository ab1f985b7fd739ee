// How attributes and classes map to JSON: plain data, declared here because models name it, and
// interpreted by the coder alone.

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

/// What an explicit null of a payload does.
public enum NullPolicy: Sendable, Hashable {
  /// Clears an optional attribute, empties a collection; an error where neither can be.
  case clear
  /// Leaves the attribute alone.
  case skip
  /// Assigns the declared default. One that is another each time (`Date()`) changes the object each
  /// time; ``skip`` gives it to new objects only.
  case `default`
  /// Is an error, also for an optional attribute.
  case fail
}

/// What a value of the wrong type does.
public enum MismatchPolicy: Sendable, Hashable {
  /// Refuses the payload.
  case `throw`
  /// Leaves the attribute alone.
  case skipAttribute
  /// Leaves out the element: of the attribute, if it is a collection; else of the collection around
  /// that says the same, or of the top-level list. Fails where there is none.
  case skipElement
  /// Assigns the declared default. One that is another each time (`Date()`) changes the object each
  /// time; ``skipAttribute`` gives it to new objects only.
  case useDefault
}

/// How a JSON subtree is kept as text.
public enum RawPolicy: Sendable, Hashable {
  /// Byte for byte as sent.
  case exact
  /// Without white space, keys sorted; numbers and strings token for token.
  case minified
}

extension Property {
  /// One option of an attribute, without its type.
  public enum Option: Sendable, Hashable {
    /// The formats a date may have.
    case dates([DateFormat])
    /// What an explicit null does.
    case null(NullPolicy)
    /// What a value of the wrong type does.
    case mismatch(MismatchPolicy)
    /// A JSON subtree is kept as its text.
    case raw(RawPolicy)
    /// Numbers and booleans may come as texts and the other way round.
    case flexible
    /// An empty text is read as null is.
    case emptyAsNil
    /// The raw value, as bits or text, that stands for unknown ones.
    case unknown(word: UInt64, text: [UInt8])
  }
}

package typealias CodingOption = Property.Option

/// An option of an attribute of type `Value`: `@Persisted(.null(.skip)) var note: String?`.
///
/// Options that make no sense for a type do not compile for it.
public struct AttributeOption<Value>: Sendable {
  @usableFromInline let option: Property.Option

  init(_ option: CodingOption) { self.option = option }

  /// What an explicit null does to the attribute.
  public static func null(_ policy: NullPolicy) -> Self { Self(.null(policy)) }

  /// What a value of the wrong type does to the attribute.
  public static func mismatch(_ policy: MismatchPolicy) -> Self { Self(.mismatch(policy)) }

  /// Numbers and booleans may come as texts and the other way round: `"3"`, `0`/`1`, `5`.
  public static var flexible: Self { Self(.flexible) }
}
