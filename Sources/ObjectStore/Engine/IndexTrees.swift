/// The indexes of a table (R8).
struct IndexTrees {
  /// The indexes of attributes by column: key of the value → slot.
  var columns: [Int: SlotTree<UInt64>] = [:]
  /// The compound indexes by their position in the layout: keys of the values → slot.
  var compounds: [Int: SlotTree<CompoundIndexKey>] = [:]
  /// The word indexes by column: key of a word → slot.
  var words: [Int: SlotTree<UInt64>] = [:]

  /// The indexes of one kind.
  typealias OfKind<Key: SlotTreeKey> = WritableKeyPath<IndexTrees, [Int: SlotTree<Key>]>

  var count: Int { columns.count + compounds.count + words.count }
}

extension TableVersion {
  /// Returns the index of a column, which is built by this call if it is late; nil if the column or the version has none.
  func index(of column: Int, _ layout: TableLayout) -> SlotTree<UInt64>? {
    if let tree = indexes.columns[column] { return tree }
    guard let lateIndexes, let key = layout.columns[column].index else { return nil }
    return lateIndexes.tree(\.columns, column) { tree(ColumnIndex(column, key), editOwner: 0) }
  }

  /// Returns the compound index at a position in the layout, which is built by this call if it is late; nil if the version
  /// has none.
  func compoundIndex(_ position: Int, _ layout: TableLayout) -> SlotTree<CompoundIndexKey>? {
    if let tree = indexes.compounds[position] { return tree }
    return lateIndexes?.tree(\.compounds, position) {
      tree(layout.compoundIndexes[position], editOwner: 0)
    }
  }

  /// True if the compound index at a position in the layout need not be built.
  func hasCompoundIndex(_ position: Int) -> Bool {
    indexes.compounds[position] != nil || builtIndexes.compounds[position] != nil
  }

  /// Returns the word index of a column, which is built by this call if it is late; nil if the column or the version has
  /// none.
  func wordIndex(of column: Int, _ layout: TableLayout) -> SlotTree<UInt64>? {
    if let tree = indexes.words[column] { return tree }
    guard let lateIndexes, layout.columns[column].isSearchable else { return nil }
    return lateIndexes.tree(\.words, column) { wordTree(column, editOwner: 0) }
  }

  /// The indexes that exist, also those that were built late.
  var builtIndexes: IndexTrees {
    var trees = indexes
    lateIndexes?.addBuilt(to: &trees)
    return trees
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
    guard let lateIndexes, let lazyChunks else { return nil }
    let isLazy = (0..<lazyChunks.takeUnretainedValue().count).map { hasLazyChunk($0) }
    return lateIndexes.withMappedPairs(index.columns) { words in
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
