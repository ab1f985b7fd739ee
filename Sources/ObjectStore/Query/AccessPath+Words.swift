// Access paths that use a word index.

extension AccessPath {
  /// The number of index pairs read in the time that searching one row's text takes.
  private static let pairsForText = 32
  /// The number of candidates up to which their texts are searched without intersecting further words.
  private static let fewTexts = 64

  /// - Parameter ranges: For each word, the range of its keys.
  init(
    _ column: Int, words ranges: [ClosedRange<UInt64>], _ nodes: [QueryNode],
    _ tree: SlotTree<UInt64>
  ) {
    let counted = ranges.map { (range: $0, count: tree.count(in: $0)) }
      .sorted { $0.count < $1.count }
    let count = counted.first?.count ?? 0
    // Reading the pairs of a very common word costs more than the text searches it saves.
    let used = counted.prefix { $0.count <= count * Self.pairsForText }
    self.init(
      kind: .words(column: column, used.map(\.range)), nodes: nodes, count: count)
  }

  /// True if all candidates come from word indexes.
  var isSearch: Bool {
    switch kind {
    case .words: true
    case .union(let parts): parts.allSatisfy(\.isSearch)
    case .key, .index, .compound, .links: false
    }
  }

  /// Calls `body` with the slots that have a key in each range. If the rarest range has few pairs, the other ranges
  /// are not checked.
  ///
  /// - Complexity: O(pairs); if the rarest range has few pairs, O(those).
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
