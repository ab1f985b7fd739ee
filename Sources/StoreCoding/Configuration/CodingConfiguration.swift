public import ObjectStore

/// The JSON conventions of one API. To talk to two APIs, use two coders over one store.
///
/// Options declared by an attribute override those of its class, which override these.
public struct CodingConfiguration: Sendable {
  /// The date formats, tried in order when reading. A date is written in the first format that reads back as the
  /// same date.
  public var dates: [DateFormat] = [.iso8601]
  /// The format of encoded JSON.
  public var outputFormatting: OutputFormatting = [.withoutEscapingSlashes]
  /// The rule that derives JSON keys from the names of attributes that declare none.
  public var keys: KeyStyle = .asDeclared
  /// The policy for explicit nulls.
  public var nulls: AttributePolicy.Nulls = .clear
  /// The policy for values of the wrong type.
  public var mismatches: AttributePolicy.Mismatches = .throw
  /// The JSON grammar that payloads must follow.
  public var dialect: Dialect = .default
  /// The handling of keys that occur twice in one object.
  public var duplicateKeys: DuplicateKeys = .lastWins
  /// The handling of invalid UTF-8 and lone surrogates.
  public var invalidUnicode: InvalidUnicode = .fail
  /// The limits on payloads and bodies.
  public var limits = Limits()
  /// A Boolean value that indicates whether strings, numbers and booleans are converted to each other (`"3"`,
  /// `0`/`1`).
  public var isFlexible = false
  /// A Boolean value that indicates whether `""`, `false`, `[]`, and for links `{}` are read as null, as with the option
  /// `.emptyAsNil`.
  /// Applies to optionals, links, collections and elements that can be nil, but not to strings, data, JSON values and
  /// links by a string key.
  public var emptyAsNil = false
  /// A Boolean value that indicates whether bodies contain the declared defaults of attributes that are not known, which
  /// neither a payload nor code has given a value. A server that receives them may take them for the user's values.
  public var encodesUnknown = false
  /// A Boolean value that indicates whether bodies contain UUIDs in upper case, as Foundation's `uuidString`, instead of in
  /// lower case (RFC 9562, section 4). Both are read. `Edit.keyText` and UUIDs in Codable values are always in lower case.
  public var uppercaseUUIDs = false
  /// The author of decoded values, for classes that track edits: `.server`, unless payloads contain what the user did.
  public var decodesAs: Store.Author = .server
  /// Chooses the value of an edited attribute for which the server has sent another value than before, and whether an
  /// edited object stays that the server does not have. If it is nil, both stay; see `Edit.Choice.keep`.
  ///
  /// Called for each conflict after the values of a payload are applied and before they are committed. It can read the
  /// store but not write to it. An error rejects the payload. Not called for attributes whose edit is in flight.
  public var resolveConflict: (@Sendable (Edit.Conflict) throws -> Edit.Choice)?
  /// True to sort keys as `JSONSerialization` does instead of by their bytes.
  var sortsAsSerialization = false

  /// True to report a nested object without any known key as an error, even if the mismatch policy is lenient.
  var rejectsForeignObjects = false

  /// True to encode each keyed object in full once per body and only as its key afterwards. The body is then finite
  /// even with cycles, and no larger than its objects.
  package var writesEachObjectOnce = false

  /// ``resolveConflict``, or the default.
  var conflictResolver: @Sendable (Edit.Conflict) throws -> Edit.Choice {
    resolveConflict ?? { _ in .keep }
  }

  /// Creates the default settings.
  public init() {}

  /// ISO 8601 dates, RFC 8259 with one trailing comma allowed, compact output.
  public static var `default`: CodingConfiguration { CodingConfiguration() }

  /// The default settings, except that trailing commas and duplicate keys are rejected.
  public static var strict: CodingConfiguration {
    var configuration = CodingConfiguration()
    configuration.dialect = .strict
    configuration.duplicateKeys = .fail
    return configuration
  }

  /// The lenient rules of RealmCoder, with identical output byte for byte.
  ///
  /// Nulls and values of the wrong type are skipped, each with an issue. Strings, numbers and booleans are
  /// converted to each other. Bodies are pretty-printed, with keys sorted as `JSONSerialization` sorts them. Dates are
  /// written with milliseconds even if these are 0, and UUIDs in upper case.
  public static var realmCoder: CodingConfiguration {
    var configuration = CodingConfiguration()
    // `.iso8601` reads the other forms, and writes dates that are finer than milliseconds.
    configuration.dates = [.format("yyyy-MM-dd'T'HH:mm:ss.SSSX"), .iso8601]
    configuration.nulls = .skip
    configuration.mismatches = .skipAttribute
    configuration.outputFormatting = [.prettyPrinted, .sortedKeys]
    configuration.isFlexible = true
    configuration.encodesUnknown = true
    configuration.uppercaseUUIDs = true
    configuration.sortsAsSerialization = true
    configuration.rejectsForeignObjects = true
    return configuration
  }
}

extension CodingConfiguration {
  /// Options for encoded JSON, similar to those of `JSONEncoder`.
  public struct OutputFormatting: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Indents by two spaces per level and writes `"key" : value`.
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    /// Sorts keys by their bytes.
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    /// Writes `/` instead of `\/`.
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 4)
  }

  /// A JSON grammar.
  public enum Dialect: Sendable, Hashable {
    /// RFC 8259, plus one trailing comma in an array or object, as in Foundation.
    case `default`
    /// RFC 8259.
    case strict
  }

  /// The handling of keys that occur twice in one object.
  public enum DuplicateKeys: Sendable, Hashable {
    /// The last value wins and no part of the first is stored. Each duplicate is reported as an issue, also
    /// inside a `JSONValue`. Duplicates of keys that no attribute reads, and those inside raw JSON, are
    /// ignored.
    case lastWins
    /// The payload is rejected, even if the object is skipped or kept as JSON.
    case fail
  }

  /// The handling of invalid UTF-8 and lone surrogates.
  public enum InvalidUnicode: Sendable, Hashable {
    /// The payload is rejected.
    case fail
    /// Each invalid sequence is replaced with U+FFFD.
    case repair
  }

  /// The limits on payloads and bodies. Exceeding a limit throws an error.
  public struct Limits: Sendable, Hashable {
    /// The maximum nesting of arrays and objects, in payloads and bodies. Larger values are capped at 16,384,
    /// and at 512 for update dictionaries. A `JSONValue` has at most 512 levels of its own.
    public var depth = 512
    /// The maximum size of a payload in bytes, or nil. Every payload is limited to 4 GiB.
    public var byteCount: Int?
    /// The maximum number of elements of a top-level list, or nil for no limit.
    public var elementCount: Int?
    /// The maximum size in bytes of the part of a payload outside its envelope that a ``ReadResult`` keeps, or nil for
    /// no limit; 1 MiB by default. A payload with more is decoded, and only ``ReadResult/metadata(_:)`` throws. A
    /// stream with more is an error, because it keeps this part in memory until its end.
    public var metadataByteCount: Int? = 1 << 20

    /// The maximum number of members that an attribute with the option `.unread` keeps in one object, or nil for no limit;
    /// 10,000 by default. A payload with more in one object is an error. If the members of several payloads are more, those
    /// of earlier ones are dropped, which is an issue: the server varies their names.
    public var unreadMemberCount: Int? = 10_000

    /// The maximum size in bytes of one element of a stream; 16 MiB by default. A stream keeps the element in progress
    /// in memory.
    public var streamElementByteCount = 16 << 20

    /// Creates limits with a depth of 512, 1 MiB of metadata, 10,000 unread members of an object, 16 MiB for an element of a
    /// stream and no other limit.
    public init() {}

    /// The effective depth, capped because no stack is large enough for more.
    var usedDepth: Int { min(depth, DeepStack.depthLimit) }

    /// The limits for update dictionaries. Releasing one recurses once per level, on any thread, and a thread's
    /// stack is only 512 KB on some platforms.
    var ofUpdates: Limits {
      var limits = self
      limits.depth = min(depth, 512)
      return limits
    }

    /// The error for a payload or body that exceeds the depth limit.
    func depthError(at byteOffset: Int?) -> StoreCodingError {
      StoreCodingError(
        .limitExceeded, expected: "\(usedDepth) nested arrays and objects",
        byteOffset: byteOffset)
    }
  }
}

extension CodingConfiguration {
  /// The rule that derives JSON keys from attribute names.
  public struct KeyStyle: Sendable {
    /// The name in the table of ``StoreCoder/explain(_:dynamic:)``.
    let name: String
    let rule: Rule

    /// A class, so that two key styles can be compared.
    final class Rule: Sendable {
      let key: @Sendable (String) -> String

      init(_ key: @escaping @Sendable (String) -> String) { self.key = key }
    }

    init(name: String, key: @escaping @Sendable (String) -> String) {
      self.name = name
      rule = Rule(key)
    }

    /// The attribute's name.
    public static let asDeclared = KeyStyle(name: "name") { $0 }
    /// `firstName` ↔ `first_name`, `imageURL` ↔ `image_url`, `genreIDs` ↔ `genre_ids`.
    public static let snakeCase = KeyStyle(name: "snake case") {
      keyWords($0).joined(separator: "_")
    }
    /// `firstName` ↔ `first-name`, `imageURL` ↔ `image-url`, `genreIDs` ↔ `genre-ids`.
    public static let kebabCase = KeyStyle(name: "kebab case") {
      keyWords($0).joined(separator: "-")
    }
    /// `firstName` ↔ `FirstName`, `imageURL` ↔ `ImageURL`.
    public static let pascalCase = KeyStyle(name: "pascal case") {
      $0.prefix(1).uppercased() + $0.dropFirst()
    }

    /// A rule of your own. It is called for attributes without a declared key and must always return the same key for the
    /// same name. Coders that are created one after the other with the same value share its results.
    public static func custom(_ key: @escaping @Sendable (String) -> String) -> KeyStyle {
      KeyStyle(name: "custom rule", key: key)
    }
  }
}
