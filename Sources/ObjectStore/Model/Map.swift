/// A to-many attribute by text key: `@Persisted var scores: Map<String, Int>`.
///
/// Like ``List`` it is a reference to the attribute. Keys are kept sorted by their UTF-8 bytes.
///
/// - Complexity: subscript by key O(log n); changes O(n) of the map.
public struct Map<Key: MapKey, Value: CollectionElement> {
  /// What the map refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var storageBox: CollectionBox<Value>?

  /// An empty map that belongs to no object.
  public init() {
    storageBox = CollectionBox()
  }

  /// The map of an attribute. For the wrapper.
  public init(storageBox: CollectionBox<Value>?) {
    self.storageBox = storageBox
  }

  /// A map of these pairs that belongs to no object; assigning it to an attribute copies them.
  public init(_ pairs: [Key: Value]) {
    let box = CollectionBox<Value>()
    (box.keys, box.items) = Self.sorted(pairs.map { ($0.key.mapKey, $0.value) })
    storageBox = box
  }

  /// The number of pairs.
  public var count: Int { storageBox?.count ?? 0 }
  /// Whether there is no pair.
  public var isEmpty: Bool { count == 0 }
  /// The keys, sorted by their UTF-8 bytes: O(n).
  public var keys: [String] { storageBox?.allKeys ?? [] }
  /// The values, in the order of their keys: O(n).
  public var values: [Value] { storageBox?.elements ?? [] }

  /// The value of a key; assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      place(of: key.mapKey).flatMap { storageBox?.element($0, "Map") }
    }
    nonmutating set {
      var pairs = Array(zip(keys, values))
      pairs.removeAll { $0.0.utf8.elementsEqual(key.mapKey.utf8) }
      if let newValue { pairs.append((key.mapKey, newValue)) }
      assign(pairs)
    }
  }

  /// Removes all pairs.
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
      if Self.precedes(storageBox?.key(middle) ?? "", key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < count, let found = storageBox?.key(low), found.utf8.elementsEqual(key.utf8) else {
      return nil
    }
    return low
  }

  private func assign(_ pairs: [(String, Value)]) {
    let (keys, values) = Self.sorted(pairs)
    assignContents(values, keys: keys)
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
    isEmpty ? "[:]" : "[\(map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}

extension Map: BoxedCollection {
  public static var storageForm: AttributeShape.Form { .map }

  /// Null empties; a plain dictionary is as good as the map itself.
  public static func storageValue(_ any: Any?) -> Map? {
    guard let any else { return Map() }
    return any as? Map ?? (any as? [Key: Value]).map { Map($0) }
  }
}

/// A map whose types are not known.
protocol MapContent {
  /// The pairs as an update has them; nil if a value cannot stand in one.
  var update: UpdateDictionary? { get }
  var pairs: [(key: String, value: Any)] { get }
}

extension Map: MapContent {
  var pairs: [(key: String, value: Any)] { map { ($0.key, $0.value as Any) } }

  var update: UpdateDictionary? {
    var update = UpdateDictionary()
    for (key, value) in self {
      guard let value = UpdateValue(any: value) else { return nil }
      update.append(key, value)
    }
    return update
  }
}
