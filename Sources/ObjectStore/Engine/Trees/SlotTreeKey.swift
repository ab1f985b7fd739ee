/// The sort key of the pairs of a ``SlotTree``: one word, or a few that are compared in order.
///
/// Bitwise-copyable, so that a node is moved and copied as plain memory.
protocol SlotTreeKey: BitwiseCopyable, Comparable, Sendable {
  /// The next greater key; nil for the greatest.
  var next: Self? { get }

  static var byteCount: Int { get }

  /// Returns a byte of the key; index 0 is the least significant.
  func byte(_ index: Int) -> Int

  /// Creates a key of `byteCount / 8` words, the most significant first.
  init(words: UnsafePointer<UInt64>)

  /// Appends the words of the key, the most significant first.
  func append(to words: inout [UInt64])

  /// The least and the greatest key.
  static var all: ClosedRange<Self> { get }
}

extension UInt64: SlotTreeKey {
  @inline(__always)
  var next: UInt64? { self == .max ? nil : self + 1 }

  static var byteCount: Int { 8 }

  @inline(__always)
  func byte(_ index: Int) -> Int { Int(self >> UInt64(index * 8) & 255) }

  @inline(__always)
  init(words: UnsafePointer<UInt64>) { self = words.pointee }

  func append(to words: inout [UInt64]) { words.append(self) }

  static var all: ClosedRange<UInt64> { 0 ... .max }
}
