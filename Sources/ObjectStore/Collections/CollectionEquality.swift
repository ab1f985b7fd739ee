// Collections are equal if their elements are equal, regardless of the attributes they belong to. They are
// not hashable, because their elements can change while references to them exist.

extension List: Equatable where Element: Equatable {
  /// Returns true if both lists have equal elements (`==`) in the same order.
  ///
  ///     #expect(animal.tags == ["shy", "friendly"])
  ///
  /// Objects are equal if they show the same row; NaN is not equal to itself.
  ///
  /// - Complexity: O(n).
  public static func == (a: List, b: List) -> Bool {
    a.count == b.count && a.snapshot.hasElements(of: b.snapshot)
  }
}

extension Map: Equatable where Value: Equatable {
  /// Returns true if both maps have the same keys, compared byte by byte, with equal values (`==`).
  ///
  ///     #expect(farm.prices == ["milk": 1.2, "hay": 40])
  ///
  /// - Complexity: O(n).
  public static func == (a: Map, b: Map) -> Bool {
    guard a.count == b.count else { return false }
    let (mine, others) = (a.snapshot, b.snapshot)
    return mine.hasKeys(of: others) && mine.hasElements(of: others)
  }
}

extension MutableSet: Equatable {
  /// Returns true if both sets have the same number of elements, each equal (`==`) to an element of the other.
  ///
  ///     #expect(farm.colours == ["red", "green"])
  ///
  /// Therefore 0 and -0, and two normalization forms of a string, are equal here, although a set can contain both.
  ///
  /// - Complexity: O(n).
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    guard a.count == b.count else { return false }
    let (mine, others) = (a.snapshot, b.snapshot)
    // Equal managed sets usually have the same order, so most comparisons end here.
    guard let first = mine.firstDifference(from: others) else { return true }
    var counts: [Element: Int] = [:]
    for index in first..<mine.count { counts[mine[index], default: 0] += 1 }
    for index in first..<others.count {
      let element = others[index]
      guard let count = counts[element], count > 0 else { return false }
      counts[element] = count - 1
    }
    return true
  }
}

// Precondition: both snapshots have the same count.
extension ElementSnapshot where Element: Equatable {
  fileprivate func firstDifference(from other: ElementSnapshot) -> Int? {
    (0..<count).first { self[$0] != other[$0] }
  }

  fileprivate func hasElements(of other: ElementSnapshot) -> Bool {
    firstDifference(from: other) == nil
  }
}

extension ElementSnapshot {
  fileprivate func hasKeys(of other: ElementSnapshot) -> Bool {
    (0..<count).allSatisfy { key($0).hasSameBytes(as: other.key($0)) }
  }
}
