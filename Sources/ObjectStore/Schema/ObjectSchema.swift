/// The schema of a class: its attributes in order, and their mapping to JSON.
///
/// Reflection creates the schema of a declared class at first use; see ``of(_:)``. You can also create a schema at
/// run time for a class that is not declared in source. Its objects are ``DynamicObject``s:
///
///     let user = ObjectSchema(
///       "User",
///       [
///         Property("id", .int, isPrimaryKey: true),
///         Property("name", .string, isOptional: true),
///         Property("friends", .list("User")),
///       ])
///     let store = try Store(configuration: .inMemory(), schemas: [user])
public final class ObjectSchema: Sendable, CustomStringConvertible {
  /// The unqualified name of the class.
  public let className: String
  /// All attributes in declared order, those of superclasses first. Includes inverse links.
  public let properties: [Property]
  /// The attribute that identifies objects; nil if the class has no primary key.
  public let primaryKeyProperty: Property?
  /// The attribute that marks objects of which only the primary key is known; nil without one. See
  /// ``AttributeOption/placeholder``.
  public var placeholderProperty: Property? {
    properties.first { $0.options.contains(.placeholder) }
  }
  /// The attributes that form the primary key, in order; empty if the primary key is not compound. See
  /// ``ObjectBase/compoundKey``.
  public var compoundKey: [String] { declarations.compoundKey }
  /// A Boolean value that indicates whether other objects own the objects of the class; see ``EmbeddedObject``.
  public let isEmbedded: Bool

  /// A Boolean value that indicates whether the store keeps edits of the objects until the server confirms them; see
  /// ``Object/tracksEdits``.
  public let tracksEdits: Bool

  /// The mistakes in the class's declarations; empty for a valid class.
  public let mistakes: [String]

  /// The attributes that have columns, in column order.
  package let storedProperties: [Property]
  /// The indexes in `storedProperties` of the attributes in ``compoundKey``.
  package let keyParts: [Int]
  /// The cache policy of a schema created at run time; nil for a declared class, which declares its own.
  let cachePolicy: CachePolicy?
  /// The class's declarations for JSON, indexes and keys.
  package let declarations: ClassDeclarations
  package let id: ClassID
  /// The name of the class's table.
  package let tableName: String
  /// The number of attributes for which rows have bits. A class that tracks edits has as many as its base table, so that
  /// their columns have the same indexes.
  let bitCount: Int
  private let indexByName: [ExactString: Int]

  /// Creates the schema of a class that is not declared in source.
  ///
  /// ``mistakes`` lists invalid declarations. A store created with the schema reports them, too.
  ///
  /// - Parameters:
  ///   - className: The class name that links and `dynamic:` calls use.
  ///   - properties: The attributes, in order.
  ///   - isEmbedded: A Boolean value that indicates whether other objects own the class's objects. Embedded objects
  ///     have no primary key.
  ///   - codableKeys: JSON keys, dotted paths or pointers by attribute; see ``ObjectBase/codableKeys``.
  ///   - codableIgnoredAttributes: The attributes that are not encoded; see ``ObjectBase/codableIgnoredAttributes``.
  ///   - codableAlwaysEncoded: The attributes that are in every body; see ``ObjectBase/codableAlwaysEncoded``.
  ///   - codableRawJsonSubstrings: The attributes that keep JSON as text; see
  ///     ``ObjectBase/codableRawJsonSubstrings``.
  ///   - objectEnvelope: The path to an object in a response; see ``ObjectBase/objectEnvelope``.
  ///   - listEnvelope: The path to a list in a response; see ``ObjectBase/listEnvelope``.
  ///   - codableShape: The arrangement of the attributes in JSON; see ``ObjectBase/codableShape``.
  ///   - indexes: The compound indexes; see ``ObjectBase/indexes``.
  ///   - compoundKey: The attributes that form the primary key; see ``ObjectBase/compoundKey``.
  ///   - cachePolicy: The rules for evicting objects; see ``Object/cachePolicy``.
  ///   - tracksEdits: A Boolean value that indicates whether the store keeps edits until the server confirms them; see
  ///     ``Object/tracksEdits``.
  public convenience init(
    _ className: String, _ properties: [Property], isEmbedded: Bool = false,
    codableKeys: [String: String] = [:], codableIgnoredAttributes: [String] = [],
    codableAlwaysEncoded: [String] = [],
    codableRawJsonSubstrings: [String] = [], objectEnvelope: String? = nil,
    listEnvelope: String? = nil, codableShape: CodableShape = .object,
    indexes: [[String]] = [], compoundKey: [String] = [],
    cachePolicy: CachePolicy? = nil, tracksEdits: Bool = false
  ) {
    var declarations = ClassDeclarations()
    declarations.add(
      className: className, keys: codableKeys, ignored: codableIgnoredAttributes,
      alwaysEncoded: codableAlwaysEncoded, raw: codableRawJsonSubstrings,
      objectEnvelope: objectEnvelope, listEnvelope: listEnvelope,
      shape: codableShape, indexes: indexes, compoundKey: compoundKey)
    self.init(
      dynamic: className, properties, isEmbedded: isEmbedded, declarations, cachePolicy,
      tracksEdits: tracksEdits)
  }

  /// Creates the schema of a class that is not declared in source.
  private convenience init(
    dynamic className: String, _ properties: [Property], isEmbedded: Bool,
    _ declarations: ClassDeclarations, _ cachePolicy: CachePolicy?, tracksEdits: Bool
  ) {
    self.init(
      ClassID(name: className), tableName: className, isEmbedded: isEmbedded,
      properties.map {
        var property = $0
        property.declaringClass = className
        return property
      },
      declarations, cachePolicy, tracksEdits: tracksEdits
    ) { ($0.isEmpty ? ["\(className): it has no attribute"] : [], []) }
  }

  /// Returns a dynamic schema with the same name and declarations, but these attributes.
  package func with(_ properties: [Property]) -> ObjectSchema {
    ObjectSchema(
      dynamic: className, properties, isEmbedded: isEmbedded, declarations, cachePolicy,
      tracksEdits: tracksEdits)
  }

  /// - Parameter otherMistakes: A function that returns mistakes that a schema cannot detect, in declarations and in
  ///   links.
  /// - Parameter bitCount: See ``bitCount``; for a base table, that of its class.
  init(
    _ id: ClassID, tableName: String, isEmbedded: Bool, _ properties: [Property],
    _ declarations: ClassDeclarations, _ cachePolicy: CachePolicy? = nil, tracksEdits: Bool = false,
    bitCount: Int? = nil, otherMistakes: ([Property]) -> (declarations: [String], links: [String])
  ) {
    self.id = id
    self.tableName = tableName
    self.isEmbedded = isEmbedded
    self.declarations = declarations
    self.cachePolicy = cachePolicy
    self.tracksEdits = tracksEdits
    className = id.name
    let count = properties.count(where: \.isStored)
    let bitCount = bitCount ?? (tracksEdits ? Self.baseAttributeLimit(of: count) : count)
    self.bitCount = bitCount
    let properties = Self.withColumns(properties, bitCount: bitCount)
    self.properties = properties
    let stored = properties.filter(\.isStored)
    storedProperties = stored
    keyParts = declarations.compoundKey.compactMap { name in
      stored.firstIndex { $0.name.hasSameBytes(as: name) }
    }
    primaryKeyProperty = properties.first(where: \.isPrimaryKey)
    indexByName = Dictionary(
      properties.enumerated().map { (ExactString($1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    let others = otherMistakes(properties)
    let check = SchemaCheck(
      className, isEmbedded: isEmbedded, tracksEdits: tracksEdits, properties, declarations)
    mistakes =
      others.declarations + check.attributeMistakes + others.links + check.codingMistakes
      + (cachePolicy?.mistakes(in: className, properties, isEmbedded: isEmbedded) ?? [])
  }

  /// The attribute with this name; nil if there is none.
  public subscript(name: String) -> Property? {
    index(of: name).map { properties[$0] }
  }

  /// Returns the index of the attribute in ``properties``; nil if there is none.
  func index(of name: String) -> Int? { indexByName[ExactString(name)] }

  /// The sentence for a name that is not an attribute, with a suggestion.
  package func unknownName(_ name: String) -> String {
    SchemaCheck.unknownName(name, among: properties)
  }

  /// The names of the attributes of each compound index; those of superclasses first.
  public var indexes: [[String]] { declarations.indexes.map(\.names) }

  /// A text with the class name, followed by a line for each attribute (name, type, and whether it is the primary key,
  /// indexed or searchable), for a compound key, and for each compound index.
  public var description: String {
    let lines = properties.map { property in
      "  \(property.name): \(property.shape.name)"
        + (property.isPrimaryKey ? " primaryKey" : "") + (property.isIndexed ? " indexed" : "")
        + (property.isSearchable ? " searchable" : "")
    }
    let indexes = indexes.map { "  index on \(ClassDeclarations.Index.text($0))" }
    let key =
      compoundKey.isEmpty
      ? [] : ["  primary key of \(ClassDeclarations.Index.text(compoundKey))"]
    return (["\(className)"] + lines + key + indexes).joined(separator: "\n")
  }

  /// True if both schemas have equal declarations.
  package func isSame(as other: ObjectSchema) -> Bool {
    self === other
      || id == other.id && tableName == other.tableName && isEmbedded == other.isEmbedded
        && tracksEdits == other.tracksEdits
        && properties == other.properties && declarations == other.declarations
        && cachePolicy == other.cachePolicy
        && texts.elementsEqual(other.texts) { $0.hasSameBytes(as: $1) }
  }

  /// The names and keys, for comparison by bytes: two encodings of `é` are different names.
  private var texts: [String] {
    var texts: [String] = []
    for property in properties {
      texts += [property.name, property.declaredKey ?? "", property.originPropertyName ?? ""]
    }
    texts += declarations.keys.sorted(byBytesOf: \.key.text).map(\.value.text)
    texts += indexes.joined()
    return texts + compoundKey
  }

  // MARK: - Layout

  /// The column of the first attribute, in every table of the class.
  var firstAttribute: Int {
    TableLayout.firstAttribute(isKeyed: primaryKeyProperty != nil, bitCount: bitCount)
  }

  /// Assigns columns: stored attributes first, then computed ones.
  private static func withColumns(_ properties: [Property], bitCount: Int) -> [Property] {
    var nextStored = TableLayout.firstAttribute(
      isKeyed: properties.contains(where: \.isPrimaryKey), bitCount: bitCount)
    var nextComputed = nextStored + properties.count(where: \.isStored)
    return properties.map {
      var property = $0
      if property.isStored {
        property.column = nextStored
        nextStored += 1
      } else {
        property.column = nextComputed
        nextComputed += 1
      }
      return property
    }
  }

  /// Returns the table layout.
  ///
  /// - Parameter table: A function that returns the table of a class.
  func layout(table: (ClassID) -> Int) -> TableLayout {
    TableLayout(
      name: tableName,
      identity: isEmbedded ? .embedded : primaryKeyProperty != nil ? .keyed : .keyless,
      attributes: storedProperties.enumerated().map { index, property in
        var column = property.shape.columnLayout(table: table)
        if property.isIndexed { column.index = property.indexKey }
        column.isSearchable = property.isSearchable && property.hasWords
        column.isKeyPart = keyParts.contains(index)
        return (property.name, column)
      },
      keyAttribute: primaryKeyProperty.map { $0.column - firstAttribute },
      compoundIndexes: indexes.map { names in
        CompoundIndex(
          names.compactMap { name in
            guard let property = self[name], let key = property.indexKey else { return nil }
            return CompoundIndex.Part(column: property.column, key: key)
          })
      }, bitCount: bitCount)
  }
}
