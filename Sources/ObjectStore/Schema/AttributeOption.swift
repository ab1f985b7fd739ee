/// An option of an attribute of type `Value`: `@Persisted(.null(.skip)) var note: String?`.
///
/// Options that make no sense for a type do not compile for it.
public struct AttributeOption<Value>: Sendable {
  @usableFromInline let option: Property.Option

  init(_ option: CodingOption) { self.option = option }

  /// What an explicit null does to the attribute.
  public static func null(_ policy: NullPolicy) -> Self { Self(.null(policy)) }

  /// What a value of the wrong type does to the attribute.
  public static func mismatch(_ policy: MismatchPolicy) -> Self { Self(.mismatch(policy)) }

  /// Numbers and booleans may come as texts and the other way round: `"3"`, `0`/`1`, `5`.
  public static var flexible: Self { Self(.flexible) }
}
