/// A set of rows of one chunk: a bit for each.
struct RowMask {
  private var words: SIMD4<UInt64>

  init() { words = .zero }

  /// The first `count` rows.
  init(count: Int) {
    words = .zero
    for index in 0..<4 {
      let rest = count - index * 64
      words[index] = rest >= 64 ? .max : rest > 0 ? (1 << UInt64(rest)) - 1 : 0
    }
  }

  init(row: Int) {
    words = .zero
    words[row >> 6] = 1 << UInt64(row & 63)
  }

  var isEmpty: Bool { words == .zero }
  var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  @inline(__always)
  func contains(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  @inline(__always)
  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  @inline(__always)
  mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

  mutating func formIntersection(_ other: RowMask) { words &= other.words }
  mutating func formUnion(_ other: RowMask) { words |= other.words }
  mutating func subtract(_ other: RowMask) { words &= ~other.words }

  /// Calls `body` with each row, ascending, until it returns false.
  @inline(__always)
  func forEach(_ body: (Int) -> Bool) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        if !body(index << 6 + word.trailingZeroBitCount) { return }
        word &= word - 1
      }
    }
  }

  /// Keeps of the rows those for which `isMatch` holds; all rows below `count` are asked, 64 at a time,
  /// without a branch for each.
  @inline(__always)
  mutating func keep(_ count: Int, _ isMatch: (Int) -> Bool) {
    for index in 0..<4 {
      let word = words[index]
      if word == 0 { continue }
      let first = index &* 64
      var row = min(count, first &+ 64)
      // From the last row on: doubling costs less than shifting each bit to its place.
      var bits: UInt64 = 0
      while row > first {
        row &-= 1
        bits = bits &+ bits &+ (isMatch(row) ? 1 : 0)
      }
      words[index] = word & bits
    }
  }
}

/// The tables a query reads, in one version.
final class QueryTables {
  private let version: (Int) -> TableVersion
  private var known: ContiguousArray<TableVersion?> = []

  init(_ version: @escaping (Int) -> TableVersion) {
    self.version = version
  }

  subscript(table: Int) -> TableVersion {
    if table < known.count, let version = known[table] { return version }
    while known.count <= table { known.append(nil) }
    let version = version(table)
    known[table] = version
    return version
  }
}

/// The rows of one chunk that a test looks at.
struct QueryChunk {
  let tables: QueryTables
  let columns: UnsafeMutablePointer<StorageColumn>
  let firstSlot: Int
  /// Rows there are.
  let count: Int
}

/// What attributes are read of: a row, or an element of a collection, and what stands around it.
struct QueryFrame {
  let tables: QueryTables
  var columns: UnsafeMutablePointer<StorageColumn>
  var slot: Int
  /// For an element that is no object: its value.
  var element: QueryCell?
  var outer: UnsafePointer<QueryFrame>?

  @inline(__always)
  var row: Int { slot & ChunkLayout.mask }

  /// The frame so many scopes further out.
  @inline(__always)
  func withScope<R>(_ scope: Int, _ body: (QueryFrame) -> R) -> R {
    if scope == 0 { return body(self) }
    guard let outer else { return body(self) }
    return outer.pointee.withScope(scope - 1, body)
  }
}

/// A value as rows and elements hold it.
struct QueryCell {
  var word: UInt64 = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var isNull = false

  static var null: QueryCell { QueryCell(isNull: true) }
}
