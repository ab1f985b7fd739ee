/// The treatment of values by the options of attributes.
public enum AttributePolicy {}

extension AttributePolicy {
  /// The effect of an explicit null in a payload.
  public enum Nulls: Sendable, Hashable {
    /// Clears an optional attribute or empties a collection. Throws an error for other attributes.
    case clear
    /// Leaves the attribute unchanged.
    case skip
    /// Assigns the declared default. A default that differs on each evaluation (`Date()`) changes the object each time;
    /// ``skip`` assigns it to new objects only.
    case `default`
    /// Throws an error, even for an optional attribute.
    case fail
  }
}

extension AttributePolicy {
  /// The effect of a value of the wrong type.
  public enum Mismatches: Sendable, Hashable {
    /// Rejects the payload.
    case `throw`
    /// Leaves the attribute unchanged.
    case skipAttribute
    /// Omits the element. For a collection attribute, this is its own element; otherwise, the element of the nearest
    /// enclosing collection with this policy, or of the top-level list. Throws an error if there is none.
    case skipElement
    /// Assigns the declared default. A default that differs on each evaluation (`Date()`) changes the object each time;
    /// ``skipAttribute`` assigns it to new objects only.
    case useDefault
  }
}

extension AttributePolicy {
  /// A form of Base64 (RFC 4648).
  public enum Base64: Sendable, Hashable {
    /// The standard alphabet with padding (section 4).
    case standard
    /// The alphabet of URLs and file names, without padding (section 5).
    case urlSafe
  }
}

extension AttributePolicy {
  /// The meaning of the names in a JSON object whose members are the objects of a collection.
  public enum MemberNames: Sendable, Hashable {
    /// The primary keys of the objects.
    case primaryKey
    /// Any names, which are neither kept nor written.
    case anyName
  }
}

extension AttributePolicy {
  /// The form of the text in which a JSON subtree is kept.
  public enum RawValues: Sendable, Hashable {
    /// Byte for byte as received.
    case exact
    /// Without white space and with sorted keys. Numbers and strings are kept as written.
    case minified
  }
}
