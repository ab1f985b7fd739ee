/// An unordered to-many attribute without duplicates: `@Persisted var tags: MutableSet<String>`.
///
/// Like ``List``, a set is a reference to the attribute. A managed set is sorted by the bytes of its values;
/// do not depend on the order.
///
/// Elements are equal if they are stored identically, regardless of `==`: the set contains NaN at most once,
/// 0 and -0 are two elements, and so are a precomposed "é" and a decomposed one.
///
/// - Complexity: `contains` is O(log n). `insert` and `remove` are O(log n) and move one word for each
///   element on the shorter side of the index. The first change in a write copies one word per element. For
///   an unmanaged object, all of these are O(n).
public struct MutableSet<Element: CollectionElement & Hashable> {
  /// The backing storage, for the property wrapper; nil for an attribute that has not been read yet.
  public var _storageBox: _CollectionBox<Element>?

  /// Creates an empty set that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// Creates the set of an attribute, for the property wrapper.
  public init(_storageBox: _CollectionBox<Element>?) {
    self._storageBox = _storageBox
  }

  /// Creates a set of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = _CollectionBox<Element>()
    box.items = Self.unique(elements)
    _storageBox = box
  }

  /// The number of elements.
  public var count: Int { _storageBox?.count ?? 0 }
  /// A Boolean value that indicates whether the set is empty.
  public var isEmpty: Bool { count == 0 }

  /// The first element in the stored order; nil if the set is empty.
  public var first: Element? { isEmpty ? nil : _storageBox?.element(0, "MutableSet") }

  /// The element at `index` in the stored order, which must be in `0..<count`. The next change may move it.
  public subscript(index: Int) -> Element {
    guard let box = _storageBox else { misuse("MutableSet index must be in 0..<0 (was \(index))") }
    return box.element(index, "MutableSet")
  }

  /// Returns a Boolean value that indicates whether the set contains the element.
  public func contains(_ element: Element) -> Bool {
    _storageBox?.contains(element) ?? false
  }

  /// Inserts an element unless the set contains it.
  public func insert(_ element: Element) {
    insert(contentsOf: CollectionOfOne(element))
  }

  /// Inserts the elements that the set does not contain.
  public func insert(contentsOf elements: some Sequence<Element>) {
    let elements = Array(elements)
    guard let box = _storageBox else { return assignContents(Self.unique(elements)) }
    box.edit {
      $0.insertElements($1, $2, elements)
    } unmanaged: {
      $0 = Self.unique($0 + elements)
    }
  }

  /// Removes an element if the set contains it.
  public func remove(_ element: Element) {
    _storageBox?.edit {
      $0.removeElement($1, $2, element)
    } unmanaged: {
      $0.removeAll { $0._elementEquals(element) }
    }
  }

  /// Removes all elements.
  public func removeAll() { assignContents([]) }

  // MARK: - Other sets

  /// Removes the elements that are also in `elements`, as one change.
  ///
  /// - Complexity: O(n + m) for `m` elements of the argument.
  public func subtract(_ elements: some Sequence<Element>) {
    let removed = Self.stored(elements)
    keep { !removed.contains($0) }
  }

  /// Removes the elements that are not in `elements`, as one change.
  ///
  /// - Complexity: O(n + m) for `m` elements of the argument.
  public func formIntersection(_ elements: some Sequence<Element>) {
    let kept = Self.stored(elements)
    keep { kept.contains($0) }
  }

  private func keep(_ isKept: (StoredElement<Element>) -> Bool) {
    _ = _storageBox?.writableRow()
    let elements = snapshot.elements
    let kept = elements.filter { isKept(StoredElement(element: $0)) }
    if kept.count < elements.count { assignContents(kept) }
  }

  /// Returns a Boolean value that indicates whether each element is also in `elements`.
  ///
  /// - Complexity: O(n + m) for `m` elements of the argument.
  public func isSubset(of elements: some Sequence<Element>) -> Bool {
    let others = Self.stored(elements)
    return allSatisfy { others.contains(StoredElement(element: $0)) }
  }

  /// Returns a Boolean value that indicates whether the set contains each of `elements`.
  public func isSuperset(of elements: some Sequence<Element>) -> Bool {
    elements.allSatisfy { contains($0) }
  }

  /// Returns a Boolean value that indicates whether the set contains none of `elements`.
  public func isDisjoint(with elements: some Sequence<Element>) -> Bool {
    !elements.contains { contains($0) }
  }

  private static func stored(_ elements: some Sequence<Element>) -> Set<StoredElement<Element>> {
    Set(elements.lazy.map { StoredElement(element: $0) })
  }

  private static func unique(_ elements: some Sequence<Element>) -> [Element] {
    var seen = Set<StoredElement<Element>>()
    return elements.filter { seen.insert(StoredElement(element: $0)).inserted }
  }
}

// MARK: - Conformances

extension MutableSet: Sequence {
  /// An iterator over the elements that the set had when the loop began.
  public typealias Iterator = _ElementIterator<Element>

  /// Returns an iterator over the current elements.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// Creates an unmanaged set of these elements, without duplicates.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension MutableSet: CustomStringConvertible {
  /// The elements in their stored order, formatted like an array.
  public var description: String { "\(Array(self))" }
}

extension MutableSet: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .set }

  /// Returns an empty set for null. Accepts a set or array in place of this type.
  public static func _storageValue(_ any: Any?) -> MutableSet? {
    guard let any else { return MutableSet() }
    return any as? MutableSet ?? (any as? [Element]).map { MutableSet($0) }
      ?? (any as? Set<Element>).map { MutableSet($0) }
  }
}
