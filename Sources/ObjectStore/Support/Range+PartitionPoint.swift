extension Range<Int> {
  /// The first index for which `precedes` is false; the upper bound if there is none. The indexes for which it is true come
  /// before all others.
  ///
  /// - Complexity: O(log n) calls.
  @inline(__always)
  func partitionPoint(_ precedes: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = (low + high) / 2
      if precedes(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
