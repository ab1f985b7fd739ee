// Access paths that use a word index.

extension AccessPath {
  /// The number of index pairs that can be read in the time that it takes to search the text of one row.
  private static let pairsForText = 32
  /// The maximum number of candidates whose texts are searched without first intersecting the rows of several words.
  private static let fewTexts = 64

  /// - Parameter ranges: The range of keys of each word.
  init(
    _ column: Int, words ranges: [ClosedRange<UInt64>], _ nodes: [QueryNode],
    _ tree: SlotTree<UInt64>
  ) {
    assert(!ranges.isEmpty, "A search needs a word")
    let counted = ranges.map { (range: $0, count: tree.count(in: $0)) }
      .sorted(byNumber: \.count)
    let count = counted.first?.count ?? 0
    // Reading the pairs of a very common word costs more than the text searches it saves.
    let used = counted.prefix { $0.count <= count * Self.pairsForText }
    self.init(
      kind: .searchWords(column: column, used.map(\.range)), nodes: nodes, count: count)
  }

  /// True if all candidates come from word indexes.
  var isSearch: Bool {
    switch kind {
    case .searchWords: true
    case .union(let parts): parts.allSatisfy(\.isSearch)
    case .key, .index, .compound, .links: false
    }
  }

  /// Calls `body` with the slots that have a key in each range. If the first range, the rarest, has few pairs, the
  /// others are ignored and `body` is called with all of its slots.
  ///
  /// - Complexity: O(pairs in all ranges), or O(pairs in the rarest range) if these are few.
  static func forEachSlot(
    with ranges: [ClosedRange<UInt64>], _ tree: SlotTree<UInt64>, _ table: QueryTable,
    _ body: (Int) -> Void
  ) {
    guard let rarest = ranges.first else { return }
    let chunkCount = (table.version.count + ChunkLayout.mask) >> ChunkLayout.shift
    guard ranges.count > 1, tree.count(in: rarest) > max(fewTexts, chunkCount / 8) else {
      tree.forEach(in: rarest) { _, slot in
        body(slot)
        return true
      }
      return
    }
    var rows = ContiguousArray(repeating: RowMask(), count: chunkCount)
    var others = rows
    tree.forEach(in: rarest) { _, slot in
      rows[slot >> ChunkLayout.shift].insert(slot & ChunkLayout.mask)
      return true
    }
    for range in ranges.dropFirst() {
      tree.forEach(in: range) { _, slot in
        others[slot >> ChunkLayout.shift].insert(slot & ChunkLayout.mask)
        return true
      }
      for chunk in rows.indices {
        rows[chunk].formIntersection(others[chunk])
        others[chunk] = RowMask()
      }
    }
    for (chunk, mask) in rows.enumerated() {
      mask.forEach { row in
        body(chunk << ChunkLayout.shift + row)
        return true
      }
    }
  }
}
