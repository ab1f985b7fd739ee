/// What happened to an observed object.
public enum ObjectChange: Sendable, Hashable {
  /// These attributes are different, in declared order.
  case change([String])
  /// The object is gone; nothing more is delivered.
  case deleted
}
