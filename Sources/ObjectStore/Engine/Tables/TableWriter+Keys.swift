// Looking up rows by primary key, and adding rows to the key index.

extension TableWriter {
  /// Returns the row whose key equals the value of a cell, or nil.
  @inline(__always)
  func find(_ key: BatchCell) -> Int? {
    withVersion {
      isKeyBytes ? $0.find(bytes: key.bytes, keyColumn) : $0.find(word: key.bits, keyColumn)
    }
  }

  /// Sets the key of a new row.
  func setNewKey(_ slot: Int, _ key: BatchCell) {
    if isKeyBytes {
      storeText(slot, keyColumn, key.bytes)
    } else {
      writable(slot, keyColumn).pointee.values.storeBytes(
        of: key.bits, toByteOffset: (slot & ChunkLayout.mask) &* 8, as: UInt64.self)
    }
    indexKey(slot, key)
  }

  /// Changes the key of a row.
  func rekey(_ slot: Int, to key: BatchCell) {
    version.keys?.noteMovedRow()
    if isKeyBytes {
      setText(slot, keyColumn, key.bytes)
    } else {
      setWord(slot, keyColumn, key.bits)
    }
    indexKey(slot, key)
  }

  /// Adds the row to the key index.
  @inline(__always)
  func indexKey(_ slot: Int, _ key: BatchCell) {
    ownVersion()
    let isIndexed = withVersion { version in
      version.withKeys { keys in
        let hash = isKeyBytes ? keys.hash(bytes: key.bytes) : keys.hash(word: key.bits)
        return keys.insert(hash: hash, key: isKeyBytes ? hash : key.bits, slot: slot)
      } ?? false
    }
    if !isIndexed { rebuildKeys() }
  }

  /// Rebuilds the key index without the hints of dead rows if most hints are stale.
  func trimKeys() {
    guard let keys = version.keys, keys.isStale(liveCount: version.liveCount) else { return }
    rebuildKeys()
  }

  /// Builds a new key index of the live rows; earlier versions keep theirs (R3).
  @inline(never)
  func rebuildKeys() {
    ownVersion()
    version.keys = KeyIndex(
      of: version, keyColumn, isBytes: isKeyBytes, capacity: max(32, version.liveCount * 2))
  }
}

extension KeyIndex {
  /// Creates an index of the live rows of a version.
  convenience init(of version: TableVersion, _ keyColumn: Int, isBytes: Bool, capacity: Int) {
    self.init(capacity: capacity)
    version.forEachLive { slot in
      let column = version.columns(slot)[keyColumn]
      let word = column.word(slot & ChunkLayout.mask)
      let hash = isBytes ? hash(bytes: column.bytes(ofWord: word)) : hash(word: word)
      add(hash: hash, key: isBytes ? hash : word, slot: slot)
      return true
    }
  }
}
