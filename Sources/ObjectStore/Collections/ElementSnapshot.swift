/// An immutable snapshot of a collection's elements, for iteration.
///
/// It refers to the array of an unmanaged collection or to the slice of a managed one in the store, without
/// copying either. Objects are created on demand; an object that has been deleted since is invalidated.
struct ElementSnapshot<Element: CollectionElement> {
  /// The elements of an unmanaged collection, and the keys of a map.
  private let items: [Element]
  private let itemKeys: [String]
  /// The slice of elements in the store; nil for an unmanaged collection.
  let slice: RetainedSlice?
  /// Reads `slice`. Reading an element through the slice itself would retain and release it.
  private let reader: SliceReader?
  private let source: _ElementSource?
  /// Keeps the handle in `source` alive.
  private let handle: StoreHandle?

  init(_ elements: [Element], keys: [String]) {
    items = elements
    itemKeys = keys
    slice = nil
    reader = nil
    source = nil
    handle = nil
  }

  init(_ slice: RetainedSlice, _ handle: StoreHandle) {
    items = []
    itemKeys = []
    self.slice = slice
    reader = slice.reader
    source = _ElementSource(handle, targetTable: slice.layout.targetTable)
    self.handle = handle
  }

  var count: Int { reader?.count ?? items.count }

  /// The element at `index`, which is less than ``count``.
  subscript(index: Int) -> Element {
    guard let reader, let source else { return items[index] }
    return Element._elementRead(
      reader.word(index), isNull: reader.isNull(index), reader.column, source)
  }

  /// The key of a map at `index`.
  func key(_ index: Int) -> String {
    reader.map { String(decoding: $0.key(index), as: UTF8.self) } ?? itemKeys[index]
  }

  /// All elements, in order.
  var elements: [Element] {
    if slice == nil { return items }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for index in 0..<count { elements.append(self[index]) }
    return elements
  }

  /// The keys of a map, in order.
  var keys: [String] {
    slice == nil ? itemKeys : (0..<count).map { key($0) }
  }
}

extension Collection {
  /// Returns the results of `transform` in order. Unlike the standard library's `map`, which reads by index,
  /// it tolerates a `transform` that removes elements.
  package func mapByLoop<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    var result: [T] = []
    result.reserveCapacity(count)
    for element in self { result.append(try transform(element)) }
    return result
  }
}
