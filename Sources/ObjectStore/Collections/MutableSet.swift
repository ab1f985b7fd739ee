/// An unordered to-many attribute without duplicates: `@Persisted var tags: MutableSet<String>`.
///
/// Like ``List`` it is a reference to the attribute. A managed set is kept sorted by the bytes of
/// its values; do not depend on the order.
///
/// Elements are the same if they are stored alike, whatever `==` says: NaN stands in it once, 0 and -0
/// are two elements, and so are "é" in one scalar and "é" in two.
///
/// - Complexity: `contains` O(log n). `insert` and `remove` O(log n) and a moved word for each element on
///   the shorter side of the place; the first change in a write copies a word for each element. Of an
///   unmanaged object all are O(n).
public struct MutableSet<Element: CollectionElement & Hashable> {
  /// What the set refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var _storageBox: _CollectionBox<Element>?

  /// An empty set that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// The set of an attribute. For the wrapper.
  public init(_storageBox: _CollectionBox<Element>?) {
    self._storageBox = _storageBox
  }

  /// A set of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = _CollectionBox<Element>()
    box.items = Self.unique(elements)
    _storageBox = box
  }

  /// The number of elements.
  public var count: Int { _storageBox?.count ?? 0 }
  /// Whether there is no element.
  public var isEmpty: Bool { count == 0 }

  /// Whether the element is in the set.
  public func contains(_ element: Element) -> Bool {
    _storageBox?.contains(element) ?? false
  }

  /// Adds an element; one that is there already changes nothing.
  public func insert(_ element: Element) {
    insert(contentsOf: CollectionOfOne(element))
  }

  /// Adds the elements that are not there already.
  public func insert(contentsOf elements: some Sequence<Element>) {
    let elements = Array(elements)
    guard let box = _storageBox else { return assignContents(Self.unique(elements)) }
    box.edit {
      $0.insertElements($1, $2, elements)
    } unmanaged: {
      $0 = Self.unique($0 + elements)
    }
  }

  /// Removes an element; one that is not there changes nothing.
  public func remove(_ element: Element) {
    _storageBox?.edit {
      $0.removeElement($1, $2, element)
    } unmanaged: {
      $0.removeAll { $0._elementEquals(element) }
    }
  }

  /// Empties the set.
  public func removeAll() { assignContents([]) }

  private static func unique(_ elements: some Sequence<Element>) -> [Element] {
    var seen = Set<StoredElement<Element>>()
    return elements.filter { seen.insert(StoredElement(element: $0)).inserted }
  }
}

// MARK: - Conformances

extension MutableSet: Sequence {
  /// Walks the elements that were there when the loop began.
  public typealias Iterator = _ElementIterator<Element>

  /// Walks the elements that are there now.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// An unmanaged set of these elements; one that comes twice counts once.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension MutableSet: CustomStringConvertible {
  /// The elements in their order, as an array of them prints.
  public var description: String { "\(Array(self))" }
}

extension MutableSet: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .set }

  /// Null empties; a plain set or array is as good as the set itself.
  public static func _storageValue(_ any: Any?) -> MutableSet? {
    guard let any else { return MutableSet() }
    return any as? MutableSet ?? (any as? [Element]).map { MutableSet($0) }
      ?? (any as? Set<Element>).map { MutableSet($0) }
  }
}
