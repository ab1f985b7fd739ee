/// A buffer for one formatted date. The caller guarantees sufficient capacity.
package struct DateBuffer {
  package private(set) var next: UnsafeMutablePointer<UInt8>

  package mutating func byte(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  package mutating func text(_ text: StaticString) {
    next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    next += text.utf8CodeUnitCount
  }

  /// Writes the three-letter abbreviation at `index` of a concatenated list.
  package mutating func abbreviation(_ index: Int, of abbreviations: StaticString) {
    next.update(from: abbreviations.utf8Start + 3 * index, count: 3)
    next += 3
  }

  @inline(__always)
  package mutating func digits(_ value: Int, _ count: Int) {
    var rest = UInt32(truncatingIfNeeded: value)
    var index = count
    while index > 0 {
      index -= 1
      next[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    next += count
  }

  package mutating func date(_ time: CivilTime) {
    digits(time.year, 4)
    byte(0x2D)
    digits(time.month, 2)
    byte(0x2D)
    digits(time.day, 2)
  }

  package mutating func timeOfDay(_ time: CivilTime) {
    digits(time.hour, 2)
    byte(0x3A)
    digits(time.minute, 2)
    byte(0x3A)
    digits(time.second, 2)
  }

  /// Writes `2018-05-18T14:53:37Z`, without a fraction, or with three or six to nine fraction digits.
  package mutating func iso8601(_ time: CivilTime) {
    date(time)
    byte(0x54)
    timeOfDay(time)
    if time.nanosecond > 0 { fraction(time.nanosecond) }
    byte(0x5A)
  }

  private mutating func fraction(_ nanosecond: Int) {
    var fraction = nanosecond / 1_000_000
    var places = 3
    if fraction * 1_000_000 != nanosecond {
      (fraction, places) = (nanosecond, 9)
      while places > 6, fraction % 10 == 0 {
        fraction /= 10
        places -= 1
      }
    }
    byte(0x2E)
    digits(fraction, places)
  }
}

extension JSONWriter {
  /// Writes a date and time in UTC as a string, in the form of ``DateText/writeISO8601(_:into:)``.
  package mutating func iso8601(_ time: CivilTime) {
    withDateBuffer { $0.iso8601(time) }
  }

  /// Writes the date of `time` as a string, such as `"2018-05-18"`.
  package mutating func day(_ time: CivilTime) {
    withDateBuffer { $0.date(time) }
  }

  /// Writes a string of at most 32 bytes, none of which requires an escape.
  @inline(__always)
  private mutating func withDateBuffer(_ body: (inout DateBuffer) -> Void) {
    separate()
    var buffer = DateBuffer(next: start + count)
    buffer.byte(Byte.quote)
    body(&buffer)
    buffer.byte(Byte.quote)
    count = buffer.next - start
    separator = .comma
  }
}
