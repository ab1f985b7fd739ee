/// One version of one table: rows, key index, backlinks. Immutable once a commit published it.
///
/// While it bears the editOwner of the running transaction, the writer changes it in place; any other
/// is copied first (the spine's references, no rows).
// Sendable: readers read only what was complete when the version was published.
final class TableVersion: @unchecked Sendable {
  let editOwner: UInt64
  /// Slots this version can see; some may be dead.
  // Not checked for exclusivity: the writer changes them only while the version is its own.
  @exclusivity(unchecked) var count = 0
  /// Rows that exist.
  @exclusivity(unchecked) var liveCount = 0
  @exclusivity(unchecked) var keys: KeyIndex? {
    didSet { knownKeys = keys.map { Unmanaged.passUnretained($0) } }
  }
  /// The same: a search counts no reference.
  @exclusivity(unchecked) private var knownKeys: Unmanaged<KeyIndex>?
  /// Backlinks through this table's link columns, by column: target slot → source slot. A column
  /// has its tree once somebody needed it; until then the table is scanned.
  @exclusivity(unchecked) var backlinks: [Int: SlotTree<UInt64>] = [:]
  /// The indexes of this table, by column: key of the value → slot. A column has its tree from the
  /// first commit on that leaves rows (R8).
  @exclusivity(unchecked) var indexes: [Int: SlotTree<UInt64>] = [:]
  /// The indexes of several columns, by their place in the layout: keys of the values → slot (R8).
  @exclusivity(unchecked) var compoundIndexes: [Int: SlotTree<CompoundIndexKey>] = [:]
  /// The word indexes of this table, by column: key of a word → slot (R8).
  @exclusivity(unchecked) var wordIndexes: [Int: SlotTree<UInt64>] = [:]
  /// Whether the indexes are of these rows: not in a version that is being written, which has those
  /// of the version that the transaction began with.
  @exclusivity(unchecked) var areIndexesCurrent = true

  @exclusivity(unchecked) private(set) var segmentCount = 0
  private var segmentCapacity = 0
  /// The upper end of the spine; see ``DirectorySegment``.
  @exclusivity(unchecked) private(set) var segments:
    UnsafeMutablePointer<Unmanaged<DirectorySegment>?>
  /// Stands for chunks that hold no row any more, and for slots no version can see.
  let empty: Chunk

  init(empty: Chunk) {
    editOwner = 0
    self.empty = empty
    segments = .allocate(capacity: 0)
  }

  init(copying other: TableVersion, editOwner: UInt64) {
    self.editOwner = editOwner
    count = other.count
    liveCount = other.liveCount
    keys = other.keys
    knownKeys = other.knownKeys
    backlinks = other.backlinks
    indexes = other.indexes
    compoundIndexes = other.compoundIndexes
    wordIndexes = other.wordIndexes
    areIndexesCurrent = false
    empty = other.empty
    segmentCount = other.segmentCount
    segmentCapacity = other.segmentCount + 1
    segments = .allocate(capacity: segmentCapacity)
    segments.initialize(from: other.segments, count: segmentCount)
    for index in 0..<segmentCount { _ = segments[index]?.retain() }
  }

  deinit {
    for index in 0..<segmentCount { segments[index]?.release() }
    segments.deallocate()
  }

  /// Makes places for segments; only while the version bears the writer's editOwner.
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

  /// The columns of the chunk in which `slot` stands; its row there is `slot & 255`.
  @inline(__always)
  func columns(_ slot: Int) -> UnsafeMutablePointer<StorageColumn> {
    guard slot < count else { return empty.columns }
    return chunk(slot >> ChunkLayout.shift)._withUnsafeGuaranteedRef { $0.columns }
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

  /// Runs `body` with the key index, counting no reference; nil without one.
  @inline(__always)
  func withKeys<R>(_ body: (KeyIndex) -> R) -> R? {
    knownKeys?._withUnsafeGuaranteedRef(body)
  }

  /// The row whose key column holds `bits`.
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

  /// The row that most likely has the key `bits`, found without a look at its cells.
  @inline(__always)
  func hint(word bits: UInt64) -> Int? {
    withKeys { keys in
      keys.find(hash: keys.hash(word: bits), key: bits, limit: count) { _ in true }
    } ?? nil
  }

  /// The row whose key column holds these bytes.
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
    let cell = columns(slot)[column]
    let row = slot & ChunkLayout.mask
    if layout.kind == .link {
      let word = cell.word(row)
      if word != 0 { body(Int(word) - 1) }
    } else {
      let run = cell.run(row)
      for index in 0..<Int(run.length) {
        let word = cell.elementWord(run, index, layout)
        if word != 0 { body(Int(word) - 1) }
      }
    }
  }
}
