/// Finds the attribute names along a key path, without Objective-C and without macros.
///
/// The key path is applied to an object whose accesses all take the slow path, which records the attribute and
/// returns a sentinel: a value that is unlikely to occur by chance. If the key path's result is the sentinel, the key
/// path refers to the attribute itself; otherwise its result is derived, and the key path is rejected with the
/// reason. Two rounds with different sentinels detect derived values that happen to be equal.
public final class _KeyPathRecorder {
  private var components: [(object: ObjectBase, attribute: ModelAttribute)] = []
  private var objects: [ObjectBase] = []
  private var tables: [UnsafeMutablePointer<AccessTable>] = []
  private var chunks: [Chunk] = []
  /// The name of a property of the edit state that was read; nil for none.
  private var stateName: String?
  private let round: Int
  private let batch = RowBatch()
  private(set) lazy var export = BatchExport(batch)

  private init(round: Int) {
    self.round = round
  }

  deinit {
    for table in tables { table.deallocate() }
  }

  /// Returns the names along a key path: `["publisher", "name"]` for `\User.publisher?.name`.
  /// - Throws: `invalidKeyPath` with the reason.
  /// - Complexity: O(length), a few µs the first time; then O(1).
  static func names(_ keyPath: AnyKeyPath) throws -> [String] {
    guard let root = type(of: keyPath).rootType as? ObjectBase.Type else {
      throw StoreError(.invalidKeyPath("the key path does not begin at an object"))
    }
    let cache = ModelClass.of(root).attributeNameCache
    if let names = cache.names(keyPath) { return names }
    var names: [String] = []
    for round in 0..<2 {
      let recorder = _KeyPathRecorder(round: round)
      defer { recorder.finish() }
      names = try recorder.follow(keyPath, root)
    }
    cache.insert(names, for: keyPath)
    return names
  }

  private func follow(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) throws -> [String] {
    let object = target(root)
    guard let value = (object as Any)[keyPath: keyPath] else {
      throw StoreError(.invalidKeyPath("the key path cannot be applied to \(root)"))
    }
    if let stateName {
      // The value is not stored in a column, so there is no sentinel. Only links may precede it.
      guard components.allSatisfy({ $0.attribute.property.shape.form == .link }) else {
        throw StoreError(.invalidKeyPath("the key path reads attributes besides '\(stateName)'"))
      }
      return components.map(\.attribute.property.name) + [stateName]
    }
    guard let last = components.last else {
      throw StoreError(.invalidKeyPath("the key path reads no @Persisted attribute of \(root)"))
    }
    let names = components.map(\.attribute.property.name)
    // A valid path reads one attribute of each object along it.
    for (index, component) in components.enumerated()
    where index >= objects.count || component.object !== objects[index] {
      throw StoreError(
        .invalidKeyPath(
          "the key path reads several attributes (\(names.joined(separator: ", "))): "
            + "a computed property is not stored"))
    }
    guard last.attribute.wrapper.isSentinel(value, round, self) else {
      throw StoreError(
        .invalidKeyPath(
          "the key path's value is derived from '\(names.joined(separator: "."))', "
            + "not the attribute itself"))
    }
    return names
  }

  /// Creates an object that records reads of its attributes.
  func target<T: ObjectBase>(_ type: T.Type) -> T {
    let model = ModelClass.of(type)
    let object = model.makeAccessor(type)
    let table = UnsafeMutablePointer<AccessTable>.allocate(capacity: 1)
    // The table's epoch never equals the object's, so every access takes the slow path.
    table.initialize(to: AccessTable(model, table: -1, isWritable: false))
    tables.append(table)
    object.storage = table
    object.owner = self
    object.row = 0
    objects.append(object)
    return object
  }

  /// Records that a property of the edit state is read.
  func record(stateName name: String) { stateName = name }

  /// Records the access and stores the sentinel for the read that follows.
  func record(_ object: ObjectBase, _ column: Int) {
    let model = object.model
    guard let attribute = model.attributes.first(where: { $0.property.column == column }) else {
      return
    }
    let property = attribute.property
    components.append((object, attribute))
    let layout = model.schema.layout { _ in -1 }
    let chunk = Chunk(emptyWith: layout, capacity: 1)
    chunks.append(chunk)
    object.columns = chunk.columns
    guard property.isStored, property.shape.form == .scalar,
      let cell = try? attribute.wrapper.sentinel(round, self)
    else { return }
    let target = chunk.columns + column
    switch layout.columns[column].kind {
    case .byte:
      target.pointee.values.storeBytes(of: UInt8(truncatingIfNeeded: cell.bits), as: UInt8.self)
    case .bytes:
      let arena = Arena(capacity: max(16, cell.bytes.count), limit: Arena.textLimit)
      target.pointee.setText(arena)
      let word = target.pointee.appendText(cell.bytes.pointerOrDangling, cell.bytes.count)
      target.pointee.values.storeBytes(of: word, as: UInt64.self)
    case .word, .link, .collection:
      target.pointee.values.storeBytes(of: cell.bits, as: UInt64.self)
    }
    target.pointee.presence?[0] = 1
  }

  /// Breaks the reference cycle between the recorder and its objects.
  private func finish() {
    for object in objects {
      object.storage = nil
      object.owner = nil
    }
    objects = []
    components = []
  }
}

extension ObjectProtocol {
  /// Returns the name of the attribute that a key path refers to: `"completed"`, or `"customer.name"` for
  /// `\.customer?.name`.
  ///
  /// A key path to anything but a `@Persisted` attribute is misuse.
  ///
  /// - Complexity: O(length of the path), about 3 µs. A repeated call is O(1) and takes a tenth of that time.
  public static func attributeName(for keyPath: PartialKeyPath<Self>) -> String {
    attributeNames(for: keyPath).joined(separator: ".")
  }

  /// Returns the names of the links and the attribute; see ``attributeName(for:)``.
  ///
  /// - Throws: `invalidKeyPath` with the reason.
  package static func attributeNames(along keyPath: PartialKeyPath<Self>) throws -> [String] {
    try _KeyPathRecorder.names(keyPath)
  }

  /// Returns the names of the links and the attribute; misuse if the key path is invalid.
  package static func attributeNames(for keyPath: PartialKeyPath<Self>) -> [String] {
    do {
      return try attributeNames(along: keyPath)
    } catch {
      misuse("\(Self.self).attributeName(for:): \(error)")
    }
  }
}
