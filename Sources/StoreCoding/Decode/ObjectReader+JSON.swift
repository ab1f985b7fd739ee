import JSONText
import ObjectStore

// Attributes that keep a JSON subtree, as text or as a `JSONValue`.

extension ObjectReader {
  // MARK: - As text

  mutating func rawJSON(_ policy: AttributePolicy.RawValues) throws -> BatchCell {
    let start = reader.byteOffset
    let raw = try reader.rawValue()
    guard raw.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
    if policy == .exact, isStrictJSON(at: start) {
      // Repaired text is not part of the payload; a copy covers both cases.
      return batch.text(copying: UnsafeRawBufferPointer(raw))
    }
    var writer = JSONWriter(capacity: raw.count)
    // Removes a trailing comma, which encoded JSON must not contain.
    writer.minified(raw, sortingKeys: policy == .minified)
    guard writer.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
    return writer.withBytes { batch.text(copying: $0) }
  }

  /// True if the value is JSON without the trailing comma that the default dialect accepts.
  private func isStrictJSON(at byteOffset: Int) -> Bool {
    if configuration.dialect == .strict { return true }
    var strict = JSONReader(
      input, dialect: .strict, depthLimit: limits.usedDepth,
      repairsUnicode: configuration.invalidUnicode == .repair)
    strict.rewind(to: byteOffset, depth: 0)
    return (try? strict.skipValue()) != nil
  }

  // MARK: - As a value

  mutating func anyJSON(_ field: CodingField) throws -> BatchCell {
    json.removeAll()
    let start = reader.byteOffset
    try jsonValue(field, depthLimit: reader.depth + JSONValue.depthLimit)
    return try json.withBytes { bytes in
      guard bytes.count < BatchExport.sizeLimit else { throw JSONError(.outOfRange, at: start) }
      return batch.text(copying: bytes)
    }
  }

  /// Reads a value that the attribute's Codable type must be able to decode.
  @inline(never)
  mutating func codedJSON(_ field: CodingField, _ coded: CodedType) throws -> BatchCell {
    let start = reader.byteOffset
    let cell = try anyJSON(field)
    // The type could decode the value that the object has.
    if isStored(cell, field) { return cell }
    guard let mistake = DeepStack.onCaller({ coded.mistake(in: cell.bytes) }) else { return cell }
    throw error(mistake, field, at: start)
  }

  /// True if the object that is being read has the value in the store. The key of the object must precede the value.
  private func isStored(_ cell: BatchCell, _ field: CodingField) -> Bool {
    guard field.form == .scalar, let codedRow, let store else { return false }
    return codedRow.plan._withUnsafeGuaranteedRef {
      store.storedBytes(field.attribute, of: codedRow.row, $0.codingClass)?
        .hasSameBytes(as: cell.bytes) ?? false
    }
  }

  /// Reads a value with the conversion of the attribute.
  @inline(never)
  mutating func converted(_ field: CodingField, _ coding: _AnyValueCoding) throws -> BatchCell {
    let start = reader.byteOffset
    let json = try anyJSON(field)
    let batch = batch
    do {
      return try DeepStack.onCaller { try coding.cell(json.bytes, field.scalar, in: batch) }
    } catch let mistake as CodedMistake {
      throw error(mistake, field, at: start)
    }
  }

  private func error(
    _ mistake: CodedMistake, _ field: CodingField, at start: Int
  ) -> StoreCodingError {
    let path = mistake.path.map { component -> JSONPath.Component in
      switch component {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      }
    }
    var failure = StoreCodingError(
      mistake.isOutOfRange ? .outOfRange : .typeMismatch, attribute: field.fullName,
      expected: mistake.expected,
      valueAt: PayloadText(input, configuration, limits).offset(of: path, from: start),
      policy: field.errorPolicy)
    failure.prepend(path)
    return failure
  }

  /// Returns a cell with the JSON value null, which is different from nil.
  mutating func jsonNull() -> BatchCell {
    json.removeAll()
    json.null()
    return json.withBytes { batch.text(copying: $0) }
  }

  /// Reads any value into `json`. Throws an error if the nesting in the payload exceeds `depthLimit`.
  mutating func jsonValue(_ field: CodingField, depthLimit: Int) throws {
    let kind = reader.kind()
    if kind.isContainer {
      guard reader.depth < depthLimit else {
        throw StoreCodingError(
          .limitExceeded,
          expected: "\(JSONValue.depthLimit) nested arrays and objects in a JSONValue",
          byteOffset: reader.byteOffset)
      }
      guard reader.depth < stackDepth else { throw tooDeep() }
    }
    switch kind {
    case .null:
      _ = try reader.null()
      json.null()
    case .bool:
      json.bool(try reader.bool())
    case .string:
      json.string(UnsafeRawBufferPointer(try reader.string().bytes))
    case .number:
      try json.number(&reader, keepsNotation: field.form == .scalar)
    case .array:
      try jsonArray(field, depthLimit: depthLimit)
    case .object:
      try jsonObject(field, depthLimit: depthLimit)
    case .invalid:
      try reader.skipValue()
      json.null()
    }
  }

  private mutating func jsonArray(_ field: CodingField, depthLimit: Int) throws {
    let array = json.beginArray()
    guard try reader.beginArray() else { return }
    var count = 0
    repeat {
      let issueCount = issues.count
      do {
        try jsonValue(field, depthLimit: depthLimit)
      } catch {
        throw prefixed(error, .index(count))
      }
      count += 1
      if issues.count > issueCount {
        issues.label(from: issueCount, .index(count - 1))
      }
    } while try reader.arrayContinues()
    json.endArray(array, count: count)
  }

  private mutating func jsonObject(_ field: CodingField, depthLimit: Int) throws {
    let object = json.beginObject()
    guard try reader.beginObject() else {
      json.endObject(object)
      return
    }
    let firstOffset = jsonKeyOffsets.count
    defer { jsonKeyOffsets.removeLast(jsonKeyOffsets.count - firstOffset) }
    var issueRanges: IssueRanges?
    var count = 0
    repeat {
      json.key(UnsafeRawBufferPointer(try anyKey(of: field).bytes))
      jsonKeyOffsets.append(reader.lastKeyOffset)
      let issueCount = issues.count
      do {
        try jsonValue(field, depthLimit: depthLimit)
      } catch {
        throw prefixed(error, .key(String(decoding: json.key(count, of: object), as: UTF8.self)))
      }
      if issues.count > issueCount {
        let key = String(decoding: json.key(count, of: object), as: UTF8.self)
        issues.label(from: issueCount, .key(key))
        issueRanges = issueRanges ?? [:]
        issueRanges?[count] = issueCount..<issues.count
      }
      count += 1
    } while try reader.objectContinues()
    if let keys = json.endObject(object) {
      _ = recordDuplicates(jsonKeyOffsets[firstOffset...], issueRanges, field, key: { keys[$0] })
    }
  }

  @inline(never)
  func prefixed(_ error: any Error, _ component: JSONPath.Component) -> any Error {
    StoreCodingError.prefixed((error as? JSONError).map { syntax($0) } ?? error, component)
  }
}

extension JSONKind {
  fileprivate var isContainer: Bool { self == .object || self == .array }
}
