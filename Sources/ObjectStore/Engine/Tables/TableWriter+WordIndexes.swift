// Word indexes of searchable attributes are updated at the commit, like other indexes (R8).
//
//     tree   (first eight bytes of a word, row), each pair once
//
// A separate kind of tree with whole words as keys would be exact, but double the code. Most words have at most eight
// bytes, longer words that share a prefix yield a few extra candidates, and each candidate's string is searched anyway:
// a write may have changed it, and the search may exclude words.

extension TableVersion {
  /// Replaces `keys` with the keys of a row in the word index of a column, ascending.
  func collectWordKeys(_ slot: Int, _ column: Int, in keys: inout ContiguousArray<UInt64>) {
    let column = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if column.isNull(row) {
      keys.removeAll(keepingCapacity: true)
    } else {
      SearchWords.collectKeys(of: column.bytes(ofWord: column.word(row)), in: &keys)
    }
  }

  /// Returns the word index of a column.
  ///
  /// - Complexity: O(words).
  func wordTree(_ column: Int, editOwner: UInt64) -> SlotTree<UInt64> {
    var pairs = ContiguousArray<SlotTree<UInt64>.Pair>()
    var keys: ContiguousArray<UInt64> = []
    forEachLive { slot in
      collectWordKeys(slot, column, in: &keys)
      for key in keys { pairs.append(SlotTree<UInt64>.Pair(key, slot)) }
      return true
    }
    return SlotTree(bySlot: pairs, editOwner: editOwner)
  }
}

extension TableWriter {
  /// Updates the word index of a column to match the rows at the end of the transaction.
  ///
  /// - Complexity: O(log n) for each word of a row inserted or deleted, and for each word added to or removed from a
  ///   changed row; never more than rebuilding the index, O(words).
  func updateWordIndex(_ column: Int, from base: TableVersion) {
    let changed = changedSlots(bit(column))
    guard isFew(changed), let position = version.indexes.words.index(forKey: column) else {
      if canStayUnbuilt(\.words, column, changed) { return }
      version.indexes.words[column] = version.wordTree(column, editOwner: editOwner)
      return
    }
    var old: ContiguousArray<UInt64> = []
    var new: ContiguousArray<UInt64> = []
    for slot in changes.deleted {
      base.collectWordKeys(slot, column, in: &old)
      for key in old {
        version.indexes.words.values[position].remove(key: key, slot: slot, editOwner: editOwner)
      }
    }
    for slot in changed {
      base.collectWordKeys(slot, column, in: &old)
      version.collectWordKeys(slot, column, in: &new)
      replace(old, new, slot, &version.indexes.words.values[position])
    }
    guard changes.insertedCount > 0 else { return }
    version.forEachLive(from: baseCount) { slot in
      version.collectWordKeys(slot, column, in: &new)
      for key in new {
        version.indexes.words.values[position].insert(key: key, slot: slot, editOwner: editOwner)
      }
      return true
    }
  }

  /// Removes the keys that are only in `old` and inserts those that are only in `new`; both ascend.
  private func replace(
    _ old: ContiguousArray<UInt64>, _ new: ContiguousArray<UInt64>, _ slot: Int,
    _ tree: inout SlotTree<UInt64>
  ) {
    var (o, n) = (0, 0)
    while o < old.count || n < new.count {
      if o < old.count, n < new.count, old[o] == new[n] {
        (o, n) = (o + 1, n + 1)
      } else if n == new.count || o < old.count && old[o] < new[n] {
        tree.remove(key: old[o], slot: slot, editOwner: editOwner)
        o += 1
      } else {
        tree.insert(key: new[n], slot: slot, editOwner: editOwner)
        n += 1
      }
    }
  }
}
