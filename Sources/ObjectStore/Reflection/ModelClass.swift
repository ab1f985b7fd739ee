import ObjectStoreShims

/// A class whose objects show rows: its schema, and the locations of the attributes in its objects.
///
/// Created once per class, when it is first used, and immutable. A declared class is found by metatype, never by
/// name. The model class of a schema built at run time belongs to the store that was opened with the schema.
// Sendable: immutable; the pointer's memory is written once, before the object is shared.
final class ModelClass: @unchecked Sendable {
  /// The class of the objects; ``DynamicObject`` for a schema without a declared class.
  let type: ObjectBase.Type
  let schema: ObjectSchema
  /// One attribute for each of the schema's properties.
  let attributes: ContiguousArray<ModelAttribute>
  /// The attributes that refer to objects. Unmanaged objects retain each other through them.
  private let references: [ModelAttribute]
  /// The classes that attributes with columns refer to.
  private let targets: [ClassID]
  private let sharedColumns = SharedColumns()
  /// The sources of the declared defaults, one for each attribute with a column.
  let defaultSources: ContiguousArray<ClassDefaults.Source>
  let columnOfOffset: UnsafePointer<UInt16>
  let offsetLimit: UInt
  /// The names along key paths that begin here; thread-safe.
  let attributeNameCache = AttributeNameCache()
  /// The cache policy of the class; thread-safe.
  let policy = ClassPolicy()
  /// True if an accessor may skip the declared defaults, because creating an object creates no other object.
  private let canSkipDefaults: Bool
  /// Accessors that can be reused for other rows.
  let spares: SpareAccessors

  /// The class of the base table; thread-safe.
  let baseClass = BaseClass()
  /// True for the class of a base table, which is hidden from users.
  var isBase: Bool { isDynamic && schema.className.hasSuffix(ObjectSchema.baseSuffix) }

  /// True if only a schema describes the class.
  var isDynamic: Bool { type == DynamicObject.self }

  private init(
    _ type: ObjectBase.Type, _ schema: ObjectSchema, _ attributes: [ModelAttribute],
    canSkipDefaults: Bool, holdsOnlyAttributes: Bool
  ) {
    self.type = type
    self.schema = schema
    self.attributes = ContiguousArray(attributes)
    references = attributes.filter { $0.property.isStored && $0.property.objectClassName != nil }
    targets = schema.storedProperties.compactMap(\.shape.target)
    defaultSources = ContiguousArray(
      attributes.filter(\.property.isStored).map { ClassDefaults.Source($0) })
    self.canSkipDefaults = canSkipDefaults
    spares = SpareAccessors(holdsOnlyAttributes ? type : nil)
    let limit = (attributes.map(\.offset).max() ?? 0) + 1
    let offsets = UnsafeMutablePointer<UInt16>.allocate(capacity: limit)
    offsets.initialize(repeating: 0, count: limit)
    for attribute in attributes { offsets[attribute.offset] = UInt16(attribute.property.column) }
    columnOfOffset = UnsafePointer(offsets)
    offsetLimit = UInt(limit)
  }

  deinit {
    columnOfOffset.deallocate()
    spares.deallocate()
  }

  /// The attribute with this name; nil if there is none.
  subscript(name: String) -> ModelAttribute? {
    schema.index(of: name).map { attributes[$0] }
  }

  /// Returns the columns of the class in a store.
  ///
  /// - Parameter table: A function that returns the table of a class.
  func columns(table: (ClassID) -> Int) -> ClassColumns {
    sharedColumns.columns(schema, targets, table: table)
  }

  // MARK: - Finding

  /// Returns the model of a declared class. Mistakes are reported when the class enters a store.
  static func of(_ type: ObjectBase.Type) -> ModelClass {
    let id = ObjectIdentifier(type)
    if let known = cache.lock.withLock({ cache.classes[id] }) { return known }
    // Reflection calls the user's initializers, so it must run outside the lock.
    let reflecting = Reflecting(type: id, thread: Lock.currentThread)
    guard cache.lock.withLock({ cache.reflecting.insert(reflecting).inserted }) else {
      misuse(
        "\(type): its defaults or its init() read objects of the same class while the class "
          + "is being inspected; assign such values after creating the object")
    }
    let reflected = ModelClass(reflecting: type)
    return cache.lock.withLock {
      cache.reflecting.remove(reflecting)
      if let first = cache.classes[id] { return first }
      cache.classes[id] = reflected
      return reflected
    }
  }

  /// True if this is one of the base classes of models.
  static func isBase(_ type: ObjectBase.Type) -> Bool {
    type == Object.self || type == EmbeddedObject.self || type == ObjectBase.self
  }

  /// A cache of reflection results, without which each use of a class would take 20 µs. Only performance
  /// depends on it.
  // Sendable: guarded by `lock`.
  private final class Cache: @unchecked Sendable {
    let lock = Lock()
    var classes: [ObjectIdentifier: ModelClass] = [:]
    /// The classes under reflection, each with its thread.
    var reflecting: Set<Reflecting> = []
  }

  private struct Reflecting: Hashable {
    let type: ObjectIdentifier
    let thread: UInt
  }

  private static let cache = Cache()

  // MARK: - Making

  private convenience init(reflecting type: ObjectBase.Type) {
    let reflection = ClassReflection(type)
    let schema = ObjectSchema(
      ClassID(type), tableName: type.tableName, isEmbedded: type is EmbeddedObject.Type,
      reflection.plainProperties, ClassDeclarations(of: type),
      tracksEdits: (type as? Object.Type)?.tracksEdits ?? false
    ) { properties in
      let check = DeclarationCheck(type, properties)
      return (
        reflection.mistakes + reflection.defaultMistakes(properties) + check.mistakes,
        check.linkMistakes
      )
    }
    self.init(
      type, schema, zip(schema.properties, reflection.attributes).map { $1.attribute($0) },
      canSkipDefaults: reflection.canSkipDefaults,
      holdsOnlyAttributes: reflection.holdsOnlyAttributes)
  }

  /// Creates the class of a schema without a declared class. Its objects contain no wrappers; the indices of the
  /// attributes take the place of offsets.
  convenience init(describedBy schema: ObjectSchema) {
    self.init(
      DynamicObject.self, schema,
      schema.properties.enumerated().map { index, property in
        ModelAttribute(property, offset: index, wrapper: property.shape.dynamicWrapper)
      },
      canSkipDefaults: true, holdsOnlyAttributes: false)
  }

  // MARK: - Objects

  /// Releases the objects that `object` referred to before it was managed; its row now holds the links.
  func releaseReferences(of object: ObjectBase) {
    guard Swift.type(of: object) == type else { return }
    for attribute in references { attribute.wrapper.releaseValue(object, attribute.offset) }
  }

  /// Creates an object for reading a row. Its wrappers skip their defaults if the class allows it.
  ///
  /// Other objects that its initializer creates get their defaults: ``ObjectBase/init()`` ends the mode and marks its
  /// object with a special epoch. If the initializer created another object first, which took the mark, the requested
  /// object is created again, with its defaults.
  @inline(__always)
  func makeAccessor<T: ObjectBase>(_ type: T.Type) -> T {
    canSkipDefaults ? ObjectBase.makeAccessor(type) : type.init()
  }
}

extension ObjectSchema {
  /// Returns the schema of a class.
  ///
  /// - Throws: `invalidDeclarations` with every mistake found.
  public static func of(_ type: ObjectBase.Type) throws -> ObjectSchema {
    let schema = ModelClass.of(type).schema
    guard schema.mistakes.isEmpty else {
      throw StoreError(.invalidDeclarations(schema.mistakes))
    }
    return schema
  }
}

extension ClassID {
  /// Creates the identifier of a declared class.
  init(_ type: ObjectBase.Type) {
    self.init(name: String(describing: type), type: type)
  }

  /// The declared class; nil for a class that only a schema describes.
  var objectType: ObjectBase.Type? { type as? ObjectBase.Type }
}

extension AttributeShape {
  /// Creates the shape of a reference to objects of a declared class.
  init(_ form: Form, target: ObjectBase.Type, isOptional: Bool = false) {
    self.init(form, target: ClassID(target), isOptional: isOptional)
  }
}

extension ClassDeclarations {
  /// Collects the declarations of a class and its superclasses, even if a member is overridden without calling `super`.
  init(of type: ObjectBase.Type) {
    self.init()
    var chain: [ObjectBase.Type] = [type]
    while let parent = _getSuperclass(chain[chain.count - 1]) as? ObjectBase.Type,
      parent != ObjectBase.self
    { chain.append(parent) }
    for type in chain.reversed() {
      add(
        // The same as String(describing:), without its search for conformances.
        className: _typeName(type, qualified: false), keys: type.codableKeys,
        ignored: type.codableIgnoredAttributes, alwaysEncoded: type.codableAlwaysEncoded,
        raw: type.codableRawJsonSubstrings,
        objectEnvelope: type.objectEnvelope, listEnvelope: type.listEnvelope,
        shape: type.codableShape, indexes: type.indexes, compoundKey: type.compoundKey)
    }
  }
}

extension AccessTable {
  init(
    _ model: ModelClass, table: Int, layouts: UnsafePointer<ColumnLayout>? = nil, isWritable: Bool,
    tracker: ReadTracker? = nil, isTracked: Bool = false
  ) {
    self.init(
      columnOfOffset: model.columnOfOffset, offsetLimit: model.offsetLimit, table: table,
      layouts: layouts, isWritable: isWritable, tracker: tracker, isTracked: isTracked)
  }
}

extension ObjectBase {
  /// Creates an object whose wrappers skip their defaults; see ``ModelClass/makeAccessor(_:)``.
  @inline(__always)
  static func makeAccessor<T: ObjectBase>(_ type: T.Type) -> T {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(1)
    let object = type.init()
    store_wrapper_mode_set(outer)
    return object.epoch == ObjectBase.accessorEpoch ? object : type.init()
  }
}
