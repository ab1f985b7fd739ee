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
    let row = try topObject(plan, in: envelope, key: key, acceptsNull: false)
    guard let row else { throw topError(.nonDictionaryTopLevelObject) }
    return row
  }

  /// Reads a payload with one object.
  /// - Parameter acceptsNull: True to return nil for null in place of the object.
  mutating func topObject(
    _ plan: CodingPlan, in envelope: JSONPath?, key: GivenKey? = nil, acceptsNull: Bool
  ) throws -> BatchRow? {
    var row: BatchRow?
    try enveloped(envelope?.components[...] ?? [], envelope?.text) {
      (decoder: inout PayloadDecoder) in
      if acceptsNull, decoder.reader.kind() == .null {
        row = nil
        return try decoder.consumeNull()
      }
      guard decoder.reader.kind() == .object else {
        throw decoder.topError(.nonDictionaryTopLevelObject)
      }
      row =
        try key.map { try decoder.object(plan, of: nil, key: $0) }
        ?? decoder.object(.passUnretained(plan), of: nil)
    }
    try finish()
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
      try decoder.topElements { try $0.topElement(plan, at: elementPath, $1) }
    }
    try finish()
  }

  /// Runs `read` at each element of a list.
  @inline(__always)
  mutating func topElements(_ read: (inout PayloadDecoder, Int) throws -> Void) throws {
    guard try beginArray() else { return }
    var index = firstIndex ?? 0
    // Without its first elements, the list begins with the separator after them.
    if index > 0 { guard try arrayContinues() else { return } }
    scopes.enterTopElement(configuration.mismatches)
    repeat {
      try read(&self, index)
      index += 1
    } while try arrayContinues()
  }

  /// Reads an element of a list with `read`. Calls `didSkip` if the coder skips it because of an error.
  @inline(__always)
  mutating func topElement(
    _ index: Int, _ read: (inout PayloadDecoder) throws -> Void,
    didSkip: (inout PayloadDecoder) -> Void = { _ in }
  ) throws {
    try checkElementLimit(index)
    let start = checkpoint()
    do {
      try read(&self)
      if issues.count > start.issueCount { issues.label(from: start.issueCount, .index(index)) }
    } catch var error as StoreCodingError {
      guard skipsTopElement(error) else {
        error.prepend(index: index)
        throw error
      }
      try rollBack(start, error, .index(index))
      didSkip(&self)
    }
  }

  /// Reads an element of the payload's list into a top row of the batch.
  @inline(__always)
  mutating func topElement(
    _ plan: CodingPlan, at path: [JSONPath.Component], _ index: Int
  ) throws {
    try topElement(index) { decoder in
      if path.isEmpty {
        guard decoder.reader.kind() == .object else { throw decoder.elementError(plan) }
        _ = try decoder.object(.passUnretained(plan), of: nil)
      } else {
        try decoder.nestedObject(plan, at: path)
      }
      decoder.batch.noteTopRow()
    } didSkip: {
      $0.batch.noteLeftOutElement()
    }
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
  mutating func enveloped(
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
      try skip()
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
          if firstIndex != nil {
            // Elements of the earlier value may already be in the store.
            throw keySyntaxError(
              JSONError(.duplicateKey, at: reader.lastKeyOffset), attribute: nil)
          }
          // The earlier value is discarded.
          issues.removeAll(from: issueCount)
          batch.dropList()
          issues.append(error(.duplicateKey, found: name, at: reader.lastKeyOffset))
        }
        isFound = true
        do {
          try enveloped(components.dropFirst(), text, body)
          if issues.count > issueCount { issues.label(from: issueCount, .key(name)) }
        } catch {
          throw inside(.key(name), error)
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
          } catch {
            throw inside(.index(index), error)
          }
        } else {
          try skip()
        }
        count += 1
      } while try arrayContinues()
    }
    guard isFound else { throw envelopeError(text, "an array of \(count)", at: start) }
  }

  /// Returns an error with a component of the envelope prepended to its path.
  private func inside(_ component: JSONPath.Component, _ error: any Error) -> any Error {
    if var error = error as? StoreCodingError {
      error.prepend([component])
      return error
    }
    if var start = error as? ListStart {
      start.path.insert(component, at: 0)
      return start
    }
    return error
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
    // If the object is malformed, it is not known what it contains.
    if let malformed = skippingError() { return malformed }
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
    _ = reader.kind()
    let start = reader.byteOffset
    // The first byte may be that of a value although the JSON is malformed.
    if let malformed = skippingError() { return malformed }
    return error(kind, expected: expected, found: describeValue(at: start), at: start)
  }

  /// Skips the next value and returns the error of its syntax; nil if it is valid or nested too deeply.
  private mutating func skippingError() -> StoreCodingError? {
    do {
      try reader.skipValue()
      return nil
    } catch {
      return error.kind == .depthLimit ? nil : syntax(error)
    }
  }
}
