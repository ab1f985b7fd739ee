import ObjectStoreShims

// Rows that a batch is about to compare, fetched into the cache while others are applied.
//
// Nothing is decided here: a hint that turns out to be wrong costs a line of the cache. Keys that are
// texts are left out: each would be hashed twice more.

extension TableWriter {
  /// Fetches the place of a key in the key index.
  @inline(__always)
  func prefetchKey(_ key: BatchCell) {
    if isKeyText { return }
    withVersion { version in
      _ = version.withKeys { $0.prefetch($0.hash(word: key.bits)) }
    }
  }

  /// Fetches the cells that are compared with those of a batch row.
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
