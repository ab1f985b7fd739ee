extension Property {
  /// An option of an attribute, independent of the attribute's type.
  public enum Option: Sendable, Hashable {
    /// The accepted formats of a date.
    case dates([DateFormat])
    /// The effect of an explicit null.
    case null(AttributePolicy.Nulls)
    /// The effect of a value of the wrong type.
    case mismatch(AttributePolicy.Mismatches)
    /// Keeps a JSON subtree as text.
    case raw(AttributePolicy.RawValues)
    /// Converts between strings, numbers and Booleans.
    case flexible
    /// Decodes `""`, `false` and `[]` as null, and objects without a value where a link is expected.
    case emptyAsNil
    /// Decodes these strings, numbers and Booleans as null.
    case nilWhen([JSONValue])
    /// Encodes nil as null instead of omitting it.
    case writesNil
    /// Omits an empty collection when encoding.
    case omitsEmpty
    /// Excludes the attribute from JSON.
    case local
    /// Keeps the members of JSON objects that no attribute reads.
    case unread
    /// Marks objects of which only the primary key is known.
    case placeholder
    /// Represents objects by their primary keys.
    case byKey
    /// Updates an embedded object instead of replacing it.
    case inPlace
    /// Represents a collection of objects as a JSON object with these names.
    case keyed(AttributePolicy.MemberNames)
    /// Decodes a single value as a collection of one element.
    case acceptsSingleValue
    /// Converts values with code.
    case coding(_AnyValueCoding)
    /// Encodes numbers as strings, with at least this many digits after the decimal point.
    case string(fractionDigits: Int)
    /// The form of the Base64 text of data.
    case base64(AttributePolicy.Base64)
    /// Further JSON keys, paths or pointers of the attribute, which are read if its own key is absent.
    case aliases([String])
    /// The raw value that replaces unknown ones: the bits of a number or the bytes of a string.
    case unknown(word: UInt64, text: [UInt8])
  }
}

extension Property.Option {
  /// True if bodies have no member for the attribute itself.
  package var preventsEncoding: Bool {
    preventsDecoding || self == .keyed(.anyName)
  }

  /// True if payloads have no member for the attribute itself.
  var preventsDecoding: Bool {
    switch self {
    case .local, .placeholder, .unread: true
    default: false
    }
  }
}

package typealias CodingOption = Property.Option
