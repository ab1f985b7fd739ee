import Synchronization

/// One version of one table: rows, key index, other indexes and backlinks. Immutable once a commit has published it.
///
/// A version with the edit owner of the open transaction is changed in place; any other is copied first. The copy shares
/// the segments of the chunk directory.
// Sendable: only the writer changes a version, and only before it is published. What is built later is atomic or locked.
final class TableVersion: @unchecked Sendable {
  let editOwner: UInt64
  /// The number of slots that this version can see, dead rows included.
  // Not checked for exclusivity: only the writer changes these, and only while it owns the version.
  @exclusivity(unchecked) var count = 0
  /// The number of live rows.
  @exclusivity(unchecked) var liveCount = 0
  @exclusivity(unchecked) var keys: KeyIndex? {
    didSet { knownKeys = keys.map { Unmanaged.passUnretained($0) } }
  }
  /// An unretained reference to `keys`, so that a lookup retains nothing.
  @exclusivity(unchecked) private var knownKeys: Unmanaged<KeyIndex>?
  /// The indexes and backlinks that commits maintain (R8). Read them by the functions that also return late ones.
  @exclusivity(unchecked) var indexes = IndexTrees()
  let lateTrees = AtomicLazyReference<LateTrees>()
  let needed: NeededTrees
  /// True if the indexes match these rows. False in a version being written, which has the indexes of the version that
  /// the transaction began with. The backlinks always match.
  @exclusivity(unchecked) var areIndexesCurrent = true

  @exclusivity(unchecked) private(set) var segmentCount = 0
  private var segmentCapacity = 0
  /// The top level of the chunk directory; see ``DirectorySegment``.
  @exclusivity(unchecked) private(set) var segments:
    UnsafeMutablePointer<Unmanaged<DirectorySegment>?>
  /// A chunk of zeros, which is read in place of absent chunks and for slots past `count`.
  let empty: Chunk
  /// The chunks that are not in the directory because they are made when they are first read; nil for none. Retained
  /// manually.
  let lazyChunks: Unmanaged<LazyChunks>?

  init(empty: Chunk, needed: NeededTrees, lazyChunks: LazyChunks? = nil) {
    editOwner = 0
    self.needed = needed
    self.empty = empty
    self.lazyChunks = lazyChunks.map { Unmanaged.passRetained($0) }
    segments = .allocate(capacity: 0)
  }

  init(copying other: TableVersion, editOwner: UInt64) {
    self.editOwner = editOwner
    count = other.count
    liveCount = other.liveCount
    keys = other.keys
    knownKeys = other.knownKeys
    indexes = other.indexes
    needed = other.needed
    areIndexesCurrent = false
    empty = other.empty
    lazyChunks = other.lazyChunks?.retain()
    segmentCount = other.segmentCount
    segmentCapacity = other.segmentCount + 1
    segments = .allocate(capacity: segmentCapacity)
    segments.initialize(from: other.segments, count: segmentCount)
    for index in 0..<segmentCount { _ = segments[index]?.retain() }
  }

  deinit {
    for index in 0..<segmentCount { segments[index]?.release() }
    segments.deallocate()
    lazyChunks?.release()
  }

  /// Grows the array of segments; only while the version has the writer's editOwner.
  func growSegments(to newCount: Int) {
    guard newCount > segmentCount else { return }
    if newCount > segmentCapacity {
      segmentCapacity = max(newCount, segmentCapacity * 2)
      let grown = UnsafeMutablePointer<Unmanaged<DirectorySegment>?>.allocate(
        capacity: segmentCapacity)
      grown.moveInitialize(from: segments, count: segmentCount)
      segments.deallocate()
      segments = grown
    }
    (segments + segmentCount).initialize(repeating: nil, count: newCount - segmentCount)
    segmentCount = newCount
  }

  // MARK: - Reading

  /// Returns the columns of the chunk that contains `slot`. The index of the row in the chunk is `slot & 255`.
  @inline(__always)
  func columns(_ slot: Int) -> UnsafeMutablePointer<StorageColumn> {
    assert(slot >= 0, "Slot \(slot) is negative")
    guard slot < count else { return empty.columns }
    return chunk(slot >> ChunkLayout.shift)._withUnsafeGuaranteedRef {
      assert(
        slot & ChunkLayout.mask < $0.capacity, "Slot \(slot) exceeds its chunk of \($0.capacity)")
      return $0.columns
    }
  }

  @inline(__always)
  func isLive(_ slot: Int) -> Bool {
    slot < count
      && columns(slot)[TableLayout.liveColumn].values.load(
        fromByteOffset: slot & ChunkLayout.mask, as: UInt8.self) != 0
  }

  @inline(__always)
  func word(_ slot: Int, _ column: Int) -> UInt64 {
    columns(slot)[column].word(slot & ChunkLayout.mask)
  }

  /// Calls `body` with the key index without retaining it; returns nil if there is none.
  @inline(__always)
  func withKeys<R>(_ body: (KeyIndex) -> R) -> R? {
    knownKeys?._withUnsafeGuaranteedRef(body)
  }

  /// Returns the live row whose key column holds `bits`, or nil.
  @inline(__always)
  func find(word bits: UInt64, _ keyColumn: Int) -> Int? {
    withKeys { keys in
      keys.find(hash: keys.hash(word: bits), key: bits, limit: count) { slot in
        if liveCount == count, keys.isExact { return true }
        let columns = self.columns(slot)
        let row = slot & ChunkLayout.mask
        return columns[keyColumn].word(row) == bits
          && columns[TableLayout.liveColumn].byte(row) != 0
      }
    } ?? nil
  }

  /// Returns the row that most likely has the key `bits`, without reading its cells, or nil.
  @inline(__always)
  func hint(word bits: UInt64) -> Int? {
    withKeys { keys in
      keys.find(hash: keys.hash(word: bits), key: bits, limit: count) { _ in true }
    } ?? nil
  }

  /// Returns the live row whose key column holds these bytes, or nil.
  @inline(__always)
  func find(bytes: UnsafeRawBufferPointer, _ keyColumn: Int) -> Int? {
    withKeys { keys in
      let hash = keys.hash(bytes: bytes)
      return keys.find(hash: hash, key: hash, limit: count) { slot in
        let columns = self.columns(slot)
        let row = slot & ChunkLayout.mask
        return columns[keyColumn].textEquals(row, bytes)
          && columns[TableLayout.liveColumn].byte(row) != 0
      }
    } ?? nil
  }
}

// MARK: - Links

extension TableVersion {
  /// Calls `body` with each target slot of a link or of a collection of links.
  func forEachTarget(
    _ slot: Int, _ column: Int, _ layout: ColumnLayout, _ body: (Int) -> Void
  ) {
    let column = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = column.word(row)
      if word != 0 { body(Int(word) - 1) }
    } else {
      let slice = column.slice(row)
      for index in 0..<Int(slice.length) {
        let word = column.elementWord(slice, index, layout)
        if word != 0 { body(Int(word) - 1) }
      }
    }
  }
}
