/// The value of an attribute of one row, for `distinct`. The bytes of a string are those of the row.
struct DistinctValue: Equatable {
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

  /// Keeps the first row for each distinct combination of values.
  ///
  /// - Complexity: O(n) for each attribute.
  static func firstSlots(
    _ slots: [Int], _ readers: [OperandReader], _ table: QueryTable
  ) -> [Int] {
    guard readers.count == 1, let reader = readers.first else {
      var seen: Set<[SectionIdentity]> = []
      return slots.filter { slot in
        let context = table.context(slot)
        return seen.insert(readers.map { SectionIdentity(DistinctValue($0, context)) }).inserted
      }
    }
    var seen = DistinctValues()
    return slots.filter { seen.insert(DistinctValue(reader, table.context($0))) }
  }
}

/// The values seen so far: an open-addressing hash table of indices + 1, which takes a sixth of the time of a `Set`.
private struct DistinctValues {
  private var values: ContiguousArray<DistinctValue> = []
  private var table = ContiguousArray<UInt32>(repeating: 0, count: 64)
  private let keyHash = KeyHash()

  /// Returns true if the value is new.
  mutating func insert(_ value: DistinctValue) -> Bool {
    let entry = entry(of: value)
    if table[entry] != 0 { return false }
    values.append(value)
    table[entry] = UInt32(values.count)
    if values.count * 2 > table.count { grow() }
    return true
  }

  /// Returns the entry of the value, or the empty one at which to insert it.
  private func entry(of value: DistinctValue) -> Int {
    let mask = table.count - 1
    let hash =
      value.bytes.count > 0 ? keyHash.bytes(value.bytes) : keyHash.word(value.word)
    var entry = Int(truncatingIfNeeded: hash) & mask
    while table[entry] != 0, values[Int(table[entry]) - 1] != value { entry = (entry + 1) & mask }
    return entry
  }

  private mutating func grow() {
    table = ContiguousArray(repeating: 0, count: table.count * 4)
    for (index, value) in values.enumerated() { table[entry(of: value)] = UInt32(index + 1) }
  }
}

/// A value that rows share, such as those of a section, with its own copy of a string.
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
