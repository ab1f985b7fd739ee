/// A JSON number without loss: an `Int64` if the number has neither fraction nor exponent and fits; otherwise a
/// `Double` if the shortest decimal form of that `Double` has the same value; otherwise the text of the number.
///
///     7 ▶ .int(7)    2.50 ▶ .double(2.5)    1.0 ▶ .double(1)    -0 ▶ .double(-0.0)
///     9007199254740993.0, 1e-400, 1e400, 12345678901234567890 ▶ .text
public enum ExactNumber {
  case int(Int64)
  case double(Double)
  /// Valid as long as the bytes that the number was read from.
  case text(UnsafeBufferPointer<UInt8>)

  /// The value of a number's text. Nil if the text is not one JSON number (RFC 8259 §6).
  public init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard JSONReader.isNumber(text) else { return nil }
    self = Self.integer(text).map { .int($0) } ?? Self.anyNumber(text)
  }

  /// The value of a number's text if the value is written as this text, otherwise the text; see
  /// ``JSONReader/writtenNumber()``. Nil if the text is not one JSON number.
  public init?(written text: UnsafeBufferPointer<UInt8>) {
    guard let number = ExactNumber(text) else { return nil }
    self = number
    if case .double(let value) = number, !Self.isDescription(text, of: value) { self = .text(text) }
  }

  /// The value of an integer of at most 18 characters. Nil for any other number and for `-0`.
  @inline(__always)
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count <= 18, let first = text.first else { return nil }
    let isNegative = first == Byte.minus
    var value: Int64 = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- Byte.zero
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    // Minus zero is not an integer.
    return isNegative ? (value == 0 ? nil : -value) : value
  }

  /// The number of significant digits. Nil unless the number is short, has no exponent and has a fraction that does not end
  /// in 0.
  @inline(__always)
  static func fractionDigitCount(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count <= 40, let last = text.last, last &- UInt8(ascii: "1") < 9 else { return nil }
    var count = 0
    var hasPoint = false
    for byte in text {
      let digit = byte &- Byte.zero
      if digit < 10 {
        if digit > 0 || count > 0 { count += 1 }
      } else if byte == Byte.point {
        hasPoint = true
      } else if byte != Byte.minus {
        return nil
      }
    }
    return hasPoint ? count : nil
  }

  /// True if this is the shortest form of a value, with a fraction or an exponent.
  fileprivate static func isDescription(
    _ text: UnsafeBufferPointer<UInt8>, of value: Double
  ) -> Bool {
    var description = "\(value)"
    return description.withUTF8 { $0.elementsEqual(text) }
  }

  /// The value of a valid number of any form.
  static func anyNumber(_ text: UnsafeBufferPointer<UInt8>) -> ExactNumber {
    // A terminated copy: the conversion of an exponent reads up to a byte that is not a digit.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { copy in
      let end = copy.initialize(fromContentsOf: text)
      copy.initializeElement(at: end, to: 0)
      let number = UnsafeBufferPointer(rebasing: copy[..<end])
      let string = String(decoding: number, as: UTF8.self)
      if let integer = Int64(string), string != "-0" { return .int(integer) }
      guard let start = number.baseAddress else { return .text(text) }
      let decimal = DecimalText(start, start + end)
      let value = decimal.double(.shared)
      guard value.isFinite else { return .text(text) }
      // Every decimal of at most 15 digits has the same value as the shortest form of the nearest Double.
      if decimal.significantCount <= 15, abs(decimal.pointPosition) < 300 { return .double(value) }
      var shortest = "\(value)"
      let digits = NumberDigits(number, limit: 17)
      let isExact = digits != nil && digits == shortest.withUTF8 { NumberDigits($0, limit: 17) }
      return isExact ? .double(value) : .text(text)
    }
  }
}

extension JSONReader {
  /// Consumes a number and returns its value if the value is written as this number; otherwise its text.
  ///
  /// A Double is written in its shortest form, with a fraction or an exponent.
  ///
  ///     7 ▶ .int(7)    2.5 ▶ .double(2.5)    1.0 ▶ .double(1)    1e-05 ▶ .double(1e-05)
  ///     2.50, 1e2, -0, 0.00001, 12345678901234567890 ▶ .text
  public mutating func writtenNumber() throws(JSONError) -> ExactNumber {
    skipSpace()
    let start = next
    let text = try numberText()
    if let integer = ExactNumber.integer(text) { return .int(integer) }
    // A common form, which is recognized without creating a string.
    if let digitCount = ExactNumber.fractionDigitCount(text) {
      // The shortest form of a Double has at most 17 digits.
      if digitCount > 17 { return .text(text) }
      next = start
      let value = try double()
      // A decimal of at most 15 digits has the digits of the shortest form of the nearest Double. From 0.001 on, that form
      // has no exponent either.
      if digitCount <= 15, value.magnitude >= 0.001 { return .double(value) }
      return JSONWriter.isText(text, of: value) ? .double(value) : .text(text)
    }
    return try otherNumber(text, from: start)
  }

  /// Returns a number that ``writtenNumber()`` does not recognize by its digits.
  @inline(never)
  private mutating func otherNumber(
    _ text: UnsafeBufferPointer<UInt8>, from start: UnsafePointer<UInt8>
  ) throws(JSONError) -> ExactNumber {
    if text.last == Byte.zero, let point = text.firstIndex(of: Byte.point),
      !text[point...].contains(where: { $0 | 0x20 == Byte.lowerE })
    {
      // Of the shortest forms, only those of whole numbers end in 0.
      guard point == text.count - 2 else { return .text(text) }
      let whole = ExactNumber.integer(UnsafeBufferPointer(rebasing: text[..<point]))
      if let whole, whole.magnitude < 1_000_000_000_000_000 { return .double(Double(whole)) }
    }
    // Zero, because minus zero is no integer.
    if let integer = Int64(String(decoding: text, as: UTF8.self)), integer != 0 {
      return .int(integer)
    }
    let end = next
    next = start
    if let value = try? double(), ExactNumber.isDescription(text, of: value) {
      return .double(value)
    }
    next = end
    return .text(text)
  }
}
