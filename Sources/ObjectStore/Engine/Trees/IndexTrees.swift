import Synchronization

/// The indexes and backlinks of a table (R8).
struct IndexTrees {
  /// The indexes of attributes by column: key of the value → slot.
  var columns: [Int: SlotTree<UInt64>] = [:]
  /// The compound indexes by their position in the layout: keys of the values → slot.
  var compounds: [Int: SlotTree<CompoundIndexKey>] = [:]
  /// The word indexes by column: key of a word → slot.
  var words: [Int: SlotTree<UInt64>] = [:]
  /// The backlinks by column: slot of the target → slot of the source.
  var backlinks: [Int: SlotTree<UInt64>] = [:]

  /// The trees of one kind.
  typealias OfKind<Key: SlotTreeKey> = WritableKeyPath<IndexTrees, [Int: SlotTree<Key>]>
}

extension TableVersion {
  /// The late trees that readers have built; nil if there are none.
  var late: LateTrees? { lateTrees.load() }

  // An empty table of a store in memory has no indexes. A scan of its rows, and of those of an open write, costs nothing.

  /// Returns the index of a column, which is built by this call if it is late; nil if the column or the version has none.
  func index(of column: Int, _ layout: TableLayout) -> SlotTree<UInt64>? {
    if let tree = indexes.columns[column] { return tree }
    guard liveCount > 0, let key = layout.columns[column].index else { return nil }
    return lateTree(\.columns, \.columns, column) { tree(ColumnIndex(column, key), editOwner: 0) }
  }

  /// Returns the compound index at a position in the layout, which is built by this call if it is late; nil if the version
  /// has none.
  func compoundIndex(_ position: Int, _ layout: TableLayout) -> SlotTree<CompoundIndexKey>? {
    if let tree = indexes.compounds[position] { return tree }
    guard liveCount > 0 else { return nil }
    return lateTree(\.compounds, \.compounds, position) {
      tree(layout.compoundIndexes[position], editOwner: 0)
    }
  }

  /// True if the compound index at a position in the layout need not be built.
  func hasCompoundIndex(_ position: Int) -> Bool {
    indexes.compounds[position] != nil || late?.known(\.compounds, position) != nil
  }

  /// Returns the word index of a column, which is built by this call if it is late; nil if the column or the version has
  /// none.
  func wordIndex(of column: Int, _ layout: TableLayout) -> SlotTree<UInt64>? {
    if let tree = indexes.words[column] { return tree }
    guard liveCount > 0, layout.columns[column].isSearchable else { return nil }
    return lateTree(\.words, \.words, column) { wordTree(column, editOwner: 0) }
  }

  /// Returns the backlinks of a column, which are built by this call if they are late.
  ///
  /// - Complexity: O(n log n) in the links if they are built, otherwise O(1).
  func backlinks(of column: Int, _ layout: ColumnLayout) -> SlotTree<UInt64> {
    if let tree = indexes.backlinks[column] { return tree }
    return lateTree(\.backlinks, \.backlinks, column) {
      makeBacklinks(of: column, layout, editOwner: 0)
    }
  }

  /// Returns the backlinks of a column; nil if they would have to be built.
  func knownBacklinks(of column: Int) -> SlotTree<UInt64>? {
    indexes.backlinks[column] ?? late?.known(\.backlinks, column)
  }

  private func lateTree<Key>(
    _ trees: IndexTrees.OfKind<Key>, _ kind: WritableKeyPath<NeededTrees.Numbers, Set<Int>>,
    _ number: Int, _ make: () -> SlotTree<Key>
  ) -> SlotTree<Key> {
    let late = late ?? lateTrees.storeIfNil(LateTrees())
    return late.tree(trees, number) {
      needed.insert(kind, number)
      return make()
    }
  }

  /// The indexes that exist, also those that were built late.
  var builtIndexes: IndexTrees {
    var trees = indexes
    late?.addIndexes(to: &trees)
    return trees
  }

  func makeBacklinks(
    of column: Int, _ layout: ColumnLayout, editOwner: UInt64
  ) -> SlotTree<UInt64> {
    var pairs: [(key: UInt64, slot: Int)] = []
    forEachLive { slot in
      forEachTarget(slot, column, layout) { pairs.append((UInt64($0), slot)) }
      return true
    }
    return SlotTree(pairs, editOwner: editOwner)
  }

  /// Returns a new tree for an index.
  ///
  /// - Parameter editOwner: The writer that may change the nodes of the tree in place; 0 for none.
  /// - Complexity: O(rows); of those that are in a mapped file, only the pairs are read.
  @inline(__always)
  func tree<Index: RowIndex>(_ index: Index, editOwner: UInt64) -> SlotTree<Index.Key> {
    if let tree = mappedTree(index, editOwner: editOwner) { return tree }
    var pairs = ContiguousArray<SlotTree<Index.Key>.Pair>()
    pairs.reserveCapacity(liveCount)
    forEachLive { slot in
      pairs.append(SlotTree<Index.Key>.Pair(index.key(slot, in: self), slot))
      return true
    }
    return SlotTree(bySlot: pairs, editOwner: editOwner)
  }

  /// Returns a tree of the pairs that the column file has for lazy chunks, and of the rows of all other chunks; nil if
  /// the file does not have the index, or if its pairs are not those of as many rows, in order.
  @inline(never)
  private func mappedTree<Index: RowIndex>(
    _ index: Index, editOwner: UInt64
  ) -> SlotTree<Index.Key>? {
    typealias Pair = SlotTree<Index.Key>.Pair
    guard let lazyChunks = lazyChunks?.takeUnretainedValue() else { return nil }
    let isLazy = (0..<lazyChunks.count).map { hasLazyChunk($0) }
    return lazyChunks.file.withPairs(index.columns) { words in
      let keySize = Index.Key.byteCount / 8
      guard words.count.isMultiple(of: keySize + 1) else { return nil }
      let pairCount = words.count / (keySize + 1)
      var mapped = ContiguousArray<Pair>()
      mapped.reserveCapacity(pairCount)
      if var word = words.baseAddress {
        for _ in 0..<pairCount {
          let slot = Int(truncatingIfNeeded: word[keySize])
          let chunk = slot >> ChunkLayout.shift
          if isLazy.indices.contains(chunk), isLazy[chunk] {
            let pair = Pair(Index.Key(words: word), slot)
            if let last = mapped.last, !(last < pair) { return nil }
            mapped.append(pair)
          }
          word += keySize + 1
        }
      }
      var others = ContiguousArray<Pair>()
      forEachChunk { slots in
        let chunk = slots.lowerBound >> ChunkLayout.shift
        if chunk < isLazy.count, isLazy[chunk] { return true }
        for slot in slots where isLive(slot) {
          others.append(Pair(index.key(slot, in: self), slot))
        }
        return true
      }
      guard mapped.count + others.count == liveCount else { return nil }
      return SlotTree(sorted: mapped, bySlot: others, editOwner: editOwner)
    }
  }
}
