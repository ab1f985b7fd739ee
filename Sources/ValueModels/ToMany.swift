public import ObjectStore

/// A view of another collection with transformed elements, for example the comments of a place as values of a domain
/// protocol, independent of their storage.
///
///     protocol PlaceInfo {
///       var comments: ToMany<any PlaceComment> { get }
///     }
///
///     extension PlaceObject: PlaceInfo {
///       var comments: ToMany<any PlaceComment> { ToMany(commentObjects, as: { $0 }) }
///     }
///
/// Nothing is copied: each access reads the count and the elements from the source, so the view shows the source's
/// current contents and must stay in the source's isolation.
///
/// - Complexity: The same as that of the source; O(1) for a list or results.
public struct ToMany<Element>: RandomAccessCollection {
  private let countElements: () -> Int
  private let element: (Int) -> Element

  /// Creates a collection from two closures. `element` is only called with indices in `0..<count`.
  public init(count: @escaping () -> Int, element: @escaping (Int) -> Element) {
    countElements = count
    self.element = element
  }

  /// Creates a view of a list, an array, results or another collection with `Int` indices. `view` converts each
  /// element.
  public init<Base: RandomAccessCollection>(
    _ base: Base, as view: @escaping (Base.Element) -> Element
  ) where Base.Index == Int {
    self.init(
      count: { base.count }, element: { view(base[base.startIndex + $0]) })
  }

  /// Creates a view of the objects of a set or of inverse links, in the order of insertion. `view` converts each
  /// object.
  @_disfavoredOverload
  public init<Base: _ObjectCollection>(
    _ base: Base, as view: @escaping (Base.Element) -> Element
  ) {
    self.init(base._results, as: view)
  }

  /// Creates a view of a collection with unchanged elements.
  public init<Base: RandomAccessCollection>(_ base: Base)
  where Base.Index == Int, Base.Element == Element {
    self.init(base, as: { $0 })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The current number of elements.
  public var endIndex: Int { countElements() }
  /// The current number of elements.
  public var count: Int { countElements() }

  /// The element at an index.
  /// - Precondition: `index` is in `0..<count`.
  public subscript(index: Int) -> Element {
    let count = countElements()
    guard index >= 0, index < count else {
      misuse("ToMany<\(Element.self)> index must be in 0..<\(count) (was \(index))")
    }
    return element(index)
  }

  /// The first element; nil if there is none.
  public var first: Element? { isEmpty ? nil : element(0) }

  /// The last element; nil if there is none.
  public var last: Element? {
    let count = countElements()
    return count == 0 ? nil : element(count - 1)
  }

  /// Returns the results of `transform` for the elements in order. It ends early if elements are removed during the
  /// call.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Creates an iterator that reads the elements by index. It ends early if elements are removed during the iteration.
  public func makeIterator() -> AnyIterator<Element> {
    var index = 0
    return AnyIterator {
      guard index < self.count else { return nil }
      defer { index += 1 }
      return self.element(index)
    }
  }

  /// Returns an array of the current elements.
  public func snapshot() -> [Element] { Array(self) }
}

@available(*, unavailable, message: "ToMany reads through to its source: pass a snapshot()")
extension ToMany: Sendable {}
