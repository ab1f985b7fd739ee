/// The kinds of attributes, as Realm names them.
public enum PropertyType: String, Sendable, Hashable {
  /// An integer of any width, signed or not.
  case int
  /// A truth value.
  case bool
  /// A `Float`.
  case float
  /// A `Double`.
  case double
  /// A `String`.
  case string
  /// A `Data`.
  case data
  /// A `Date`.
  case date
  /// A `Decimal`.
  case decimal
  /// A `UUID`.
  case uuid
  /// A `URL`.
  case url
  /// A ``JSONValue``.
  case json
  /// An object, embedded ones included.
  case object
  /// Inverse links.
  case linkingObjects
}
