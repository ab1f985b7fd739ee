/// One attribute of a class: what reflection found, or what a schema made at run time says.
public struct Property: Sendable, Hashable {
  /// The attribute's name in Swift.
  public let name: String
  /// What it is: form, element type, target class.
  public let shape: AttributeShape
  /// Whether objects are told apart by it.
  public let isPrimaryKey: Bool
  /// Whether it is declared `indexed`.
  public let isIndexed: Bool
  /// Whether it is declared `searchable`.
  public let isSearchable: Bool
  /// For `LinkingObjects`: the attribute of the other class that links here.
  public let originPropertyName: String?
  /// The JSON key given on the attribute itself; nil if none.
  public let declaredKey: String?
  /// The attribute's own options.
  public let options: [Option]
  /// The class that declares it, by name.
  public internal(set) var declaringClass = ""
  /// Index of its column; for `LinkingObjects` an index past the columns. Its schema sets it.
  var column = 0

  /// An attribute of a schema that no class declares.
  ///
  ///     Property("born", .date, isOptional: true, json: "born_on", options: [.dates([.date])])
  ///
  /// - Parameters:
  ///   - name: The name it is reached by.
  ///   - shape: What it is: a value, a link or a collection.
  ///   - isPrimaryKey: Whether objects are told apart by it.
  ///   - isOptional: Whether null is a value of it, of a collection whether one of each element.
  ///     Links may always be null.
  ///   - isIndexed: Whether queries and orders find objects by its value without looking at all.
  ///   - isSearchable: Whether queries find objects by the words of its text; for `.string` alone.
  ///   - originProperty: For ``AttributeShape/linkingObjects(_:)``: the attribute that links here.
  ///   - json: Its JSON key, dotted path or pointer; nil for its name.
  ///   - options: As `@Persisted` takes them. One that makes no sense for the type is a mistake of the
  ///     schema.
  public init(
    _ name: String, _ shape: AttributeShape, isPrimaryKey: Bool = false, isOptional: Bool = false,
    isIndexed: Bool = false, isSearchable: Bool = false, originProperty: String? = nil,
    json: String? = nil, options: [Option] = []
  ) {
    self.name = name
    var shape = shape
    // A set holds no link to nothing.
    let mayBeOptional = shape.form != .linkingObjects && (shape.form != .set || shape.target == nil)
    shape.isOptional = shape.isOptional || isOptional && mayBeOptional
    self.shape = shape
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    self.isSearchable = isSearchable
    originPropertyName = originProperty
    declaredKey = json
    self.options = options
  }

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
  public var objectClassName: String? { shape.target?.name }

  /// Whether it has a column; `LinkingObjects` are computed.
  public var isStored: Bool { shape.form != .linkingObjects }

  /// Whether it is one value that is stored as bytes.
  var isText: Bool { shape.form == .scalar && shape.scalar?.kind.isText ?? false }

  /// The order of its values in an index; nil if an index is of no use to it.
  var indexKey: IndexKey? {
    shape.form == .scalar ? shape.scalar.flatMap { IndexKey($0.kind) } : nil
  }

  /// Whether a primary key can be made of it and others, if it is not optional; enums with such raw values can.
  var canBeKeyPart: Bool { shape.form == .scalar && shape.scalar?.kind.canBeKey ?? false }

  /// Whether it is one text with words in it.
  var hasWords: Bool {
    shape.form == .scalar && shape.scalar?.kind == .string && shape.scalar?.cases == nil
  }
}
