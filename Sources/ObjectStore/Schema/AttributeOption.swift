/// An option of an attribute of type `Value`: `@Persisted(.null(.skip)) var note: String?`.
///
/// Options that do not apply to a type do not compile for it.
public struct AttributeOption<Value>: Sendable {
  @usableFromInline let option: Property.Option

  init(_ option: CodingOption) { self.option = option }

  /// Sets the effect of an explicit null on the attribute.
  public static func null(_ policy: AttributePolicy.Nulls) -> Self { Self(.null(policy)) }

  /// Sets the effect of a value of the wrong type on the attribute.
  public static func mismatch(_ policy: AttributePolicy.Mismatches) -> Self {
    Self(.mismatch(policy))
  }

  /// Excludes the attribute from JSON: it is neither decoded nor encoded, such as a draft or a date of reading. An attribute
  /// in `codableIgnoredAttributes` is decoded, but not encoded.
  public static var local: Self { Self(.local) }

  /// Reads the attribute from the first of these keys, dotted paths or pointers that is present if its own key is absent:
  /// `@Persisted(json: "genre_ids", .aliases("genres")) var genreIDs: List<Int>`.
  ///
  /// An explicit null is present. A key that is not read is skipped, also if its value is bad. Encoding writes the
  /// attribute's own key.
  public static func aliases(_ paths: String...) -> Self { Self(.aliases(paths)) }

  /// Converts between strings, numbers and Booleans: for example, `"3"` to 3, `1` to true, or `5` to `"5"`.
  public static var flexible: Self { Self(.flexible) }
}
