extension Range<Int> {
  /// Returns the first index for which `precedes` is false; the upper bound if there is none. All indexes for which it
  /// is true must precede the others.
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
