/// What the pairs of a ``SlotTree`` are sorted by: one word, or a few that are compared in turn.
///
/// Plain bits, so that a node is moved and copied as memory is.
protocol SlotTreeKey: BitwiseCopyable, Comparable, Sendable {
  /// The key behind this one; nil for the last.
  var next: Self? { get }

  static var byteCount: Int { get }

  /// A byte of the key, the one that counts least first.
  func byte(_ index: Int) -> Int
}

extension UInt64: SlotTreeKey {
  @inline(__always)
  var next: UInt64? { self == .max ? nil : self + 1 }

  static var byteCount: Int { 8 }

  @inline(__always)
  func byte(_ index: Int) -> Int { Int(self >> UInt64(index * 8) & 255) }
}
