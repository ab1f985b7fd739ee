/// The bytes of a string value or key, unescaped: always valid UTF-8.
///
/// Lives in the input if it was written without escapes, else in the reader's scratch memory:
/// then it is valid until the reader reads its next string (a key does not disturb a string value,
/// nor the other way round).
// Frozen: a build for distribution has no inlinable initializer otherwise.
@frozen public struct JSONString {
  public let start: UnsafePointer<UInt8>

  /// Bytes, not characters.
  public let count: Int

  /// Whether the bytes lie in the input, where they stay as long as the input does.
  public let isInPlace: Bool

  @inlinable @inline(__always)
  init(start: UnsafePointer<UInt8>, count: Int, isInPlace: Bool) {
    self.start = start
    self.count = count
    self.isInPlace = isInPlace
  }

  @inlinable
  public var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: count)
  }

  /// A copy as a Swift string.
  ///
  /// - Complexity: O(n), and one allocation above 15 bytes.
  public var string: String {
    String(decoding: bytes, as: UTF8.self)
  }
}
