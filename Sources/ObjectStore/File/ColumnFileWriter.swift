#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes the column file of a class from a version of its table, while other threads read and write the store.
struct ColumnFileWriter {
  private let version: TableVersion
  private let layout: TableLayout
  private let entry: FileClass
  private let rows: FileRowValues
  private let file: OutputFile
  private var directory: [UInt64] = []
  private var chunkCount = 0

  /// - Parameters:
  ///   - entry: The class in the database when it had the rows of `version`.
  ///   - mapping: An exact mapping.
  ///   - permissions: The permissions of the file.
  /// - Throws: `OutputFile.Failure`.
  init(
    _ version: TableVersion, _ layout: TableLayout, _ entry: FileClass, _ mapping: FileMapping,
    to path: String, permissions: UInt16
  ) throws {
    assert(mapping.isExact && mapping.unknown.isEmpty, "The class is not as in the file")
    self.version = version
    self.layout = layout
    self.entry = entry
    rows = FileRowValues(mapping, layout, FileValues())
    file = try OutputFile(path, permissions)
  }

  /// Writes the file. Returns false if `isCancelled` returned true, or if the rows are not those of the database.
  /// - Complexity: O(rows), about a microsecond each.
  mutating func write(_ isCancelled: () -> Bool) throws -> Bool {
    try file.append([UInt64](repeating: 0, count: ColumnFile.headerByteCount / 8))
    var total = ClassSums(attributeCount: entry.attributes.count)
    var next = version.presentChunk(from: 0, end: version.count)
    while let index = next {
      if isCancelled() { return false }
      total.add(try writeChunk(index))
      next = version.presentChunk(from: index + 1, end: version.count)
    }
    guard total == ClassSums(of: entry) else { return false }
    try writeEnd()
    return true
  }

  private mutating func writeChunk(_ index: Int) throws -> ClassSums {
    let first = index << ChunkLayout.shift
    let slots = first..<min(first + ChunkLayout.rows, version.count)
    var sums = ClassSums(attributeCount: entry.attributes.count)
    for slot in slots where version.isLive(slot) { rows.add(version, slot, to: &sums) }
    if sums.rowCount == 0 { return sums }
    let block = ChunkImage(version.columns(first), slots.count, layout).words
    let offset = try file.align(to: ColumnFile.alignment)
    try file.append(block)
    directory += [
      UInt64(index), UInt64(offset), UInt64(block.count * 8),
      block.withUnsafeBytes(ColumnFile.checksum), UInt64(sums.rowCount),
    ]
    directory += sums.own + sums.attributes
    chunkCount += 1
    return sums
  }

  private func writeEnd() throws {
    var header = [UInt64](repeating: 0, count: ColumnFile.headerByteCount / 8)
    func set(_ field: ColumnFile.Header, _ word: UInt64) { header[field.rawValue] = word }
    if let column = layout.keyColumn {
      let isBytes = layout.columns[column].kind == .bytes
      // With capacity for some new rows.
      let keys = KeyIndex(
        of: version, column, isBytes: isBytes, capacity: version.liveCount + version.liveCount / 8)
      let (words, hash) = keys.content
      set(.keySize, UInt64(keys.size))
      set(.keyHintCount, UInt64(keys.hintCount))
      set(.keyHashFirst, hash.first)
      set(.keyHashSecond, hash.second)
      set(.keyOffset, UInt64(try file.align(to: ColumnFile.alignment)))
      set(.keyChecksum, ColumnFile.checksum(words))
      try withExtendedLifetime(keys) { try file.append(words) }
    }
    let indexes = try writeIndexes()
    set(.indexCount, UInt64(indexes.count))
    let directory = directory + indexes.flatMap(\.words)
    set(.directoryOffset, UInt64(try file.align(to: ColumnFile.alignment)))
    set(.directoryByteCount, UInt64(directory.count * 8))
    set(.directoryChecksum, directory.withUnsafeBytes(ColumnFile.checksum))
    try file.append(directory)
    set(.magic, ColumnFile.magic)
    set(.format, ColumnFile.format)
    set(.layout, ColumnFile.layoutDigest(entry, layout))
    set(.slotCount, UInt64(version.count))
    set(.chunkCount, UInt64(chunkCount))
    set(.byteCount, UInt64(file.byteCount))
    set(
      .checksum,
      header[..<ColumnFile.Header.checksum.rawValue].withUnsafeBytes(ColumnFile.checksum))
    try file.finish(header)
  }
}

// MARK: - Indexes

extension ColumnFileWriter {
  /// Writes the indexes of attributes, also those that were never used. Word indexes are not written, because the words of
  /// a string depend on the version of Unicode.
  private func writeIndexes() throws -> [ColumnFile.Index] {
    assert(
      version.areIndexesCurrent || layout.indexCount == 0, "The version is being written")
    let built = version.builtIndexes
    var indexes: [ColumnFile.Index] = []
    for column in layout.indexedColumns {
      guard let key = layout.columns[column].index else { continue }
      indexes.append(try write(ColumnIndex(column, key), built.columns[column]))
    }
    for (number, index) in layout.compoundIndexes.enumerated() {
      indexes.append(try write(index, built.compounds[number]))
    }
    return indexes
  }

  private func write<Index: RowIndex>(
    _ index: Index, _ built: SlotTree<Index.Key>?
  ) throws -> ColumnFile.Index {
    let tree = built ?? version.tree(index, editOwner: 0)
    var words: [UInt64] = []
    words.reserveCapacity(tree.count * (Index.Key.byteCount / 8 + 1))
    tree.forEach(in: Index.Key.all) { key, slot in
      key.append(to: &words)
      words.append(UInt64(slot))
      return true
    }
    let offset = try file.align(to: ColumnFile.alignment)
    try file.append(words)
    return ColumnFile.Index(
      columns: index.columns, offset: offset, byteCount: words.count * 8,
      checksum: words.withUnsafeBytes(ColumnFile.checksum))
  }
}

/// The content of a chunk in a column file. Dead rows are zeros, and the arenas have no unused bytes.
private struct ChunkImage {
  private(set) var words: [UInt64] = []

  /// - Parameters:
  ///   - columns: The columns of the chunk.
  ///   - rowCount: The number of rows that a version shows. Later ones may be being written.
  init(
    _ columns: UnsafeMutablePointer<StorageColumn>, _ rowCount: Int, _ layout: TableLayout
  ) {
    words = [UInt64](repeating: 0, count: 2 * layout.columns.count)
    let live = columns[TableLayout.liveColumn]
    let rows = (0..<rowCount).filter { live.byte($0) != 0 }
    for (index, column) in layout.columns.enumerated() {
      if layout.missingColumns.contains(index), rows.allSatisfy({ columns[index].word($0) == 0 }) {
        words[2 * index] = ColumnFile.absentColumn
      } else {
        add(columns[index], index, rows, column)
      }
    }
  }

  private mutating func add(
    _ cells: StorageColumn, _ index: Int, _ rows: [Int], _ layout: ColumnLayout
  ) {
    var text: [UInt8] = []
    var elements: [UInt64] = []
    func stored(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
      defer { text.append(contentsOf: bytes) }
      return bytes.isEmpty ? 0 : UInt64(text.count) << 32 | UInt64(bytes.count)
    }
    var bytes = [UInt8](repeating: 0, count: layout.kind == .byte ? ChunkLayout.rows : 0)
    var values = [UInt64](
      repeating: 0, count: layout.kind == .byte ? 0 : ChunkLayout.rows * layout.width / 8)
    for row in rows where !cells.isNull(row) {
      switch layout.kind {
      case .byte: bytes[row] = cells.byte(row)
      case .word, .link: values[row] = cells.word(row)
      case .bytes: values[row] = stored(cells.bytes(ofWord: cells.word(row)))
      case .collection:
        let slice = cells.slice(row)
        let count = Int(slice.length)
        if count == 0 { continue }
        let new = CollectionSlice(offset: elements.count, length: count, capacity: count)
        for element in 0..<count {
          let value = cells.element(slice, element, layout)
          if layout.collection == .map { elements.append(stored(value.key)) }
          elements.append(layout.elementKind == .bytes ? stored(value.bytes) : value.word)
          if layout.hasNullElements { elements.append(value.isNull ? 1 : 0) }
        }
        values[2 * row] = UInt64(new.offset) | UInt64(new.length) << 32
        values[2 * row + 1] = UInt64(new.capacity) | UInt64(new.front) << 32
      }
    }
    words[2 * index] = UInt64(text.count)
    words[2 * index + 1] = UInt64(elements.count * 8)
    append(bytes)
    words += values
    if layout.isOptional {
      var presence = [UInt8](repeating: 0, count: ChunkLayout.rows)
      for row in rows where !cells.isNull(row) { presence[row] = 1 }
      append(presence)
    }
    if !text.isEmpty {
      append(text)
      // Copies of whole words may read eight bytes past the text.
      words.append(0)
    }
    words += elements
  }

  private mutating func append(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      var word: UInt64 = 0
      for byte in bytes[index..<min(index + 8, bytes.count)].reversed() {
        word = word << 8 | UInt64(byte)
      }
      words.append(word)
      index += 8
    }
  }
}

/// A file that is written from the beginning to the end under a temporary name, and then appears as a whole.
private final class OutputFile {
  struct Failure: Error {}

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var byteCount = 0
  private var isFinished = false

  private var unfinished: String { path + ".unfinished" }

  /// One file with this path at a time is written. An unfinished one is removed.
  init(_ path: String, _ permissions: UInt16) throws(Failure) {
    self.path = path
    unlink(path + ".unfinished")
    descriptor = open(
      path + ".unfinished", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      mode_t(permissions))
    if descriptor < 0 { throw Failure() }
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(unfinished) }
  }

  func append(_ words: [UInt64]) throws(Failure) {
    words.withUnsafeBytes { buffer.append(contentsOf: $0) }
    byteCount += words.count * 8
    if buffer.count >= 1 << 20 { try flush() }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    buffer.append(contentsOf: bytes)
    byteCount += bytes.count
    if buffer.count >= 1 << 20 { try flush() }
  }

  /// Appends zeros up to a multiple of `alignment`, and returns the offset.
  func align(to alignment: Int) throws(Failure) -> Int {
    let count = (alignment - byteCount % alignment) % alignment
    try append([UInt64](repeating: 0, count: count / 8))
    return byteCount
  }

  private func flush() throws(Failure) {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes {
        write(descriptor, $0.baseAddress.unsafelyUnwrapped + start, $0.count - start)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { throw Failure() }
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the header and renames the file. It is not synced: after a power failure its checksums may be wrong.
  func finish(_ header: [UInt64]) throws(Failure) {
    try flush()
    let count = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == header.count * 8, rename(unfinished, path) == 0 else { throw Failure() }
    isFinished = true
  }
}
