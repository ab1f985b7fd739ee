// Word indexes, of the attributes that are searchable, follow at the commit as the others do (R8).
//
//     tree   (first eight bytes of a word, row), each pair once
//
// A tree of its own with whole words as keys would be exact and twice the code. Most words have no more
// than eight bytes, those that share their beginning give a few candidates too many, and each
// candidate's text is searched anyway: a write may have changed it, and it may have excluded words.

extension TableVersion {
  /// Puts the keys under which a row stands in the word index of a column in `keys`, ascending.
  func collectWordKeys(_ slot: Int, _ column: Int, in keys: inout ContiguousArray<UInt64>) {
    let cell = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if cell.isNull(row) {
      keys.removeAll(keepingCapacity: true)
    } else {
      SearchWords.collectKeys(of: cell.bytes(ofWord: cell.word(row)), in: &keys)
    }
  }
}

extension TableWriter {
  /// Brings the word index of a column up to what the transaction leaves.
  ///
  /// - Complexity: O(log n) for each word of a row inserted or deleted, and for each that another text
  ///   of a row has or lacks; never more than building the index anew, O(words).
  func updateWordIndex(_ column: Int, from base: TableVersion) {
    let changed = changedSlots(bit(column))
    guard isFew(changed), let place = version.wordIndexes.index(forKey: column) else {
      buildWordIndex(column)
      return
    }
    var old: ContiguousArray<UInt64> = []
    var new: ContiguousArray<UInt64> = []
    for slot in changes.deleted {
      base.collectWordKeys(slot, column, in: &old)
      for key in old {
        version.wordIndexes.values[place].remove(key: key, slot: slot, editOwner: editOwner)
      }
    }
    for slot in changed {
      base.collectWordKeys(slot, column, in: &old)
      version.collectWordKeys(slot, column, in: &new)
      replace(old, new, slot, &version.wordIndexes.values[place])
    }
    guard changes.insertedCount > 0 else { return }
    version.forEachLive(from: baseCount) { slot in
      version.collectWordKeys(slot, column, in: &new)
      for key in new {
        version.wordIndexes.values[place].insert(key: key, slot: slot, editOwner: editOwner)
      }
      return true
    }
  }

  /// Removes the keys that are not among the new ones, and inserts those that were not among the old;
  /// both ascend.
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

  private func buildWordIndex(_ column: Int) {
    var pairs = ContiguousArray<SlotTree<UInt64>.Pair>()
    var keys: ContiguousArray<UInt64> = []
    version.forEachLive { slot in
      version.collectWordKeys(slot, column, in: &keys)
      for key in keys { pairs.append(SlotTree<UInt64>.Pair(key, slot)) }
      return true
    }
    version.wordIndexes[column] = SlotTree(bySlot: pairs, editOwner: editOwner)
  }
}
