/// Iterates over the pairs that a ``Map`` had when the iteration began.
public struct _PairIterator<Value: CollectionElement>: IteratorProtocol {
  private let pairs: ElementSnapshot<Value>
  private var index = 0

  init(_ pairs: ElementSnapshot<Value>) {
    self.pairs = pairs
  }

  public mutating func next() -> (key: String, value: Value)? {
    guard index < pairs.count else { return nil }
    defer { index += 1 }
    return (pairs.key(index), pairs[index])
  }
}
