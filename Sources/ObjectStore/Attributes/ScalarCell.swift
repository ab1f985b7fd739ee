/// A value as the store keeps it: bits, or bytes.
// Frozen: a build for distribution has no inlinable initializer otherwise.
@frozen public struct _ScalarCell {
  /// The bits of a number; 0 for a text.
  public var word: UInt64
  /// The bytes of a text; empty for a number. They hold only during the call that gives them.
  public var bytes: UnsafeRawBufferPointer

  /// A number's bits.
  @inlinable
  public init(word: UInt64) {
    self.word = word
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// A text's bytes, which must outlive the cell.
  @inlinable
  public init(bytes: UnsafeRawBufferPointer) {
    word = 0
    self.bytes = bytes
  }
}

typealias ScalarCell = _ScalarCell
