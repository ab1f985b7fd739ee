extension JSONReader {
  /// Goes back to a value that was begun, for instance to skip it after an error inside it.
  ///
  /// - Parameters:
  ///   - byteOffset: Where the value begins, as ``byteOffset`` told before it was read.
  ///   - depth: What ``depth`` was there.
  public mutating func rewind(to byteOffset: Int, depth: Int) {
    move(to: min(max(byteOffset, 0), input.count))
    openKeys?.close(downTo: depth + 1)
    openCount = depth
  }
}

extension JSONReader {
  /// Whether `null` may be next, by its first byte; the reader stands at a value.
  @inlinable
  public var peeksNull: Bool { firstByte == 0x6E }

  /// The next byte.
  @inlinable
  var firstByte: UInt8 { next.pointee }
}
