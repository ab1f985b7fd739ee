/// A year, month, day, hour or minute of the Gregorian calendar.
struct TimePeriod: Comparable, Hashable {
  /// The year, then month, day, hour and minute as far as the period has them.
  private(set) var fields: [Int]

  /// The minute, or the day, at the beginning of a string such as `2024-03-01T14:53:37Z`; nil if there is none. The time zone
  /// is ignored.
  init?(startOf text: String) {
    let bytes = Array(text.utf8.prefix(17))
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      return bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), 1...12 ~= month,
      1...Self.dayCount(year, month) ~= day
    else { return nil }
    fields = [year, month, day]
    if bytes.count == 10 { return }
    guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
    guard let hour = number(11..<13), let minute = number(14..<16), hour < 24, minute < 60,
      bytes[13] == UInt8(ascii: ":")
    else { return nil }
    fields += [hour, minute]
  }

  private init(_ fields: [Int]) {
    self.fields = fields
  }

  static func < (a: Self, b: Self) -> Bool { a.fields.lexicographicallyPrecedes(b.fields) }

  /// Returns the longer period with this number of fields.
  func prefix(_ fieldCount: Int) -> Self { Self(Array(fields.prefix(fieldCount))) }

  /// The period that follows.
  var next: Self {
    var fields = fields
    var index = fields.count - 1
    while true {
      fields[index] += 1
      let isOver =
        switch index {
        case 1: fields[1] > 12
        case 2: fields[2] > Self.dayCount(fields[0], fields[1])
        case 3: fields[3] > 23
        case 4: fields[4] > 59
        default: false
        }
      if !isOver { return Self(fields) }
      fields[index] = index < 3 ? 1 : 0
      index -= 1
    }
  }

  private static func dayCount(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// `2024`, `2024-03`, `2024-03-01`, `2024-03-01 14 h` or `2024-03-01 14:53`
  var text: String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    let day = fields.prefix(3).enumerated().map { padded($1, $0 == 0 ? 4 : 2) }
      .joined(separator: "-")
    switch fields.count {
    case 4: return "\(day) \(padded(fields[3], 2)) h"
    case 5: return "\(day) \(padded(fields[3], 2)):\(padded(fields[4], 2))"
    default: return day
    }
  }
}
