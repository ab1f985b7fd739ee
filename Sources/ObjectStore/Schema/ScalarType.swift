/// The type of a value: its kind and, for enums, the cases.
public struct _ScalarType: Sendable, Hashable {
  /// The stored kind; for enums, the kind of the raw value.
  package let kind: ScalarKind
  /// The cases of an enum; nil for other types.
  package let cases: EnumCases?

  /// Creates the type of a kind, with `cases` for an enum.
  package init(_ kind: ScalarKind, cases: EnumCases? = nil) {
    self.kind = kind
    self.cases = cases
  }

  /// The name of the type in messages: `Int`, `Role`.
  package var name: String { cases?.typeName ?? kind.name }
}

package typealias ScalarType = _ScalarType
