/// The deletions and insertions that turn one sequence into another. The other elements are in both sequences in the
/// same order; an element that moved is a deletion and an insertion.
struct SequenceDifference: Equatable {
  /// Indices in the earlier sequence, ascending.
  private(set) var deletions: [Int] = []
  /// Indices in the later sequence, ascending.
  private(set) var insertions: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty }

  /// The indices of the elements in both sequences, ascending.
  /// - Parameter count: The length of the earlier sequence.
  func kept(_ count: Int) -> [(earlier: Int, later: Int)] {
    assert(deletions.last ?? -1 < count, "The deletions exceed \(count) elements")
    let earlier = Self.rest(of: 0..<count, without: deletions)
    let laterCount = earlier.count + insertions.count
    return Array(zip(earlier, Self.rest(of: 0..<laterCount, without: insertions)))
  }

  /// - Complexity: O(n), plus O(m log m) for the m elements between the first and the last difference.
  init<Element: Hashable>(_ earlier: [Element], _ later: [Element]) {
    var first = 0
    let shorter = min(earlier.count, later.count)
    while first < shorter, earlier[first] == later[first] { first += 1 }
    var last = 0
    while last < shorter - first,
      earlier[earlier.count - 1 - last] == later[later.count - 1 - last]
    { last += 1 }
    let old = first..<earlier.count - last
    let new = first..<later.count - last
    if old.isEmpty || new.isEmpty {
      deletions = Array(old)
      insertions = Array(new)
      return
    }
    compare(earlier[old], later[new])
  }

  private mutating func compare<Element: Hashable>(
    _ earlier: ArraySlice<Element>, _ later: ArraySlice<Element>
  ) {
    // Equal elements are paired in order: the first with the first, the second with the second. Their indices are
    // chained: the dictionary has the first, `next` the one after each, and -1 is the end.
    var unpaired = [Element: Int](minimumCapacity: later.count)
    var next = [Int](repeating: -1, count: later.count)
    for index in later.indices.reversed() {
      let following = unpaired.updateValue(index, forKey: later[index])
      next[index - later.startIndex] = following ?? -1
    }
    var pairs: [(earlier: Int, later: Int)] = []
    for index in earlier.indices {
      guard let entry = unpaired.index(forKey: earlier[index]) else { continue }
      let partner = unpaired.values[entry]
      if partner < 0 { continue }
      pairs.append((index, partner))
      unpaired.values[entry] = next[partner - later.startIndex]
    }
    let kept = Self.longestIncreasingSubsequence(pairs.map(\.later)).map { pairs[$0] }
    deletions = Self.rest(of: earlier.indices, without: kept.map(\.earlier))
    insertions = Self.rest(of: later.indices, without: kept.map(\.later))
    assert(
      earlier.count - deletions.count == later.count - insertions.count,
      "Deletions and insertions do not lead to the later sequence")
  }

  /// - Parameter removed: Indices in the range, ascending.
  private static func rest(of all: Range<Int>, without removed: [Int]) -> [Int] {
    var next = 0
    return all.filter {
      guard next < removed.count, removed[next] == $0 else { return true }
      next += 1
      return false
    }
  }

  /// The indices of a longest increasing subsequence of distinct numbers, found by patience sorting.
  static func longestIncreasingSubsequence(_ numbers: [Int]) -> [Int] {
    /// For each length, the index of the smallest number that ends an increasing subsequence of that length.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let isGreatest = ends.last.map { numbers[$0] < number } ?? true
      let length =
        isGreatest ? ends.count : ends.indices.partitionPoint { numbers[ends[$0]] < number }
      if length > 0 { previous[index] = ends[length - 1] }
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var subsequence: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      subsequence.append(index)
      index = previous[index]
    }
    return subsequence.reversed()
  }
}
