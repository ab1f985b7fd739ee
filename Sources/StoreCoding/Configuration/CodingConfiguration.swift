public import ObjectStore

/// How an API writes its JSON. A value: two APIs are two coders over one store.
///
/// What an attribute says of itself wins over what its class says, which wins over this.
public struct CodingConfiguration: Sendable {
  /// The formats dates may have, tried in order; the first that is read as the same date writes.
  public var dates: [DateFormat] = [.iso8601]
  /// How JSON is written.
  public var outputFormatting: OutputFormatting = [.withoutEscapingSlashes]
  /// How keys are made of the names of attributes that declare none.
  public var keys: KeyStyle = .asDeclared
  /// What an explicit null does.
  public var nulls: NullPolicy = .clear
  /// What a value of the wrong type does.
  public var mismatches: MismatchPolicy = .throw
  /// What JSON is.
  public var dialect: Dialect = .default
  /// What a key that an object has twice does.
  public var duplicateKeys: DuplicateKeys = .lastWins
  /// What bytes that are no UTF-8, and lone surrogates, do.
  public var invalidUnicode: InvalidUnicode = .fail
  /// What a payload may not exceed.
  public var limits = Limits()
  /// Whether texts, numbers and booleans stand for each other (`"3"`, `0`/`1`).
  public var isFlexible = false
  /// Whether an empty string is read as null for optional attributes other than strings, and links by a key
  /// that is a string.
  public var emptyAsNil = false
  /// Whether keys are sorted as `JSONSerialization` sorts them and not by their bytes.
  var sortsAsSerialization = false

  /// Whether the policy for mismatches is none for nested objects without a key that is known.
  var refusesForeignObjects = false

  /// Whether an object with a key that was written in a body is named by its key alone where it comes again.
  /// So a body ends whatever circles there are, and is no larger than its objects.
  package var writesEachObjectOnce = false

  /// The default settings.
  public init() {}

  /// ISO 8601 dates, RFC 8259 with one trailing comma allowed, compact output.
  public static var `default`: CodingConfiguration { CodingConfiguration() }

  /// The default without the trailing comma, and a key may come only once.
  public static var strict: CodingConfiguration {
    var configuration = CodingConfiguration()
    configuration.dialect = .strict
    configuration.duplicateKeys = .fail
    return configuration
  }

  /// RealmCoder's leniency, and its bodies byte for byte.
  ///
  /// Nulls and values of the wrong type are skipped (each is an issue), texts, numbers and
  /// booleans stand for each other, and bodies are pretty printed with keys sorted as
  /// `JSONSerialization` sorts them.
  public static var realmCoder: CodingConfiguration {
    var configuration = CodingConfiguration()
    configuration.nulls = .skip
    configuration.mismatches = .skipAttribute
    configuration.outputFormatting = [.prettyPrinted, .sortedKeys]
    configuration.isFlexible = true
    configuration.sortsAsSerialization = true
    configuration.refusesForeignObjects = true
    return configuration
  }
}

extension CodingConfiguration {
  /// The form of JSON that is written, as `JSONEncoder`'s.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Two spaces a level, `"key" : value`.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Keys by their bytes.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    /// `/` and not `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 4)
  }

  /// Which texts are JSON.
  public enum Dialect: Sendable, Hashable {
    /// RFC 8259, and one trailing comma in an array or object, as Foundation reads it.
    case `default`
    /// RFC 8259.
    case strict
  }

  /// What a key that an object has twice does.
  public enum DuplicateKeys: Sendable, Hashable {
    /// The last value counts and nothing of the first is stored; an issue is reported, also inside a
    /// `JSONValue`. Keys that nobody reads, and those in raw JSON, may come as often as they like.
    case lastWins
    /// The payload is refused, wherever the object stands: also in what is skipped or kept as JSON.
    case fail
  }

  /// What bytes that are no UTF-8, and lone surrogates, do.
  public enum InvalidUnicode: Sendable, Hashable {
    /// The payload is refused.
    case fail
    /// U+FFFD takes its place.
    case repair
  }

  /// What a payload may not exceed; beyond it is an error, never a crash.
  public struct Limits: Sendable, Hashable {
    /// Arrays and objects open at once, in payloads and in bodies: 16,384 at most, and a larger
    /// number counts as that; 512 at most in update dictionaries.
    public var depth = 512
    /// Bytes of a payload; nil for no limit but the 4 GiB that hold for all.
    public var byteCount: Int?
    /// Elements of a top-level list; nil for no limit.
    public var elementCount: Int?

    /// A depth of 512, and no other limit.
    public init() {}

    /// The depth that holds: no stack is large enough for more.
    var usedDepth: Int { min(depth, DeepStack.depthLimit) }

    /// The limits of update dictionaries, which are handed out: whoever lets go of one needs a stack
    /// for each level, and that of a thread has 512 KB on some platforms.
    var ofUpdates: Limits {
      var limits = self
      limits.depth = min(depth, 512)
      return limits
    }

    /// The error for what is nested deeper.
    func depthError(at byteOffset: Int?) -> StoreCodingError {
      StoreCodingError(
        .limitExceeded, expected: "\(usedDepth) nested arrays and objects",
        byteOffset: byteOffset)
    }
  }
}

extension CodingConfiguration {
  /// How JSON keys are made from attribute names where nothing is declared.
  public enum KeyStyle: Sendable, Hashable {
    /// The attribute's name.
    case asDeclared
    /// `firstName` ↔ `first_name`, `imageURL` ↔ `image_url`.
    case snakeCase
  }
}
