/// The mapping from the values of an indexed column to 64-bit keys of a ``SlotTree``, in the same order (R8).
///
///     0       null
///     1 …     values: 1 + the order-preserving bits of a number or the first eight bytes of a string
///
/// A smaller value never has a larger key. Values may share a key (strings with a common prefix, the two largest
/// integers), so rows found by key must be checked against their cells.
enum IndexKey: UInt8, Sendable {
  case signed, unsigned
  /// IEEE 754 order, with -0 equal to 0 and NaN last.
  case double
  case byte
  /// The bytes of a string or UUID.
  case bytes

  static let null: UInt64 = 0
  /// All keys except null's.
  static let values: ClosedRange<UInt64> = 1 ... .max

  /// Creates the mapping for a type of value; nil for types that cannot be indexed: decimals, data, URLs and JSON.
  init?(_ kind: ScalarKind) {
    switch kind {
    case .bool: self = .byte
    case .float, .double, .date: self = .double
    case .string, .uuid: self = .bytes
    case .decimal, .data, .url, .json: return nil
    default: self = kind.signedRange != nil ? .signed : .unsigned
    }
  }

  /// Returns the key of a number, given by the bits of its cell.
  @inline(__always)
  func key(word: UInt64) -> UInt64 {
    switch self {
    case .signed: Self.moved(word ^ 1 << 63)
    case .double: Self.key(Double(bitPattern: word))
    case .unsigned, .byte, .bytes: Self.moved(word)
    }
  }

  @inline(__always)
  static func key(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0 : value).bitPattern
    // Invert negative numbers, so that they are below positive ones.
    return moved(bits >> 63 != 0 ? ~bits : bits | 1 << 63)
  }

  /// Returns the key of a string, given by its bytes.
  ///
  /// - Parameter filler: The byte that pads a string shorter than a key: 0, or 255 for the last key with this prefix.
  @inline(__always)
  static func key(_ bytes: UnsafeRawBufferPointer, filler: UInt8 = 0) -> UInt64 {
    if bytes.count >= 8 {
      return moved(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
    var key: UInt64 = 0
    for index in 0..<8 {
      key = key << 8 | UInt64(index < bytes.count ? bytes[index] : filler)
    }
    return moved(key)
  }

  /// Adds 1 without overflow, so that 0 remains for null.
  @inline(__always)
  static func moved(_ order: UInt64) -> UInt64 { order == .max ? .max : order &+ 1 }

  /// True if all rows with this key have equal values.
  @inline(__always)
  func isExact(_ key: UInt64) -> Bool { key == Self.null || self != .bytes && key != .max }
}
