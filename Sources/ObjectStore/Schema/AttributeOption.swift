/// An option of an attribute of type `Value`: `@Persisted(.null(.skip)) var note: String?`.
///
/// Options that do not apply to a type do not compile for it.
public struct AttributeOption<Value>: Sendable {
  @usableFromInline let option: Property.Option

  init(_ option: CodingOption) { self.option = option }

  /// The effect of an explicit null on the attribute.
  public static func null(_ policy: NullPolicy) -> Self { Self(.null(policy)) }

  /// The effect of a value of the wrong type on the attribute.
  public static func mismatch(_ policy: MismatchPolicy) -> Self { Self(.mismatch(policy)) }

  /// Accepts numbers and Booleans as strings and vice versa: `"3"`, `0`/`1`, `5`.
  public static var flexible: Self { Self(.flexible) }
}
