/// An immutable snapshot of a collection's elements, for iteration.
///
/// It refers to the array of an unmanaged collection or to the slice of a managed one in the store, without
/// copying either. Objects are created on demand; an object that has been deleted since is invalidated.
struct ElementSnapshot<Element: CollectionElement> {
  private enum Content {
    case array([Element], keys: [String])
    case slice(RetainedSlice, _ElementSource)
  }

  private let content: Content

  init(_ elements: [Element], keys: [String]) {
    content = .array(elements, keys: keys)
  }

  init(_ slice: RetainedSlice, _ source: _ElementSource) {
    content = .slice(slice, source)
  }

  var count: Int {
    switch content {
    case .array(let elements, _): elements.count
    case .slice(let slice, _): slice.count
    }
  }

  /// The element at `index`, which is less than ``count``.
  subscript(index: Int) -> Element {
    switch content {
    case .array(let elements, _): elements[index]
    case .slice(let slice, let source):
      Element._elementRead(slice.word(index), isNull: slice.isNull(index), slice.column, source)
    }
  }

  /// The key of a map at `index`.
  func key(_ index: Int) -> String {
    switch content {
    case .array(_, let keys): keys[index]
    case .slice(let slice, _): String(decoding: slice.key(index), as: UTF8.self)
    }
  }

  /// The slice of elements in the store; nil for an unmanaged collection.
  var slice: RetainedSlice? {
    if case .slice(let slice, _) = content { slice } else { nil }
  }

  /// All elements, in order.
  var elements: [Element] {
    switch content {
    case .array(let elements, _): return elements
    case .slice(let slice, let source):
      var elements: [Element] = []
      elements.reserveCapacity(slice.count)
      for index in 0..<slice.count {
        elements.append(
          Element._elementRead(slice.word(index), isNull: slice.isNull(index), slice.column, source)
        )
      }
      return elements
    }
  }

  /// The keys of a map, in order.
  var keys: [String] {
    if case .array(_, let keys) = content { return keys }
    return (0..<count).map { key($0) }
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
