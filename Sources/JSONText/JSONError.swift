/// What is wrong with a JSON text, or with the value a caller asked for, and where.
///
/// Sixteen bytes and no text: hot functions throw it without allocating. Line and column are
/// worked out when somebody prints them, see ``JSONInput/lineAndColumn(at:)``.
public struct JSONError: Error, Equatable, Sendable {
  /// The closed set of mistakes; each has one sentence fragment, ``JSONError/message``.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// There is no text, or nothing but white space.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that begins no value.
    case unexpectedCharacter
    /// Something other than white space after the value.
    case trailingContent
    /// A number that breaks the grammar, such as `01` or `1.`.
    case invalidNumber
    /// A backslash followed by something that is no escape.
    case invalidEscape
    /// Half of a surrogate pair, written as an escape.
    case loneSurrogate
    /// Bytes in a string that are not UTF-8.
    case invalidUTF8
    /// A raw byte below 0x20 in a string.
    case controlCharacter
    /// More nested arrays and objects than the reader's limit.
    case depthLimit
    /// A comma before `]` or `}`, in the strict dialect.
    case trailingComma
    /// UTF-16 or UTF-32 input that cannot be converted.
    case invalidEncoding
    /// A key that its object has already, where the reader refuses that.
    case duplicateKey
    /// Something other than a quoted key in an object.
    case expectedKey
    /// A key without its colon.
    case expectedColon
    /// A value that is followed by neither a comma nor the end of its container.
    case expectedCommaOrEnd
    /// The value is well formed, but of another type than the caller asked for.
    case notThatType
    /// A number with a fraction where an integer was asked for.
    case notIntegral
    /// A number too large for the type that was asked for.
    case outOfRange
  }

  public var kind: Kind

  /// Bytes before the mistake, counted from ``JSONInput/start`` (after a byte order mark, and in
  /// UTF-8 if the input was converted). For `invalidEncoding`, counted in the bytes as given.
  public var byteOffset: Int

  public init(_ kind: Kind, at byteOffset: Int) {
    self.kind = kind
    self.byteOffset = byteOffset
  }

  /// Whether the text itself is broken; false when only the type or range of a value is wrong.
  ///
  /// After an error that is not about syntax the reader stands at the start of that value.
  public var isSyntax: Bool {
    switch kind {
    case .notThatType, .notIntegral, .outOfRange: false
    default: true
    }
  }

  /// The mistake as a sentence fragment, fit for `"… at line 3, column 14"` behind it.
  public var message: String {
    switch kind {
    case .empty: "there is no JSON text"
    case .unexpectedEnd: "the text ends in the middle of a value"
    case .unexpectedCharacter: "a character that begins no JSON value"
    case .trailingContent: "something after the end of the JSON value"
    case .invalidNumber: "a malformed number"
    case .invalidEscape: "an escape that JSON does not know"
    case .loneSurrogate: "a lone surrogate escape"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .controlCharacter: "an unescaped control character in a string"
    case .depthLimit: "arrays and objects nested too deeply"
    case .trailingComma: "a comma with nothing after it"
    case .invalidEncoding: "text that is neither valid UTF-8 nor valid UTF-16 or UTF-32"
    case .duplicateKey: "a key that stands twice in one object"
    case .expectedKey: "no quoted key where an object needs one"
    case .expectedColon: "no colon after a key"
    case .expectedCommaOrEnd: "neither a comma nor the end of the array or object after a value"
    case .notThatType: "a value of another type"
    case .notIntegral: "a number that is not a whole number"
    case .outOfRange: "a number that is out of range"
    }
  }
}
