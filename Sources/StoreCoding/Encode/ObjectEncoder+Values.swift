import Foundation
import JSONText
import ObjectStore

// The conversion of single values from the bits or bytes of a cell to JSON tokens.

extension ObjectEncoder {
  /// Writes nil as the attribute spells it.
  mutating func null(_ field: CodingField) throws {
    guard let spelling = field.nilSpellings.first else { return writer.null() }
    try json(spelling, field)
  }

  mutating func bool(_ value: Bool, _ field: CodingField) throws {
    if field.isConverted { return try converted(word: value ? 1 : 0, field) }
    writer.bool(value)
  }

  mutating func number(_ word: UInt64, _ field: CodingField) throws {
    if field.isConverted { return try converted(word: word, field) }
    let isWritten: Bool
    switch field.scalar {
    case .date:
      let form = field.dates.write(Double(bitPattern: word), into: &scratch)
      isWritten = form != nil
      if let form {
        scratch.withUnsafeBufferPointer {
          form == .number ? writer.numberText($0) : writer.string($0)
        }
      }
    default:
      isWritten = Self.write(number: word, field, to: &writer)
    }
    guard isWritten else {
      let value = Double(bitPattern: word)
      if field.scalar == .date, value.isFinite {
        throw StoreCodingError(
          .outOfRange, attribute: field.fullName, expected: field.expected(element: true),
          found: "the moment \(value + Double(Moment.secondsUntil2001)) seconds since 1970")
      }
      throw notFinite(word, field)
    }
  }

  /// Writes a number; returns false if it is not finite.
  @inline(__always)
  static func write(number word: UInt64, _ field: CodingField, to writer: inout JSONWriter) -> Bool
  {
    switch field.scalar {
    case .double: return writer.double(Double(bitPattern: word))
    case .float: return writer.float(Float(Double(bitPattern: word)))
    default:
      if field.scalar.unsignedMaximum != nil {
        writer.uint(word)
      } else {
        writer.int(Int64(bitPattern: word))
      }
      return true
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
    if field.isConverted { return try converted(bytes: bytes, field) }
    if field.raw != nil {
      try raw(bytes, field)
      return
    }
    let utf8 = bytes.assumingMemoryBound(to: UInt8.self)
    switch field.scalar {
    case .decimal:
      writer.numberText(utf8)
    case .data:
      let count = Base64Text.count(ofByteCount: bytes.count)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { text in
        if let start = text.baseAddress { Base64Text.write(bytes, to: start) }
        let count = field.base64 == .urlSafe ? Base64Text.makeURLSafe(text) : text.count
        writer.string(UnsafeBufferPointer(rebasing: text[..<count]))
      }
    case .uuid:
      guard bytes.count == 16 else { return writer.null() }
      scratch.removeAll(keepingCapacity: true)
      UUIDText.write(bytes, isUppercase: configuration.uppercaseUUIDs, into: &scratch)
      scratch.withUnsafeBufferPointer { writer.string($0) }
    case .json:
      if configuration.keyOrder == .bytes {
        // Keys are stored in byte order.
        var reader = StoredJSONReader(bytes, keepsNotation: true)
        try json(&reader, field)
      } else {
        try json(JSONValue(stored: bytes, keepsNotation: true), field)
      }
    default:
      writer.string(utf8)
    }
  }

  /// Checks that the text is one JSON value and copies it to the output.
  mutating func raw(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
    if bytes.isEmpty, rules.nils == .written {
      // An attribute that cannot be nil would read null as the text `null`.
      return field.isOptional ? try null(field) : string("")
    }
    let input: JSONInput
    do {
      input = try JSONInput(borrowing: bytes, encoding: .utf8)
      var reader = JSONReader(input, depthLimit: configuration.limits.depth)
      _ = try reader.rawValue()
      try reader.finish()
    } catch {
      throw StoreCodingError(
        .invalidRawJSON, attribute: field.fullName, found: error.message)
    }
    let utf8 = UnsafeBufferPointer(start: input.start, count: input.count)
    var strict = JSONReader(input, dialect: .strict, depthLimit: configuration.limits.depth)
    if (try? strict.skipValue()) == nil {
      // Removes a trailing comma that the default dialect accepted.
      writer.minified(utf8, sortingKeys: configuration.outputFormatting.contains(.sortedKeys))
    } else {
      writer.raw(utf8, isVerbatim: field.raw == .exact)
    }
  }

  /// Writes the next value of a reader.
  private mutating func json(
    _ reader: inout StoredJSONReader, _ field: CodingField?, depth: Int = 0
  ) throws {
    guard depth <= stackDepth else { throw tooDeep() }
    switch reader.next() {
    case nil, .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .double(let value): try json(value, field)
    case .number(let text): try json(number: text, field)
    case .string(let text): writer.string(text.assumingMemoryBound(to: UInt8.self))
    case .array(let count):
      writer.beginArray()
      for _ in 0..<count { try json(&reader, field, depth: depth + 1) }
      writer.endArray()
    case .object(let count):
      writer.beginObject()
      for _ in 0..<count {
        if let key = reader.key() { writer.key(key.assumingMemoryBound(to: UInt8.self)) }
        try json(&reader, field, depth: depth + 1)
      }
      writer.endObject()
    }
  }

  /// Writes a JSON value.
  ///
  /// - Parameter field: The attribute of the value, for errors.
  mutating func json(
    _ value: JSONValue, _ field: CodingField?, depth: Int = 0
  ) throws {
    guard depth <= stackDepth else { throw tooDeep() }
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .double(let value): try json(value, field)
    case .number(var text):
      try text.withUTF8 { try json(number: UnsafeRawBufferPointer($0), field) }
    case .string(var text): text.withUTF8 { writer.string($0) }
    case .array(let elements):
      writer.beginArray()
      for element in elements { try json(element, field, depth: depth + 1) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      let order = configuration.keyOrder
      let sorted =
        order == .bytes ? Array(members) : order.sorted(members, by: \.key)
      for (key, value) in sorted {
        writer.key(key)
        try json(value, field, depth: depth + 1)
      }
      writer.endObject()
    }
  }

  /// Writes a floating-point number of a JSON value so that it does not read back as an integer: with a fraction or an
  /// exponent.
  private mutating func json(_ value: Double, _ field: CodingField?) throws {
    if value.rounded(.towardZero) == value, value.isFinite {
      var text = "\(value)"
      text.withUTF8 { writer.numberText($0) }
    } else if !writer.double(value) {
      throw StoreCodingError(.nonFiniteNumber, attribute: field?.fullName, found: "\(value)")
    }
  }

  /// Writes a number given as text, after checking it: the text may come from code instead of a payload.
  private mutating func json(number text: UnsafeRawBufferPointer, _ field: CodingField?) throws {
    let utf8 = text.assumingMemoryBound(to: UInt8.self)
    guard JSONReader.isNumber(utf8) else {
      throw StoreCodingError(
        .invalidRawJSON, attribute: field?.fullName, found: String(decoding: text, as: UTF8.self))
    }
    writer.numberText(utf8)
  }
}
