import Foundation
import JSONText
import ObjectStore

// Single values: the bits or bytes of a cell to JSON tokens.

extension ObjectEncoder {
  mutating func number(_ word: UInt64, _ field: CodingField) throws {
    let isWritten: Bool
    switch field.scalar {
    case .double:
      isWritten = writer.double(Double(bitPattern: word))
    case .float:
      isWritten = writer.float(Float(Double(bitPattern: word)))
    case .date:
      let form = field.dates.write(Double(bitPattern: word), into: &scratch)
      isWritten = form != nil
      if let form {
        scratch.withUnsafeBufferPointer {
          form == .number ? writer.numberText($0) : writer.string($0)
        }
      }
    default:
      if field.scalar.unsignedMaximum != nil {
        writer.uint(word)
      } else {
        writer.int(Int64(bitPattern: word))
      }
      isWritten = true
    }
    guard isWritten else {
      let value = Double(bitPattern: word)
      if field.scalar == .date, value.isFinite {
        throw StoreCodingError(
          .outOfRange, attribute: field.fullName, expected: field.expected(element: true),
          found: "the moment \(value + Double(Moment.secondsUntil2001)) seconds after 1970")
      }
      throw StoreCodingError(
        .nonFiniteNumber, attribute: field.fullName, found: "\(Double(bitPattern: word))")
    }
  }

  mutating func text(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
    if field.raw != nil {
      try raw(bytes, field)
      return
    }
    let utf8 = bytes.assumingMemoryBound(to: UInt8.self)
    switch field.scalar {
    case .decimal:
      writer.numberText(utf8)
    case .data:
      scratch.removeAll(keepingCapacity: true)
      Base64Text.write(bytes, into: &scratch)
      scratch.withUnsafeBufferPointer { writer.string($0) }
    case .uuid:
      guard bytes.count == 16 else { return writer.null() }
      scratch.removeAll(keepingCapacity: true)
      UUIDText.write(bytes, into: &scratch)
      scratch.withUnsafeBufferPointer { writer.string($0) }
    case .json:
      try json(JSONValue(stored: bytes), field)
    default:
      writer.string(utf8)
    }
  }

  /// Splices a text that is JSON into the output, after checking that it is.
  mutating func raw(_ bytes: UnsafeRawBufferPointer, _ field: CodingField) throws {
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
      // A trailing comma that was let in does not go out again.
      writer.minified(utf8, sortingKeys: configuration.outputFormatting.contains(.sortedKeys))
    } else {
      writer.raw(utf8, isVerbatim: field.raw == .exact)
    }
  }

  mutating func json(
    _ value: JSONValue, _ field: CodingField, depth: Int = 0
  ) throws {
    guard depth <= stackDepth else { throw tooDeep() }
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .double(let value)
    where Int64(exactly: value) != nil && value.bitPattern != (-0.0).bitPattern:
      // With a fraction, or it would come back as an integer.
      var text = "\(value)"
      text.withUTF8 { writer.numberText($0) }
    case .double(let value):
      guard writer.double(value) else {
        throw StoreCodingError(
          .nonFiniteNumber, attribute: field.fullName, found: "\(value)")
      }
    case .number(var text):
      // Digits may come from code too, not only from a payload.
      let isNumber = text.withUTF8 { utf8 in
        guard
          let input = try? JSONInput(copying: UnsafeRawBufferPointer(utf8), encoding: .utf8)
        else { return false }
        var reader = JSONReader(input, dialect: .strict)
        return (try? reader.numberText())?.count == utf8.count
      }
      guard isNumber else {
        throw StoreCodingError(.invalidRawJSON, attribute: field.fullName, found: text)
      }
      text.withUTF8 { writer.numberText($0) }
    case .string(var text): text.withUTF8 { writer.string($0) }
    case .array(let elements):
      writer.beginArray()
      for element in elements { try json(element, field, depth: depth + 1) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      // They stand by their bytes as they are.
      let order = configuration.keyOrder
      let sorted =
        order == .bytes ? Array(members) : members.sorted { order.precedes($0.key, $1.key) }
      for (key, value) in sorted {
        self.key(key)
        try json(value, field, depth: depth + 1)
      }
      writer.endObject()
    }
  }
}

extension ScalarKind {
  /// Whether its cells hold bytes.
  var isText: Bool {
    switch self {
    case .decimal, .string, .data, .uuid, .url, .json: true
    default: false
    }
  }
}
