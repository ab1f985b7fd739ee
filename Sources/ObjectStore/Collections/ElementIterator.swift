/// Iterates over the elements that a ``List`` or ``MutableSet`` had when the iteration began.
public struct _ElementIterator<Element: CollectionElement>: IteratorProtocol {
  private let elements: ElementSnapshot<Element>
  private var index = 0

  init(_ elements: ElementSnapshot<Element>) {
    self.elements = elements
  }

  public mutating func next() -> Element? {
    guard index < elements.count else { return nil }
    defer { index += 1 }
    return elements[index]
  }
}
