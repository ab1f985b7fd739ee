/// Reads numbers that have the order of values, or of a part of each value. 0 stands for null.
///
///     number, date, Boolean   the key of an index (``IndexKey``)
///     link                    the slot of the object, plus 1
///     string, data, UUID      seven bytes, padded with zeros; then min(8, number of bytes left) + 1
///     decimal                 the key of the nearest Double
///     computed value          none
struct SortNumberReader {
  private enum Form {
    case word(IndexKey)
    case link
    case bytes
    case decimal
    case none
  }

  private let attribute: AttributeReader?
  private let form: Form
  /// All bits set if the order is descending, so that the numbers are in ascending order.
  private let inversion: UInt64

  /// The number of bytes of a string in a number.
  static let byteCount = 7
  /// The last byte of the number of a string with more bytes.
  private static let longer: UInt64 = 9

  init(_ reader: OperandReader, ascending: Bool) {
    inversion = ascending ? 0 : .max
    attribute = (reader as? AttributeReader).flatMap { $0.path.scope == 0 ? $0 : nil }
    if attribute == nil {
      form = .none
      return
    }
    switch reader.family {
    case .link: form = .link
    case .text, .data, .uuid, .json: form = .bytes
    case .number, .date, .bool:
      form =
        reader.kind == .decimal
        ? .decimal : reader.kind.flatMap { IndexKey($0) }.map { .word($0) } ?? .none
    }
  }

  /// True if rows with this number have equal values, if they have equal bytes before those of the number.
  @inline(__always)
  func isExact(_ number: UInt64) -> Bool {
    let number = number ^ inversion
    switch form {
    case .word(let key): return key.isExact(number)
    case .link: return true
    case .bytes: return number & 255 != Self.longer
    case .decimal, .none: return false
    }
  }

  /// True if rows with equal numbers may differ in their next bytes, and not only in their values.
  var hasMoreBytes: Bool { if case .bytes = form { true } else { false } }

  /// True if this is the number of null.
  @inline(__always)
  func isNull(_ number: UInt64) -> Bool { number ^ inversion == 0 }

  /// False if the values have no numbers.
  var hasNumbers: Bool { if case .none = form { false } else { true } }

  /// Sets the numbers of rows. Does nothing if the values have no numbers.
  ///
  /// - Parameter offset: A number of bytes that all strings have. The numbers are those of the bytes after them.
  func read(
    _ rows: UnsafeMutableBufferPointer<RowSorter.Row>, _ table: QueryTable, from offset: Int
  ) {
    switch form {
    case .word(.byte): read(rows, table) { UInt64($0.pointee.byte($1)) + 1 }
    case .word(.double): read(rows, table) { IndexKey.double.key(word: $0.pointee.word($1)) }
    case .word(.signed): read(rows, table) { IndexKey.signed.key(word: $0.pointee.word($1)) }
    case .word: read(rows, table) { IndexKey.unsigned.key(word: $0.pointee.word($1)) }
    case .link: read(rows, table) { $0.pointee.word($1) }
    case .bytes:
      read(rows, table) { Self.number($0.pointee.bytes(ofWord: $0.pointee.word($1)), offset) }
    case .decimal:
      read(rows, table) {
        Double(nearest: $0.pointee.bytes(ofWord: $0.pointee.word($1)))
          .map { IndexKey.double.key(word: $0.bitPattern) } ?? 0
      }
    case .none: break
    }
  }

  @inline(__always)
  private func read(
    _ rows: UnsafeMutableBufferPointer<RowSorter.Row>, _ table: QueryTable,
    _ number: (UnsafeMutablePointer<StorageColumn>, Int) -> UInt64
  ) {
    let inversion = inversion
    forEachCell(rows, table) { index, column, row in
      let isNull = column?.pointee.isNull(row) ?? true
      rows[index].number = (isNull ? 0 : column.map { number($0, row) } ?? 0) ^ inversion
      return true
    }
  }

  /// Calls `body` with the location of the value of each row, until it returns false; with nil at a link that is null.
  @inline(__always)
  private func forEachCell(
    _ rows: UnsafeMutableBufferPointer<RowSorter.Row>, _ table: QueryTable,
    _ body: (_ index: Int, UnsafeMutablePointer<StorageColumn>?, _ row: Int) -> Bool
  ) {
    guard let attribute else { return }
    let tables = table.tables
    let hops = attribute.path.components.map { hop in
      (column: hop.column, target: Unmanaged.passUnretained(tables[hop.targetTable]))
    }
    withExtendedLifetime(tables) {
      var chunk = -1
      var columns = table.version.columns(0)
      for index in rows.indices {
        var slot = rows[index].slot
        if slot >> ChunkLayout.shift != chunk {
          chunk = slot >> ChunkLayout.shift
          columns = table.version.columns(slot)
        }
        var end: UnsafeMutablePointer<StorageColumn>? = columns
        for hop in hops {
          let word = end?[hop.column].word(slot & ChunkLayout.mask) ?? 0
          slot = Int(word) - 1
          end = word == 0 ? nil : hop.target._withUnsafeGuaranteedRef { $0.columns(slot) }
          if end == nil { break }
        }
        if !body(index, end.map { $0 + attribute.column }, slot & ChunkLayout.mask) { return }
      }
    }
  }

  /// Returns the number of leading bytes that all strings have in common; 0 for other values.
  ///
  /// - Parameter offset: The number of bytes that they are known to have in common.
  func commonPrefix(
    _ rows: UnsafeMutableBufferPointer<RowSorter.Row>, _ table: QueryTable, from offset: Int
  ) -> Int {
    guard case .bytes = form else { return 0 }
    var first: UnsafeRawBufferPointer?
    var count = offset
    forEachCell(rows, table) { _, column, row in
      guard let column, !column.pointee.isNull(row) else {
        count = offset
        return false
      }
      let bytes = column.pointee.bytes(ofWord: column.pointee.word(row))
      guard let first else {
        first = bytes
        count = bytes.count
        return count > offset
      }
      let end = min(count, bytes.count)
      count = offset
      while count < end, first[count] == bytes[count] { count += 1 }
      return count > offset
    }
    return count
  }

  /// Returns the number of the bytes from `offset` on.
  @inline(__always)
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    let left = bytes.count - offset
    if left > byteCount {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return UInt64(bigEndian: word) & ~255 | longer
    }
    var word: UInt64 = 0
    if bytes.count >= 8 {
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      word = left == 0 ? 0 : UInt64(bigEndian: last) << UInt64(64 - 8 * left)
    } else {
      for index in offset..<bytes.count { word = word << 8 | UInt64(bytes[index]) }
      word = left == 0 ? 0 : word << UInt64(64 - 8 * left)
    }
    return word | UInt64(left + 1)
  }
}
