import ObjectStoreShims

/// A class whose objects read through to rows: its schema, and how objects reach their attributes.
///
/// Made once per class, at its first use, and immutable. A declared class is found by metatype, never
/// by name; that of a schema made at run time belongs to the store that the schema was given to.
// Sendable: immutable; the pointer's memory is written once, before anybody else sees it.
final class ModelClass: @unchecked Sendable {
  /// The class of the objects; ``DynamicObject`` for a schema that no class declares.
  let type: ObjectBase.Type
  let schema: ObjectSchema
  /// One for each of the schema's properties.
  let attributes: ContiguousArray<ModelAttribute>
  /// Those that refer to objects, of which unmanaged objects keep each other alive.
  private let references: [ModelAttribute]
  let columnOfOffset: UnsafePointer<UInt16>
  let offsetLimit: UInt
  /// The names of key paths that begin here; guards itself.
  let knownPaths = KnownPaths()
  /// What it says of caching; guards itself.
  let policy = ClassPolicy()
  /// Whether an accessor may skip the declared defaults: making an object makes no other object.
  private let canSkipDefaults: Bool
  /// Accessors that may show one row after another.
  let spares: SpareAccessors

  /// Whether no source declares it.
  var isDynamic: Bool { type == DynamicObject.self }

  private init(
    _ type: ObjectBase.Type, _ schema: ObjectSchema, _ attributes: [ModelAttribute],
    canSkipDefaults: Bool, holdsOnlyAttributes: Bool
  ) {
    self.type = type
    self.schema = schema
    self.attributes = ContiguousArray(attributes)
    references = attributes.filter { $0.property.isStored && $0.property.objectClassName != nil }
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

  /// Those with columns, in column order.
  var storedAttributes: [ModelAttribute] { attributes.filter(\.property.isStored) }

  // MARK: - Finding

  /// A declared class; its mistakes are reported where it enters a store.
  static func of(_ type: ObjectBase.Type) -> ModelClass {
    let id = ObjectIdentifier(type)
    if let known = cache.lock.withLock({ cache.classes[id] }) { return known }
    // Reflection runs the user's initializers: not under the lock.
    let reflecting = Reflecting(type: id, thread: Lock.currentThread)
    guard cache.lock.withLock({ cache.reflecting.insert(reflecting).inserted }) else {
      misuse(
        "\(type): its defaults or its init() read objects of the class itself, which is only just "
          + "looked at; assign such values where objects are made")
    }
    let made = ModelClass(reflecting: type)
    return cache.lock.withLock {
      cache.reflecting.remove(reflecting)
      if let first = cache.classes[id] { return first }
      cache.classes[id] = made
      return made
    }
  }

  /// Whether it is one of the classes that models derive from.
  static func isBase(_ type: ObjectBase.Type) -> Bool {
    type == Object.self || type == EmbeddedObject.self || type == ObjectBase.self
  }

  /// Remembers what reflection found: 20 µs a class otherwise, at each use. Nothing is registered
  /// and nothing depends on it but speed.
  // Sendable: guarded by `lock`.
  private final class Cache: @unchecked Sendable {
    let lock = Lock()
    var classes: [ObjectIdentifier: ModelClass] = [:]
    /// Which thread looks at which class.
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
      reflection.plainProperties, ClassDeclarations(of: type)
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

  /// The class of a schema that no class declares. Its attributes stand at no offset: they are
  /// numbered instead.
  convenience init(describedBy schema: ObjectSchema) {
    self.init(
      DynamicObject.self, schema,
      schema.properties.enumerated().map { index, property in
        ModelAttribute(property, offset: index, wrapper: property.shape.dynamicWrapper)
      },
      canSkipDefaults: true, holdsOnlyAttributes: false)
  }

  // MARK: - Objects

  /// Lets go of what an object of the class referred to before it was managed; its row says it now.
  func forgetReferences(of object: ObjectBase) {
    guard Swift.type(of: object) == type else { return }
    for attribute in references { attribute.wrapper.forgetValue(object, attribute.offset) }
  }

  /// An object to read a row through: its wrappers skip their defaults.
  ///
  /// What its initializer makes besides has its defaults. ``ObjectBase/init()`` ends the mode and
  /// leaves an epoch of its own; if another object took it, which was made before, the object is made again.
  @inline(__always)
  func makeAccessor<T: ObjectBase>(_ type: T.Type) -> T {
    canSkipDefaults ? ObjectBase.makeAccessor(type) : type.init()
  }
}

extension ObjectSchema {
  /// The schema of a class.
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
  /// A declared class.
  init(_ type: ObjectBase.Type) {
    self.init(name: String(describing: type), type: type)
  }

  /// The class itself; nil for one that only a schema describes.
  var objectType: ObjectBase.Type? { type as? ObjectBase.Type }
}

extension AttributeShape {
  /// Objects of a declared class.
  init(_ form: Form, target: ObjectBase.Type, isOptional: Bool = false) {
    self.init(form, target: ClassID(target), isOptional: isOptional)
  }
}

extension ClassDeclarations {
  /// What a class and its superclasses say: a superclass's member is looked at, too, where a subclass
  /// overrides it without calling `super`.
  init(of type: ObjectBase.Type) {
    self.init()
    var chain: [ObjectBase.Type] = [type]
    while let parent = _getSuperclass(chain[chain.count - 1]) as? ObjectBase.Type,
      parent != ObjectBase.self
    { chain.append(parent) }
    for type in chain.reversed() {
      add(
        className: String(describing: type), keys: type.codableKeys,
        ignored: type.codableIgnoredAttributes, raw: type.codableRawJsonSubstrings,
        objectEnvelope: type.objectEnvelope, listEnvelope: type.listEnvelope,
        indexes: type.indexes, compoundKey: type.compoundKey)
    }
  }
}

extension AccessTable {
  init(
    _ model: ModelClass, table: Int, isWritable: Bool, tracker: ReadTracker? = nil,
    isTracked: Bool = false
  ) {
    self.init(
      columnOfOffset: model.columnOfOffset, offsetLimit: model.offsetLimit, table: table,
      isWritable: isWritable, tracker: tracker, isTracked: isTracked)
  }
}

extension ObjectBase {
  /// An object whose wrappers skip their defaults; see ``ModelClass/makeAccessor(_:)``.
  @inline(__always)
  static func makeAccessor<T: ObjectBase>(_ type: T.Type) -> T {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(1)
    let object = type.init()
    store_wrapper_mode_set(outer)
    return object.epoch == ObjectBase.accessorEpoch ? object : type.init()
  }
}
