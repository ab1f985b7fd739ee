/// A to-many attribute by text key: `@Persisted var scores: Map<String, Int>`.
///
/// Like ``List`` it is a reference to the attribute. Keys are kept sorted by their UTF-8 bytes.
///
/// - Complexity: subscript by key O(log n); changes O(n) of the map.
public struct Map<Key: MapKey, Value: CollectionElement> {
  var box: CollectionBox<Value>?

  /// An empty map that belongs to no object.
  public init() {}

  public init(_ pairs: [Key: Value]) {
    let box = CollectionBox<Value>()
    (box.keys, box.items) = Self.sorted(pairs.map { ($0.key.mapKey, $0.value) })
    self.box = box
  }

  public var count: Int { box?.count ?? 0 }
  public var isEmpty: Bool { count == 0 }
  public var keys: [String] { (0..<count).map { box?.key($0) ?? "" } }
  public var values: [Value] { box?.elements ?? [] }

  /// The value of a key; assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      place(of: key.mapKey).flatMap { box?.element($0, "Map") }
    }
    nonmutating set {
      var pairs = Array(zip(keys, values))
      pairs.removeAll { $0.0.utf8.elementsEqual(key.mapKey.utf8) }
      if let newValue { pairs.append((key.mapKey, newValue)) }
      assign(pairs)
    }
  }

  public func removeAll() { assign([]) }

  /// The values as a dictionary.
  public var dictionary: [String: Value] {
    Dictionary(zip(keys, values)) { _, later in later }
  }

  private func place(of key: String) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(box?.key(middle) ?? "", key) { low = middle + 1 } else { high = middle }
    }
    guard low < count, let found = box?.key(low), found.utf8.elementsEqual(key.utf8) else {
      return nil
    }
    return low
  }

  func assign(_ pairs: [(String, Value)]) {
    guard let box else {
      if pairs.isEmpty { return }
      misuse("Map: this map belongs to no object; use Map([…])")
    }
    let (keys, values) = Self.sorted(pairs)
    if box.place == nil {
      (box.keys, box.items) = (keys, values)
    } else {
      box.replaceManaged(values, keys: keys)
    }
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  private static func sorted(_ pairs: [(String, Value)]) -> ([String], [Value]) {
    let ordered = pairs.sorted { precedes($0.0, $1.0) }
    return (ordered.map(\.0), ordered.map(\.1))
  }
}

/// What can be the key of a ``Map``: `String`.
nonisolated public protocol MapKey: Hashable, Sendable {
  var mapKey: String { get }
}

extension String: MapKey {
  public var mapKey: String { self }
}

// MARK: - Conformances

extension Map: Sequence {
  /// Iterates over the pairs as they are now, by key.
  public func makeIterator() -> IndexingIterator<[(key: String, value: Value)]> {
    zip(keys, values).map { (key: $0, value: $1) }.makeIterator()
  }
}

extension Map: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(Dictionary(elements) { _, later in later })
  }
}

extension Map: CustomStringConvertible {
  public var description: String {
    "[\(map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}

extension Map: PersistableValue {
  public static var storageDefault: Map { Map() }

  public static var storageShape: AttributeShape {
    var shape = Value.elementShape
    shape.form = .map
    return shape
  }

  public static func storageRead(_ object: ObjectBase, _ column: Int) -> Map {
    var map = Map()
    map.box = CollectionBox(object, column)
    return map
  }

  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Map) {
    let target = storageRead(object, column)
    if let source = value.box, let mine = target.box, mine.isSame(as: source) { return }
    target.assign(Array(zip(value.keys, value.values)))
  }

  public static func storageGet(
    _ stored: inout Map, _ object: ObjectBase, _ offset: Int
  ) -> Map {
    if stored.box == nil { stored.box = CollectionBox() }
    stored.box?.follow(object, offset)
    return stored
  }

  public static func storageSet(
    _ stored: inout Map, _ value: Map, _ object: ObjectBase, _ offset: Int
  ) {
    let target = storageGet(&stored, object, offset)
    if let source = value.box, target.box === source { return }
    target.assign(Array(zip(value.keys, value.values)))
  }

  public static func storageExport(_ value: Map, _ export: BatchExport) throws -> BatchCell {
    let mark = export.batch.beginElements()
    for (key, element) in zip(value.keys, value.values) {
      export.batch.appendElement(export.batch.text(key))
      export.batch.appendElement(try element.elementExport(export))
    }
    return export.batch.endElements(mark)
  }

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Map { Map() }

  public static func storageIsSentinel(
    _ value: Map, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value.box?.isRecorded(by: recorder) ?? false
  }
}
