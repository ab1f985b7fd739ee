// The pairs of a map in a batch, each a key followed by its value. Maps are stored sorted by the bytes of their keys.

extension UnsafeBufferPointer<BatchCell> {
  /// True if each key sorts after the one before it.
  var hasAscendingKeys: Bool {
    for index in stride(from: 2, to: count, by: 2)
    where !self[index - 2].bytes.precedes(self[index].bytes) {
      return false
    }
    return true
  }

  /// Calls `body` with the sorted keys. The position of a key is that of its pair.
  func withSortedKeys<R>(_ body: (UnsafeMutableBufferPointer<PlacedText>) -> R) -> R {
    PlacedText.withSorted(count / 2, { self[2 * $0].bytes }, body)
  }
}

extension BatchCell {
  /// Sorts the pairs of a map by their keys, unless a key occurs twice.
  ///
  /// - Parameter moves: False if the pairs stay in their order.
  /// - Returns: False if a key occurs twice.
  /// - Complexity: O(n log n); O(n) if the keys ascend.
  package func sortPairs(moves: Bool) -> Bool {
    let elements = elements
    if elements.hasAscendingKeys { return true }
    return elements.withSortedKeys { keys in
      for index in 1..<keys.count where keys[index - 1].equals(keys[index]) { return false }
      guard moves, let start = UnsafeMutablePointer<BatchCell>(bitPattern: UInt(bits)) else {
        return true
      }
      withUnsafeTemporaryAllocation(of: BatchCell.self, capacity: elements.count) { sorted in
        guard let sorted = sorted.baseAddress else { return }
        for (index, key) in keys.enumerated() {
          (sorted + 2 * index).initialize(from: start + 2 * Int(key.position), count: 2)
        }
        start.update(from: sorted, count: elements.count)
      }
      return true
    }
  }
}
