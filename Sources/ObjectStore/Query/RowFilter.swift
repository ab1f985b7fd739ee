/// A compiled condition on the rows of a table, with its attributes resolved.
///
/// Filters process the rows of a chunk together, so that the columns are located once per 256 rows.
class RowFilter {
  /// The condition that the filter was compiled from, for explanations.
  final var node: QueryNode?

  /// A condition on one column that every matching row satisfies and an index may evaluate; nil if there is none.
  var indexablePredicate: IndexablePredicate? { nil }

  /// True if the condition holds for one row or element.
  func matches(_ context: EvaluationContext) -> Bool { false }

  /// Removes the rows that do not match.
  func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var kept = rows
    var context = EvaluationContext(
      tables: chunk.tables, columns: chunk.columns, slot: chunk.firstSlot)
    rows.forEach { row in
      context.slot = chunk.firstSlot + row
      if !matches(context) { kept.remove(row) }
      return true
    }
    rows = kept
  }

  /// The maximum cost of any filter, which keeps sums from overflowing.
  static let mostCost = 1 << 32

  /// The approximate cost per row. Cheaper filters are evaluated first.
  var cost: Int { 100 }
}

final class ConstantFilter: RowFilter {
  let value: Bool

  init(_ value: Bool) { self.value = value }

  override func matches(_ context: EvaluationContext) -> Bool { value }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    if !value { rows = RowMask() }
  }

  override var cost: Int { 0 }
}

extension [RowFilter] {
  /// The filters in order of cost; filters of equal cost in the order of the query.
  fileprivate var sortedByCost: [RowFilter] {
    sorted(byNumber: \.cost)
  }

  fileprivate var totalCost: Int { Swift.min(reduce(0) { $0 + $1.cost }, RowFilter.mostCost) }
}

final class AndFilter: RowFilter {
  let parts: [RowFilter]
  private let sum: Int

  init(_ filters: [RowFilter]) {
    parts = filters.sortedByCost
    sum = filters.totalCost
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    parts.allSatisfy { $0.matches(context) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    for filter in parts where !rows.isEmpty { filter.narrow(&rows, in: chunk) }
  }

  override var cost: Int { sum }

  /// The cost of the cheapest filter, which is evaluated for every row.
  var leastCost: Int { parts.map { ($0 as? AndFilter)?.leastCost ?? $0.cost }.min() ?? 0 }
}

final class OrFilter: RowFilter {
  let parts: [RowFilter]
  private let sum: Int

  init(_ filters: [RowFilter]) {
    parts = filters.sortedByCost
    sum = filters.totalCost
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    parts.contains { $0.matches(context) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var rest = rows
    var found = RowMask()
    for filter in parts where !rest.isEmpty {
      var some = rest
      filter.narrow(&some, in: chunk)
      found.formUnion(some)
      rest.subtract(some)
    }
    rows = found
  }

  override var cost: Int { sum }
}

final class NotFilter: RowFilter {
  let filter: RowFilter

  init(_ filter: RowFilter) { self.filter = filter }

  override func matches(_ context: EvaluationContext) -> Bool { !filter.matches(context) }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    var some = rows
    filter.narrow(&some, in: chunk)
    rows.subtract(some)
  }

  override var cost: Int { filter.cost }

  override var indexablePredicate: IndexablePredicate? {
    guard let filter = filter as? NullFilter, case .keys(let column, _)? = filter.indexablePredicate
    else {
      return nil
    }
    return .keys(column: column, IndexKey.values)
  }
}

// MARK: - One column and a constant

/// A filter for integers within bounds, which evaluates `==`, `<` and other comparisons with a constant.
final class IntegerRangeFilter: RowFilter {
  private let column: Int
  private let lower: UInt64
  private let width: UInt64
  /// The mask whose XOR maps the smallest integer to 0: 0 for unsigned integers, the sign bit for signed ones.
  private let offset: UInt64

  init(_ column: Int, signed range: ClosedRange<Int64>) {
    self.column = column
    offset = 1 << 63
    lower = UInt64(bitPattern: range.lowerBound) ^ offset
    width = (UInt64(bitPattern: range.upperBound) ^ offset) - lower
  }

  init(_ column: Int, unsigned range: ClosedRange<UInt64>) {
    self.column = column
    offset = 0
    lower = range.lowerBound
    width = range.upperBound - lower
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row) && (column.word(context.row) ^ offset) &- lower <= width
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: UInt64.self)
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && (words[$0] ^ offset) &- lower <= width }
    } else {
      rows.keep(chunk.count) { (words[$0] ^ offset) &- lower <= width }
    }
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? {
    if width == 0 { return .words(column: column, [lower ^ offset]) }
    return .keys(column: column, IndexKey.moved(lower)...IndexKey.moved(lower + width))
  }
}

/// A filter for Doubles, Floats and dates within bounds, inclusive.
final class DoubleRangeFilter: RowFilter {
  private let column: Int
  private let low: Double
  private let high: Double

  init(_ column: Int, _ low: Double, _ high: Double) {
    assert(low <= high, "The bounds are NaN or in the wrong order")
    self.column = column
    self.low = low
    self.high = high
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    if column.isNull(context.row) { return false }
    let value = Double(bitPattern: column.word(context.row))
    return value >= low && value <= high
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: Int64.self)
    // Compare as integers that have the same order, so that both bounds take one comparison. NaN sorts outside the
    // infinities.
    let first = Self.order(low == 0 ? -0.0 : low)
    let width = Self.order(high == 0 ? 0.0 : high) &- first
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && Self.order(words[$0]) &- first <= width }
    } else {
      rows.keep(chunk.count) { Self.order(words[$0]) &- first <= width }
    }
  }

  override var cost: Int { 1 }

  @inline(__always)
  private static func order(_ bits: Int64) -> UInt64 {
    UInt64(bitPattern: bits) ^ (UInt64(bitPattern: bits >> 63) | 1 << 63)
  }

  private static func order(_ value: Double) -> UInt64 {
    order(Int64(bitPattern: value.bitPattern))
  }

  override var indexablePredicate: IndexablePredicate? {
    .keys(column: column, IndexKey.key(low)...IndexKey.key(high))
  }
}

final class BoolFilter: RowFilter {
  private let column: Int
  private let value: UInt8

  init(_ column: Int, _ value: Bool) {
    self.column = column
    self.value = value ? 1 : 0
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row) && column.byte(context.row) == value
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let bytes = column.values.assumingMemoryBound(to: UInt8.self)
    if let presence = column.presence {
      rows.keep(chunk.count) { presence[$0] != 0 && bytes[$0] == value }
    } else {
      rows.keep(chunk.count) { bytes[$0] == value }
    }
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? { .words(column: column, [UInt64(value)]) }
}

/// A filter for null values and null links.
final class NullFilter: RowFilter {
  private let column: Int
  private let isLink: Bool

  init(_ column: Int, isLink: Bool) {
    self.column = column
    self.isLink = isLink
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return isLink ? column.word(context.row) == 0 : column.isNull(context.row)
  }

  override var cost: Int { 1 }

  override var indexablePredicate: IndexablePredicate? {
    isLink ? nil : .keys(column: column, IndexKey.null...IndexKey.null)
  }
}

/// A filter for strings, data, UUIDs and JSON values with exactly these bytes.
final class BytesEqualFilter: RowFilter {
  private let column: Int
  private let bytes: [UInt8]

  init(_ column: Int, _ bytes: [UInt8]) {
    self.column = column
    self.bytes = bytes
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let column = context.columns[column]
    return !column.isNull(context.row)
      && bytes.withUnsafeBytes { column.textEquals(context.row, $0) }
  }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    let column = chunk.columns[column]
    let words = column.values.assumingMemoryBound(to: UInt64.self)
    let length = UInt64(bytes.count)
    // The cells contain the lengths, which exclude most rows.
    rows.keep(chunk.count) { words[$0] & 0xFFFF_FFFF == length }
    if rows.isEmpty { return }
    var kept = rows
    bytes.withUnsafeBytes { bytes in
      rows.forEach { row in
        if column.isNull(row) || !column.textEquals(row, bytes) { kept.remove(row) }
        return true
      }
    }
    rows = kept
  }

  override var cost: Int { 5 }

  override var indexablePredicate: IndexablePredicate? { .bytes(column: column, bytes) }
}
