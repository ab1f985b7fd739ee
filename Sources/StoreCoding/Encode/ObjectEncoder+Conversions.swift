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
    scratch.append(contentsOf: number)
    let minimum = field.stringFractionDigits ?? 0
    let hasFraction =
      field.scalar == .decimal || field.scalar == .double || field.scalar == .float
    if minimum > 0, hasFraction, !scratch.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      let point = scratch.firstIndex(of: UInt8(ascii: "."))
      if point == nil { scratch.append(UInt8(ascii: ".")) }
      let digits = point.map { scratch.count - $0 - 1 } ?? 0
      for _ in 0..<max(0, minimum - digits) { scratch.append(UInt8(ascii: "0")) }
    }
    scratch.withUnsafeBufferPointer { writer.string($0) }
  }

  func notFinite(_ word: UInt64, _ field: CodingField) -> StoreCodingError {
    StoreCodingError(
      .nonFiniteNumber, attribute: field.fullName, found: "\(Double(bitPattern: word))")
  }
}
