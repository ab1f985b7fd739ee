import JSONText
import ObjectStore

// The top level of a payload: envelopes, the object or list, and the end of the text.

extension PayloadDecoder {
  /// Reads a payload with one object.
  /// - Parameters:
  ///   - envelope: The path to the object; nil if the payload is the object.
  ///   - key: The key of the object; nil if the object contains it.
  mutating func topObject(
    _ plan: CodingPlan, in envelope: JSONPath?, key: GivenKey? = nil
  ) throws -> BatchRow {
    var row: BatchRow?
    try enveloped(envelope?.components[...] ?? [], envelope?.text) {
      (decoder: inout PayloadDecoder) in
      guard decoder.reader.kind() == .object else {
        throw decoder.topError(.nonDictionaryTopLevelObject)
      }
      row =
        try key.map { try decoder.object(plan, of: nil, key: $0) }
        ?? decoder.object(.passUnretained(plan), of: nil)
    }
    try finish()
    guard let row else { throw topError(.nonDictionaryTopLevelObject) }
    return row
  }

  /// Reads a payload with a list of objects into the top rows of the batch.
  /// - Parameter envelope: The path to the list; nil if the payload is the list.
  mutating func topList(_ plan: CodingPlan, in envelope: JSONPath?) throws {
    try enveloped(envelope?.components[...] ?? [], envelope?.text) {
      (decoder: inout PayloadDecoder) in
      guard decoder.reader.kind() == .array else {
        throw decoder.listError(isEnveloped: envelope != nil)
      }
      let elementPath = envelope?.elementPath ?? []
      try decoder.topElements { decoder, _ in
        if elementPath.isEmpty {
          guard decoder.reader.kind() == .object else { throw decoder.elementError(plan) }
          _ = try decoder.object(.passUnretained(plan), of: nil)
        } else {
          try decoder.nestedObject(plan, at: elementPath)
        }
        decoder.batch.noteTopRow()
      } didSkip: {
        $0.batch.noteLeftOutElement()
      }
    }
    try finish()
  }

  /// Runs `read` at each element of the list, and `didSkip` after each element that the coder skips.
  @inline(__always)
  mutating func topElements(
    _ read: (inout PayloadDecoder, Int) throws -> Void,
    didSkip: (inout PayloadDecoder) -> Void
  ) throws {
    guard try beginArray() else { return }
    scopes.enterTopElement(configuration.mismatches)
    var index = 0
    repeat {
      try checkElementLimit(index)
      let start = checkpoint()
      do {
        try read(&self, index)
        if issues.count > start.issueCount { issues.label(from: start.issueCount, .index(index)) }
      } catch var error as StoreCodingError {
        guard skipsTopElement(error) else {
          error.prepend(index: index)
          throw error
        }
        try rollBack(start, error, .index(index))
        didSkip(&self)
      }
      index += 1
    } while try arrayContinues()
  }

  @inline(__always)
  func checkElementLimit(_ count: Int) throws {
    guard let limit = limits.elementCount, count >= limit else { return }
    throw error(.limitExceeded, expected: "\(limit) elements", at: reader.byteOffset)
  }

  /// True if the coder skips an element of the payload's list that has this error.
  func skipsTopElement(_ error: StoreCodingError) -> Bool {
    (error.policy ?? configuration.mismatches) == .skipElement && error.isSkippable
  }

  mutating func elementError(_ plan: CodingPlan) -> StoreCodingError {
    shapeError(.typeMismatch, expected: plan.className)
  }

  /// Descends into the envelope, runs `body` at its content, and records the range of the content. For duplicate keys,
  /// the last one wins.
  private mutating func enveloped(
    _ components: ArraySlice<JSONPath.Component>, _ text: String?,
    _ body: (inout PayloadDecoder) throws -> Void
  ) throws {
    guard let component = components.first else {
      let start = reader.byteOffset
      try body(&self)
      if text != nil { contentRanges.append(start..<reader.byteOffset) }
      return
    }
    let name: String
    switch component {
    case .key(let key): name = key
    case .index(let index):
      if reader.kind() == .array {
        try envelopedElement(index, components.dropFirst(), text, body)
        return
      }
      name = "\(index)"
    }
    let start = reader.byteOffset
    guard reader.kind() == .object else {
      let failure = envelopeError(text, describeValue(at: start), at: start)
      // If the value is malformed, throws that error instead.
      if reader.kind() != .array { try skip() }
      throw failure
    }
    var found = FoundKeys()
    var isFound = false
    let issueCount = issues.count
    if try beginObject() {
      repeat {
        let key = try anyKey()
        guard key.bytes.elementsEqual(name.utf8) else {
          found.append(key)
          try skip()
          continue
        }
        if isFound {
          // The earlier value is discarded.
          issues.removeAll(from: issueCount)
          batch.dropList()
          issues.append(error(.duplicateKey, found: name, at: reader.lastKeyOffset))
        }
        isFound = true
        do {
          try enveloped(components.dropFirst(), text, body)
          if issues.count > issueCount { issues.label(from: issueCount, .key(name)) }
        } catch var error as StoreCodingError {
          error.prepend(key: name)
          throw error
        }
      } while try objectContinues()
    }
    guard isFound else { throw envelopeError(text, found.text, found.first, at: start) }
  }

  private mutating func envelopedElement(
    _ index: Int, _ rest: ArraySlice<JSONPath.Component>, _ text: String?,
    _ body: (inout PayloadDecoder) throws -> Void
  ) throws {
    let start = reader.byteOffset
    let issueCount = issues.count
    var isFound = false
    var count = 0
    if try beginArray() {
      repeat {
        if count == index {
          isFound = true
          do {
            try enveloped(rest, text, body)
            if issues.count > issueCount { issues.label(from: issueCount, .index(index)) }
          } catch var error as StoreCodingError {
            error.prepend(index: index)
            throw error
          }
        } else {
          try skip()
        }
        count += 1
      } while try arrayContinues()
    }
    guard isFound else { throw envelopeError(text, "an array of \(count)", at: start) }
  }

  private func envelopeError(
    _ text: String?, _ found: String, _ keys: [String] = [], at byteOffset: Int
  ) -> StoreCodingError {
    error(.envelopeNotFound(found: keys), expected: text, found: found, at: byteOffset)
  }

  /// The error for a payload that is not a list. If it is an object, its class may lack an envelope
  /// declaration, or the call a path.
  mutating func listError(isEnveloped: Bool) -> StoreCodingError {
    guard reader.kind() == .object else { return topError(.nonArrayTopLevelObject) }
    let start = reader.byteOffset
    let keys = PayloadText(input, configuration, limits).keys(at: start)
    let failure = error(.nonArrayTopLevelObject, found: "an object with \(keys.text)", at: start)
    if isEnveloped { return failure }
    return failure.advising("a list in an object needs a 'listEnvelope' or an 'at:'")
  }

  /// The error for a payload that is malformed, or whose JSON has an unexpected type.
  mutating func topError(_ kind: StoreCodingError.Kind) -> StoreCodingError {
    shapeError(kind, expected: nil)
  }

  mutating func shapeError(
    _ kind: StoreCodingError.Kind, expected: String?
  ) -> StoreCodingError {
    let found = reader.kind()
    let start = reader.byteOffset
    // The first byte may be that of a value although the JSON is malformed.
    if found != .object, found != .array {
      do { try reader.skipValue() } catch { return syntax(error) }
    }
    return error(kind, expected: expected, found: describeValue(at: start), at: start)
  }
}
