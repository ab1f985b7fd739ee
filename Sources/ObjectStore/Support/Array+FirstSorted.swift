extension Array {
  /// Returns `sorted(by:).prefix(limit)` without sorting all elements. The sort is stable.
  ///
  /// Candidates are collected. Whenever there are about twice as many as `limit`, they are sorted and cut down to
  /// `limit`. From then on, most other elements are rejected by a comparison with the last candidate.
  ///
  /// - Complexity: O(n log k) comparisons for k of n elements; n + O(k log k log n) if they are in random order.
  @inline(__always)
  func sorted(
    first limit: Int, by areInIncreasingOrder: (Element, Element) -> Bool
  ) -> [Element] {
    if limit >= count { return sorted(by: areInIncreasingOrder) }
    if limit <= 0 { return [] }
    let capacity = 2 * Swift.max(limit, 32)
    var first: [Element] = []
    first.reserveCapacity(Swift.min(capacity, count))
    var last: Element?
    for element in self {
      if let last, !areInIncreasingOrder(element, last) { continue }
      first.append(element)
      if first.count == capacity {
        first.sort(by: areInIncreasingOrder)
        first.removeSubrange(limit...)
        last = first[limit - 1]
      }
    }
    first.sort(by: areInIncreasingOrder)
    return Array(first.prefix(limit))
  }
}
