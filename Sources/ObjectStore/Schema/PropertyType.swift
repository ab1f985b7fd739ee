/// The kinds of attributes, with Realm's names.
public enum PropertyType: String, Sendable, Hashable {
  /// A signed or unsigned integer of any width.
  case int
  /// A Boolean.
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
  /// An object, which may be embedded.
  case object
  /// Inverse links.
  case linkingObjects
}
