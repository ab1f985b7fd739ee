/// An immutable snapshot of a collection's elements, for iteration.
///
/// It refers to the array of an unmanaged collection or to the slice of a managed one in the store, without
/// copying either. Objects are created on demand; an object that has been deleted since is invalidated.
struct ElementSnapshot<Element: CollectionElement> {
  private enum Content {
    case array([Element], keys: [String])
    case run(RetainedSlice, _ElementSource)
  }

  private let content: Content

  init(_ elements: [Element], keys: [String]) {
    content = .array(elements, keys: keys)
  }

  init(_ run: RetainedSlice, _ source: _ElementSource) {
    content = .run(run, source)
  }

  var count: Int {
    switch content {
    case .array(let elements, _): elements.count
    case .run(let run, _): run.count
    }
  }

  /// The element at `index`, which is less than ``count``.
  subscript(index: Int) -> Element {
    switch content {
    case .array(let elements, _): elements[index]
    case .run(let run, let source):
      Element._elementRead(run.word(index), isNull: run.isNull(index), run.column, source)
    }
  }

  /// The key of a map at `index`.
  func key(_ index: Int) -> String {
    switch content {
    case .array(_, let keys): keys[index]
    case .run(let run, _): String(decoding: run.key(index), as: UTF8.self)
    }
  }

  /// The slice of elements in the store; nil for an unmanaged collection.
  var run: RetainedSlice? {
    if case .run(let run, _) = content { run } else { nil }
  }

  /// All elements, in order.
  var elements: [Element] {
    switch content {
    case .array(let elements, _): return elements
    case .run(let run, let source):
      var elements: [Element] = []
      elements.reserveCapacity(run.count)
      for index in 0..<run.count {
        elements.append(
          Element._elementRead(run.word(index), isNull: run.isNull(index), run.column, source))
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
