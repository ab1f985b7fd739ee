import ObjectStoreShims

// While a row of a batch is applied, the key index entries and the cells needed for later rows are prefetched into the
// CPU cache.
//
// These are only hints: a wrong one costs a cache line. String keys are excluded, since each would be hashed two more
// times.

extension TableWriter {
  /// Prefetches the entry of a key in the key index.
  @inline(__always)
  func prefetchKey(_ key: BatchCell) {
    if isKeyBytes { return }
    withVersion { version in
      _ = version.withKeys { $0.prefetch($0.hash(word: key.bits)) }
    }
  }

  /// Prefetches the cells to be compared with those of a batch row.
  @inline(__always)
  func prefetchCells(_ row: BatchRow) {
    if isKeyBytes { return }
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
