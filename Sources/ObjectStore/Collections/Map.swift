/// A to-many attribute by text key: `@Persisted var scores: Map<String, Int>`.
///
/// Like ``List`` it is a reference to the attribute. Keys are told apart and kept sorted by their UTF-8
/// bytes: "é" in one scalar and "é" in two are two keys.
///
/// - Complexity: subscript by key O(log n). Assigning and removing a value O(log n), and for a new or
///   removed key two moved words for each pair on the shorter side of the place; the first change in a
///   write copies two words for each pair.
public struct Map<Key: _MapKey, Value: CollectionElement> {
  /// What the map refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var _storageBox: _CollectionBox<Value>?

  /// An empty map that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// The map of an attribute. For the wrapper.
  public init(_storageBox: _CollectionBox<Value>?) {
    self._storageBox = _storageBox
  }

  /// A map of these pairs that belongs to no object; assigning it to an attribute copies them.
  public init(_ pairs: [Key: Value]) {
    self.init(pairs.map { ($0.key, $0.value) })
  }

  /// A map of pairs in any order; the last value of a key counts.
  private init(_ pairs: [(Key, Value)]) {
    let box = _CollectionBox<Value>()
    (box.keys, box.items) = Self.sorted(pairs.map { ($0._mapKey, $1) })
    _storageBox = box
  }

  /// The number of pairs.
  public var count: Int { _storageBox?.count ?? 0 }
  /// Whether there is no pair.
  public var isEmpty: Bool { count == 0 }
  /// The keys, sorted by their UTF-8 bytes: O(n).
  public var keys: [String] { snapshot.keys }
  /// The values, in the order of their keys: O(n).
  public var values: [Value] { snapshot.elements }

  /// The value of a key; assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      guard let box = _storageBox else { return nil }
      let (index, isFound) = box.place(ofKey: key._mapKey)
      return isFound ? box.element(index, "Map") : nil
    }
    nonmutating set {
      let name = key._mapKey
      let elements = newValue.map { [$0] } ?? []
      let keys = newValue == nil ? [] : [name]
      guard let box = _storageBox else { return assignContents(elements, keys: keys) }
      let (index, isFound) = box.place(ofKey: name)
      box.replace(index..<index + (isFound ? 1 : 0), with: elements, keys: keys)
    }
  }

  /// Removes all pairs.
  public func removeAll() { assignContents([]) }

  /// The values as a dictionary; of keys that Swift takes for the same the last one's.
  public var dictionary: [String: Value] {
    Dictionary(zip(keys, values)) { _, later in later }
  }

  /// Keys and values by key; the last value of a key counts.
  private static func sorted(_ pairs: [(String, Value)]) -> ([String], [Value]) {
    let order = pairs.indices.sorted { a, b in
      pairs[a].0.precedesByBytes(pairs[b].0)
        || !pairs[b].0.precedesByBytes(pairs[a].0) && a < b
    }
    var (keys, values): ([String], [Value]) = ([], [])
    for (place, index) in order.enumerated() {
      let (key, value) = pairs[index]
      if place + 1 < order.count, pairs[order[place + 1]].0.utf8.elementsEqual(key.utf8) {
        continue
      }
      keys.append(key)
      values.append(value)
    }
    return (keys, values)
  }
}

/// What can be the key of a ``Map``: `String`.
nonisolated public protocol _MapKey: Hashable, Sendable {
  /// The key as the store keeps it.
  var _mapKey: String { get }
}

extension String: _MapKey {
  public var _mapKey: String { self }
}

// MARK: - Conformances

extension Map: Sequence {
  /// Walks the pairs that were there when the loop began.
  public typealias Iterator = _PairIterator<Value>

  /// Walks the pairs that are there now, by key.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// An unmanaged map of these pairs; of a key that comes twice the last value counts.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(elements)
  }
}

extension Map: CustomStringConvertible {
  /// The pairs by key, as a dictionary of them prints; `[:]` if there are none.
  public var description: String {
    isEmpty ? "[:]" : "[\(map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}

extension Map: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .map }

  /// Null empties; a plain dictionary is as good as the map itself.
  public static func _storageValue(_ any: Any?) -> Map? {
    guard let any else { return Map() }
    return any as? Map ?? (any as? [Key: Value]).map { Map($0) }
  }
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
