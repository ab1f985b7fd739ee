/// An index as a sequence of pairs (key, slot) of the rows that are looked at, inside a write as well.
///
/// A write leaves the indexes as they were when it began. So those pairs whose row has another key by
/// now, or is dead, are passed over, and the rows that the write moved are merged in at their own keys:
///
///     index before the write   (1, a)  (3, b)  (5, c)  (9, d)
///     b = 7, d deleted         (1, a)          (5, c)
///     moved                                            (7, b)
struct OrderedIndex<Index: RowIndex> {
  private let tree: SlotTree<Index.Key>
  private let index: Index
  private let version: TableVersion
  /// True if the tree has pairs of rows as they were before the write.
  private let isMerged: Bool
  /// The pairs of the rows that the write inserted or moved, ascending.
  private var moved: [SlotTree<Index.Key>.Pair] = []

  /// - Parameter ofWrite: the live rows that the write inserted or in which it changed an attribute of
  ///   the index.
  /// - Complexity: O(m log m) for m rows of the write.
  init(_ tree: SlotTree<Index.Key>, _ index: Index, _ table: QueryTable, ofWrite: [Int]) {
    self.tree = tree
    self.index = index
    version = table.version
    isMerged = !table.areIndexesCurrent
    for slot in ofWrite {
      let key = index.key(slot, in: version)
      if !tree.contains(key: key, slot: slot) { moved.append(SlotTree.Pair(key, slot)) }
    }
    moved.sort(by: <)
    // A row that changed before and behind a savepoint is noted twice.
    var previous: SlotTree<Index.Key>.Pair?
    moved.removeAll { pair in
      defer { previous = pair }
      return previous.map { !($0 < pair) } ?? false
    }
  }

  /// Calls `body` with each pair whose key is of the range, ascending, until it returns false.
  ///
  /// - Complexity: O(log n + pairs + rows that the write moved or deleted).
  func forEach(in keys: ClosedRange<Index.Key>, _ body: (_ key: Index.Key, _ slot: Int) -> Bool) {
    guard isMerged else { return tree.forEach(in: keys, body) }
    var rest = moved.drop { $0.key < keys.lowerBound }.prefix { $0.key <= keys.upperBound }
    var isWanted = true
    tree.forEach(in: keys) { key, slot in
      let pair = SlotTree.Pair(key, slot)
      while let next = rest.first, next < pair {
        rest.removeFirst()
        isWanted = body(next.key, Int(next.slot))
        if !isWanted { return false }
      }
      if isCurrent(pair) { isWanted = body(key, slot) }
      return isWanted
    }
    while isWanted, let next = rest.popFirst() { isWanted = body(next.key, Int(next.slot)) }
  }

  /// The same, the last pair first.
  func forEachReversed(
    in keys: ClosedRange<Index.Key>, _ body: (_ key: Index.Key, _ slot: Int) -> Bool
  ) {
    guard isMerged else { return tree.forEachReversed(in: keys, body) }
    var rest = moved.drop { $0.key < keys.lowerBound }.prefix { $0.key <= keys.upperBound }
    var isWanted = true
    tree.forEachReversed(in: keys) { key, slot in
      let pair = SlotTree.Pair(key, slot)
      while let next = rest.last, pair < next {
        rest.removeLast()
        isWanted = body(next.key, Int(next.slot))
        if !isWanted { return false }
      }
      if isCurrent(pair) { isWanted = body(key, slot) }
      return isWanted
    }
    while isWanted, let next = rest.popLast() { isWanted = body(next.key, Int(next.slot)) }
  }

  /// True if the row of a pair lives and still has this key.
  private func isCurrent(_ pair: SlotTree<Index.Key>.Pair) -> Bool {
    let slot = Int(pair.slot)
    return version.isLive(slot) && index.key(slot, in: version) == pair.key
  }
}
