/// A change of an observed object.
public enum ObjectChange: Sendable, Hashable {
  /// These attributes changed. Their names are in declaration order.
  case change([String])
  /// The object was deleted. Nothing more is delivered.
  case deleted
}
