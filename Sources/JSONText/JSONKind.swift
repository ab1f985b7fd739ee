/// What a value is, told by its first byte.
public enum JSONKind: UInt8, Sendable {
  case object, array, string, number, bool, null
  /// The byte begins no value, or the text has ended.
  case invalid
}
