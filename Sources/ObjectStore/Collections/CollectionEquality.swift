// Collections are equal if they hold equal elements, whichever attributes they belong to. They have no
// hash: what they hold changes under the references that somebody keeps.

extension List: Equatable where Element: Equatable {
  /// Whether both hold elements that are equal (`==`), in the same order.
  ///
  ///     #expect(animal.tags == ["shy", "friendly"])
  ///
  /// Objects are equal if they show the same row; NaN is not equal to itself.
  /// - Complexity: O(n).
  public static func == (a: List, b: List) -> Bool {
    a.count == b.count && a.snapshot.hasElements(of: b.snapshot)
  }
}

extension Map: Equatable where Value: Equatable {
  /// Whether both have the same keys, byte by byte, with values that are equal (`==`).
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
  /// Whether both hold as many elements, each equal (`==`) to one of the other.
  ///
  ///     #expect(farm.colours == ["red", "green"])
  ///
  /// So 0 and -0, and two normal forms of a text, are equal here, though a set can hold both.
  /// - Complexity: O(n).
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    guard a.count == b.count else { return false }
    let (mine, others) = (a.snapshot, b.snapshot)
    // Managed sets are in one order: most often nothing is left to be looked for.
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

// Both snapshots are of one length.
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
    (0..<count).allSatisfy { key($0).utf8.elementsEqual(other.key($0).utf8) }
  }
}
