/// The value of an attribute of one row, for `distinct`. The bytes of a string are those of the row.
struct DistinctValue: Hashable {
  fileprivate let isNull: Bool
  fileprivate let word: UInt64
  fileprivate let bytes: UnsafeRawBufferPointer

  init(_ reader: OperandReader, _ context: EvaluationContext) {
    let cell = reader.cell(context)
    // -0 equals 0, and every NaN equals every other, as in a sort.
    let isDouble = reader.family == .date || reader.kind == .double || reader.kind == .float
    isNull = cell.isNull
    word = isNull ? 0 : isDouble ? IndexKey.double.key(word: cell.word) : cell.word
    bytes = cell.bytes
  }

  static func == (a: Self, b: Self) -> Bool {
    a.isNull == b.isNull && a.word == b.word && a.bytes.hasSameBytes(as: b.bytes)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(word)
    if bytes.count > 0 { hasher.combine(bytes: bytes) }
  }

  /// Keeps the first row for each distinct value.
  ///
  /// - Complexity: O(n).
  static func firstSlots(_ slots: [Int], _ reader: OperandReader, _ table: QueryTable) -> [Int] {
    var seen: Set<DistinctValue> = []
    return slots.filter { seen.insert(DistinctValue(reader, table.context($0))).inserted }
  }
}

/// The value that the rows of a section share, with its own copy of a string.
struct SectionIdentity: Hashable {
  private let isNull: Bool
  private let word: UInt64
  private let bytes: [UInt8]

  init(_ value: DistinctValue) {
    isNull = value.isNull
    word = value.word
    bytes = Array(value.bytes)
  }
}
