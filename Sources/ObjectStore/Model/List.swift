/// An ordered to-many attribute: `@Persisted var tags: List<String>`.
///
/// A `List` is a reference to the attribute, not a copy of its elements: reading it again shows
/// what the store holds by then, and changing it changes the object. The list of a managed object
/// changes only inside `write`.
///
/// A loop over it walks the elements that were there when it began, whatever is done to the list in
/// its body; objects deleted meanwhile are invalidated.
///
/// - Complexity: count, subscript and append O(1); other changes O(n) of the list.
public struct List<Element: CollectionElement> {
  /// What the list refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var storageBox: CollectionBox<Element>?

  /// An empty list that belongs to no object.
  public init() {
    storageBox = CollectionBox()
  }

  /// The list of an attribute. For the wrapper.
  public init(storageBox: CollectionBox<Element>?) {
    self.storageBox = storageBox
  }

  /// A list of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = CollectionBox<Element>()
    box.items = Array(elements)
    storageBox = box
  }

  // MARK: - Changing

  /// Adds an element at the end. An unmanaged object is added to the store with it.
  public func append(_ element: Element) {
    guard let box = storageBox else { misuse("List.append: this list belongs to no attribute") }
    guard let (object, column) = box.writablePlace(), let handle = object.handle else {
      box.items.append(element)
      return
    }
    handle.appendElement(object, column, element)
  }

  /// Adds elements at the end, in order.
  public func append(contentsOf elements: some Sequence<Element>) {
    for element in Array(elements) { append(element) }
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

  /// Empties the list; objects that were in it stay in the store if they have a primary key.
  ///
  /// `keepCapacity` is ignored: the store decides what memory it keeps.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    replace(0..<count, with: [])
  }

  /// Moves one element; the others keep their order.
  public func move(from source: Int, to destination: Int) {
    var elements = Array(self)
    elements.insert(elements.remove(at: source), at: destination)
    assignContents(elements)
  }

  /// Exchanges two elements.
  public func swapAt(_ i: Int, _ j: Int) {
    var elements = Array(self)
    elements.swapAt(i, j)
    assignContents(elements)
  }

  private func replace(_ range: Range<Int>, with new: [Element]) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      misuse("List range must be within 0..<\(count) (was \(range))")
    }
    var elements = Array(self)
    elements.replaceSubrange(range, with: new)
    assignContents(elements)
  }
}

// MARK: - Conformances

extension List: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { storageBox?.count ?? 0 }

  /// The element at `index`, which is in `0..<count`; else misuse. Assigning is O(n).
  public subscript(index: Int) -> Element {
    get {
      guard let box = storageBox else { misuse("List index must be < 0 (was \(index))") }
      return box.element(index, "List")
    }
    nonmutating set {
      replace(index..<index + 1, with: [newValue])
    }
  }

  /// Sorts and other rearrangements work on an array and assign it at once: an element moved by
  /// two assignments would be gone in between.
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var elements = Array(self)
    let result = try elements.withUnsafeMutableBufferPointer(body)
    assignContents(elements)
    return result
  }

  /// Walks the elements that are there now.
  public func makeIterator() -> ElementIterator<Element> {
    ElementIterator(snapshot)
  }

  /// The results of `transform` for the elements that are there when it begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    if storageBox == nil { storageBox = CollectionBox() }
    replace(range, with: Array(elements))
  }
}

extension List: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension List: CustomStringConvertible {
  public var description: String { "\(Array(self))" }
}

extension List: BoxedCollection {
  public static var storageForm: AttributeShape.Form { .list }
}
