import JSONText
import ObjectStore

// Values of attributes with the options `coding` and `asString`.

extension ObjectEncoder {
  /// Writes a value, given as bits or bytes, that the attribute converts to other JSON.
  @inline(never)
  mutating func converted(
    word: UInt64 = 0, bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    _ field: CodingField
  ) throws {
    guard let coding = field.coding else {
      if field.scalar == .decimal { return quoted(bytes, field) }
      var text = JSONWriter(capacity: 32)
      guard Self.write(number: word, field, to: &text) else { throw notFinite(word, field) }
      text.withBytes { quoted(UnsafeRawBufferPointer($0), field) }
      return
    }
    let converted: JSONValue
    do {
      converted = try evaluating { try coding.write(word, bytes) }
    } catch {
      throw StoreCodingError(
        .notJSON, attribute: field.fullName, expected: "a value that \(coding.name) can encode",
        found: MessageText.clipped(
          (error as? EncodingError)?.reason ?? "\(error)", characterCount: 160, byteCount: 160))
    }
    if converted == .null ? !field.acceptsNull || field.isOptional : field.readsAsNil(converted) {
      throw StoreCodingError(
        .notJSON, attribute: field.fullName,
        expected: "JSON from \(coding.name) that is not read as nil", found: "\(converted)")
    }
    try json(converted, field)
  }

  /// Writes the text of a number as a string, with the minimum number of fraction digits.
  private mutating func quoted(_ number: UnsafeRawBufferPointer, _ field: CodingField) {
    scratch.removeAll(keepingCapacity: true)
    let minimum = field.stringFractionDigits ?? 0
    scratch.append(contentsOf: number)
    if let plain = Self.withoutExponent(scratch, always: minimum > 0) { scratch = plain }
    let hasFraction =
      field.scalar == .decimal || field.scalar == .double || field.scalar == .float
    if minimum > 0, hasFraction {
      let point = scratch.firstIndex(of: UInt8(ascii: "."))
      if point == nil { scratch.append(UInt8(ascii: ".")) }
      let digits = point.map { scratch.count - $0 - 1 } ?? 0
      for _ in 0..<max(0, minimum - digits) { scratch.append(UInt8(ascii: "0")) }
    }
    scratch.withUnsafeBufferPointer { writer.string($0) }
  }

  /// Returns a number with an exponent in plain notation; nil for one without exponent. As in JavaScript, numbers below
  /// 10⁻⁶ and from 10²¹ on keep their exponents, unless `always` is true.
  private static func withoutExponent(_ number: [UInt8], always: Bool) -> [UInt8]? {
    guard let mark = number.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(String(decoding: number[(mark + 1)...], as: UTF8.self))
    else { return nil }
    let isNegative = number[0] == UInt8(ascii: "-")
    let mantissa = number[(isNegative ? 1 : 0)..<mark]
    let point = UInt8(ascii: ".")
    let digits = mantissa.filter { $0 != point }
    // The number of digits before the point.
    let whole = (mantissa.firstIndex(of: point) ?? mark) - mantissa.startIndex + exponent
    guard always || (-5...21).contains(whole) else { return nil }
    let zero = UInt8(ascii: "0")
    func zeros(_ count: Int) -> [UInt8] { Array(repeating: zero, count: max(0, count)) }
    var plain = isNegative ? [UInt8(ascii: "-")] : []
    plain += whole > 0 ? digits.prefix(whole) + zeros(whole - digits.count) : [zero]
    let fraction = whole > 0 ? Array(digits.dropFirst(whole)) : zeros(-whole) + digits
    if !fraction.isEmpty { plain += [point] + fraction }
    return plain
  }

  func notFinite(_ word: UInt64, _ field: CodingField) -> StoreCodingError {
    StoreCodingError(
      .nonFiniteNumber, attribute: field.fullName, found: "\(Double(bitPattern: word))")
  }
}
