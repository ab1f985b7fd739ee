import ObjectStoreShims

// Prefetching into the CPU cache the rows that a batch is about to compare, while others are applied.
//
// These are only hints: a wrong one costs a cache line. String keys are excluded, since each would be hashed twice
// more.

extension TableWriter {
  /// Prefetches the entry of a key in the key index.
  @inline(__always)
  func prefetchKey(_ key: BatchCell) {
    if isKeyText { return }
    withVersion { version in
      _ = version.withKeys { $0.prefetch($0.hash(word: key.bits)) }
    }
  }

  /// Prefetches the cells to be compared with those of a batch row.
  @inline(__always)
  func prefetchCells(_ row: BatchRow) {
    if isKeyText { return }
    withVersion { version in
      guard let slot = version.hint(word: row.key.bits) else { return }
      let columns = version.columns(slot)
      let rowInChunk = slot & ChunkLayout.mask
      for column in firstAttribute..<columnCount
      where row.cells[column - firstAttribute].state != .absent {
        store_prefetch(columns[column].values + rowInChunk &* columnLayout(column).width)
      }
    }
  }
}
