/// Reads the sort prefix of a value: a number with the same order as the value, null first, NaN last.
///
/// A sort reads each value once and compares numbers. It reads values again only for rows with equal numbers.
///
///     bytes     the first 15 bytes, padded with zeros; then min(length, 16) + 1
///     Decimal   1 for every number
struct SortPrefixReader {
  private enum Form {
    case unsigned, signed, double, bytes, decimal
  }

  private let reader: OperandReader
  private let form: Form

  static let null: UInt128 = 0
  /// The number of bytes of a value that are part of its sort prefix.
  private static let byteCount = 15
  /// The last byte of the sort prefix of a value longer than `byteCount`.
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

  func withPrefixes(_ slots: [Int], _ table: QueryTable) -> [(prefix: UInt128, slot: Int)] {
    var context = table.context(0)
    return slots.map { slot in
      context.slot = slot
      context.columns = table.version.columns(slot)
      return (prefix(context), slot)
    }
  }

  @inline(__always)
  func prefix(_ context: EvaluationContext) -> UInt128 {
    let cell = reader.cell(context)
    if cell.isNull { return Self.null }
    switch form {
    case .unsigned: return UInt128(cell.word) + 1
    case .signed: return UInt128(cell.word ^ 1 << 63) + 1
    case .double: return UInt128(IndexKey.key(Double(bitPattern: cell.word)))
    case .bytes: return Self.prefix(cell.bytes)
    case .decimal: return 1
    }
  }

  /// True if rows with this sort prefix have equal values.
  @inline(__always)
  func isExact(_ prefix: UInt128) -> Bool {
    switch form {
    case .unsigned, .signed, .double: true
    case .bytes: prefix & 255 != Self.longer
    case .decimal: prefix == Self.null
    }
  }

  @inline(__always)
  private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    if bytes.count > byteCount {
      let first = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
      let second = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return UInt128(first) << 64 | UInt128(second & ~255) | longer
    }
    var prefix: UInt128 = 0
    withUnsafeMutableBytes(of: &prefix) { $0.copyMemory(from: bytes) }
    return UInt128(bigEndian: prefix) | UInt128(bytes.count + 1)
  }
}
