/// The type of a value: its kind, and what narrows it.
public struct _ScalarType: Sendable, Hashable {
  /// How it is stored; of an enum, its raw value's kind.
  package let kind: ScalarKind
  /// For enums: the type's name and its raw values; nil for any other type.
  package let cases: EnumCases?

  /// The type of a kind; `cases` if it is an enum.
  package init(_ kind: ScalarKind, cases: EnumCases? = nil) {
    self.kind = kind
    self.cases = cases
  }

  /// The type as messages show it: `Int`, `Role`.
  package var name: String { cases?.typeName ?? kind.name }
}

package typealias ScalarType = _ScalarType
