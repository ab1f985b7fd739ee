/// A minimal JSON writer for generated payloads and reports.
extension [UInt8] {
  mutating func appendText(_ text: some StringProtocol) {
    append(contentsOf: text.utf8)
  }

  /// Appends a quoted string with the escapes required by RFC 8259 §7; other Unicode and slashes are not escaped.
  mutating func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): appendText("\\\"")
      case UInt8(ascii: "\\"): appendText("\\\\")
      case UInt8(ascii: "\n"): appendText("\\n")
      case UInt8(ascii: "\t"): appendText("\\t")
      case 0..<0x20:
        appendText("\\u00")
        appendHex(UInt64(byte), digits: 2)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends `"key":`, preceded by a comma unless it is the first of its object.
  mutating func appendKey(_ key: StaticString) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    key.withUTF8Buffer { append(contentsOf: $0) }
    appendText("\":")
  }

  mutating func appendField(_ key: StaticString, string: String) {
    appendKey(key)
    appendJSONString(string)
  }

  mutating func appendField(_ key: StaticString, integer: Int) {
    appendKey(key)
    appendText("\(integer)")
  }

  mutating func appendField(_ key: StaticString, bool: Bool) {
    appendKey(key)
    appendText(bool ? "true" : "false")
  }

  mutating func appendNull(_ key: StaticString) {
    appendKey(key)
    appendText("null")
  }

  mutating func appendField(_ key: StaticString, scaled: Int, places: Int) {
    appendKey(key)
    appendScaled(scaled, places: places)
  }

  /// Appends `scaled` / 10^`places` without trailing zeros, but with at least one digit after the point.
  mutating func appendScaled(_ scaled: Int, places: Int) {
    if scaled < 0 { append(UInt8(ascii: "-")) }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    appendText("\(scaled.magnitude / UInt(scale)).")
    appendDigits(Int(scaled.magnitude % UInt(scale)), count: places)
    while last == UInt8(ascii: "0") && self[count - 2] != UInt8(ascii: ".") { removeLast() }
  }

  /// Appends at least `count` decimal digits, with leading zeros if necessary.
  mutating func appendDigits(_ value: Int, count: Int) {
    let digits = "\(value)"
    for _ in 0..<Swift.max(count - digits.utf8.count, 0) { append(UInt8(ascii: "0")) }
    appendText(digits)
  }

  /// Appends the low `digits` hexadecimal digits of `value`.
  mutating func appendHex(_ value: UInt64, digits: Int) {
    for position in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(position * 4)) & 15
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends a date such as `2018-05-18T14:53:37Z`, with `.123` if milliseconds are given.
  mutating func appendTimestamp(secondsSince1970 seconds: Int, milliseconds: Int?) {
    // Converts days to a proleptic Gregorian date, with years that begin in March (Hinnant, "chrono-Compatible
    // Low-Level Date Algorithms"). All generated dates are after 1970.
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    appendDigits(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), count: 4)
    append(UInt8(ascii: "-"))
    appendDigits(month, count: 2)
    append(UInt8(ascii: "-"))
    appendDigits(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, count: 2)
    append(UInt8(ascii: "T"))
    appendDigits(seconds / 3_600 % 24, count: 2)
    append(UInt8(ascii: ":"))
    appendDigits(seconds / 60 % 60, count: 2)
    append(UInt8(ascii: ":"))
    appendDigits(seconds % 60, count: 2)
    if let milliseconds {
      append(UInt8(ascii: "."))
      appendDigits(milliseconds, count: 3)
    }
    append(UInt8(ascii: "Z"))
  }
}
