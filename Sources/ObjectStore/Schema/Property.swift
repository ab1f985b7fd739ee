/// An attribute of a class, found by reflection or described by a schema created at run time.
public struct Property: Sendable, Hashable {
  /// The attribute's name in Swift.
  public let name: String
  /// The form, element type and target class.
  public let shape: AttributeShape
  /// A Boolean value that indicates whether the attribute is the primary key.
  public let isPrimaryKey: Bool
  /// A Boolean value that indicates whether the attribute is declared `indexed`.
  public let isIndexed: Bool
  /// A Boolean value that indicates whether the attribute is declared `searchable`.
  public let isSearchable: Bool
  /// For `LinkingObjects`, the attribute of the other class that links to this one.
  public let originPropertyName: String?
  /// The JSON key declared on the attribute itself; nil if there is none.
  public let declaredKey: String?
  /// The options declared on the attribute.
  public let options: [Option]
  /// The name of the class that declares the attribute.
  public internal(set) var declaringClass = ""
  /// The index of the column; for `LinkingObjects`, an index after the columns. Set by the schema.
  var column = 0

  /// Creates an attribute for a schema created at run time.
  ///
  ///     Property("born", .date, isOptional: true, json: "born_on", options: [.dates([.date])])
  ///
  /// - Parameters:
  ///   - name: The name of the attribute.
  ///   - shape: The type: a value, a link or a collection.
  ///   - isPrimaryKey: A Boolean value that indicates whether the attribute is the primary key.
  ///   - isOptional: A Boolean value that indicates whether the value, or each element of a collection, may be null.
  ///     Links may always be null.
  ///   - isIndexed: A Boolean value that indicates whether queries and sort orders can use an index of the values.
  ///   - isSearchable: A Boolean value that indicates whether queries can search the text by words; only for
  ///     `.string`.
  ///   - originProperty: For ``AttributeShape/linkingObjects(_:)``, the attribute that links to this class.
  ///   - json: The JSON key, dotted path or pointer; nil to use the name.
  ///   - options: The options, as for `@Persisted`. An option that does not apply to the type is listed in
  ///     ``ObjectSchema/mistakes``.
  public init(
    _ name: String, _ shape: AttributeShape, isPrimaryKey: Bool = false, isOptional: Bool = false,
    isIndexed: Bool = false, isSearchable: Bool = false, originProperty: String? = nil,
    json: String? = nil, options: [Option] = []
  ) {
    self.name = name
    var shape = shape
    // Sets contain no null links.
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

  /// The type of the value or of the elements; `.int` for integers of any width.
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

  /// A Boolean value that indicates whether the value, or each element of a collection, may be null.
  public var isOptional: Bool { shape.isOptional }
  /// A Boolean value that indicates whether the attribute is a ``List``.
  public var isArray: Bool { shape.form == .list }
  /// A Boolean value that indicates whether the attribute is a ``MutableSet``.
  public var isSet: Bool { shape.form == .set }
  /// A Boolean value that indicates whether the attribute is a ``Map``.
  public var isMap: Bool { shape.form == .map }
  /// The name of the linked class; nil for values.
  public var objectClassName: String? { shape.target?.name }

  /// A Boolean value that indicates whether the attribute has a column. `LinkingObjects` are computed.
  public var isStored: Bool { shape.form != .linkingObjects }

  /// True if the attribute is a single value stored as bytes.
  var isBytes: Bool { shape.form == .scalar && shape.scalar?.kind.isBytes ?? false }

  /// The mapping of values to index keys; nil if the type cannot be indexed.
  var indexKey: IndexKey? {
    shape.form == .scalar ? shape.scalar.flatMap { IndexKey($0.kind) } : nil
  }

  /// True if the attribute's type can be part of a compound key, which also requires that it is not optional. Enums
  /// with raw values of such a type are included.
  var canBeKeyPart: Bool { shape.form == .scalar && shape.scalar?.kind.canBeKey ?? false }

  /// True if the attribute is a single string other than an enum, so that it can be searched by words.
  var hasWords: Bool {
    shape.form == .scalar && shape.scalar?.kind == .string && shape.scalar?.cases == nil
  }

  /// Returns the index among the stored attributes of the schema, which is also the index of the cell in a batch row.
  package func attribute(in schema: ObjectSchema) -> Int { column - schema.firstAttribute }
}
