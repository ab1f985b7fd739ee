/// A buffer for one formatted date. The caller guarantees sufficient capacity.
struct DateBuffer {
  private(set) var next: UnsafeMutablePointer<UInt8>

  mutating func byte(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  mutating func text(_ text: StaticString) {
    next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    next += text.utf8CodeUnitCount
  }

  /// Writes the three-letter abbreviation at `index` of a concatenated list.
  mutating func abbreviation(_ index: Int, of abbreviations: StaticString) {
    next.update(from: abbreviations.utf8Start + 3 * index, count: 3)
    next += 3
  }

  @inline(__always)
  mutating func digits(_ value: Int, _ count: Int) {
    var rest = UInt32(truncatingIfNeeded: value)
    var index = count
    while index > 0 {
      index -= 1
      next[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    next += count
  }

  mutating func date(_ time: CivilTime) {
    digits(time.year, 4)
    byte(0x2D)
    digits(time.month, 2)
    byte(0x2D)
    digits(time.day, 2)
  }

  mutating func timeOfDay(_ time: CivilTime) {
    digits(time.hour, 2)
    byte(0x3A)
    digits(time.minute, 2)
    byte(0x3A)
    digits(time.second, 2)
  }
}
