/// A to-many attribute with string keys: `@Persisted var scores: Map<String, Int>`.
///
/// Like ``List``, a map is a reference to the attribute. Keys are compared and sorted by their UTF-8 bytes: a
/// precomposed "é" and a decomposed one are two keys.
///
/// - Complexity: Reading by key is O(log n). Setting or removing a value is O(log n); inserting or removing a
///   key also moves two words for each pair on the shorter side of its index. The first change in a write
///   copies two words per pair.
public struct Map<Key: _MapKey, Value: CollectionElement> {
  /// The backing storage, for the property wrapper; nil for an attribute that has not been read yet.
  public var _storageBox: _CollectionBox<Value>?

  /// Creates an empty map that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// Creates the map of an attribute, for the property wrapper.
  public init(_storageBox: _CollectionBox<Value>?) {
    self._storageBox = _storageBox
  }

  /// Creates a map of these pairs that belongs to no object; assigning it to an attribute copies them.
  public init(_ pairs: [Key: Value]) {
    self.init(pairs.map { ($0.key, $0.value) })
  }

  /// Creates a map of pairs in any order; the last value of a repeated key is kept.
  private init(_ pairs: [(Key, Value)]) {
    let box = _CollectionBox<Value>()
    (box.keys, box.items) = Self.sorted(pairs.map { ($0._mapKey, $1) })
    _storageBox = box
  }

  /// The number of pairs.
  public var count: Int { _storageBox?.count ?? 0 }
  /// A Boolean value that indicates whether the map is empty.
  public var isEmpty: Bool { count == 0 }
  /// The keys, sorted by their UTF-8 bytes.
  ///
  /// - Complexity: O(n).
  public var keys: [String] { snapshot.keys }
  /// The values, in the order of their keys.
  ///
  /// - Complexity: O(n).
  public var values: [Value] { snapshot.elements }

  /// The value of a key; nil if there is none. Assigning nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      guard let box = _storageBox else { return nil }
      let (index, isFound) = box.index(ofKey: key._mapKey)
      return isFound ? box.element(index, "Map") : nil
    }
    nonmutating set {
      let name = key._mapKey
      let elements = newValue.map { [$0] } ?? []
      let keys = newValue == nil ? [] : [name]
      guard let box = _storageBox else { return assignContents(elements, keys: keys) }
      let (index, isFound) = box.index(ofKey: name)
      box.replace(index..<index + (isFound ? 1 : 0), with: elements, keys: keys)
    }
  }

  /// The value of a key, or `value` if there is none. Assigning adds the key, so `scores["a", default: 0] += 1` counts.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    nonmutating set { self[key] = newValue }
  }

  /// Sets the value of a key, and returns the value that it replaces; nil if the key is new.
  @discardableResult
  public func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let old = self[key]
    self[key] = value
    return old
  }

  /// Removes a key, and returns its value; nil if there is none.
  @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let old = self[key]
    self[key] = nil
    return old
  }

  /// Adds the pairs of a dictionary. For a key that the map has, `combine` is called with both values and returns the new one.
  ///
  ///     order.counts.merge(["apple": 2]) { $0 + $1 }
  ///
  /// Calls are in the order of the keys.
  public func merge(
    _ pairs: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in pairs.sorted(byBytesOf: { $0.key._mapKey }) {
      self[key] = try self[key].map { try combine($0, value) } ?? value
    }
  }

  /// Removes all pairs.
  public func removeAll() { assignContents([]) }

  /// The values as a dictionary. If Swift considers several keys equal, the last one's value is kept.
  public var dictionary: [String: Value] {
    Dictionary(zip(keys, values)) { _, later in later }
  }

  /// Returns keys and values sorted by key; the last value of a repeated key is kept.
  private static func sorted(_ pairs: [(String, Value)]) -> ([String], [Value]) {
    let order = pairs.indices.sorted { a, b in
      pairs[a].0.precedesByBytes(pairs[b].0)
        || !pairs[b].0.precedesByBytes(pairs[a].0) && a < b
    }
    var (keys, values): ([String], [Value]) = ([], [])
    for (position, index) in order.enumerated() {
      let (key, value) = pairs[index]
      if position + 1 < order.count, pairs[order[position + 1]].0.hasSameBytes(as: key) {
        continue
      }
      keys.append(key)
      values.append(value)
    }
    return (keys, values)
  }
}

// MARK: - Conformances

extension Map: Sequence {
  /// An iterator over the pairs that the map had when the loop began.
  public typealias Iterator = _PairIterator<Value>

  /// Returns an iterator over the current pairs, sorted by key.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Creates an unmanaged map of these pairs; the last value of a repeated key is kept.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    self.init(elements)
  }
}

extension Map: CustomStringConvertible {
  /// The pairs sorted by key, formatted like a dictionary; `[:]` if there are none.
  public var description: String {
    isEmpty ? "[:]" : "[\(map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
  }
}

extension Map: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .map }

  /// Returns an empty map for null. Accepts a dictionary in place of the map type.
  public static func _storageValue(_ any: Any?) -> Map? {
    guard let any else { return Map() }
    return any as? Map ?? (any as? [Key: Value]).map { Map($0) }
  }
}

/// A map, independent of its value type.
protocol AnyMap {
  /// The pairs as an update; nil if an update cannot hold one of the values.
  var update: UpdateDictionary? { get }
  var pairs: [(key: String, value: Any)] { get }
}

extension Map: AnyMap {
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
