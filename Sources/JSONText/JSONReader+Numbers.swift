extension JSONReader {
  // MARK: - Integers

  /// Consumes a number that is exactly an integer, such as `1`, `1.0` or `1e3`.
  ///
  /// The decimal digits are evaluated without conversion to `Double`, so `9007199254740993.0` is exact.
  ///
  /// - Throws: A syntax error; or `notIntegral`, `outOfRange` or `notThatType`, with the reader at the start of the
  ///   value.
  public mutating func int64() throws(JSONError) -> Int64 {
    skipSpace()
    let isNegative = next.pointee == Byte.minus
    let digits = isNegative ? next + 1 : next
    var stop = digits
    var value: UInt64 = 0
    var digit = stop.pointee &- Byte.zero
    while digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      stop += 1
      digit = stop.pointee &- Byte.zero
    }
    let count = stop - digits
    let follower = stop.pointee | 0x20
    // 18 digits cannot overflow; `.` | 0x20 is `.`.
    guard count > 0, count <= 18, count == 1 || digits.pointee != Byte.zero,
      follower != Byte.lowerE, follower != Byte.point
    else {
      return try slowInt64()
    }
    next = stop
    let signed = Int64(truncatingIfNeeded: value)
    return isNegative ? 0 &- signed : signed
  }

  /// Consumes a number that is exactly a nonnegative integer; see ``int64()``.
  public mutating func uint64() throws(JSONError) -> UInt64 {
    skipSpace()
    let start = next
    let (isNegative, magnitude) = try exactInteger()
    if isNegative, magnitude > 0 {
      next = start
      throw JSONError(.outOfRange, at: byteOffset)
    }
    return magnitude
  }

  @inline(never)
  private mutating func slowInt64() throws(JSONError) -> Int64 {
    let start = next
    let (isNegative, magnitude) = try exactInteger()
    if !isNegative, let value = Int64(exactly: magnitude) { return value }
    if isNegative, magnitude <= Int64.min.magnitude {
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    next = start
    throw JSONError(.outOfRange, at: byteOffset)
  }

  /// Consumes an integer in any notation and returns its sign and magnitude.
  @inline(never)
  private mutating func exactInteger() throws(JSONError) -> (Bool, UInt64) {
    let start = next
    try number()
    let text = DecimalText(start, next)
    let kind: JSONError.Kind
    switch text.integer() {
    case .value(let magnitude): return (text.isNegative, magnitude)
    case .notIntegral: kind = .notIntegral
    case .outOfRange: kind = .outOfRange
    }
    next = start
    throw JSONError(kind, at: byteOffset)
  }

  // MARK: - Floating point

  /// Consumes a number and returns the nearest `Double`, ties to even.
  ///
  /// Underflow results in 0.0, and `-0` keeps its sign.
  ///
  /// - Throws: A syntax error; or `outOfRange` or `notThatType`, with the reader at the start of the value.
  public mutating func double() throws(JSONError) -> Double {
    skipSpace()
    let isNegative = next.pointee == Byte.minus
    let digits = isNegative ? next + 1 : next
    var stop = digits
    var mantissa: UInt64 = 0
    var digit = stop.pointee &- Byte.zero
    while digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      stop += 1
      digit = stop.pointee &- Byte.zero
    }
    var count = stop - digits
    if count == 0 || (count > 1 && digits.pointee == Byte.zero) { throw numberError() }
    var exponent = 0
    if stop.pointee == Byte.point {
      stop += 1
      let fraction = stop
      digit = stop.pointee &- Byte.zero
      while digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        stop += 1
        digit = stop.pointee &- Byte.zero
      }
      exponent = fraction - stop
      if exponent == 0 { throw numberError() }
      count -= exponent
    }
    if stop.pointee | 0x20 == Byte.lowerE {
      guard let (value, after) = scanExponent(stop) else { throw numberError() }
      exponent += value
      stop = after
    }
    // Clinger's fast path: both operands are exact, so there is only one rounding. 19 digits cannot overflow.
    if count <= 19, mantissa >> 53 == 0, exponent >= -22, exponent <= 22 {
      next = stop
      let magnitude =
        exponent < 0
        ? Double(mantissa) / powers.exactDouble(-exponent)
        : Double(mantissa) * powers.exactDouble(exponent)
      return isNegative ? -magnitude : magnitude
    }
    return try slowDouble(stop, isNegative, mantissa, exponent, count)
  }

  /// Converts a number that the fast path cannot; `mantissa` is exact up to 19 digits.
  @inline(never)
  private mutating func slowDouble(
    _ stop: UnsafePointer<UInt8>, _ isNegative: Bool, _ mantissa: UInt64, _ exponent: Int,
    _ count: Int
  ) throws(JSONError) -> Double {
    let value: Double
    if count <= 19, mantissa > 0 {
      let magnitude = eiselLemire(mantissa, exponent, powers)
      value = isNegative ? -magnitude : magnitude
    } else {
      value = DecimalText(next, stop).double(powers)
    }
    guard value.isFinite else { throw JSONError(.outOfRange, at: byteOffset) }
    next = stop
    return value
  }

  /// Consumes a number and returns the nearest `Float`, rounded once.
  ///
  /// - Throws: A syntax error; or `outOfRange` or `notThatType`, with the reader at the start of the value.
  public mutating func float() throws(JSONError) -> Float {
    skipSpace()
    let start = next
    try number()
    let value = DecimalText(start, next).float(powers)
    guard value.isFinite else {
      next = start
      throw JSONError(.outOfRange, at: byteOffset)
    }
    return value
  }

  /// Consumes a number and returns its text in the input.
  public mutating func numberText() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    skipSpace()
    let start = next
    try number()
    return UnsafeBufferPointer(start: start, count: next - start)
  }

  // MARK: - Grammar

  /// Returns true if all of `text` is one number (RFC 8259 §6).
  public static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    func digits() -> Int {
      let first = index
      while index < text.count, text[index] &- Byte.zero < 10 { index += 1 }
      return index - first
    }
    if text.first == Byte.minus { index = 1 }
    let isZero = index < text.count && text[index] == Byte.zero
    let count = digits()
    guard count == 1 || count > 1 && !isZero else { return false }
    if index < text.count, text[index] == Byte.point {
      index += 1
      guard digits() > 0 else { return false }
    }
    if index < text.count, text[index] | 0x20 == Byte.lowerE {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == Byte.minus {
        index += 1
      }
      guard digits() > 0 else { return false }
    }
    return index == text.count
  }

  /// Validates and skips a number (RFC 8259 §6).
  @inline(__always)
  mutating func skipNumber() throws(JSONError) {
    var stop = next.pointee == Byte.minus ? next + 1 : next
    let digits = stop
    while stop.pointee &- Byte.zero < 10 { stop += 1 }
    if stop == digits || (stop - digits > 1 && digits.pointee == Byte.zero) {
      throw numberError()
    }
    if stop.pointee == Byte.point {
      stop += 1
      let fraction = stop
      while stop.pointee &- Byte.zero < 10 { stop += 1 }
      if stop == fraction { throw numberError() }
    }
    if stop.pointee | 0x20 == Byte.lowerE {
      stop += 1
      if stop.pointee == Byte.minus || stop.pointee == 0x2B { stop += 1 }
      let exponent = stop
      while stop.pointee &- Byte.zero < 10 { stop += 1 }
      if stop == exponent { throw numberError() }
    }
    next = stop
  }

  @inline(never)
  private mutating func number() throws(JSONError) {
    try skipNumber()
  }

  /// The error for an invalid number at `next`, or for text that is not a number.
  @inline(never)
  func numberError() -> JSONError {
    guard kindOfNext == .number else { return mismatch() }
    var stop = next.pointee == Byte.minus ? next + 1 : next
    // Leading zeros are invalid; the error is at the digit after the zero.
    if stop.pointee == Byte.zero {
      stop += 1
      if stop.pointee &- Byte.zero < 10 { return syntaxError(.invalidNumber, at: stop) }
    }
    while stop.pointee &- Byte.zero < 10 { stop += 1 }
    if stop.pointee == Byte.point, stop[-1] &- Byte.zero < 10 {
      stop += 1
      if stop.pointee &- Byte.zero >= 10 { return syntaxError(.invalidNumber, at: stop) }
      while stop.pointee &- Byte.zero < 10 { stop += 1 }
    }
    if stop.pointee | 0x20 == Byte.lowerE, stop[-1] &- Byte.zero < 10 {
      stop += 1
      if stop.pointee == Byte.minus || stop.pointee == 0x2B { stop += 1 }
    }
    return syntaxError(.invalidNumber, at: stop)
  }
}

/// Parses the exponent that begins with the `e` at `start`; returns its value and end, or nil if it has no
/// digits.
///
/// The value saturates where the digits of a number in memory can no longer compensate for it.
@inline(__always)
func scanExponent(_ start: UnsafePointer<UInt8>) -> (Int, UnsafePointer<UInt8>)? {
  var stop = start + 1
  let isNegative = stop.pointee == Byte.minus
  if isNegative || stop.pointee == 0x2B { stop += 1 }
  let digits = stop
  var value = 0
  var digit = stop.pointee &- Byte.zero
  while digit < 10 {
    if value < 1_000_000_000_000_000 { value = value &* 10 &+ Int(digit) }
    stop += 1
    digit = stop.pointee &- Byte.zero
  }
  if stop == digits { return nil }
  return (isNegative ? -value : value, stop)
}
