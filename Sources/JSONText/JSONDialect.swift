/// How much of the grammar may be bent.
public enum JSONDialect: UInt8, Sendable {
  /// RFC 8259, plus one trailing comma before `]` or `}`, as Foundation accepts it.
  case `default`
  /// RFC 8259 and nothing else.
  case strict
}
