/// The layout of a column file: the chunks of a class as they are in memory, which opening maps instead of reading rows
/// from the database.
///
///     header       256 bytes: the numbers of ``Header``, in words
///     blocks       one for each chunk: the sizes of the arenas, then for each column values, presence, text, elements.
///                  A column of missing attributes that are all given has the text size ``absentColumn`` and nothing else
///     keys         the entries of the key index
///     indexes      for each index of attributes its pairs of key and slot, ascending
///     directory    for each chunk its index, block, row count and the checksums of its rows; for each index its columns and
///                  pairs
///
/// The database is the truth; the file is a copy of what it had when the file was written. The checksums of the chunks
/// prove that the copy, together with the rows that changed since, has exactly the rows of the class: added up, they are
/// the checksums in the catalog (R19, R33). A file that is foreign or older than the list of changes is ignored, and damaged chunks are read from the database. So are
/// chunks with right checksums whose offsets, counts, links or orders are not as the store writes them (``ChunkCheck``).
///
/// The numbers are words in the order of the machine, and blocks begin at multiples of 64 bytes.
enum ColumnFile {
  /// "SCcolumn" on a machine with the least significant byte first.
  static let magic: UInt64 = 0x6E6D_756C_6F63_4353
  /// Changes with the layout of a chunk in memory and with the keys of indexes, too.
  static let format: UInt64 = 3
  /// The size in place of that of the text of a column that is not in the file.
  static let absentColumn = UInt64.max
  static let headerByteCount = 256
  static let alignment = 64

  /// The words of the header, in order.
  enum Header: Int, CaseIterable {
    case magic, format
    /// A hash of the attributes and the columns.
    case layout
    /// The number of slots, dead rows included.
    case slotCount
    case chunkCount
    /// The entries of the key index; 0 if the class has no key.
    case keySize
    case keyHintCount
    case keyHashFirst, keyHashSecond
    case keyOffset, keyChecksum
    case directoryOffset, directoryByteCount, directoryChecksum
    /// The number of indexes in the directory.
    case indexCount
    case byteCount
    /// The checksum of the other words.
    case checksum
  }

  /// A chunk in the directory.
  struct Entry {
    let index: Int
    let offset: Int
    let byteCount: Int
    let checksum: UInt64
    let sums: ClassSums

    static func wordCount(attributeCount: Int) -> Int {
      5 + FileClass.OwnColumn.allCases.count + attributeCount
    }
  }

  /// An index in the directory.
  struct Index {
    let columns: [Int]
    let offset: Int
    let byteCount: Int
    let checksum: UInt64

    static let wordCount = CompoundIndex.size.upperBound + 3

    init(columns: [Int], offset: Int, byteCount: Int, checksum: UInt64) {
      self.columns = columns
      self.offset = offset
      self.byteCount = byteCount
      self.checksum = checksum
    }

    init(_ words: Slice<UnsafeBufferPointer<UInt64>>) {
      let words = Array(words)
      let size = CompoundIndex.size.upperBound
      columns = words[..<size].filter { $0 > 0 }.map { Int(clamping: $0) - 1 }
      offset = Int(clamping: words[size])
      byteCount = Int(clamping: words[size + 1])
      checksum = words[size + 2]
    }

    var words: [UInt64] {
      let rest = CompoundIndex.size.upperBound - columns.count
      return columns.map { UInt64($0 + 1) } + [UInt64](repeating: 0, count: rest)
        + [UInt64(offset), UInt64(byteCount), checksum]
    }
  }

  /// Returns the hash of everything that the memory of a chunk depends on.
  static func layoutDigest(_ entry: FileClass, _ layout: TableLayout) -> UInt64 {
    var parts = ["\(layout.firstAttribute) \(layout.keyColumn ?? -1)"]
    for column in layout.firstAttribute..<layout.columns.count {
      let cells = layout.columns[column]
      parts += [
        layout.shortName(column),
        "\(cells.kind) \(cells.isOptional) \(cells.collection) \(cells.elementKind) "
          + "\(cells.hasNullElements)",
      ]
    }
    return Checksum.digest(parts) &+ entry.declarationDigest
  }

  /// Returns the path of the file of a class.
  static func path(_ store: String, _ name: String) -> String {
    let readable = String(
      name.unicodeScalars.prefix(64).map {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == ".")
          ? Character($0) : "_"
      })
    return folder(store) + "/" + readable + "-" + String(Checksum.digest([name]), radix: 16)
  }

  /// Returns the path of the folder with the files of a store.
  static func folder(_ store: String) -> String { store + ".columns" }

  // MARK: - Checksums

  private static let factors: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93, 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB
  )

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return high ^ low
  }

  /// Returns the checksum of a number of whole words. Four words at a time, because a multiplication takes several cycles.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 { checksum(bytes) { _, _ in } }

  /// Returns the checksum of a number of whole words.
  /// - Parameter visit: Is called with the first and third of each four words.
  @inline(__always)
  static func checksum(
    _ bytes: UnsafeRawBufferPointer, _ visit: (UInt64, UInt64) -> Void
  ) -> UInt64 {
    assert(bytes.count % 8 == 0, "\(bytes.count) bytes are not whole words")
    let (p, q, r, s) = factors
    var (a, b, c, d) = (UInt64(bytes.count), p, q, r)
    guard let start = bytes.baseAddress else { return fold(a ^ s, p) }
    var offset = 0
    let end = bytes.count - 31
    while offset < end {
      let (first, third) = (
        start.load(fromByteOffset: offset, as: UInt64.self),
        start.load(fromByteOffset: offset &+ 16, as: UInt64.self)
      )
      visit(first, third)
      a = fold(a ^ first, p)
      b = fold(b ^ start.load(fromByteOffset: offset &+ 8, as: UInt64.self), q)
      c = fold(c ^ third, r)
      d = fold(d ^ start.load(fromByteOffset: offset &+ 24, as: UInt64.self), s)
      offset &+= 32
    }
    while offset < bytes.count {
      a = fold(a ^ start.load(fromByteOffset: offset, as: UInt64.self), p) &+ q
      offset &+= 8
    }
    return fold(fold(a ^ q, b ^ p) ^ s, fold(c ^ s, d ^ r) ^ p)
  }
}
