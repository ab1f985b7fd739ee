/// The type of an attribute: a value, a link, or a collection of either.
///
///     .string    .object("Owner")    .list(.string)    .list("Animal")    .map(.int)
public struct AttributeShape: Sendable, Hashable {
  /// The form of an attribute: one value, one link, a kind of collection, or inverse links.
  public enum Form: Sendable, Hashable {
    /// One value.
    case scalar
    /// A link to an object, which may be embedded.
    case link
    /// A ``List``.
    case list
    /// A ``MutableSet``.
    case set
    /// A ``Map``.
    case map
    /// Inverse links, which have no column.
    case linkingObjects
  }

  /// The form: a value, a link, a kind of collection, or inverse links.
  public internal(set) var form: Form
  /// The type of the value or of the elements; nil for links.
  package var scalar: ScalarType?
  /// The class of the object or of the elements; nil for values.
  package var target: ClassID?
  /// A Boolean value that indicates whether the value, or each element, may be null.
  public internal(set) var isOptional: Bool

  init(
    _ form: Form, scalar: _ScalarType? = nil, target: ClassID? = nil, isOptional: Bool = false
  ) {
    self.form = form
    self.scalar = scalar
    self.target = target
    self.isOptional = isOptional
  }

  /// A Boolean value that indicates whether the attribute is a list, a set or a map.
  public var isCollection: Bool { form == .list || form == .set || form == .map }

  /// The name of the type in messages: `List<String>`, `Publisher?`.
  public var name: String {
    let element = (scalar?.name ?? target?.name ?? "?") + (isOptional ? "?" : "")
    return switch form {
    case .scalar, .link: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .map: "Map<String, \(element)>"
    case .linkingObjects: "LinkingObjects<\(element)>"
    }
  }
}

// MARK: - Shapes for schemas made at run time

extension AttributeShape {
  /// A Boolean.
  public static let bool = value(.bool)
  /// A 64-bit integer. For other widths, see ``value(_:)``.
  public static let int = value(.int)
  /// A 32-bit floating-point number.
  public static let float = value(.float)
  /// A 64-bit floating-point number.
  public static let double = value(.double)
  /// A decimal number of up to 38 digits.
  public static let decimal = value(.decimal)
  /// A string.
  public static let string = value(.string)
  /// Bytes; base64 in JSON.
  public static let data = value(.data)
  /// A point in time.
  public static let date = value(.date)
  /// A UUID.
  public static let uuid = value(.uuid)
  /// A URL.
  public static let url = value(.url)
  /// Any JSON value.
  public static let json = value(.json)

  /// Returns the shape of a single value.
  public static func value(_ kind: Kind) -> Self { Self(.scalar, scalar: _ScalarType(kind)) }

  /// Returns the shape of an optional link to an object of the class with this name.
  public static func object(_ className: String) -> Self {
    Self(.link, target: ClassID(name: className), isOptional: true)
  }

  /// Returns the shape of a list of objects of the class with this name.
  public static func list(_ className: String) -> Self { objects(.list, className) }
  /// Returns the shape of a list of values.
  public static func list(_ element: Kind) -> Self { values(.list, element) }

  /// Returns the shape of a set of objects of the class with this name.
  public static func set(_ className: String) -> Self { objects(.set, className) }
  /// Returns the shape of a set of values.
  public static func set(_ element: Kind) -> Self { values(.set, element) }

  /// Returns the shape of a map from strings to objects of the class with this name.
  public static func map(_ className: String) -> Self { objects(.map, className) }
  /// Returns the shape of a map from strings to values.
  public static func map(_ element: Kind) -> Self { values(.map, element) }

  /// Returns the shape of inverse links from objects of the class with this name. The ``Property`` names the linking
  /// attribute.
  public static func linkingObjects(_ className: String) -> Self {
    objects(.linkingObjects, className)
  }

  private static func objects(_ form: Form, _ className: String) -> Self {
    Self(form, target: ClassID(name: className))
  }

  private static func values(_ form: Form, _ element: Kind) -> Self {
    Self(form, scalar: _ScalarType(element))
  }
}

// MARK: - Storage

extension AttributeShape {
  /// Returns the layout of the column.
  ///
  /// - Parameter table: A function that returns the table of a class.
  func columnLayout(table: (ClassID) -> Int) -> ColumnLayout {
    let element: ColumnLayout.Kind = target != nil ? .link : scalar?.kind.column ?? .word
    let targetTable = target.map(table) ?? -1
    switch form {
    case .scalar:
      return ColumnLayout(
        kind: element, isOptional: isOptional, isJSON: target == nil && scalar?.kind == .json)
    case .link:
      return ColumnLayout(kind: .link, targetTable: targetTable)
    case .list, .set, .map, .linkingObjects:
      return ColumnLayout(
        kind: .collection,
        collection: form == .set ? .set : form == .map ? .map : .list,
        // Elements have no byte representation: a Bool is stored as a word.
        elementKind: element == .byte ? .word : element,
        hasNullElements: isOptional, targetTable: targetTable)
    }
  }
}
