extension ResultsQuery {
  /// Sorts rows by `keys`. The sort is stable.
  ///
  /// - Parameter limit: The number of rows to return. The rows after them are left out.
  /// - Complexity: O(n log n); O(n log k) for the first k rows, usually close to O(n) if k is small.
  static func sorted(
    _ slots: [Int], _ keys: [SortKey], _ table: QueryTable, limit: Int = .max
  ) -> [Int] {
    guard let first = keys.first else { return slots }
    func isOrdered(_ a: Int, _ b: Int, _ keys: ArraySlice<SortKey>) -> Bool {
      Self.isOrdered(table.context(a), before: table.context(b), keys) ?? false
    }
    let ranking = RowRanking(first.reader)
    let rest = keys.dropFirst()
    return ranking.ranked(slots, table).sorted(first: limit) { a, b in
      if a.rank != b.rank { return first.ascending ? a.rank < b.rank : a.rank > b.rank }
      return isOrdered(a.slot, b.slot, ranking.isExact(a.rank) ? rest : keys[...])
    }.map(\.slot)
  }

  /// True if row `a` precedes row `b`. Nil if their values of the keys are equal.
  static func isOrdered(
    _ a: EvaluationContext, before b: EvaluationContext, _ keys: ArraySlice<SortKey>
  ) -> Bool? {
    for key in keys {
      let order = key.reader.order(a, b)
      if order != 0 { return key.ascending ? order < 0 : order > 0 }
    }
    return nil
  }
}

/// Maps each row to a number that has the same order as its value: null first, NaN last.
///
/// A sort reads each value once and compares numbers. It reads values again only for rows with equal numbers.
///
///     bytes     the first 15 bytes, padded with zeros; then min(length, 16) + 1
///     Decimal   1 for every number
struct RowRanking {
  private enum Form {
    case unsigned, signed, double, bytes, decimal
  }

  private let reader: OperandReader
  private let form: Form

  static let null: UInt128 = 0
  /// The number of bytes of a value that are part of its rank.
  private static let byteCount = 15
  /// The last byte of the rank of a value longer than `byteCount`.
  private static let longer: UInt128 = 17

  init(_ reader: OperandReader) {
    self.reader = reader
    switch (reader.family, reader.kind) {
    case (.bool, _), (.link, _): form = .unsigned
    case (.text, _), (.data, _), (.uuid, _), (.json, _): form = .bytes
    case (.date, _), (.number, .double?), (.number, .float?): form = .double
    case (.number, let kind?) where kind.signedRange != nil: form = .signed
    case (.number, let kind?) where kind.unsignedMaximum != nil: form = .unsigned
    case (.number, _): form = .decimal
    }
  }

  func ranked(_ slots: [Int], _ table: QueryTable) -> [(rank: UInt128, slot: Int)] {
    var context = table.context(0)
    return slots.map { slot in
      context.slot = slot
      context.columns = table.version.columns(slot)
      return (rank(context), slot)
    }
  }

  @inline(__always)
  func rank(_ context: EvaluationContext) -> UInt128 {
    let cell = reader.cell(context)
    if cell.isNull { return Self.null }
    switch form {
    case .unsigned: return UInt128(cell.word) + 1
    case .signed: return UInt128(cell.word ^ 1 << 63) + 1
    case .double: return UInt128(IndexKey.key(Double(bitPattern: cell.word)))
    case .bytes: return Self.rank(cell.bytes)
    case .decimal: return 1
    }
  }

  /// True if rows of this rank have equal values.
  @inline(__always)
  func isExact(_ rank: UInt128) -> Bool {
    switch form {
    case .unsigned, .signed, .double: true
    case .bytes: rank & 255 != Self.longer
    case .decimal: rank == Self.null
    }
  }

  @inline(__always)
  private static func rank(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    if bytes.count > byteCount {
      let first = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      let second = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return UInt128(first) << 64 | UInt128(second & ~255) | longer
    }
    var rank: UInt128 = 0
    withUnsafeMutableBytes(of: &rank) { $0.copyMemory(from: bytes) }
    return UInt128(bigEndian: rank) | UInt128(bytes.count + 1)
  }
}
