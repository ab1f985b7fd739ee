/// The differences between two versions of a table, an earlier and a later one.
///
/// Versions share the parts they have in common, so cells are compared only in branches, chunks and columns that they
/// do not share. The cost is proportional to the parts that commits touched, not to the number of rows, and a change
/// that was reverted is not a difference. R13.
struct TableDifference {
  /// The rows of the earlier version that the later one lacks, ascending.
  private(set) var deleted: [Int] = []
  /// The rows of the later version that the earlier one lacks, ascending.
  private(set) var inserted: [Int] = []
  /// The rows that have different values in the two versions, and the attributes that differ, ascending by slot.
  private(set) var changed: [(slot: Int, attributes: AttributeBits)] = []
  /// The rows of both versions with attributes that are known in one of them only, and these attributes, ascending by slot.
  /// Not a difference of values. Empty if a first column was given.
  private(set) var known: [(slot: Int, attributes: AttributeBits)] = []

  private let earlier: TableVersion
  private let later: TableVersion
  private let layout: TableLayout
  private let firstColumn: Int
  private let includesMissing: Bool
  /// The attributes that differ in the rows of the chunk being compared, as the words of an ``AttributeBits`` for each
  /// row; zero after each chunk.
  private var found: ContiguousArray<UInt64> = []

  /// - Parameters:
  ///   - firstColumn: The first column to compare, which becomes attribute 0 of the result; nil for the column of the
  ///     first attribute.
  ///   - includesMissing: True if an attribute that is missing from only one of the versions differs.
  init(
    _ earlier: TableVersion, _ later: TableVersion, _ layout: TableLayout, firstColumn: Int? = nil,
    includesMissing: Bool = false
  ) {
    self.includesMissing = includesMissing
    self.earlier = earlier
    self.later = later
    self.layout = layout
    self.firstColumn = firstColumn ?? layout.firstAttribute
    if earlier === later { return }
    compareSegments()
    later.forEachLive(from: earlier.count) {
      inserted.append($0)
      return true
    }
  }

  var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && changed.isEmpty }

  /// Returns the attributes that differ in a row; nil if the row is equal in both versions, or missing from one.
  func attributes(of slot: Int) -> AttributeBits? {
    let index = changed.indices.partitionPoint { changed[$0].slot < slot }
    return index < changed.count && changed[index].slot == slot ? changed[index].attributes : nil
  }

  /// Adds differing attributes of rows that are in both versions.
  mutating func add(_ attributes: [Int: AttributeBits]) {
    if attributes.isEmpty { return }
    var all = attributes
    for (slot, own) in changed { all[slot, default: AttributeBits()].formUnion(own) }
    changed = all.sorted(byNumber: \.key).map { ($0.key, $0.value) }
  }

  // MARK: - Comparing

  private mutating func compareSegments() {
    for index in 0..<earlier.segmentCount {
      let old = earlier.segments[index]
      let new = index < later.segmentCount ? later.segments[index] : nil
      if old?.toOpaque() == new?.toOpaque() { continue }
      for node in 0..<DirectoryLayout.fanOut {
        let oldNode = old?._withUnsafeGuaranteedRef { $0.children[node] }
        let newNode = new?._withUnsafeGuaranteedRef { $0.children[node] }
        if oldNode?.toOpaque() == newNode?.toOpaque() { continue }
        let first = (index << DirectoryLayout.shift + node) << DirectoryLayout.shift
        for child in 0..<DirectoryLayout.fanOut {
          let oldChunk = oldNode?._withUnsafeGuaranteedRef { $0.children[child] }
          let newChunk = newNode?._withUnsafeGuaranteedRef { $0.children[child] }
          if oldChunk?.toOpaque() != newChunk?.toOpaque() { compareChunks(first + child) }
        }
      }
    }
  }

  private mutating func compareChunks(_ index: Int) {
    let first = index << ChunkLayout.shift
    let count = min(earlier.count - first, ChunkLayout.rows)
    if count <= 0 { return }
    let (old, new) = (earlier.columns(first), later.columns(first))
    let oldLive = old[TableLayout.liveColumn].values.assumingMemoryBound(to: UInt8.self)
    let newLive = new[TableLayout.liveColumn].values.assumingMemoryBound(to: UInt8.self)
    if oldLive != newLive {
      for row in 0..<count where oldLive[row] != 0 && newLive[row] == 0 {
        deleted.append(first + row)
      }
    }
    let wordCount = (layout.columns.count - firstColumn + 63) / 64
    if found.isEmpty { found = .init(repeating: 0, count: ChunkLayout.rows * wordCount) }
    var (firstRow, lastRow) = (count, -1)
    for column in firstColumn..<layout.columns.count
    where old[column].block.toOpaque() != new[column].block.toOpaque() {
      let comparison = CellComparison(old[column], new[column], layout.columns[column])
      for row in 0..<count
      where comparison.differs(row) && oldLive[row] != 0 && newLive[row] != 0 {
        let attribute = column - firstColumn
        found[row * wordCount + attribute / 64] |= 1 << UInt64(attribute % 64)
        (firstRow, lastRow) = (min(firstRow, row), max(lastRow, row))
      }
    }
    if includesMissing {
      for column in layout.missingColumns
      where old[column].block.toOpaque() != new[column].block.toOpaque() {
        let word = column - TableLayout.missingColumn
        for row in 0..<count where oldLive[row] != 0 && newLive[row] != 0 {
          let bits = old[column].word(row) ^ new[column].word(row)
          if bits == 0 { continue }
          if word < wordCount { found[row * wordCount + word] |= bits & attributeBits(word) }
          (firstRow, lastRow) = (min(firstRow, row), max(lastRow, row))
        }
      }
    }
    if firstColumn == layout.firstAttribute { compareKnown(first, count) }
    if lastRow < 0 { return }
    for row in firstRow...lastRow {
      var attributes = AttributeBits()
      for word in 0..<wordCount where found[row * wordCount + word] != 0 {
        attributes.set(word, found[row * wordCount + word])
        found[row * wordCount + word] = 0
      }
      if !attributes.isEmpty { changed.append((first + row, attributes)) }
    }
  }
}

extension TableDifference {
  /// Compares which attributes of the rows of a chunk are known.
  private mutating func compareKnown(_ first: Int, _ count: Int) {
    let (old, new) = (earlier.columns(first), later.columns(first))
    for column in layout.missingColumns
    where old[column].block.toOpaque() != new[column].block.toOpaque() {
      return collectKnown(first..<first + count)
    }
  }

  // In few chunks, an attribute of an old row becomes known.
  @inline(never)
  private mutating func collectKnown(_ slots: Range<Int>) {
    for slot in slots where earlier.isLive(slot) && later.isLive(slot) {
      let differing = earlier.unknown(slot, layout)
        .symmetricDifference(later.unknown(slot, layout))
      if !differing.isEmpty { known.append((slot, differing)) }
    }
  }

  /// The bits of attributes in a word of missing attributes, without that of a whole row.
  private func attributeBits(_ word: Int) -> UInt64 {
    let count = layout.attributeCount - word * 64
    return count >= 64 ? .max : 1 << UInt64(count) - 1
  }
}

/// Compares the cells of a column in two versions of a chunk.
private struct CellComparison {
  private let old: StorageColumn
  private let new: StorageColumn
  private let layout: ColumnLayout
  /// True if both cells use the same arenas. Equal words then refer to equal bytes, since arenas are append-only.
  private let sharesArenas: Bool

  init(_ old: StorageColumn, _ new: StorageColumn, _ layout: ColumnLayout) {
    self.old = old
    self.new = new
    self.layout = layout
    sharesArenas = old.text == new.text && old.elements == new.elements
  }

  @inline(__always)
  func differs(_ row: Int) -> Bool {
    if layout.kind == .collection { return sliceDiffers(row) }
    if let oldPresence = old.presence, let newPresence = new.presence {
      if oldPresence[row] != newPresence[row] { return true }
      if oldPresence[row] == 0 { return false }
    }
    if layout.kind == .byte { return old.byte(row) != new.byte(row) }
    let (oldWord, newWord) = (old.word(row), new.word(row))
    guard layout.kind == .bytes else { return oldWord != newWord }
    if sharesArenas, oldWord == newWord { return false }
    return !old.bytes(ofWord: oldWord).hasSameBytes(as: new.bytes(ofWord: newWord))
  }

  private func sliceDiffers(_ row: Int) -> Bool {
    let oldElements = StoredElements(old, row, layout)
    let newElements = StoredElements(new, row, layout)
    return oldElements.count != newElements.count
      || oldElements.commonPrefixCount(with: newElements) < oldElements.count
  }
}
