/// An ordered to-many attribute: `@Persisted var tags: List<String>`.
///
/// A `List` is a reference to the attribute, not a copy of its elements: reading it returns the current elements in
/// the store, and mutating it changes the object. The list of a managed object can only be changed inside `write`.
///
/// Iteration visits the elements that the list had when the loop began, even if the loop body changes the
/// list. Objects deleted in the meantime are invalidated.
///
/// - Complexity: `count` and `subscript` are O(1), `append` is amortized O(1). The first other change in a write copies
///   one word per element, O(n); later ones move the words before or after the index, whichever are fewer.
///   `removeAll(where:)`, `reverse`, `sort` and similar methods make one change, O(n).
public struct List<Element: CollectionElement> {
  /// The backing storage, for the property wrapper; nil for an attribute that has not been read yet.
  public var _storageBox: _CollectionBox<Element>?

  /// Creates an empty list that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// Creates the list of an attribute, for the property wrapper.
  public init(_storageBox: _CollectionBox<Element>?) {
    self._storageBox = _storageBox
  }

  /// Creates a list of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = _CollectionBox<Element>()
    box.items = Array(elements)
    _storageBox = box
  }

  // MARK: - Changing

  /// Appends an element. An unmanaged object is added to the store as well.
  public func append(_ element: Element) {
    guard let box = _storageBox else { misuse("List.append: this list belongs to no attribute") }
    box.replace(count..<count, with: [element])
  }

  /// Appends elements, in order.
  public func append(contentsOf elements: some Sequence<Element>) {
    let elements = Array(elements)
    guard let box = _storageBox else {
      if elements.isEmpty { return }
      misuse("List.append: this list belongs to no attribute")
    }
    box.replace(count..<count, with: elements)
  }

  /// Inserts an element before the one at `index`, which must be in `0...count`.
  public func insert(_ element: Element, at index: Int) {
    replace(index..<index, with: [element])
  }

  /// Removes and returns the element at `index`, which must be in `0..<count`.
  @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    replace(index..<index + 1, with: [])
    return element
  }

  /// Removes all elements. Removed objects stay in the store, except embedded objects, which are deleted.
  ///
  /// `keepCapacity` is ignored: the store manages its own memory.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    assignContents([])
  }

  /// Removes the elements that satisfy the predicate, as one change.
  ///
  /// The predicate is called for the elements that the list has when the call begins. If any are removed,
  /// changes that the predicate makes to the list itself are lost, except for objects that it deletes: they
  /// are removed from the list as well.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    guard let box = _storageBox else { return }
    let row = box.writableRow()
    let snapshot = snapshot
    let lastEdit = box.lastEdit
    var gone: [Int] = []
    var kept: [Element] = []
    for index in 0..<snapshot.count {
      let element = snapshot[index]
      if try shouldBeRemoved(element) { gone.append(index) } else { kept.append(element) }
    }
    // Changes that the predicate made stay if nothing is removed.
    guard !gone.isEmpty || box.lastEdit == lastEdit else { return }
    if let (object, column) = row, let handle = object.handle {
      if box.lastEdit == lastEdit { return handle.removeElements(object, column, at: gone) }
      kept.removeAll { (($0 as Any?) as? ObjectBase)?.isInvalidated ?? false }
    }
    assignContents(kept)
  }

  /// Moves one element; the others keep their order. Both indices must be in `0..<count`.
  public func move(from source: Int, to destination: Int) {
    checkIndex(source)
    checkIndex(destination)
    _storageBox?.edit {
      $0.moveElement($1, $2, from: source, to: destination)
    } unmanaged: {
      $0.insert($0.remove(at: source), at: destination)
    }
  }

  /// Exchanges two elements. Both indices must be in `0..<count`.
  public func swapAt(_ i: Int, _ j: Int) {
    checkIndex(i)
    checkIndex(j)
    _storageBox?.edit {
      $0.swapElements($1, $2, i, j)
    } unmanaged: {
      $0.swapAt(i, j)
    }
  }

  /// Reverses the order of the elements, as one change.
  public func reverse() {
    _storageBox?.edit {
      $0.reverseElements($1, $2)
    } unmanaged: {
      $0.reverse()
    }
  }

  private func checkIndex(_ index: Int) {
    guard index >= 0, index < count else {
      misuse("List index must be in 0..<\(count) (was \(index))")
    }
  }

  private func checkRange(_ range: Range<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      misuse("List range must be within 0..<\(count) (was \(range))")
    }
  }

  private func replace(_ range: Range<Int>, with new: [Element]) {
    checkRange(range)
    guard let box = _storageBox else { return assignContents(new) }
    box.replace(range, with: new)
  }
}

// MARK: - Conformances

extension List: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// An iterator over the elements that the list had when the loop began.
  public typealias Iterator = _ElementIterator<Element>

  /// The index of the first element: 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { _storageBox?.count ?? 0 }
  /// The number of elements.
  public var count: Int { endIndex }
  /// A Boolean value that indicates whether the list is empty.
  public var isEmpty: Bool { endIndex == 0 }

  /// The element at `index`, which must be in `0..<count`.
  public subscript(index: Int) -> Element {
    get {
      guard let box = _storageBox else { misuse("List index must be in 0..<0 (was \(index))") }
      return box.element(index, "List")
    }
    nonmutating set {
      replace(index..<index + 1, with: [newValue])
    }
  }

  /// A slice of the current elements, with the indices they have in the list. Assigning replaces the elements
  /// of the range with any number of elements. The range must be within the list.
  ///
  ///     restaurant.days[2..<5].removeAll { $0.isClosed }
  ///
  /// - Complexity: O(`bounds.upperBound`); assigning costs as much as `replaceSubrange`.
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get {
      checkRange(bounds)
      let snapshot = snapshot
      guard bounds.upperBound > 0 else { return [] }
      // A slice keeps the indices of its base, so the positions before it are filled with a copy of one element.
      let first = snapshot[Swift.min(bounds.lowerBound, snapshot.count - 1)]
      var elements = [Element](repeating: first, count: bounds.lowerBound)
      elements.reserveCapacity(bounds.upperBound)
      for index in bounds { elements.append(snapshot[index]) }
      return elements[bounds]
    }
    nonmutating set {
      replace(bounds, with: Array(newValue))
    }
  }

  /// Used by sorting and other rearrangements, which change an array that is then assigned as a whole. Moving
  /// an object by two assignments instead would remove it from the list in between.
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var elements = snapshot.elements
    let result = try elements.withUnsafeMutableBufferPointer(body)
    // Rearranging no elements does not say that there are none.
    if !elements.isEmpty { assignContents(elements) }
    return result
  }

  /// Returns an iterator over the current elements.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }

  /// Returns the results of `transform` for the elements that the list has when the call begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Replaces the elements of a range, which must be within the list, with any number of elements.
  ///
  /// - Complexity: O(n + k) for `k` new elements.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    if _storageBox == nil { _storageBox = _CollectionBox() }
    replace(range, with: Array(elements))
  }
}

extension List: ExpressibleByArrayLiteral {
  /// Creates an unmanaged list of these elements.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension List: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { "\(Array(self))" }
}

extension List: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .list }
}
