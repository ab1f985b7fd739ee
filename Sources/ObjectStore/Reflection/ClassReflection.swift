import ObjectStoreShims

/// Finds the attributes of a class by inspecting one of its objects, using public API only.
///
///     1  `Type.init()` runs with a probe in the thread's wrapper mode: every `@Persisted` wrapper
///        created meanwhile takes a unique number as its tag and registers its flags
///     2  `Mirror` returns the names of the wrappers, superclass first, in declared order, and their tags
///     3  the object's memory is searched for each tag; a match is the wrapper if changing it
///        temporarily changes the tag that the mirror returns
///
/// A matching tag alone is not sufficient, because the compiler leaves copies of it in padding. Step 3 stays
/// inside the object's own heap block and restores every byte. A wrapper that is not found is reported as a
/// mistake along with the others.
struct ClassReflection {
  private(set) var attributes: [ReflectedAttribute] = []
  private(set) var mistakes: [String] = []
  private(set) var canSkipDefaults = false
  /// True if the class has no stored properties other than attributes.
  private(set) var holdsOnlyAttributes = true
  /// The inspected object.
  private let object: ObjectBase

  init(_ type: ObjectBase.Type) {
    let probe = WrapperProbe()
    let object = probe.run { type.init() }
    self.object = object
    var found: [FoundWrapper] = []
    var tagsInDefaults: [UInt32] = []
    for mirror in Self.mirrors(of: object) {
      for index in mirror.children.indices {
        let child = mirror.children[index]
        guard let label = child.label, let wrapper = child.value as? any PersistedWrapper else {
          holdsOnlyAttributes = false
          continue
        }
        found.append(
          FoundWrapper(
            name: Self.name(ofWrapper: label),
            tag: wrapper.probeTag, wrapper: Swift.type(of: wrapper), mirror: mirror, index: index))
        tagsInDefaults += Self.tags(inDefaultOf: wrapper)
      }
    }
    // Accessors skip a default that is an embedded object, including all of its wrappers.
    canSkipDefaults =
      found.count + tagsInDefaults.count { probe.flags($0) != nil } == probe.count
    let name = String(describing: type)
    if type == DynamicObject.self {
      mistakes.append(
        "DynamicObject is not a class of its own: name a class, or one of dynamic objects with 'dynamic:'"
      )
    } else if found.isEmpty {
      mistakes.append(
        "\(name): no @Persisted attribute was found (is reflection metadata disabled?)")
    }
    let offsets = Self.offsets(of: found, in: object)
    let indexed = Set(type.indexedProperties())
    let primaryKey = type.primaryKey()
    var seen: Set<ExactString> = []
    for (index, attribute) in found.enumerated() {
      guard seen.insert(ExactString(attribute.name)).inserted else {
        mistakes.append(
          "\(name).\(attribute.name): declared twice in the class and its superclasses")
        continue
      }
      guard let offset = offsets[index], let flags = probe.flags(attribute.tag) else {
        mistakes.append("\(name).\(attribute.name): its storage was not found in the object")
        continue
      }
      var property = Property(
        attribute.name, attribute.wrapper.shape,
        isPrimaryKey: flags.isPrimaryKey || primaryKey == attribute.name,
        isIndexed: flags.isIndexed || indexed.contains(attribute.name),
        isSearchable: flags.isSearchable, originProperty: flags.originProperty, json: flags.json,
        options: flags.options)
      property.declaringClass = attribute.declaringClass
      attributes.append(
        ReflectedAttribute(property: property, offset: offset, wrapper: attribute.wrapper))
    }
  }

  /// The attributes as declared, before a schema assigns their columns.
  var plainProperties: [Property] { attributes.map(\.property) }

  /// The attribute name for a wrapper's label, such as `_legs`. The label of a raw identifier includes its
  /// backticks: `` `_first name` ``.
  private static func name(ofWrapper label: String) -> String {
    let isRaw = label.utf8.count > 2 && label.hasPrefix("`") && label.hasSuffix("`")
    let name = isRaw ? label.dropFirst().dropLast() : label[...]
    let own = String(name.hasPrefix("_") ? name.dropFirst() : name)
    // Swift's metadata contains a no-break space for each space in the source.
    return isRaw ? String(own.map { $0 == "\u{a0}" ? " " : $0 }) : own
  }

  /// The mirrors of the object's class and superclasses, superclass first.
  private static func mirrors(of object: ObjectBase) -> [Mirror] {
    var mirrors: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror, !isBase(current.subjectType) {
      mirrors.append(current)
      mirror = current.superclassMirror
    }
    return mirrors.reversed()
  }

  /// The tags of all wrappers in an object that is a default value.
  private static func tags(inDefaultOf wrapper: any PersistedWrapper) -> [UInt32] {
    guard let object = Mirror(reflecting: wrapper).descendant("value") as? EmbeddedObject else {
      return []
    }
    return mirrors(of: object).flatMap(\.children).flatMap { child in
      (child.value as? any PersistedWrapper).map { [$0.probeTag] + tags(inDefaultOf: $0) } ?? []
    }
  }

  /// The mistakes in the defaults: values that cannot be stored.
  func defaultMistakes(_ properties: [Property]) -> [String] {
    let export = BatchExport(RowBatch()) {
      BatchShape(
        table: -1, attributeCount: ModelClass.of($0).schema.storedProperties.count,
        keyAttribute: nil, isKeyBytes: false)
    }
    let className = "\(type(of: object))"
    var mistakes: [String] = []
    for (property, attribute) in zip(properties, attributes) where property.isStored {
      do {
        export.attribute = (className, property)
        _ = try attribute.wrapper.export(object, attribute.offset, export)
      } catch {
        mistakes.append("\(className).\(property.name): its default cannot be stored: \(error)")
      }
    }
    return mistakes
  }

  private struct FoundWrapper {
    let name: String
    let tag: UInt32
    let wrapper: any PersistedWrapper.Type
    let mirror: Mirror
    let index: Mirror.Children.Index

    var declaringClass: String { String(describing: mirror.subjectType) }

    /// The current tag of the wrapper; a mirror reads its object anew each time.
    var shownTag: UInt32? {
      (mirror.children[index].value as? any PersistedWrapper)?.probeTag
    }
  }

  private static func isBase(_ type: Any.Type) -> Bool {
    (type as? ObjectBase.Type).map(ModelClass.isBase) ?? false
  }

  /// The byte offsets of the wrappers inside the object; nil for a wrapper that is not found.
  private static func offsets(of found: [FoundWrapper], in object: ObjectBase) -> [Int?] {
    let base = Unmanaged.passUnretained(object).toOpaque()
    let size = Int(store_heap_block_size(base))
    var offsetsByWord: [UInt32: [Int]] = [:]
    let tags = Set(found.map(\.tag))
    var offset = 16
    while offset + 4 <= size {
      let word = base.load(fromByteOffset: offset, as: UInt32.self)
      if tags.contains(word) { offsetsByWord[word, default: []].append(offset) }
      offset += 4
    }
    return withExtendedLifetime(object) {
      found.map { attribute in
        offsetsByWord[attribute.tag]?.first { isTag(of: attribute, at: base + $0) }
          .map { $0 - attribute.wrapper.tagOffset }
      }
    }
  }

  /// True if the address holds the attribute's tag and not a copy of it: the mirror then shows a temporary change.
  private static func isTag(of attribute: FoundWrapper, at address: UnsafeMutableRawPointer) -> Bool
  {
    address.storeBytes(of: ~attribute.tag, as: UInt32.self)
    defer { address.storeBytes(of: attribute.tag, as: UInt32.self) }
    return attribute.shownTag == ~attribute.tag
  }
}
