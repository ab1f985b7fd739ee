/// What reflection found out about a class: its attributes in order, superclass first.
///
/// Made once per class, at its first use, and immutable. It is found by metatype, never by name.
// Sendable: immutable; the pointer's memory is written once, before anybody else sees it.
public final class ObjectSchema: @unchecked Sendable, CustomStringConvertible {
  /// The class itself.
  public let type: ObjectBase.Type
  /// The unqualified name of the class.
  public let className: String
  /// All attributes, those of superclasses first, in declared order; inverse links included.
  public let properties: [Property]
  /// The attribute that tells objects apart; nil without one.
  public let primaryKeyProperty: Property?

  /// Everything wrong with the class's declarations; empty for a sound class.
  public let mistakes: [String]

  /// The attributes that have columns, in column order.
  let storedProperties: [Property]
  let columnOfOffset: UnsafePointer<UInt16>
  let offsetLimit: UInt
  /// Whether an accessor may skip the declared defaults: making an object makes no other object.
  let canSkipDefaults: Bool
  private let indexByName: [String: Int]

  /// The attribute with this name; nil if there is none.
  public subscript(name: String) -> Property? {
    indexByName[name].map { properties[$0] }
  }

  /// Whether objects of the class are owned by others; see ``EmbeddedObject``.
  public var isEmbedded: Bool { type is EmbeddedObject.Type }

  /// One line per attribute: name, type, and what sets it apart.
  public var description: String {
    let lines = properties.map { property in
      "  \(property.name): \(property.shape.name)"
        + (property.isPrimaryKey ? " primaryKey" : "") + (property.isIndexed ? " indexed" : "")
    }
    return (["\(className)"] + lines).joined(separator: "\n")
  }

  // MARK: - Finding

  /// The schema of a class.
  /// - Throws: `invalidDeclarations` with every mistake found.
  public static func of(_ type: ObjectBase.Type) throws -> ObjectSchema {
    let schema = cached(type)
    guard schema.mistakes.isEmpty else {
      throw StoreError(.invalidDeclarations(schema.mistakes))
    }
    return schema
  }

  /// The schema of a class whose objects exist; its mistakes are reported where it enters a store.
  static func trusted(_ type: ObjectBase.Type) -> ObjectSchema { cached(type) }

  /// Remembers what reflection found: 20 µs a class otherwise, at each use. Nothing is registered
  /// and nothing depends on it but speed.
  // Sendable: guarded by `lock`.
  private final class Cache: @unchecked Sendable {
    let lock = Lock()
    var schemas: [ObjectIdentifier: ObjectSchema] = [:]
    /// Which thread looks at which class.
    var reflecting: Set<Reflecting> = []
  }

  private struct Reflecting: Hashable {
    let type: ObjectIdentifier
    let thread: UInt
  }

  private static let cache = Cache()

  private static func cached(_ type: ObjectBase.Type) -> ObjectSchema {
    let id = ObjectIdentifier(type)
    if let schema = cache.lock.withLock({ cache.schemas[id] }) { return schema }
    // Reflection runs the user's initializers: not under the lock.
    let reflecting = Reflecting(type: id, thread: Lock.currentThread)
    guard cache.lock.withLock({ cache.reflecting.insert(reflecting).inserted }) else {
      misuse(
        "\(type): its defaults or its init() read objects of the class itself, which is only just "
          + "looked at; assign such values where objects are made")
    }
    let schema = ObjectSchema(reflecting: type)
    return cache.lock.withLock {
      cache.reflecting.remove(reflecting)
      if let first = cache.schemas[id] { return first }
      cache.schemas[id] = schema
      return schema
    }
  }

  // MARK: - Reflecting

  private init(reflecting type: ObjectBase.Type) {
    self.type = type
    className = String(describing: type)
    let reflection = ClassReflection(type)
    properties = reflection.properties
    storedProperties = properties.filter(\.isStored).sorted { $0.column < $1.column }
    primaryKeyProperty = properties.first(where: \.isPrimaryKey)
    canSkipDefaults = reflection.canSkipDefaults
    var index: [String: Int] = [:]
    for (place, property) in properties.enumerated() { index[property.name] = place }
    indexByName = index

    let limit = (properties.map(\.offset).max() ?? 0) + 1
    let offsets = UnsafeMutablePointer<UInt16>.allocate(capacity: limit)
    offsets.initialize(repeating: 0, count: limit)
    for property in properties { offsets[property.offset] = UInt16(property.column) }
    columnOfOffset = UnsafePointer(offsets)
    offsetLimit = UInt(limit)
    mistakes =
      reflection.mistakes + reflection.defaultMistakes()
      + DeclarationCheck(type, properties).mistakes
  }

  deinit {
    columnOfOffset.deallocate()
  }

  // MARK: - Layout

  /// Index of the first attribute's column in every table of the class.
  var firstAttribute: Int {
    TableLayout.firstAttribute(
      isKeyed: primaryKeyProperty != nil, attributeCount: storedProperties.count)
  }

  /// The table layout; `table(of:)` gives the index of a target's table.
  func layout(name: String, table: (ObjectBase.Type) -> Int) -> TableLayout {
    TableLayout(
      name: name,
      identity: isEmbedded ? .embedded : primaryKeyProperty != nil ? .keyed : .keyless,
      attributes: storedProperties.map { ($0.name, $0.shape.columnLayout(table: table)) },
      keyAttribute: primaryKeyProperty.map { $0.column - firstAttribute })
  }
}

extension AttributeShape {
  /// How a column stores it.
  func columnLayout(table: (ObjectBase.Type) -> Int) -> ColumnLayout {
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

extension StorageTable {
  init(schema: ObjectSchema, table: Int, isWritable: Bool) {
    self.init(
      columnOfOffset: schema.columnOfOffset, offsetLimit: schema.offsetLimit, table: table,
      isWritable: isWritable)
  }
}
