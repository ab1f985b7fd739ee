extension Array {
  /// The first elements in an order: those of `sorted(by:).prefix(limit)`, equal ones in the order that
  /// they have.
  ///
  /// Elements that may be among the first are gathered and cut to the limit when they are twice as many.
  /// From then on the last one that stays rejects most of the others by one comparison.
  ///
  /// - Complexity: O(n log k) comparisons for k elements of n; n + O(k log k log n) if they come in random
  ///   order.
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
