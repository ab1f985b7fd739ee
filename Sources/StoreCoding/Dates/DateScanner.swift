/// Goes through a date text piece by piece; what does not fit leaves it where it was.
struct DateScanner {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    next = start
    end = start + count
  }

  var isAtEnd: Bool { next == end }

  func isNext(_ byte: UInt8) -> Bool {
    next < end && next.pointee == byte
  }

  /// Passes `byte` if it is next.
  @inline(__always)
  mutating func consume(_ byte: UInt8) -> Bool {
    guard isNext(byte) else { return false }
    next += 1
    return true
  }

  /// Passes `text`, in letters of either case, if it is next.
  mutating func consume(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - next >= count else { return false }
    for index in 0..<count where next[index] & 0xDF != text.utf8Start[index] & 0xDF { return false }
    next += count
    return true
  }

  /// Passes exactly `count` digits.
  @inline(__always)
  mutating func digits(_ count: Int) -> Int? {
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

  /// Passes `14:53:37`.
  @inline(__always)
  mutating func timeOfDay(_ time: inout CivilTime) -> Bool {
    guard let hour = digits(2), consume(0x3A), let minute = digits(2), consume(0x3A),
      let second = digits(2)
    else { return false }
    time.hour = hour
    time.minute = minute
    time.second = second
    return true
  }

  /// Passes one or more digits behind a decimal point and returns them as microseconds, rounded.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while next < end, next.pointee &- 0x30 < 10 {
      let digit = Int(next.pointee &- 0x30)
      if count < 6 {
        value = value * 10 + digit
      } else if count == 6, digit >= 5 {
        value += 1
      }
      count += 1
      next += 1
    }
    if count == 0 { return nil }
    while count < 6 {
      value *= 10
      count += 1
    }
    return value
  }

  /// Passes `Z`, `±hh:mm`, `±hhmm` or `±hh` and returns how far it is ahead of UTC, in seconds.
  mutating func zone() -> Int? {
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

  /// Passes an English name, in letters of either case, and returns its index.
  mutating func name(in names: [String], abbreviated: Bool) -> Int? {
    for (index, name) in names.enumerated() {
      let letters = abbreviated ? name.utf8.prefix(3) : name.utf8[...]
      guard end - next >= letters.count else { continue }
      var matches = true
      for (offset, letter) in letters.enumerated()
      where next[offset] & 0xDF != letter & 0xDF || next[offset] < 0x41 {
        matches = false
        break
      }
      if matches {
        next += letters.count
        return index
      }
    }
    return nil
  }
}

/// English names, of which formats use the first three letters or all.
enum DateNames {
  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension [UInt8] {
  /// Appends a number with exactly `count` digits.
  mutating func appendDigits(_ value: Int, _ count: Int) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  mutating func appendDate(_ time: CivilTime) {
    appendDigits(time.year, 4)
    append(0x2D)
    appendDigits(time.month, 2)
    append(0x2D)
    appendDigits(time.day, 2)
  }

  mutating func appendTimeOfDay(_ time: CivilTime) {
    appendDigits(time.hour, 2)
    append(0x3A)
    appendDigits(time.minute, 2)
    append(0x3A)
    appendDigits(time.second, 2)
  }
}
