extension JSONReader {
  /// Moves back to the start of a value, for example to skip it after an error inside it.
  ///
  /// - Parameters:
  ///   - byteOffset: The ``byteOffset`` at the start of the value.
  ///   - depth: The ``depth`` at the start of the value.
  public mutating func rewind(to byteOffset: Int, depth: Int) {
    move(to: min(max(byteOffset, 0), input.count))
    openKeys?.close(downTo: depth + 1)
    openCount = depth
  }
}

extension JSONReader {
  /// True if the next value may be `null`, judging by its first byte. The reader must be at a value.
  @inlinable
  public var peeksNull: Bool { firstByte == 0x6E }

  /// The next byte.
  @inlinable
  var firstByte: UInt8 { next.pointee }
}
