/// The kind of a value, determined by its first byte.
public enum JSONKind: UInt8, Sendable {
  case object, array, string, number, bool, null
  /// The byte cannot begin a value, or the text has ended.
  case invalid
}
