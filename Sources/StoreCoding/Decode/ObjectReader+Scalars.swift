import Foundation
import JSONText
import ObjectStore

// The conversion of single values from JSON tokens to the bits or bytes of a cell.

extension ObjectReader {
  /// Reads one value of the field's type.
  @inline(__always)
  mutating func scalar(_ field: CodingField, isElement: Bool) throws -> BatchCell {
    do {
      if field.isPlain {
        switch field.scalar {
        case .int, .int64: return .word(UInt64(bitPattern: try reader.int64()))
        case .string: return try text(try reader.string())
        case .double: return .word(try reader.double().bitPattern)
        case .bool: return .word(try reader.bool() ? 1 : 0)
        default: break
        }
      }
      return try otherScalar(field, isElement: isElement)
    } catch let jsonError as JSONError {
      throw self.valueError(jsonError, field, isElement: isElement)
    }
  }

  @inline(never)
  private mutating func otherScalar(_ field: CodingField, isElement: Bool) throws -> BatchCell {
    if let raw = field.raw { return try rawJSON(raw) }
    if let coding = field.coding { return try converted(field, coding) }
    let start = reader.byteOffset
    do {
      let cell = field.isFlexible ? try flexible(field) : try plain(field, field.scalar)
      guard let cases = field.cases else { return cell }
      let isCase =
        field.scalar == .string ? cases.contains(text: cell.bytes) : cases.contains(word: cell.bits)
      if isCase { return cell }
    } catch let error as JSONError where error.kind == .outOfRange && field.unknown != nil {
      // A number out of range of the enum's raw type is an unknown case.
    }
    if let unknown = field.unknown {
      reader.rewind(to: start, depth: reader.depth)
      if field.isKey { throw keyError(field, mismatch(field, isElement: isElement)) }
      issues.append(mismatch(field, isElement: isElement))
      try skip()
      return field.scalar == .string
        ? unknown.text.withUnsafeBytes { batch.text(copying: $0) } : .word(unknown.word)
    }
    reader.rewind(to: start, depth: reader.depth)
    throw mismatch(field, isElement: isElement)
  }

  /// Reads a value from the JSON type that corresponds to its kind.
  private mutating func plain(_ field: CodingField, _ kind: ScalarKind) throws -> BatchCell {
    switch kind {
    case .bool:
      return .word(try reader.bool() ? 1 : 0)
    case .double:
      return .word(try reader.double().bitPattern)
    case .float:
      return .word(Double(try reader.float()).bitPattern)
    case .string:
      return try text(try reader.string())
    case .date:
      return try date(field)
    case .decimal:
      return try decimal()
    case .data:
      return try data(field)
    case .uuid:
      return try uuid()
    case .url:
      return try url()
    case .json:
      guard let coded = field.coded else { return try anyJSON(field) }
      return try codedJSON(field, coded)
    default:
      let start = reader.byteOffset
      if let range = kind.signedRange {
        let value = try reader.int64()
        guard range.contains(value) else { throw JSONError(.outOfRange, at: start) }
        return .word(UInt64(bitPattern: value))
      }
      let value = try reader.uint64()
      guard value <= kind.unsignedMaximum ?? .max else { throw JSONError(.outOfRange, at: start) }
      return .word(value)
    }
  }

  // MARK: - Strings

  /// The string as a cell: in place in the payload, or copied if it was unescaped.
  @inline(__always)
  mutating func text(_ string: JSONString) throws(JSONError) -> BatchCell {
    guard string.count < BatchExport.sizeLimit else {
      let quoted = string.isInPlace ? string.count + 2 : 0
      throw JSONError(.outOfRange, at: reader.byteOffset - quoted)
    }
    return bytes(string)
  }

  @inline(__always)
  func bytes(_ string: JSONString) -> BatchCell {
    string.isInPlace
      ? .text(UnsafeRawPointer(string.start), string.count)
      : batch.text(copying: UnsafeRawBufferPointer(string.bytes))
  }

  private mutating func uuid() throws -> BatchCell {
    let start = reader.byteOffset
    guard var bytes = UUIDText.parse(try reader.string().bytes) else {
      throw JSONError(.notThatType, at: start)
    }
    return withUnsafeBytes(of: &bytes) { batch.text(copying: $0) }
  }

  private mutating func url() throws -> BatchCell {
    let start = reader.byteOffset
    let string = try reader.string()
    guard PlainURL.matches(string.bytes) || string.count > 0 && URL(string: string.string) != nil
    else { throw JSONError(.notThatType, at: start) }
    return try text(string)
  }

  private mutating func data(_ field: CodingField) throws -> BatchCell {
    let start = reader.byteOffset
    let string = try reader.string()
    return try withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: (string.count + 3) / 4 * 3 + 1
    ) { out in
      let count = out.baseAddress.flatMap {
        field.base64 == nil
          ? Base64Text.parse(string.bytes, into: $0)
          : Base64Text.parse(anyForm: string.bytes, into: $0)
      }
      guard let count else { throw JSONError(.notThatType, at: start) }
      guard count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
      return batch.text(
        copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(out)[..<count]))
    }
  }

  // MARK: - Numbers and dates

  /// Reads a Decimal exactly from its digits. Converting to Double first would lose digits.
  private mutating func decimal() throws -> BatchCell {
    let start = reader.byteOffset
    let token = try reader.numberText()
    if let count = PlainDecimal.canonicalCount(token) {
      return batch.text(
        copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(token)[..<count]))
    }
    // Foundation rounds, so the result is compared with the significant digits.
    guard let digits = NumberDigits(token, limit: 39),
      let value = Decimal(plain: digits.text),
      !value.isNaN
    else { throw JSONError(.outOfRange, at: start) }
    var text = value.canonicalText
    guard text.withUTF8({ NumberDigits($0, limit: 39) }) == digits else {
      throw JSONError(.outOfRange, at: start)
    }
    return batch.text(text)
  }

  /// Reads a date. A date that no format of the field can represent is out of range, because it could not be
  /// encoded again.
  private mutating func date(_ field: CodingField) throws -> BatchCell {
    let start = reader.byteOffset
    let stored: Double? =
      switch reader.kind() {
      case .string: field.dates.stored(text: try reader.string().bytes)
      case .number where field.dates.contains { $0.unit != nil }:
        field.dates.stored(number: try reader.numberText())
      default: nil
      }
    return try date(stored, field, at: start)
  }

  private func date(_ stored: Double?, _ field: CodingField, at start: Int) throws -> BatchCell {
    guard let stored else { throw JSONError(.notThatType, at: start) }
    guard field.dates.canWrite(stored) else { throw JSONError(.outOfRange, at: start) }
    return .word(stored.bitPattern)
  }

  // MARK: - Flexible values

  /// Reads a value from the JSON type that corresponds to its kind, or from a type that converts to it.
  private mutating func flexible(_ field: CodingField) throws -> BatchCell {
    let start = reader.byteOffset
    switch (field.scalar, reader.kind()) {
    case (.string, .number):
      let digits = try reader.numberText()
      guard digits.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
      return batch.text(copying: UnsafeRawBufferPointer(digits))
    case (.string, .bool):
      return batch.text(try reader.bool() ? "true" : "false")
    case (.bool, .number):
      let value = try reader.double()
      guard value == 0 || value == 1 else { throw JSONError(.notThatType, at: start) }
      return .word(value == 0 ? 0 : 1)
    case (.bool, .string):
      switch try reader.string().string.lowercased() {
      case "true", "1", "yes": return .word(1)
      case "false", "0", "no": return .word(0)
      default: throw JSONError(.notThatType, at: start)
      }
    case (let kind, .bool) where kind.isNumber && field.convertsBooleans:
      let value = try reader.bool()
      return kind == .double || kind == .float
        ? .word((value ? 1.0 : 0.0).bitPattern)
        : kind == .decimal
          ? batch.text(value ? "1" : "0") : .word(value ? 1 : 0)
    case (.date, .string):
      let text = try reader.string()
      if let stored = field.dates.stored(text: text.bytes) {
        return try date(stored, field, at: start)
      }
      return try number(.date, in: text, field, at: start)
    case (.date, .number) where field.dates.allSatisfy { $0.unit == nil }:
      return try date(field.dates.stored(text: try reader.numberText()), field, at: start)
    case (let kind, .string) where kind.isNumber:
      return try number(kind, in: try reader.string(), field, at: start)
    default:
      return try plain(field, field.scalar)
    }
  }

  /// Parses the number in a string, with the syntax of JSON numbers.
  private mutating func number(
    _ kind: ScalarKind, in string: JSONString, _ field: CodingField, at start: Int
  ) throws -> BatchCell {
    // The reader would skip white space around the number.
    guard JSONReader.isNumber(string.bytes) else { throw JSONError(.notThatType, at: start) }
    do {
      let inner = try JSONInput(
        borrowing: UnsafeRawBufferPointer(string.bytes), encoding: .utf8)
      var other = ObjectReader(inner, batch, configuration, limits, issueLimit: 0)
      return try other.plain(field, kind)
    } catch let error as JSONError {
      throw JSONError(error.kind == .outOfRange ? .outOfRange : .notThatType, at: start)
    }
  }
}
