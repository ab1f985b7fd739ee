public import ObjectStore

/// Elements that something else holds, as a collection of what they are for the reader: the comments of a
/// place in the terms of a domain protocol, whatever keeps them.
///
///     protocol PlaceInfo {
///       var comments: ToMany<any PlaceComment> { get }
///     }
///
///     extension PlaceObject: PlaceInfo {
///       var comments: ToMany<any PlaceComment> { ToMany(commentObjects, as: { $0 }) }
///     }
///
/// Nothing is copied: count and elements are asked for at each access, so it shows what its source holds by
/// then, and belongs to the isolation of that.
///
/// - Complexity: what the source takes; O(1) for a list or results.
public struct ToMany<Element>: RandomAccessCollection {
  private let countElements: () -> Int
  private let element: (Int) -> Element

  /// A collection of what two closures tell. `element` is asked for indices in `0..<count` alone.
  public init(count: @escaping () -> Int, element: @escaping (Int) -> Element) {
    countElements = count
    self.element = element
  }

  /// The elements of a list, an array, results or another collection that is indexed from 0, each as
  /// `view` shows it.
  public init<Base: RandomAccessCollection>(
    _ base: Base, as view: @escaping (Base.Element) -> Element
  ) where Base.Index == Int {
    self.init(
      count: { base.count }, element: { view(base[base.startIndex + $0]) })
  }

  /// The objects of a set, or those that link to an object, each as `view` shows it, in the order of
  /// insertion.
  @_disfavoredOverload
  public init<Base: _ObjectCollection>(
    _ base: Base, as view: @escaping (Base.Element) -> Element
  ) {
    self.init(base._results, as: view)
  }

  /// The elements of a collection as they are.
  public init<Base: RandomAccessCollection>(_ base: Base)
  where Base.Index == Int, Base.Element == Element {
    self.init(base, as: { $0 })
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements by now.
  public var endIndex: Int { countElements() }
  /// The number of elements by now.
  public var count: Int { countElements() }

  /// The element at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Element {
    let count = countElements()
    guard index >= 0, index < count else {
      misuse("ToMany<\(Element.self)> index must be < \(count) (was \(index))")
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

  /// The results of `transform` for the elements by index; it ends early if some go meanwhile.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Walks the elements by index; it ends early if some go meanwhile.
  public func makeIterator() -> AnyIterator<Element> {
    var index = 0
    return AnyIterator {
      guard index < self.count else { return nil }
      defer { index += 1 }
      return self.element(index)
    }
  }

  /// The elements as they are now, as an array.
  public func snapshot() -> [Element] { Array(self) }
}

@available(*, unavailable, message: "ToMany reads through to its source: pass a snapshot()")
extension ToMany: Sendable {}
