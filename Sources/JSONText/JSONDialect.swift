/// A JSON grammar.
public enum JSONDialect: UInt8, Sendable {
  /// RFC 8259, plus one trailing comma before `]` or `}`, as in Foundation.
  case `default`
  /// RFC 8259.
  case strict
}
