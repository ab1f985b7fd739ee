extension Array {
  /// Returns `sorted(by:).prefix(limit)` without sorting all elements. The sort is stable.
  ///
  /// Candidates are collected and cut down to `limit` whenever there are twice as many. From then on, comparing with
  /// the last of them rejects most other elements.
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
