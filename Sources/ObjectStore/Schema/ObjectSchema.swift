/// A class as the store and the coder know it: its attributes in order, and how they map to JSON.
///
/// Reflection makes the schema of a declared class, once, at its first use: ``of(_:)``. A schema can
/// also be made at run time, for a class that no source declares; its objects are ``DynamicObject``s:
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
  /// All attributes, those of superclasses first, in declared order; inverse links included.
  public let properties: [Property]
  /// The attribute that tells objects apart; nil without one.
  public let primaryKeyProperty: Property?
  /// The attributes that the primary key is made of, in order; empty for a key of its own. See
  /// ``ObjectBase/compoundKey``.
  public var compoundKey: [String] { declarations.compoundKey }
  /// Whether objects of the class are owned by others; see ``EmbeddedObject``.
  public let isEmbedded: Bool

  /// Everything wrong with the class's declarations; empty for a sound class.
  public let mistakes: [String]

  /// The attributes that have columns, in column order.
  package let storedProperties: [Property]
  /// The places of ``compoundKey`` among these.
  package let keyParts: [Int]
  /// What a schema made at run time says of caching; a declared class says it itself.
  let cachePolicy: CachePolicy?
  /// What the class says about its JSON.
  package let declarations: ClassDeclarations
  package let id: ClassID
  /// Name of its table.
  package let tableName: String
  private let indexByName: [String: Int]

  /// A schema that no class declares.
  ///
  /// What is wrong with it is told by ``mistakes``, and by the store that it is given to.
  ///
  /// - Parameters:
  ///   - className: The class's name, which links and `dynamic:` calls use.
  ///   - properties: Its attributes, in order.
  ///   - isEmbedded: Whether its objects are owned by others; they have no primary key then.
  ///   - codableKeys: JSON keys, dotted paths or pointers by attribute; as ``ObjectBase/codableKeys``.
  ///   - codableIgnoredAttributes: As ``ObjectBase/codableIgnoredAttributes``.
  ///   - codableRawJsonSubstrings: As ``ObjectBase/codableRawJsonSubstrings``.
  ///   - objectEnvelope: As ``ObjectBase/objectEnvelope``.
  ///   - listEnvelope: As ``ObjectBase/listEnvelope``.
  ///   - indexes: Indexes of several attributes; as ``ObjectBase/indexes``.
  ///   - compoundKey: The attributes that the primary key is made of; as ``ObjectBase/compoundKey``.
  ///   - cachePolicy: Which of its objects go when the store is kept small; as ``Object/cachePolicy``.
  public convenience init(
    _ className: String, _ properties: [Property], isEmbedded: Bool = false,
    codableKeys: [String: String] = [:], codableIgnoredAttributes: [String] = [],
    codableRawJsonSubstrings: [String] = [], objectEnvelope: String? = nil,
    listEnvelope: String? = nil, indexes: [[String]] = [], compoundKey: [String] = [],
    cachePolicy: CachePolicy? = nil
  ) {
    var declarations = ClassDeclarations()
    declarations.add(
      className: className, keys: codableKeys, ignored: codableIgnoredAttributes,
      raw: codableRawJsonSubstrings, objectEnvelope: objectEnvelope, listEnvelope: listEnvelope,
      indexes: indexes, compoundKey: compoundKey)
    self.init(
      ClassID(name: className), tableName: className, isEmbedded: isEmbedded,
      properties.map {
        var property = $0
        property.declaringClass = className
        return property
      },
      declarations, cachePolicy
    ) { ($0.isEmpty ? ["\(className): it has no attribute"] : [], []) }
  }

  /// A class that no source declares which says the same, of other attributes.
  package func with(_ properties: [Property]) -> ObjectSchema {
    ObjectSchema(
      className, properties, isEmbedded: isEmbedded,
      codableKeys: declarations.keys.mapValues(\.text),
      codableIgnoredAttributes: declarations.ignoredNames.keys.sorted(),
      codableRawJsonSubstrings: declarations.rawNames.keys.sorted(),
      objectEnvelope: declarations.objectEnvelope, listEnvelope: declarations.listEnvelope,
      indexes: indexes, compoundKey: compoundKey, cachePolicy: cachePolicy)
  }

  /// - Parameter otherMistakes: those that a schema does not tell: of the declarations, and of the links.
  init(
    _ id: ClassID, tableName: String, isEmbedded: Bool, _ properties: [Property],
    _ declarations: ClassDeclarations, _ cachePolicy: CachePolicy? = nil,
    otherMistakes: ([Property]) -> (declarations: [String], links: [String])
  ) {
    self.id = id
    self.tableName = tableName
    self.isEmbedded = isEmbedded
    self.declarations = declarations
    self.cachePolicy = cachePolicy
    className = id.name
    let properties = Self.withColumns(properties)
    self.properties = properties
    let stored = properties.filter(\.isStored)
    storedProperties = stored
    keyParts = declarations.compoundKey.compactMap { name in
      stored.firstIndex { $0.name.hasSameBytes(as: name) }
    }
    primaryKeyProperty = properties.first(where: \.isPrimaryKey)
    indexByName = Dictionary(
      properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let others = otherMistakes(properties)
    let check = SchemaCheck(className, isEmbedded: isEmbedded, properties, declarations)
    mistakes =
      others.declarations + check.attributeMistakes + others.links + check.codingMistakes
      + (cachePolicy?.mistakes(in: className, properties, isEmbedded: isEmbedded) ?? [])
  }

  /// The attribute with this name; nil if there is none.
  public subscript(name: String) -> Property? {
    index(of: name).map { properties[$0] }
  }

  /// The place of the attribute among ``properties``; nil if there is none.
  func index(of name: String) -> Int? { indexByName[name] }

  /// The indexes of several attributes, by name; those of superclasses first.
  public var indexes: [[String]] { declarations.indexes.map(\.names) }

  /// One line per attribute: name, type, and what sets it apart; one for a key, and one for each index, that
  /// is made of several.
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

  /// Whether both say the same.
  package func isSame(as other: ObjectSchema) -> Bool {
    self === other
      || id == other.id && tableName == other.tableName && isEmbedded == other.isEmbedded
        && properties == other.properties && declarations == other.declarations
        && cachePolicy == other.cachePolicy
        && texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// The names and keys, which go by their bytes: two spellings of `é` are two names.
  private var texts: [String] {
    properties.flatMap { [$0.name, $0.declaredKey ?? "", $0.originPropertyName ?? ""] }
      + declarations.keys.sorted { $0.key < $1.key }.map(\.value.text) + indexes.joined()
      + compoundKey
  }

  // MARK: - Layout

  /// Index of the first attribute's column in every table of the class.
  var firstAttribute: Int {
    TableLayout.firstAttribute(
      isKeyed: primaryKeyProperty != nil, attributeCount: storedProperties.count)
  }

  /// The attributes with their columns: the stored ones first, then the computed ones.
  private static func withColumns(_ properties: [Property]) -> [Property] {
    let storedCount = properties.count(where: \.isStored)
    var nextStored = TableLayout.firstAttribute(
      isKeyed: properties.contains(where: \.isPrimaryKey), attributeCount: storedCount)
    var nextComputed = nextStored + storedCount
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

  /// The table layout; `table(of:)` gives the index of a class's table.
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
      })
  }
}
