/// The unescaped bytes of a string value or key, always valid UTF-8.
///
/// The bytes are in the input if the string has no escapes, otherwise in the reader's scratch memory, where
/// they are valid until the reader reads its next string value or key, respectively.
// Frozen: otherwise, an inlinable initializer is not possible with library evolution.
@frozen public struct JSONString {
  public let start: UnsafePointer<UInt8>

  /// The number of bytes.
  public let count: Int

  /// True if the bytes are in the input and live as long as the input.
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
