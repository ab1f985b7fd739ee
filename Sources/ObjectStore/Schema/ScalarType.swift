/// The type of a value: its kind and, for enums, the cases.
public struct _ScalarType: Sendable, Hashable {
  /// The stored kind; for enums, the kind of the raw value.
  package let kind: ScalarKind
  /// The cases of an enum; nil for other types.
  package let cases: EnumCases?
  /// The Codable type of a value that is stored as JSON; nil for other types.
  package let coded: CodedType?

  /// Creates the type of a kind, with `cases` for an enum.
  package init(_ kind: ScalarKind, cases: EnumCases? = nil, coded: CodedType? = nil) {
    self.kind = kind
    self.cases = cases
    self.coded = coded
  }

  /// The name of the type in messages: `Int`, `Role`.
  package var name: String { cases?.typeName ?? coded?.name ?? kind.name }

  /// True if JSON's null is a value of the type.
  package var acceptsNull: Bool {
    guard kind == .json else { return false }
    guard let coded else { return true }
    var null = StoredJSON()
    null.null()
    return null.withBytes { coded.mistake(in: $0) == nil }
  }
}

package typealias ScalarType = _ScalarType
