/// How the values of an indexed column become 64 bits in their order, for a ``SlotTree`` (R8).
///
///     0       null
///     1 …     values: of numbers their order moved up by one, of texts the first eight bytes
///
/// A value that comes before another never has the larger key. Values may share a key (texts that begin
/// alike, the two largest integers), so what a tree finds under one is looked at again.
enum IndexKey: UInt8, Sendable {
  case signed, unsigned
  /// As IEEE 754 orders them: -0 is 0, and NaN comes last.
  case double
  case byte
  /// The bytes of a text or UUID.
  case text

  static let null: UInt64 = 0
  /// Everything but null.
  static let values: ClosedRange<UInt64> = 1 ... .max

  /// Nil for what an index is of no use to: decimals, data, URLs and JSON.
  init?(_ kind: ScalarKind) {
    switch kind {
    case .bool: self = .byte
    case .float, .double, .date: self = .double
    case .string, .uuid: self = .text
    case .decimal, .data, .url, .json: return nil
    default: self = kind.signedRange != nil ? .signed : .unsigned
    }
  }

  /// The key of a number, from the bits of its cell.
  @inline(__always)
  func key(word: UInt64) -> UInt64 {
    switch self {
    case .signed: Self.moved(word ^ 1 << 63)
    case .double: Self.key(Double(bitPattern: word))
    case .unsigned, .byte, .text: Self.moved(word)
    }
  }

  @inline(__always)
  static func key(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0 : value).bitPattern
    // Negative numbers are turned over, positive ones lie above them.
    return moved(bits >> 63 != 0 ? ~bits : bits | 1 << 63)
  }

  /// The key of a text.
  /// - Parameter filler: what stands behind the end of a text that is shorter than a key: 0, or 255 for
  ///   the last key of the texts that begin so.
  @inline(__always)
  static func key(_ bytes: UnsafeRawBufferPointer, filler: UInt8 = 0) -> UInt64 {
    if bytes.count >= 8 {
      return moved(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
    var key: UInt64 = 0
    for place in 0..<8 {
      key = key << 8 | UInt64(place < bytes.count ? bytes[place] : filler)
    }
    return moved(key)
  }

  /// Makes room for null below.
  @inline(__always)
  static func moved(_ order: UInt64) -> UInt64 { order == .max ? .max : order &+ 1 }

  /// Whether rows under this key have equal values.
  @inline(__always)
  func isExact(_ key: UInt64) -> Bool { key == Self.null || self != .text && key != .max }
}
