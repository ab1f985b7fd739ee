/// A value in stored form: bits or bytes.
// Frozen: without it, builds for library distribution cannot have inlinable initializers.
@frozen public struct _ScalarCell {
  /// The bits of a number; 0 for a string.
  public var word: UInt64
  /// The bytes of a string; empty for a number. Valid only during the call that provides them.
  public var bytes: UnsafeRawBufferPointer

  /// Creates a cell with the bits of a number.
  @inlinable
  public init(word: UInt64) {
    self.word = word
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Creates a cell with the bytes of a string, which must outlive the cell.
  @inlinable
  public init(bytes: UnsafeRawBufferPointer) {
    word = 0
    self.bytes = bytes
  }
}

typealias ScalarCell = _ScalarCell
