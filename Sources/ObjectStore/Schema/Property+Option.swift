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
    /// Nil is written as null, and not left out.
    case writesNil
    /// An empty collection is left out when it is written.
    case omitsEmpty
    /// Keys stand for the objects.
    case byKey
    /// The raw value, as bits or text, that stands for unknown ones.
    case unknown(word: UInt64, text: [UInt8])
  }
}

package typealias CodingOption = Property.Option
