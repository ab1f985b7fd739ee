/// What an attribute is: one value, a link, or a collection of either.
///
///     .string    .object("Owner")    .list(.string)    .list("Animal")    .map(.int)
public struct AttributeShape: Sendable, Hashable {
  /// One value, one link, or which collection.
  public enum Form: Sendable, Hashable {
    /// One value.
    case scalar
    /// A link to an object, embedded ones included.
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

  /// Whether it is a value, a link or a collection.
  public internal(set) var form: Form
  /// Type of the value or of the elements; nil for objects.
  package var scalar: ScalarType?
  /// Class of the object or of the elements; nil for values.
  package var target: ClassID?
  /// Whether the value, or each element, may be null.
  public internal(set) var isOptional: Bool

  init(
    _ form: Form, scalar: _ScalarType? = nil, target: ClassID? = nil, isOptional: Bool = false
  ) {
    self.form = form
    self.scalar = scalar
    self.target = target
    self.isOptional = isOptional
  }

  /// Whether it is a list, a set or a map.
  public var isCollection: Bool { form == .list || form == .set || form == .map }

  /// The type as messages show it: `List<String>`, `Publisher?`.
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
  /// A truth value.
  public static let bool = value(.bool)
  /// An integer of 64 bits; for other widths see ``value(_:)``.
  public static let int = value(.int)
  /// A number of 32 bits.
  public static let float = value(.float)
  /// A number of 64 bits.
  public static let double = value(.double)
  /// A decimal number of up to 38 digits.
  public static let decimal = value(.decimal)
  /// A text.
  public static let string = value(.string)
  /// Bytes; base64 in JSON.
  public static let data = value(.data)
  /// A moment.
  public static let date = value(.date)
  /// A UUID.
  public static let uuid = value(.uuid)
  /// A URL.
  public static let url = value(.url)
  /// Any JSON.
  public static let json = value(.json)

  /// One value of a kind.
  public static func value(_ kind: Kind) -> Self { Self(.scalar, scalar: _ScalarType(kind)) }

  /// A link to an object of the class with this name, or none.
  public static func object(_ className: String) -> Self {
    Self(.link, target: ClassID(name: className), isOptional: true)
  }

  /// A list of objects of the class with this name.
  public static func list(_ className: String) -> Self { objects(.list, className) }
  /// A list of values.
  public static func list(_ element: Kind) -> Self { values(.list, element) }

  /// A set of objects of the class with this name.
  public static func set(_ className: String) -> Self { objects(.set, className) }
  /// A set of values.
  public static func set(_ element: Kind) -> Self { values(.set, element) }

  /// A map from texts to objects of the class with this name.
  public static func map(_ className: String) -> Self { objects(.map, className) }
  /// A map from texts to values.
  public static func map(_ element: Kind) -> Self { values(.map, element) }

  /// The objects of the class with this name that link here; the ``Property`` names their attribute.
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

// MARK: - How it is stored

extension AttributeShape {
  /// The layout of its column; `table(of:)` gives the index of a class's table.
  func columnLayout(table: (ClassID) -> Int) -> ColumnLayout {
    let element: ColumnLayout.Kind = target != nil ? .link : scalar?.kind.column ?? .word
    let targetTable = target.map(table) ?? -1
    switch form {
    case .scalar:
      return ColumnLayout(kind: element, isOptional: isOptional)
    case .link:
      return ColumnLayout(kind: .link, targetTable: targetTable)
    case .list, .set, .map, .linkingObjects:
      return ColumnLayout(
        kind: .collection,
        collection: form == .set ? .set : form == .map ? .map : .list,
        // Elements have no bytes of their own: a Bool is a word there.
        elementKind: element == .byte ? .word : element,
        hasNullElements: isOptional, targetTable: targetTable)
    }
  }
}
