import Foundation
import JSONText

extension DateText {
  /// A date format given as a pattern, such as `yyyy-MM-dd HH:mm:ss`.
  ///
  /// The letters have the meaning of Unicode TS #35. Supported fields:
  ///
  ///     yyyy        year, four digits
  ///     yy          year, two digits: 69 to 99 for 1969 to 1999, 00 to 68 for 2000 to 2068, as in POSIX
  ///     MM M        month, two digits or as few as needed     MMM MMMM   in English, short or full
  ///     dd d        day                                       EEE EEEE   weekday, short or full
  ///     HH H        hour, 0 to 23
  ///     hh h, a     hour, 1 to 12, and AM or PM; only together
  ///     mm ss       minute, second
  ///     S SS SSS …  fraction of a second, that many digits (up to 9)
  ///     X XX XXX ZZZZZ   Z, +02, +0200 or +02:00              x xx xxx Z   the same without Z
  ///
  /// Text in single quotes and all characters that are not letters are literal; `''` is a quote. Dates are
  /// written in UTC or the given time zone, in which a pattern without a zone reads. When reading, a zone may have any of its forms,
  /// names are case-insensitive, and a weekday must match the date. A pattern without a time reads midnight, or the first
  /// time of the day if clocks skip midnight.
  struct Pattern: Sendable {
    private enum Field: UInt8, Sendable {
      case year, month, day, hour, minute, second, fraction, weekday, zone, hour12, period

      /// The fields of a time of day.
      static let times: Set<Field> = [.hour, .minute, .second, .fraction, .hour12, .period]
    }

    private enum Piece: Sendable {
      /// A field, its letter and the number of repetitions.
      case field(Field, letter: UInt8, count: Int)
      case literal(UInt8)

      /// True for a number of one or two digits.
      var hasOpenEnd: Bool {
        guard case .field(let field, _, 1) = self else { return false }
        return field == .month || field == .day || field == .hour || field == .hour12
      }

      var beginsWithDigit: Bool {
        switch self {
        case .field(.month, _, let count): count < 3
        case .field(.weekday, _, _), .field(.zone, _, _), .field(.period, _, _): false
        case .field: true
        case .literal(let byte): byte >= 0x30 && byte <= 0x39
        }
      }

      var fractionDigits: Int? {
        if case .field(.fraction, _, let count) = self { count } else { nil }
      }
    }

    private let pieces: [Piece]
    /// The number of decimal places of a second that are written. 6 without a fraction field: the date is then
    /// rounded to the microsecond and truncated to whole seconds.
    private let fractionDigits: Int
    /// The time zone of dates without one; nil for UTC.
    private let timeZone: TimeZone?
    /// True if the pattern has a time of day.
    private let hasTime: Bool
    /// True if the year has two digits.
    private let isShortYear: Bool

    /// Parses a pattern. Returns nil for an unsupported letter or length, a repeated field, an unclosed quote,
    /// a pattern without a year, an hour up to 12 without AM or PM or the reverse, and for a zone in addition to
    /// `timeZone`. Also returns nil for a pattern whose output would not read back: one with a
    /// zone, or with a time in `timeZone`, but without all the fields from month to minute, or with a number of one or
    /// two digits directly before another digit.
    init?(_ pattern: String, in timeZone: TimeZone? = nil) {
      let bytes = Array(pattern.utf8)
      var pieces: [Piece] = []
      var seen: Set<UInt8> = []
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte == 0x27 {
          guard let after = Self.appendQuoted(bytes, from: index, to: &pieces) else { return nil }
          index = after
          continue
        }
        let letter = byte & 0xDF
        guard letter >= 0x41, letter <= 0x5A, byte < 0x80 else {
          pieces.append(.literal(byte))
          index += 1
          continue
        }
        var count = 1
        while index + count < bytes.count, bytes[index + count] == byte { count += 1 }
        guard let field = Self.field(byte, count), seen.insert(field.rawValue).inserted else {
          return nil
        }
        if field == .hour12, !seen.insert(Field.hour.rawValue).inserted { return nil }
        pieces.append(.field(field, letter: byte, count: count))
        index += count
      }
      guard seen.contains(Field.year.rawValue),
        seen.contains(Field.hour12.rawValue) == seen.contains(Field.period.rawValue)
      else { return nil }
      if timeZone != nil, seen.contains(Field.zone.rawValue) { return nil }
      let shifted: [Field] = [.month, .day, .hour, .minute]
      let hasTime = !seen.isDisjoint(with: Field.times.map(\.rawValue))
      let isShifted = seen.contains(Field.zone.rawValue) || timeZone != nil && hasTime
      if isShifted, !shifted.allSatisfy({ seen.contains($0.rawValue) }) {
        return nil
      }
      for (piece, next) in zip(pieces, pieces.dropFirst())
      where piece.hasOpenEnd && next.beginsWithDigit { return nil }
      self.pieces = pieces
      self.timeZone = timeZone
      self.hasTime = hasTime
      isShortYear = pieces.contains { if case .field(.year, _, 2) = $0 { true } else { false } }
      fractionDigits = pieces.lazy.compactMap(\.fractionDigits).first ?? 6
    }

    /// Appends the quoted text that begins at `start` and returns the index after it; nil if the quote is not
    /// closed.
    private static func appendQuoted(
      _ bytes: [UInt8], from start: Int, to pieces: inout [Piece]
    ) -> Int? {
      var index = start + 1
      if index < bytes.count, bytes[index] == 0x27 {
        pieces.append(.literal(0x27))
        return index + 1
      }
      while index < bytes.count {
        if bytes[index] == 0x27 {
          index += 1
          // A doubled quote within quoted text is one literal quote.
          guard index < bytes.count, bytes[index] == 0x27 else { return index }
        }
        pieces.append(.literal(bytes[index]))
        index += 1
      }
      return nil
    }

    /// The reason why a pattern is not supported; nil if none of the usual ones applies.
    static func mistake(in pattern: String, hasTimeZone: Bool) -> String? {
      var unknown: [String] = []
      var fields: Set<Field> = []
      var isQuoted = false
      var rest = Array(pattern.utf8)[...]
      while let byte = rest.first {
        let letters = rest.prefix { $0 == byte }
        rest = rest.dropFirst(letters.count)
        if byte == 0x27 {
          if letters.count % 2 == 1 { isQuoted.toggle() }
        } else if !isQuoted, byte < 0x80, (0x41...0x5A).contains(byte & 0xDF) {
          if let field = field(byte, letters.count) {
            fields.insert(field)
          } else {
            unknown.append(String(decoding: letters, as: UTF8.self))
          }
        }
      }
      if !unknown.isEmpty {
        return "unsupported: \(unknown.map { "'\($0)'" }.joined(separator: ", "))"
      }
      if !fields.contains(.year) { return "it has no year" }
      if fields.contains(.hour12) != fields.contains(.period) {
        return "'h' and 'a' are supported only together"
      }
      if hasTimeZone, fields.contains(.zone) { return "it already contains a time zone" }
      if hasTimeZone && !fields.isDisjoint(with: Field.times) || fields.contains(.zone),
        !fields.isSuperset(of: [.month, .day, .minute])
          || fields.isDisjoint(with: [.hour, .hour12])
      {
        return "a time zone requires month, day, hour and minute"
      }
      return nil
    }

    private static func field(_ letter: UInt8, _ count: Int) -> Field? {
      switch (letter, count) {
      case (0x79, 2), (0x79, 4): .year  // y
      case (0x61, 1): .period  // a
      case (0x68, 1...2): .hour12  // h
      case (0x4D, 1...4): .month  // M
      case (0x64, 1...2): .day  // d
      case (0x48, 1...2): .hour  // H
      case (0x6D, 2): .minute  // m
      case (0x73, 2): .second  // s
      case (0x53, 1...9): .fraction  // S
      case (0x45, 1...4): .weekday  // E
      case (0x58, 1...3), (0x78, 1...3): .zone  // X, x
      case (0x5A, 1...3), (0x5A, 5): .zone  // Z
      default: nil
      }
    }

    /// Parses a date; nil if the string does not match or the date does not exist.
    func parse(_ start: UnsafePointer<UInt8>, _ count: Int) -> Moment? {
      var scanner = DateScanner(start, count)
      var time = CivilTime()
      var weekday: Int?
      var isAfternoon: Bool?
      for piece in pieces {
        switch piece {
        case .literal(let byte):
          guard scanner.consume(byte) else { return nil }
        case .field(.weekday, _, let count):
          weekday = count < 4 ? scanner.weekday() : scanner.name(in: DateNames.weekdays)
          guard weekday != nil else { return nil }
        case .field(.period, _, _):
          isAfternoon = scanner.consume("AM") ? false : scanner.consume("PM") ? true : nil
          guard isAfternoon != nil else { return nil }
        case .field(let field, _, let count):
          guard let value = Self.read(field, count, &scanner) else { return nil }
          Self.set(field, value, in: &time)
        }
      }
      if let isAfternoon {
        guard (1...12).contains(time.hour) else { return nil }
        time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
      }
      guard scanner.isAtEnd, time.isValid else { return nil }
      if let weekday, weekday != time.weekday { return nil }
      return timeZone.map { utc(time, in: $0) } ?? time.moment
    }

    /// The moment of a local time. Of two such moments, the first; nil for a time that clocks skip. A day begins when the
    /// clocks are set if they skip midnight.
    private func utc(_ time: CivilTime, in timeZone: TimeZone) -> Moment? {
      guard let local = time.moment else { return nil }
      func offset(at seconds: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      }
      let day = CivilTime.secondsPerDay
      let (before, after) = (offset(at: local.seconds - day), offset(at: local.seconds + day))
      if let first = [before, after].filter({ offset(at: local.seconds - $0) == $0 }).max() {
        return Moment(seconds: local.seconds - first, nanosecond: local.nanosecond)
      }
      // The day begins later than at midnight, unless the clocks skip it.
      let seconds = local.seconds - before
      guard !hasTime, seconds + offset(at: seconds) < local.seconds + day else { return nil }
      return Moment(seconds: seconds, nanosecond: local.nanosecond)
    }

    private static func read(_ field: Field, _ count: Int, _ scanner: inout DateScanner) -> Int? {
      switch field {
      case .month where count >= 3:
        let month = count == 3 ? scanner.month() : scanner.name(in: DateNames.months)
        return month.map { $0 + 1 }
      case .month, .day, .hour, .hour12:
        return scanner.digits(2) ?? (count == 1 ? scanner.digits(1) : nil)
      case .fraction:
        guard var nanoseconds = scanner.digits(count) else { return nil }
        for _ in count..<9 { nanoseconds *= 10 }
        return nanoseconds
      case .zone:
        return scanner.zone()
      case .year where count == 2:
        return scanner.digits(2).map { $0 + ($0 < 69 ? 2000 : 1900) }
      case .year, .minute, .second, .weekday, .period:
        return scanner.digits(count)
      }
    }

    private static func set(_ field: Field, _ value: Int, in time: inout CivilTime) {
      switch field {
      case .year: time.year = value
      case .month: time.month = value
      case .day: time.day = value
      case .hour, .hour12: time.hour = value
      case .minute: time.minute = value
      case .second: time.second = value
      case .fraction: time.nanosecond = value
      case .zone: time.offsetSeconds = value
      case .weekday, .period: break
      }
    }

    /// The fields of a stored date in the time zone; nil outside of the years that the pattern can represent.
    private func time(_ stored: Double) -> CivilTime? {
      guard var moment = Moment(stored: stored, places: fractionDigits) else { return nil }
      if let timeZone {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: stored))
        moment = Moment(seconds: moment.seconds + offset, nanosecond: moment.nanosecond)
      }
      guard let time = CivilTime(moment) else { return nil }
      return isShortYear && !(1969...2068).contains(time.year) ? nil : time
    }

    /// True if the date can be written.
    func canWrite(_ stored: Double) -> Bool { time(stored) != nil }

    /// Appends the date. A fraction is rounded to the digits of the pattern; without a fraction field,
    /// it is truncated.
    ///
    /// - Returns: False outside of the years that the pattern can represent; then nothing is appended.
    @discardableResult
    func write(_ stored: Double, into text: inout [UInt8]) -> Bool {
      guard let time = time(stored) else { return false }
      for piece in pieces {
        switch piece {
        case .literal(let byte): text.append(byte)
        case .field(let field, let letter, let count):
          Self.write(field, letter, count, time, into: &text)
        }
      }
      return true
    }

    private static func write(
      _ field: Field, _ letter: UInt8, _ count: Int, _ time: CivilTime, into text: inout [UInt8]
    ) {
      func append(_ value: Int) {
        text.appendDigits(value, count == 1 && value > 9 ? 2 : count)
      }
      func append(_ name: String) {
        text.append(contentsOf: count < 4 ? name.utf8.prefix(3) : name.utf8[...])
      }
      switch field {
      case .year: append(count == 2 ? time.year % 100 : time.year)
      case .month where count >= 3: append(DateNames.months[time.month - 1])
      case .month: append(time.month)
      case .day: append(time.day)
      case .hour: append(time.hour)
      case .hour12: append((time.hour + 11) % 12 + 1)
      case .period: text.append(contentsOf: (time.hour < 12 ? "AM" : "PM").utf8)
      case .minute: append(time.minute)
      case .second: append(time.second)
      case .weekday: append(DateNames.weekdays[time.weekday])
      case .fraction:
        var fraction = time.nanosecond
        for _ in count..<9 { fraction /= 10 }
        append(fraction)
      case .zone:
        switch (letter, count) {
        case (0x58, _), (0x5A, 5): text.append(0x5A)
        case (0x78, 1): text.append(contentsOf: "+00".utf8)
        case (0x78, 3): text.append(contentsOf: "+00:00".utf8)
        default: text.append(contentsOf: "+0000".utf8)
        }
      }
    }
  }
}
