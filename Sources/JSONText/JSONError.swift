/// An error in JSON text, or in the type or range of a requested value, with its offset.
///
/// The error has 16 bytes and contains no string, so throwing it from hot functions does not allocate. Line and
/// column are computed on demand; see ``JSONInput/lineAndColumn(at:)``.
public struct JSONError: Error, Equatable, Sendable {
  /// The kind of an error. Each has a ``JSONError/message``.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// The text is empty or only white space.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that cannot begin a value, or the first wrong byte in a misspelled `true`, `false` or `null`.
    case unexpectedCharacter
    /// Text other than white space after the value.
    case trailingContent
    /// A number with invalid syntax, such as `01` or `1.`.
    case invalidNumber
    /// A backslash that does not begin a valid escape.
    case invalidEscape
    /// An escaped surrogate without its other half.
    case loneSurrogate
    /// Invalid UTF-8 in a string.
    case invalidUTF8
    /// An unescaped byte below 0x20 in a string.
    case controlCharacter
    /// More nested arrays and objects than the reader's limit.
    case depthLimit
    /// A comma before `]` or `}`, in the strict dialect.
    case trailingComma
    /// UTF-16 or UTF-32 input that cannot be converted.
    case invalidEncoding
    /// A duplicate key, if the reader rejects those.
    case duplicateKey
    /// Text other than a quoted key in an object.
    case expectedKey
    /// A key without a colon.
    case expectedColon
    /// A value that is followed by neither a comma nor the end of its container.
    case expectedCommaOrEnd
    /// A valid value of a type other than the requested one.
    case notThatType
    /// A number with a fraction where an integer was requested.
    case notIntegral
    /// A number out of range of the requested type.
    case outOfRange
  }

  public var kind: Kind

  /// The offset of the error in bytes from ``JSONInput/start`` (after a byte order mark, and in UTF-8 if the
  /// input was converted). For `invalidEncoding`, the offset in the original bytes.
  public var byteOffset: Int

  public init(_ kind: Kind, at byteOffset: Int) {
    self.kind = kind
    self.byteOffset = byteOffset
  }

  /// True if the text is invalid; false if only the type or range of a value is wrong.
  ///
  /// If false, the reader is at the start of that value.
  public var isSyntax: Bool {
    switch kind {
    case .notThatType, .notIntegral, .outOfRange: false
    default: true
    }
  }

  /// The error as a sentence fragment, to be followed by `"… at line 3, column 14"`.
  public var message: String {
    switch kind {
    case .empty: "the JSON text is empty"
    case .unexpectedEnd: "the text ends in the middle of a value"
    case .unexpectedCharacter: "expected a JSON value"
    case .trailingContent: "unexpected text after the JSON value"
    case .invalidNumber: "a malformed number"
    case .invalidEscape: "an invalid escape sequence"
    case .loneSurrogate: "a lone surrogate escape"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .controlCharacter: "an unescaped control character in a string"
    case .depthLimit: "arrays and objects nested too deeply"
    case .trailingComma: "a trailing comma"
    case .invalidEncoding: "text that is neither valid UTF-8 nor valid UTF-16 or UTF-32"
    case .duplicateKey: "a key that occurs twice in one object"
    case .expectedKey: "expected a quoted key in an object"
    case .expectedColon: "expected a colon after a key"
    case .expectedCommaOrEnd: "expected a comma or the end of the array or object after a value"
    case .notThatType: "a value of another type"
    case .notIntegral: "a number that is not an integer"
    case .outOfRange: "a number that is out of range"
    }
  }
}
