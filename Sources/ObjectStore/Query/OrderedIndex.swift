/// An index as a sequence of pairs (key, slot), also usable inside a write.
///
/// A write leaves the indexes unchanged. Pairs whose row is deleted or now has a different key are skipped, and the
/// rows that the write moved are merged in at their new keys:
///
///     index before the write   (1, a)  (3, b)  (5, c)  (9, d)
///     b = 7, d deleted         (1, a)          (5, c)
///     moved                                            (7, b)
struct OrderedIndex<Index: RowIndex> {
  private let tree: SlotTree<Index.Key>
  private let index: Index
  private let version: TableVersion
  /// True if the tree may have pairs of other rows: those before the write, or those of a damaged file.
  private let isMerged: Bool
  /// The pairs of the rows that the write inserted or moved, ascending.
  private var moved: [SlotTree<Index.Key>.Pair] = []

  /// - Parameter changedRows: The live rows that the write inserted, or in which it changed an attribute of the index.
  /// - Complexity: O(m log m) in the changed rows.
  init(_ tree: SlotTree<Index.Key>, _ index: Index, _ table: QueryTable, changedRows: [Int]) {
    self.tree = tree
    self.index = index
    version = table.version
    isMerged = !table.areIndexesCurrent || table.version.lazyChunks != nil
    for slot in changedRows {
      let key = index.key(slot, in: version)
      if !tree.contains(key: key, slot: slot) { moved.append(SlotTree.Pair(key, slot)) }
    }
    moved.sort(by: <)
    // A row changed both before and after a savepoint is listed twice.
    var previous: SlotTree<Index.Key>.Pair?
    moved.removeAll { pair in
      defer { previous = pair }
      return previous.map { !($0 < pair) } ?? false
    }
  }

  /// Calls `body` with each pair whose key is in the range, ascending, until it returns false.
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
      assert(rest.first.map { pair < $0 } ?? true, "A moved row is in the index before the write")
      if isCurrent(pair) { isWanted = body(key, slot) }
      return isWanted
    }
    while isWanted, let next = rest.popFirst() { isWanted = body(next.key, Int(next.slot)) }
  }

  /// Calls `body` with the same pairs in descending order.
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
      assert(rest.last.map { $0 < pair } ?? true, "A moved row is in the index before the write")
      if isCurrent(pair) { isWanted = body(key, slot) }
      return isWanted
    }
    while isWanted, let next = rest.popLast() { isWanted = body(next.key, Int(next.slot)) }
  }

  /// True if the row of a pair is live and still has this key.
  private func isCurrent(_ pair: SlotTree<Index.Key>.Pair) -> Bool {
    let slot = Int(pair.slot)
    return version.isLive(slot) && index.key(slot, in: version) == pair.key
  }
}
