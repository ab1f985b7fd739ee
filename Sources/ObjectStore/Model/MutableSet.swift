/// An unordered to-many attribute without duplicates: `@Persisted var tags: MutableSet<String>`.
///
/// Like ``List`` it is a reference to the attribute. A managed set is kept sorted by the bytes of
/// its values; do not depend on the order.
///
/// - Complexity: `contains`, `insert` and `remove` O(n) of the set.
public struct MutableSet<Element: CollectionElement & Hashable> {
  /// What the set refers to; nil for an attribute that nobody has read yet. For the wrapper.
  public var storageBox: CollectionBox<Element>?

  /// An empty set that belongs to no object.
  public init() {
    storageBox = CollectionBox()
  }

  /// The set of an attribute. For the wrapper.
  public init(storageBox: CollectionBox<Element>?) {
    self.storageBox = storageBox
  }

  /// A set of these elements that belongs to no object; assigning it to an attribute copies them.
  public init(_ elements: some Sequence<Element>) {
    let box = CollectionBox<Element>()
    box.items = Self.unique(elements)
    storageBox = box
  }

  /// The number of elements.
  public var count: Int { storageBox?.count ?? 0 }
  /// Whether there is no element.
  public var isEmpty: Bool { count == 0 }

  /// Whether the element is in the set.
  public func contains(_ element: Element) -> Bool {
    storageBox?.elements.contains(element) ?? false
  }

  /// Adds an element; one that is there already changes nothing.
  public func insert(_ element: Element) {
    if contains(element) { return }
    assign((storageBox?.elements ?? []) + [element])
  }

  /// Adds the elements that are not there already.
  public func insert(contentsOf elements: some Sequence<Element>) {
    assign((storageBox?.elements ?? []) + Array(elements))
  }

  /// Removes an element; one that is not there changes nothing.
  public func remove(_ element: Element) {
    guard contains(element) else { return }
    assign((storageBox?.elements ?? []).filter { $0 != element })
  }

  /// Empties the set.
  public func removeAll() { assign([]) }

  private func assign(_ elements: [Element]) {
    assignContents(Self.unique(elements))
  }

  private static func unique(_ elements: some Sequence<Element>) -> [Element] {
    var seen = Set<Element>()
    return elements.filter { seen.insert($0).inserted }
  }
}

// MARK: - Conformances

extension MutableSet: Sequence {
  /// Iterates over the elements as they are now.
  public func makeIterator() -> IndexingIterator<[Element]> {
    (storageBox?.elements ?? []).makeIterator()
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension MutableSet: CustomStringConvertible {
  public var description: String { "\(Array(self))" }
}

extension MutableSet: BoxedCollection {
  public static var storageForm: AttributeShape.Form { .set }

  /// Null empties; a plain set or array is as good as the set itself.
  public static func storageValue(_ any: Any?) -> MutableSet? {
    guard let any else { return MutableSet() }
    return any as? MutableSet ?? (any as? [Element]).map { MutableSet($0) }
      ?? (any as? Set<Element>).map { MutableSet($0) }
  }
}
