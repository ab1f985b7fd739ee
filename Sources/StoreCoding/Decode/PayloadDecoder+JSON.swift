import JSONText
import ObjectStore

// JSON that is kept as JSON: a subtree as its text, or as a value.

extension PayloadDecoder {
  // MARK: - As text

  mutating func rawJSON(_ policy: RawPolicy) throws -> BatchCell {
    let start = reader.byteOffset
    let raw = try reader.rawValue()
    guard raw.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
    if policy == .exact, isStrictJSON(at: start) {
      // Repaired text does not stand in the payload; a copy serves both.
      return batch.text(copying: UnsafeRawBufferPointer(raw))
    }
    var writer = JSONWriter(capacity: raw.count)
    // A trailing comma cannot go out again, so it does not stay.
    writer.minified(raw, sortingKeys: policy == .minified)
    guard writer.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
    return writer.withBytes { batch.text(copying: $0) }
  }

  /// Whether the value at a place is JSON without the comma that the default dialect lets in.
  private func isStrictJSON(at byteOffset: Int) -> Bool {
    if configuration.dialect == .strict { return true }
    var strict = JSONReader(
      input, dialect: .strict, depthLimit: configuration.limits.depth,
      repairsUnicode: configuration.invalidUnicode == .repair)
    strict.rewind(to: byteOffset, depth: 0)
    return (try? strict.skipValue()) != nil
  }

  // MARK: - As a value

  mutating func anyJSON(_ field: CodingField) throws -> BatchCell {
    var bytes: [UInt8] = []
    let start = reader.byteOffset
    try jsonValue(field, depthLimit: reader.depth + JSONValue.depthLimit).store(into: &bytes)
    guard bytes.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
    return bytes.withUnsafeBytes { batch.text(copying: $0) }
  }

  /// The JSON value null, which is a value of its own.
  func jsonNull() -> BatchCell {
    var bytes: [UInt8] = []
    JSONValue.null.store(into: &bytes)
    return bytes.withUnsafeBytes { batch.text(copying: $0) }
  }

  /// Any value, nested no deeper than `depthLimit` in the payload.
  private mutating func jsonValue(_ field: CodingField, depthLimit: Int) throws -> JSONValue {
    if reader.kind().isContainer {
      guard reader.depth < depthLimit else {
        throw StoreCodingError(
          .limitExceeded,
          expected: "\(JSONValue.depthLimit) nested arrays and objects in a JSONValue",
          byteOffset: reader.byteOffset)
      }
      guard reader.depth < stackDepth else { throw tooDeep() }
    }
    switch reader.kind() {
    case .null:
      _ = try reader.null()
      return .null
    case .bool:
      return .bool(try reader.bool())
    case .string:
      return .string(try reader.string().string)
    case .number:
      return try jsonNumber()
    case .array:
      return .array(try jsonArray(field, depthLimit: depthLimit))
    case .object:
      return .object(try jsonObject(field, depthLimit: depthLimit))
    case .invalid:
      try reader.skipValue()
      return .null
    }
  }

  /// A number as exactly as it is written. Most are integers, or written as a Double is: these are
  /// told without taking the text apart.
  private mutating func jsonNumber() throws -> JSONValue {
    let start = reader.byteOffset
    let text = try reader.numberText()
    if let integer = plainInteger(text) { return .int(integer) }
    if text.count <= JSONWriter.longestNumber {
      reader.rewind(to: start, depth: reader.depth)
      if let value = try? reader.double(), JSONWriter.isText(text, of: value) {
        return .double(value)
      }
      reader.rewind(to: start, depth: reader.depth)
      _ = try reader.numberText()
    }
    return JSONValue(exactNumber: String(decoding: text, as: UTF8.self))
  }

  /// The integer that so few digits are; nil for any other number.
  @inline(__always)
  private func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count <= 18, let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    // Minus zero is no integer.
    return isNegative ? (value == 0 ? nil : -value) : value
  }

  private mutating func jsonArray(
    _ field: CodingField, depthLimit: Int
  ) throws -> [JSONValue] {
    var elements: [JSONValue] = []
    guard try reader.beginArray() else { return elements }
    repeat {
      let issueCount = issues.count
      do {
        elements.append(try jsonValue(field, depthLimit: depthLimit))
      } catch {
        throw placed(error, .index(elements.count))
      }
      if issues.count > issueCount {
        issues.place(from: issueCount, .index(elements.count - 1))
      }
    } while try reader.arrayContinues()
    return elements
  }

  private mutating func jsonObject(
    _ field: CodingField, depthLimit: Int
  ) throws -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    guard try reader.beginObject() else { return JSONObject() }
    let firstOffset = jsonKeyOffsets.count
    defer { jsonKeyOffsets.removeLast(jsonKeyOffsets.count - firstOffset) }
    var noted: NotedIssues?
    repeat {
      let key = try anyKey(of: field).string
      jsonKeyOffsets.append(reader.lastKeyOffset)
      let issueCount = issues.count
      do {
        members.append((key, try jsonValue(field, depthLimit: depthLimit)))
      } catch {
        throw placed(error, .key(key))
      }
      if issues.count > issueCount {
        issues.place(from: issueCount, .key(key))
        noted = noted ?? [:]
        noted?[members.count - 1] = issueCount..<issues.count
      }
    } while try reader.objectContinues()
    let object = JSONObject(members)
    if object.count < members.count {
      _ = noteDuplicates(
        jsonKeyOffsets[firstOffset...], noted, field, key: { Array(members[$0].key.utf8) })
    }
    return object
  }

  /// The error with a step in front of its path; but for one about the depth, of which hundreds of
  /// steps say nothing.
  @inline(never)
  private func placed(_ error: any Error, _ step: JSONPath.Component) -> any Error {
    guard var placed = error as? StoreCodingError ?? (error as? JSONError).map({ syntax($0) }),
      placed.kind != .limitExceeded
    else { return error }
    placed.prepend([step])
    return placed
  }
}

extension JSONKind {
  fileprivate var isContainer: Bool { self == .object || self == .array }
}
