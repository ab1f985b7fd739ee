/// The chunks of a class in a mapped column file, and the rows that must be read from the database instead.
///
/// The header, the directory and the key index are verified when the file is mapped, a chunk or an index when it is first read:
/// their checksums, and all that reading them relies on, because a file may have right checksums and still not be one of
/// the store.
struct MappedColumns {
  private let file: MappedFile
  private let layout: TableLayout
  private let header: [UInt64]
  private let entries: [ColumnFile.Entry]
  /// The chunks of the file.
  let chunks: LazyChunks
  /// The indexes of the file.
  let indexes: MappedIndexes
  /// The chunks to read from the database.
  private let readChunks: Set<Int>
  /// True if the key index may have other keys of rows that are read.
  private let mayHaveMoved: Bool

  /// A part of the rows, in their order.
  enum Part {
    /// A chunk of the file.
    case mapped(ColumnFile.Entry)
    /// Row numbers to read from the database.
    case rows(ClosedRange<Int64>)
  }

  /// Maps the file of a class.
  ///
  /// - Parameters:
  ///   - entry: The class in the database.
  ///   - table: A table of the class, without rows.
  ///   - check: Checks a chunk of the class.
  ///   - changedChunks: The chunks with rows that have changed since the file was written.
  ///   - readDamaged: Reads a chunk that is damaged in the file; see ``LazyChunks/Recovery``.
  ///   - noteDamagedIndex: Is called when an index of the file is found to be damaged.
  /// - Returns: Nil if there is no file, it does not fit, it is damaged, or reading the database costs less.
  /// - Complexity: O(chunks + entries of the key index).
  init?(
    _ path: String, _ entry: FileClass, _ table: Table, _ check: ChunkCheck,
    changedChunks: Set<Int>,
    readDamaged: @escaping @Sendable (ColumnFile.Entry, _ isMade: () -> Bool) -> Chunk?,
    noteDamagedIndex: @escaping @Sendable () -> Void
  ) {
    let layout = table.layout
    guard let file = MappedFile(path), let header = Self.header(file, entry, layout),
      let (entries, indexes) = Self.directory(file, header, entry)
    else { return nil }
    self.indexes = MappedIndexes(file: file, indexes: indexes, noteDamaged: noteDamagedIndex)
    self.file = file
    self.layout = layout
    self.header = header
    func number(_ field: ColumnFile.Header) -> Int { Int(header[field.rawValue]) }
    let slotCount = number(.slotCount)
    // The last chunk gets new rows, which are written in place.
    let isLastFull = slotCount & ChunkLayout.mask == 0
    let firstNew = slotCount >> ChunkLayout.shift
    let lastSlot = entry.nextRow - 2
    var readChunks = changedChunks
    if slotCount > lastSlot + 1 { return nil }
    if lastSlot >= 0, !isLastFull || lastSlot >= slotCount {
      readChunks.formUnion(firstNew...max(firstNew, lastSlot >> ChunkLayout.shift))
    }
    self.readChunks = readChunks
    // The list of changes may lack some, which the sums do not reveal for rows that are read.
    mayHaveMoved = readChunks.contains {
      $0 < (slotCount + ChunkLayout.mask) >> ChunkLayout.shift
    }
    let mapped = entries.filter { !readChunks.contains($0.index) }
    self.entries = mapped
    @Sendable func mappedEntry(_ index: Int) -> ColumnFile.Entry {
      mapped[mapped.indices.partitionPoint { mapped[$0].index < index }]
    }
    chunks = LazyChunks(mapped.map(\.index), of: self.indexes) { index in
      let entry = mappedEntry(index)
      return file.hasChecksum(entry.checksum, entry.offset, entry.byteCount)
        ? Self.chunk(file, entry, table, check) : nil
    } recover: { index, isMade in
      readDamaged(mappedEntry(index), isMade)
    }
    guard mapped.count > readChunks.count, hasValidKeys else { return nil }
  }

  private static func header(
    _ file: MappedFile, _ entry: FileClass, _ layout: TableLayout
  ) -> [UInt64]? {
    let bytes = UnsafeRawBufferPointer(file.bytes)
    guard bytes.count >= ColumnFile.headerByteCount else { return nil }
    let words = ColumnFile.Header.allCases.map {
      bytes.load(fromByteOffset: 8 * $0.rawValue, as: UInt64.self)
    }
    func word(_ field: ColumnFile.Header) -> UInt64 { words[field.rawValue] }
    let checksum = words.dropLast().withUnsafeBytes(ColumnFile.checksum)
    let byteCount = UInt64(bytes.count)
    guard word(.magic) == ColumnFile.magic, word(.format) == ColumnFile.format,
      word(.checksum) == checksum, word(.byteCount) == byteCount,
      word(.layout) == ColumnFile.layoutDigest(entry, layout),
      // Sums of these numbers do not overflow.
      word(.slotCount) <= UInt64(ChunkLayout.lastSlot), word(.chunkCount) <= byteCount,
      word(.directoryOffset) <= byteCount, word(.directoryByteCount) <= byteCount,
      word(.indexCount) <= byteCount,
      word(.keyOffset) <= byteCount, word(.keySize) <= byteCount / 16,
      word(.keySize).nonzeroBitCount <= 1,
      word(.keyHintCount) == 0 || word(.keyHintCount) < word(.keySize)
    else { return nil }
    return words
  }

  private static func directory(
    _ file: MappedFile, _ header: [UInt64], _ entry: FileClass
  ) -> ([ColumnFile.Entry], [ColumnFile.Index])? {
    func number(_ field: ColumnFile.Header) -> Int { Int(header[field.rawValue]) }
    let attributeCount = entry.attributes.count
    let wordCount = ColumnFile.Entry.wordCount(attributeCount: attributeCount)
    let range = number(.directoryOffset)..<number(.directoryOffset) + number(.directoryByteCount)
    let indexStart = number(.chunkCount) * wordCount
    let indexWordCount = ColumnFile.Index.wordCount
    guard (indexStart + number(.indexCount) * indexWordCount) * 8 == range.count,
      range.upperBound <= file.bytes.count, range.lowerBound.isMultiple(of: 8)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[range])
    guard ColumnFile.checksum(bytes) == header[ColumnFile.Header.directoryChecksum.rawValue] else {
      return nil
    }
    let words = bytes.bindMemory(to: UInt64.self)
    let ownCount = FileClass.OwnColumn.allCases.count
    let entries = (0..<number(.chunkCount)).map { chunk in
      let first = chunk * wordCount
      var sums = ClassSums(attributeCount: attributeCount)
      sums.rowCount = Int(clamping: words[first + 4])
      for index in 0..<ownCount { sums.own[index] = words[first + 5 + index] }
      for index in 0..<attributeCount {
        sums.attributes[index] = words[first + 5 + ownCount + index]
      }
      return ColumnFile.Entry(
        index: Int(clamping: words[first]), offset: Int(clamping: words[first + 1]),
        byteCount: Int(clamping: words[first + 2]), checksum: words[first + 3], sums: sums)
    }
    let end = (number(.slotCount) + ChunkLayout.mask) >> ChunkLayout.shift
    let isAscending = zip(entries, entries.dropFirst()).allSatisfy { $0.index < $1.index }
    guard isAscending, entries.last.map({ $0.index < end }) ?? true,
      entries.allSatisfy({ (1...ChunkLayout.rows).contains($0.sums.rowCount) })
    else { return nil }
    let indexes = (0..<number(.indexCount)).map { index in
      let first = indexStart + index * indexWordCount
      return ColumnFile.Index(words[first..<first + indexWordCount])
    }
    return (entries, indexes)
  }

  // MARK: - Verification

  private var hasValidKeys: Bool {
    func number(_ field: ColumnFile.Header) -> Int { Int(header[field.rawValue]) }
    guard (layout.keyColumn != nil) == (number(.keySize) > 0) else { return false }
    if layout.keyColumn == nil { return true }
    let (offset, byteCount) = (number(.keyOffset), 16 * number(.keySize))
    guard number(.keySize) > 1, offset.isMultiple(of: 8), byteCount <= file.bytes.count - offset
    else { return false }
    // Lookups rely on the limit of the slots, and insertions on the number of hints.
    var hintCount = 0
    var last: UInt64 = 0
    let checksum = ColumnFile.checksum(
      UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + byteCount])
    ) { one, other in
      hintCount &+= (one == 0 ? 0 : 1) &+ (other == 0 ? 0 : 1)
      last = max(last, max(one, other))
    }
    return checksum == header[ColumnFile.Header.keyChecksum.rawValue]
      && hintCount == number(.keyHintCount) && last <= header[ColumnFile.Header.slotCount.rawValue]
  }

  // MARK: - Use

  /// The parts of the rows, ascending. Chunks to read that follow one another are one part.
  var parts: [Part] {
    var parts: [Part] = []
    let chunks = entries.map { ($0.index, Optional($0)) } + readChunks.map { ($0, nil) }
    for (index, entry) in chunks.sorted(byNumber: \.0) {
      if let entry {
        parts.append(.mapped(entry))
        continue
      }
      let first = Int64(index << ChunkLayout.shift) + 1
      let last = first + Int64(ChunkLayout.mask)
      if case .rows(let rows)? = parts.last, rows.upperBound + 1 == first {
        parts[parts.count - 1] = .rows(rows.lowerBound...last)
      } else {
        parts.append(.rows(first...last))
      }
    }
    return parts
  }

  /// True if the file has all indexes of attributes of a class.
  func hasIndexes(of layout: TableLayout) -> Bool {
    let columns = indexes.indexes.map(\.columns)
    return (layout.indexedColumns.map { [$0] } + layout.compoundIndexes.map(\.columns))
      .allSatisfy { columns.contains($0) }
  }

  /// Returns a chunk whose columns are in the file; nil if it is not valid.
  private static func chunk(
    _ file: MappedFile, _ entry: ColumnFile.Entry, _ table: Table, _ check: ChunkCheck
  ) -> Chunk? {
    let (layout, empty) = (table.layout, table.emptyVersion.empty)
    let start = (file.bytes.baseAddress.unsafelyUnwrapped + entry.offset)
    var offset = 16 * layout.columns.count
    /// Nil if the block ends before the end of the part.
    func part(_ byteCount: Int) -> UnsafeMutableRawPointer? {
      guard byteCount <= entry.byteCount - offset else { return nil }
      defer { offset += byteCount }
      return start + offset
    }
    guard offset <= entry.byteCount else { return nil }
    var blocks: [ColumnBlock] = []
    blocks.reserveCapacity(layout.columns.count)
    for (index, column) in layout.columns.enumerated() {
      let sizes = [0, 8].map { start.load(fromByteOffset: 16 * index + $0, as: UInt64.self) }
      if layout.missingColumns.contains(index), sizes == [ColumnFile.absentColumn, 0] {
        blocks.append(empty.columns[index].block.takeUnretainedValue())
        continue
      }
      guard sizes.allSatisfy({ $0 <= UInt64(entry.byteCount) }), sizes[1] % 8 == 0 else {
        return nil
      }
      let (textCount, elementsCount) = (Int(sizes[0]), Int(sizes[1]))
      let valueCount = ChunkLayout.rows * (column.width + (column.isOptional ? 1 : 0))
      guard let values = part(valueCount) else { return nil }
      var (text, elements): (Arena?, Arena?)
      if textCount > 0 {
        // Copies of whole words may read eight bytes past the text.
        guard let base = part((textCount + 15) & ~7) else { return nil }
        text = Arena(mapped: base, byteCount: textCount, file)
      }
      if elementsCount > 0 {
        guard let base = part(elementsCount) else { return nil }
        elements = Arena(mapped: base, byteCount: elementsCount, file)
      }
      blocks.append(ColumnBlock(mapped: values, column, text: text, elements: elements, file))
    }
    guard offset == entry.byteCount, check.isValid(blocks, rowCount: entry.sums.rowCount) else {
      return nil
    }
    return Chunk(blocks)
  }

  /// Adds the rows to the key index.
  func index(_ writer: TableWriter) {
    func number(_ field: ColumnFile.Header) -> Int { Int(header[field.rawValue]) }
    guard layout.keyColumn != nil else { return writer.indexLoadedRows() }
    let keys = KeyIndex(
      mapped: file.bytes.baseAddress.unsafelyUnwrapped + number(.keyOffset),
      size: number(.keySize), hintCount: number(.keyHintCount),
      KeyHash(
        first: header[ColumnFile.Header.keyHashFirst.rawValue],
        second: header[ColumnFile.Header.keyHashSecond.rawValue]),
      file)
    writer.indexLoadedRows(in: readChunks.sorted(), of: keys, mayHaveMoved: mayHaveMoved)
  }
}

/// The indexes in a mapped column file, each verified when it is read.
struct MappedIndexes: IndexFile {
  let file: MappedFile
  let indexes: [ColumnFile.Index]
  let noteDamaged: @Sendable () -> Void

  func withPairs<R>(_ columns: [Int], _ body: (UnsafeBufferPointer<UInt64>) -> R?) -> R? {
    guard let index = indexes.first(where: { $0.columns == columns }) else { return nil }
    var result: R?
    if file.hasChecksum(index.checksum, index.offset, index.byteCount) {
      let bytes = UnsafeRawBufferPointer(
        rebasing: file.bytes[index.offset..<index.offset + index.byteCount])
      result = withExtendedLifetime(file) { body(bytes.bindMemory(to: UInt64.self)) }
    }
    if result == nil { noteDamaged() }
    return result
  }
}

extension MappedFile {
  /// True if a part of the file exists, consists of whole words and has a checksum.
  fileprivate func hasChecksum(_ checksum: UInt64, _ offset: Int, _ count: Int) -> Bool {
    guard offset >= 0, count >= 0, offset <= bytes.count - count, offset.isMultiple(of: 8),
      count.isMultiple(of: 8)
    else { return false }
    return ColumnFile.checksum(
      UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])) == checksum
  }
}
