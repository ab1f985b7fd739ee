/// A string with its position in a sequence, for sorting by bytes.
struct PlacedText {
  /// The first eight bytes, the first in the highest bits, filled with zeros.
  private let prefix: UInt64
  private let start: UnsafeRawPointer
  private let count: UInt32
  /// The index of the string in the sequence.
  let position: UInt32

  init(_ bytes: UnsafeRawBufferPointer, position: Int) {
    start = bytes.pointerOrDangling
    count = UInt32(truncatingIfNeeded: bytes.count)
    self.position = UInt32(truncatingIfNeeded: position)
    if bytes.count >= 8 {
      prefix = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    } else {
      var prefix: UInt64 = 0
      for (index, byte) in bytes.enumerated() { prefix |= UInt64(byte) << UInt64(56 - 8 * index) }
      self.prefix = prefix
    }
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }

  func equals(_ other: PlacedText) -> Bool {
    prefix == other.prefix && bytes.hasSameBytes(as: other.bytes)
  }

  /// True if the string sorts before another, or is equal to it and at an earlier position.
  @inline(__always)
  func precedes(_ other: PlacedText) -> Bool {
    prefix != other.prefix ? prefix < other.prefix : precedesByRest(other)
  }

  private func precedesByRest(_ other: PlacedText) -> Bool {
    if bytes.precedes(other.bytes) { return true }
    return position < other.position && bytes.hasSameBytes(as: other.bytes)
  }

  /// Calls `body` with `count` sorted strings. Equal strings are in the order of their positions.
  static func withSorted<R>(
    _ count: Int, _ bytes: (Int) -> UnsafeRawBufferPointer,
    _ body: (UnsafeMutableBufferPointer<PlacedText>) -> R
  ) -> R {
    withUnsafeTemporaryAllocation(of: PlacedText.self, capacity: count) { texts in
      for position in 0..<count {
        texts.initializeElement(at: position, to: PlacedText(bytes(position), position: position))
      }
      var sorted = texts
      sorted.sort { $0.precedes($1) }
      return body(sorted)
    }
  }
}
