/// An option of an attribute of type `Value`: `@Persisted(.null(.skip)) var note: String?`.
///
/// Options that do not apply to a type do not compile for it.
public struct AttributeOption<Value>: Sendable {
  @usableFromInline let option: Property.Option

  init(_ option: CodingOption) { self.option = option }

  /// Sets the effect of an explicit null on the attribute.
  public static func null(_ policy: NullPolicy) -> Self { Self(.null(policy)) }

  /// Sets the effect of a value of the wrong type on the attribute.
  public static func mismatch(_ policy: MismatchPolicy) -> Self { Self(.mismatch(policy)) }

  /// Converts between strings, numbers and Booleans: for example, `"3"` to 3, `1` to true, or `5` to `"5"`.
  public static var flexible: Self { Self(.flexible) }
}
