/// An ordered to-many attribute: `@Persisted var tags: List<String>`.
///
/// A `List` is a reference to the attribute, not a copy of its elements: reading it again shows
/// what the store holds by then, and changing it changes the object. The list of a managed object
/// changes only inside `write`.
///
/// A loop over it walks the elements that were there when it began, whatever is done to the list in
/// its body; objects deleted meanwhile are invalidated.
///
/// - Complexity: count and subscript O(1), append O(1) amortised. Of other changes in a write the first
///   copies a word for each element, O(n); the next ones move the words in front of the place or behind
///   it, whichever are fewer. `removeAll(where:)`, `reverse`, `sort` and the like are one change, O(n).
public struct List<Element: CollectionElement> {
  /// What the list refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var _storageBox: _CollectionBox<Element>?

  /// An empty list that belongs to no object.
  public init() {
    _storageBox = _CollectionBox()
  }

  /// The list of an attribute. For the wrapper.
  public init(_storageBox: _CollectionBox<Element>?) {
    self._storageBox = _storageBox
  }

  /// A list of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = _CollectionBox<Element>()
    box.items = Array(elements)
    _storageBox = box
  }

  // MARK: - Changing

  /// Adds an element at the end. An unmanaged object is added to the store with it.
  public func append(_ element: Element) {
    guard let box = _storageBox else { misuse("List.append: this list belongs to no attribute") }
    box.replace(count..<count, with: [element])
  }

  /// Adds elements at the end, in order.
  public func append(contentsOf elements: some Sequence<Element>) {
    let elements = Array(elements)
    guard !elements.isEmpty else { return }
    guard let box = _storageBox else { misuse("List.append: this list belongs to no attribute") }
    box.replace(count..<count, with: elements)
  }

  /// Puts an element in front of the one at `index`, which is in `0...count`; else misuse.
  public func insert(_ element: Element, at index: Int) {
    replace(index..<index, with: [element])
  }

  /// Takes out the element at `index`, which is in `0..<count`; else misuse.
  @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    replace(index..<index + 1, with: [])
    return element
  }

  /// Empties the list; objects that were in it stay in the store, embedded ones are deleted.
  ///
  /// `keepCapacity` is ignored: the store decides what memory it keeps.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    replace(0..<count, with: [])
  }

  /// Takes out the elements that `shouldBeRemoved` says, in one edit.
  ///
  /// It is asked about those that are there when it begins. If it removes some, what it does to the
  /// list itself is lost, but for objects that it deletes: they are gone from the list, too.
  public func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    guard let box = _storageBox else { return }
    let row = box.writableRow()
    let snapshot = snapshot
    let edits = box.editCount
    var gone: [Int] = []
    var kept: [Element] = []
    for index in 0..<snapshot.count {
      let element = snapshot[index]
      if try shouldBeRemoved(element) { gone.append(index) } else { kept.append(element) }
    }
    guard !gone.isEmpty else { return }
    if let (object, column) = row, let handle = object.handle {
      if box.editCount == edits { return handle.removeElements(object, column, at: gone) }
      kept.removeAll { (($0 as Any?) as? ObjectBase)?.isInvalidated ?? false }
    }
    assignContents(kept)
  }

  /// Moves one element; the others keep their order. Both are in `0..<count`; else misuse.
  public func move(from source: Int, to destination: Int) {
    checkIndex(source)
    checkIndex(destination)
    _storageBox?.edit {
      $0.moveElement($1, $2, from: source, to: destination)
    } unmanaged: {
      $0.insert($0.remove(at: source), at: destination)
    }
  }

  /// Exchanges two elements. Both are in `0..<count`; else misuse.
  public func swapAt(_ i: Int, _ j: Int) {
    checkIndex(i)
    checkIndex(j)
    _storageBox?.edit {
      $0.swapElements($1, $2, i, j)
    } unmanaged: {
      $0.swapAt(i, j)
    }
  }

  /// Turns the order of the elements round, in one edit.
  public func reverse() {
    _storageBox?.edit {
      $0.reverseElements($1, $2)
    } unmanaged: {
      $0.reverse()
    }
  }

  private func checkIndex(_ index: Int) {
    guard index >= 0, index < count else {
      misuse("List index must be < \(count) (was \(index))")
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
  /// Walks the elements that were there when the loop began.
  public typealias Iterator = _ElementIterator<Element>

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { _storageBox?.count ?? 0 }
  /// The number of elements.
  public var count: Int { endIndex }
  /// Whether there is no element.
  public var isEmpty: Bool { endIndex == 0 }

  /// The element at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Element {
    get {
      guard let box = _storageBox else { misuse("List index must be < 0 (was \(index))") }
      return box.element(index, "List")
    }
    nonmutating set {
      replace(index..<index + 1, with: [newValue])
    }
  }

  /// Some elements as they are now, in the places they have in the list; assigning them replaces these,
  /// by more or by fewer, too. The range is within the list; else misuse.
  ///
  ///     restaurant.days[2..<5].removeAll { $0.isClosed }
  ///
  /// - Complexity: O(`bounds.upperBound`); assigning as `replaceSubrange`.
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get {
      checkRange(bounds)
      let snapshot = snapshot
      guard bounds.upperBound > 0 else { return [] }
      // Elements in front keep the places, but need not be made.
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

  /// Sorts and other rearrangements work on an array and assign it at once: an element moved by
  /// two assignments would be gone in between.
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var elements = snapshot.elements
    let result = try elements.withUnsafeMutableBufferPointer(body)
    assignContents(elements)
    return result
  }

  /// Walks the elements that are there now.
  public func makeIterator() -> Iterator {
    Iterator(snapshot)
  }

  /// The results of `transform` for the elements that are there when it begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Puts these elements, however many, in place of those in a range, which is within the list; else
  /// misuse.
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
  /// An unmanaged list of these elements.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension List: CustomStringConvertible {
  /// The elements, as an array of them prints.
  public var description: String { "\(Array(self))" }
}

extension List: _BoxedCollection {
  public static var _storageForm: AttributeShape.Form { .list }
}
