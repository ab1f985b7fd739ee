/// A scanner for the components of a date string. A byte, a sequence of digits or a name that does not match is not
/// consumed.
package struct DateScanner {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  package init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    next = start
    end = start + count
  }

  package var isAtEnd: Bool { next == end }

  package func isNext(_ byte: UInt8) -> Bool {
    next < end && next.pointee == byte
  }

  /// Consumes `byte` if it is next.
  @inline(__always)
  package mutating func consume(_ byte: UInt8) -> Bool {
    guard isNext(byte) else { return false }
    next += 1
    return true
  }

  /// Consumes `text` if it is next, ignoring case.
  package mutating func consume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - next >= count else { return false }
    for index in 0..<count where next[index] & 0xDF != text.utf8Start[index] & 0xDF { return false }
    next += count
    return true
  }

  /// Consumes exactly `count` digits.
  @inline(__always)
  package mutating func digits(_ count: Int) -> Int? {
    guard end - next >= count else { return nil }
    var value = 0
    for index in 0..<count {
      let digit = next[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    next += count
    return value
  }

  /// Consumes a time of day such as `14:53:37`.
  @inline(__always)
  package mutating func timeOfDay(_ time: inout CivilTime) -> Bool {
    guard let hour = digits(2), consume(0x3A), let minute = digits(2), consume(0x3A),
      let second = digits(2)
    else { return false }
    time.hour = hour
    time.minute = minute
    time.second = second
    return true
  }

  /// Consumes one or more digits after a decimal point and returns them as nanoseconds, rounded.
  package mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while next < end, next.pointee &- 0x30 < 10 {
      let digit = Int(next.pointee &- 0x30)
      if count < 9 {
        value = value * 10 + digit
      } else if count == 9, digit >= 5 {
        value += 1
      }
      count += 1
      next += 1
    }
    switch count {
    case 0: return nil
    case 3: return value * 1_000_000
    case 6: return value * 1000
    default: break
    }
    while count < 9 {
      value *= 10
      count += 1
    }
    return value
  }

  /// Consumes `Z`, `±hh:mm`, `±hhmm` or `±hh` and returns the offset from UTC in seconds.
  package mutating func zone() -> Int? {
    if consume(0x5A) || consume(0x7A) { return 0 }
    let isNegative = isNext(0x2D)
    guard isNegative || isNext(0x2B) else { return nil }
    next += 1
    guard let hour = digits(2), hour < 24 else { return nil }
    var minute = 0
    if consume(0x3A) {
      guard let value = digits(2) else { return nil }
      minute = value
    } else {
      minute = digits(2) ?? 0
    }
    guard minute < 60 else { return nil }
    let offset = hour * 3600 + minute * 60
    return isNegative ? -offset : offset
  }

  /// Consumes the first three letters of an English name, ignoring case, and returns the index of the name.
  private mutating func abbreviation(in abbreviations: StaticString) -> Int? {
    guard end - next >= 3 else { return nil }
    // Only bit 5 differs between a lowercase letter and its uppercase form.
    for index in 0..<abbreviations.utf8CodeUnitCount / 3 {
      let letters = abbreviations.utf8Start + 3 * index
      if (next[0] ^ letters[0]) & 0xDF == 0, (next[1] ^ letters[1]) & 0xDF == 0,
        (next[2] ^ letters[2]) & 0xDF == 0
      {
        next += 3
        return index
      }
    }
    return nil
  }

  package mutating func weekday() -> Int? {
    abbreviation(in: DateNames.shortWeekdays)
  }

  /// Consumes a month abbreviation and returns its index, 0 for January.
  package mutating func month() -> Int? {
    abbreviation(in: DateNames.shortMonths)
  }

  /// Consumes a full English name, ignoring case, and returns its index.
  package mutating func name(in names: [String]) -> Int? {
    for (index, name) in names.enumerated() {
      let letters = name.utf8
      guard end - next >= letters.count else { continue }
      let matches = letters.enumerated().allSatisfy { offset, letter in
        (next[offset] ^ letter) & 0xDF == 0
      }
      if matches {
        next += letters.count
        return index
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends a number with exactly `count` digits, at most 9.
  package mutating func appendDigits(_ value: Int, _ count: Int) {
    withDateBuffer { $0.digits(value, count) }
  }

  /// Appends the output of `body`, at most 32 bytes, in one step. Checking the capacity for every byte made
  /// writing a date 2.6 × slower.
  package mutating func withDateBuffer(_ body: (inout DateBuffer) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
      guard let start = bytes.baseAddress else { return }
      var buffer = DateBuffer(next: start)
      body(&buffer)
      append(contentsOf: UnsafeBufferPointer(start: start, count: buffer.next - start))
    }
  }
}
