/// What an attribute is: one value, a link, or a collection of either.
public struct AttributeShape: Sendable {
  /// One value, one link, or which collection.
  public enum Form: Sendable, Hashable {
    case scalar, link, list, set, map, linkingObjects
  }

  /// Whether it is a value, a link or a collection.
  public var form: Form
  /// Type of the value or of the elements; nil for objects.
  public var scalar: ScalarType?
  /// Class of the object or of the elements; nil for values.
  public var target: ObjectBase.Type?
  /// Whether the value, or each element, may be null.
  public var isOptional: Bool

  init(
    _ form: Form, scalar: ScalarType? = nil, target: ObjectBase.Type? = nil,
    isOptional: Bool = false
  ) {
    self.form = form
    self.scalar = scalar
    self.target = target
    self.isOptional = isOptional
  }

  /// Whether the target is owned and has no identity of its own.
  public var isEmbedded: Bool { target is EmbeddedObject.Type }

  /// Whether it is a list, a set or a map.
  public var isCollection: Bool { form == .list || form == .set || form == .map }

  /// The type as messages show it: `List<String>`, `Publisher?`.
  public var name: String {
    let element =
      (scalar?.name ?? target.map { String(describing: $0) } ?? "?")
      + (isOptional ? "?" : "")
    return switch form {
    case .scalar, .link: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .map: "Map<String, \(element)>"
    case .linkingObjects: "LinkingObjects<\(element)>"
    }
  }
}

/// The kinds of attributes, as Realm names them.
public enum PropertyType: String, Sendable, Hashable {
  case int, bool, float, double, string, data, date, decimal, uuid, url, json
  case object, linkingObjects
}

/// One attribute of a class, as reflected.
public struct Property: Sendable {
  /// The attribute's name in Swift.
  public let name: String
  /// What it is: form, element type, target class.
  public let shape: AttributeShape
  /// Whether objects are told apart by it.
  public let isPrimaryKey: Bool
  /// Whether it is declared `indexed`.
  public let isIndexed: Bool
  /// For `LinkingObjects`: the attribute of the other class that links here.
  public let originPropertyName: String?
  /// The JSON key given on the attribute itself; nil if none.
  public let declaredKey: String?
  /// The attribute's own options.
  public let options: [CodingOption]
  /// The class that declares it, by name.
  public let declaringClass: String

  /// Byte offset of the wrapper inside the object.
  let offset: Int
  /// Index of its column; for `LinkingObjects` an index past the columns.
  let column: Int
  let wrapper: any PersistedWrapper.Type

  /// The type of the value or of the elements; integers of all widths are `.int`.
  public var type: PropertyType {
    switch shape.form {
    case .linkingObjects: .linkingObjects
    case _ where shape.target != nil: .object
    default:
      switch shape.scalar?.kind {
      case .bool: .bool
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .data: .data
      case .date: .date
      case .uuid: .uuid
      case .url: .url
      case .json: .json
      default: .int
      }
    }
  }

  /// Whether null is a value of it (of each element, for a collection).
  public var isOptional: Bool { shape.isOptional }
  /// Whether it is a ``List``.
  public var isArray: Bool { shape.form == .list }
  /// Whether it is a ``MutableSet``.
  public var isSet: Bool { shape.form == .set }
  /// Whether it is a ``Map``.
  public var isMap: Bool { shape.form == .map }
  /// The class linked to, by name; nil for values.
  public var objectClassName: String? { shape.target.map { String(describing: $0) } }

  /// Whether it has a column; `LinkingObjects` are computed.
  public var isStored: Bool { shape.form != .linkingObjects }
}
