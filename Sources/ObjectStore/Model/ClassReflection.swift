import ObjectStoreShims

/// Learns the attributes of a class from one object of it, with public API alone.
///
///     1  `Type.init()` runs with a probe in the thread's wrapper mode: every `@Persisted` wrapper
///        made meanwhile takes a number nobody else has as its tag, and leaves its flags
///     2  `Mirror` names the wrappers, superclass first, in declared order, and shows their tags
///     3  the object's memory is searched for the tag; where the mirror shows another number that is
///        put there for a moment, there stands the wrapper
///
/// A tag alone proves nothing: the compiler leaves copies of it in padding. Step 3 stays inside the
/// object's own heap block and leaves every byte as it was. A wrapper that is not found is a mistake
/// reported with the others.
struct ClassReflection {
  private(set) var attributes: [ReflectedAttribute] = []
  private(set) var mistakes: [String] = []
  private(set) var canSkipDefaults = false
  /// The object that was looked at.
  private let object: ObjectBase

  init(_ type: ObjectBase.Type) {
    let probe = WrapperProbe()
    let object = probe.run { type.init() }
    self.object = object
    var found: [Found] = []
    var tagsInDefaults: [UInt32] = []
    for mirror in Self.mirrors(of: object) {
      for index in mirror.children.indices {
        let child = mirror.children[index]
        guard let label = child.label, let wrapper = child.value as? any PersistedWrapper else {
          continue
        }
        found.append(
          Found(
            name: label.hasPrefix("_") ? String(label.dropFirst()) : label,
            tag: wrapper.probeTag, wrapper: Swift.type(of: wrapper), mirror: mirror, index: index))
        tagsInDefaults += Self.tags(inDefaultOf: wrapper)
      }
    }
    // A default that is an embedded object is skipped with all its wrappers.
    canSkipDefaults =
      found.count + tagsInDefaults.count { probe.flags($0) != nil } == probe.count
    let name = String(describing: type)
    if type == DynamicObject.self {
      mistakes.append(
        "DynamicObject stands for objects of any class: name theirs, as in objects(dynamic: \"User\")"
      )
    } else if found.isEmpty {
      mistakes.append(
        "\(name): no @Persisted attribute was found (is reflection metadata switched off?)")
    }
    let offsets = Self.offsets(of: found, in: object)
    let indexed = Set(type.indexedProperties())
    let primaryKey = type.primaryKey()
    var seen: Set<String> = []
    for (place, attribute) in found.enumerated() {
      guard seen.insert(attribute.name).inserted else {
        mistakes.append(
          "\(name).\(attribute.name): declared twice in the class and its superclasses")
        continue
      }
      guard let offset = offsets[place], let flags = probe.flags(attribute.tag) else {
        mistakes.append("\(name).\(attribute.name): its storage was not found in the object")
        continue
      }
      var property = Property(
        attribute.name, attribute.wrapper.shape,
        isPrimaryKey: flags.isPrimaryKey || primaryKey == attribute.name,
        isIndexed: flags.isIndexed || indexed.contains(attribute.name),
        originProperty: flags.originProperty, json: flags.json, options: flags.options)
      property.declaringClass = attribute.declaringClass
      attributes.append(
        ReflectedAttribute(property: property, offset: offset, wrapper: attribute.wrapper))
    }
  }

  /// The attributes as they are declared, before a schema gives them their columns.
  var plainProperties: [Property] { attributes.map(\.property) }

  /// Those of the object as its class and superclasses declare it, superclass first.
  private static func mirrors(of object: ObjectBase) -> [Mirror] {
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror, !isRoot(current.subjectType) {
      mirrors.append(current)
      mirror = current.superclassMirror
    }
    return mirrors.reversed()
  }

  /// The tags of all wrappers in an object that is a default.
  private static func tags(inDefaultOf wrapper: any PersistedWrapper) -> [UInt32] {
    guard let object = Mirror(reflecting: wrapper).descendant("value") as? EmbeddedObject else {
      return []
    }
    return mirrors(of: object).flatMap(\.children).flatMap { child in
      (child.value as? any PersistedWrapper).map { [$0.probeTag] + tags(inDefaultOf: $0) } ?? []
    }
  }

  /// What is wrong with the defaults: those that no row could take.
  func defaultMistakes(_ properties: [Property]) -> [String] {
    let export = BatchExport(RowBatch()) {
      BatchShape(
        table: -1, attributeCount: ModelClass.of($0).schema.storedProperties.count,
        keyAttribute: nil, isKeyText: false)
    }
    let className = "\(type(of: object))"
    var mistakes: [String] = []
    for (property, attribute) in zip(properties, attributes) where property.isStored {
      do {
        export.place = (className, property)
        _ = try attribute.wrapper.export(object, attribute.offset, export)
      } catch {
        mistakes.append("\(className).\(property.name): its default cannot be stored: \(error)")
      }
    }
    return mistakes
  }

  private struct Found {
    let name: String
    let tag: UInt32
    let wrapper: any PersistedWrapper.Type
    let mirror: Mirror
    let index: Mirror.Children.Index

    var declaringClass: String { String(describing: mirror.subjectType) }

    /// The tag that the wrapper has now; a mirror looks at its object anew each time.
    var shownTag: UInt32? {
      (mirror.children[index].value as? any PersistedWrapper)?.probeTag
    }
  }

  private static func isRoot(_ type: Any.Type) -> Bool {
    type == Object.self || type == EmbeddedObject.self || type == ObjectBase.self
  }

  /// The byte offsets of the wrappers inside the object; nil for one that is not found.
  private static func offsets(of found: [Found], in object: ObjectBase) -> [Int?] {
    let base = Unmanaged.passUnretained(object).toOpaque()
    let size = Int(store_heap_block_size(base))
    var places: [UInt32: [Int]] = [:]
    let tags = Set(found.map(\.tag))
    var offset = 16
    while offset + 4 <= size {
      let word = base.load(fromByteOffset: offset, as: UInt32.self)
      if tags.contains(word) { places[word, default: []].append(offset) }
      offset += 4
    }
    return withExtendedLifetime(object) {
      found.map { attribute in
        places[attribute.tag]?.first { isTag(of: attribute, at: base + $0) }
          .map { $0 - attribute.wrapper.tagOffset }
      }
    }
  }

  /// Whether the attribute's tag stands there, and not a copy of it: the mirror shows the change.
  private static func isTag(of attribute: Found, at place: UnsafeMutableRawPointer) -> Bool {
    place.storeBytes(of: ~attribute.tag, as: UInt32.self)
    defer { place.storeBytes(of: attribute.tag, as: UInt32.self) }
    return attribute.shownTag == ~attribute.tag
  }
}

/// An attribute that reflection found, and where its wrapper stands.
struct ReflectedAttribute {
  let property: Property
  let offset: Int
  let wrapper: any PersistedWrapper.Type

  /// The same with the property as its schema has it.
  func attribute(_ property: Property) -> ModelAttribute {
    ModelAttribute(property, offset: offset, wrapper: wrapper)
  }
}

/// Hands out tags to the wrappers made on this thread while it runs.
final class WrapperProbe {
  private var flagsByTag: [UInt32: AttributeFlags] = [:]
  // Tags begin at random, so that stale memory does not look like one.
  private var nextTag = UInt32.random(in: 0x4000_0000...0x7FFF_FFFF) | 1

  /// Wrappers made while it ran.
  var count: Int { flagsByTag.count }

  func run<R>(_ body: () -> R) -> R {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    defer { store_wrapper_mode_set(outer) }
    return withExtendedLifetime(self) { body() }
  }

  func flags(_ tag: UInt32) -> AttributeFlags? { flagsByTag[tag] }

  fileprivate func register(_ flags: AttributeFlags) -> UInt32 {
    // An odd step: all 2³² numbers come before one comes again.
    nextTag &+= 0x9E37_79B2
    flagsByTag[nextTag] = flags
    return nextTag
  }
}

// Three, so that the code in each initializer of a model is a call with what was said and no more.

/// The tag of a wrapper made while a probe runs, of an attribute of which nothing is said.
@usableFromInline @inline(never)
func takeProbeTag() -> UInt32 { takeProbeTag(AttributeFlags()) }

/// The tag of a wrapper made while a probe runs, with its role and its JSON key.
@usableFromInline @inline(never)
func takeProbeTag(isPrimaryKey: Bool, isIndexed: Bool, json: String?) -> UInt32 {
  takeProbeTag(AttributeFlags(isPrimaryKey: isPrimaryKey, isIndexed: isIndexed, json: json))
}

/// The tag of a wrapper made while a probe runs.
@usableFromInline @inline(never)
func takeProbeTag(_ flags: AttributeFlags) -> UInt32 {
  guard let address = UnsafeRawPointer(bitPattern: store_wrapper_mode_get()) else { return 0 }
  // The probe keeps itself alive while its address is the mode; see `WrapperProbe.run`.
  return Unmanaged<WrapperProbe>.fromOpaque(address).takeUnretainedValue().register(flags)
}

extension ObjectBase {
  /// An object whose wrappers skip their defaults; see ``ModelClass/makeAccessor(_:)``.
  @inline(__always)
  static func makeAccessor<T: ObjectBase>(_ type: T.Type) -> T {
    let outer = store_wrapper_mode_get()
    store_wrapper_mode_set(1)
    let object = type.init()
    store_wrapper_mode_set(outer)
    return object.epoch == ObjectBase.accessorMark ? object : type.init()
  }
}
