import JSONText
import ObjectStore

// The top of a payload: envelopes, the object or the list, and what stands after it.

extension PayloadDecoder {
  /// Reads a payload that is one object.
  mutating func topObject(_ plan: CodingPlan, isEnveloped: Bool = true) throws -> BatchRow {
    var row: BatchRow?
    let envelope = isEnveloped ? plan.objectEnvelope : nil
    try enveloped(envelope?.components[...] ?? [], envelope?.text) {
      (decoder: inout PayloadDecoder) in
      guard decoder.reader.kind() == .object else {
        throw decoder.topError(.nonDictionaryTopLevelObject)
      }
      row = try decoder.object(plan, isTop: true)
    }
    try finish()
    guard let row else { throw topError(.nonDictionaryTopLevelObject) }
    return row
  }

  /// Reads a payload that is a list of objects; rows in the order of the list.
  mutating func topList(_ plan: CodingPlan, isEnveloped: Bool = true) throws -> [BatchRow] {
    var rows: [BatchRow] = []
    let envelope = isEnveloped ? plan.listEnvelope : nil
    try enveloped(envelope?.components[...] ?? [], envelope?.text) {
      (decoder: inout PayloadDecoder) in
      guard decoder.reader.kind() == .array else {
        throw decoder.topError(.nonArrayTopLevelObject)
      }
      rows.removeAll()
      try decoder.list(plan, into: &rows)
    }
    try finish()
    return rows
  }

  private mutating func list(_ plan: CodingPlan, into rows: inout [BatchRow]) throws {
    guard try beginArray() else { return }
    var index = 0
    repeat {
      if let limit = configuration.limits.elementCount, index >= limit {
        throw error(
          .limitExceeded, expected: "\(limit) elements", at: reader.byteOffset)
      }
      let start = checkpoint()
      do {
        guard reader.kind() == .object else { throw elementError(plan) }
        rows.append(try object(plan, isTop: true))
        batch.noteTopRow()
        if issues.count > start.issueCount { place(issuesFrom: start.issueCount, .index(index)) }
      } catch var error as StoreCodingError {
        error.prepend(index: index)
        guard (error.policy ?? configuration.mismatches) == .skipElement, error.isSkippable
        else { throw error }
        try leaveOut(start, error)
      }
      index += 1
    } while try arrayContinues()
  }

  private mutating func elementError(_ plan: CodingPlan) -> StoreCodingError {
    if reader.kind() == .invalid {
      do { try reader.skipValue() } catch { return syntax(error) }
    }
    return error(
      .typeMismatch, expected: plan.className, found: describeValue(at: reader.byteOffset),
      at: reader.byteOffset)
  }

  /// Goes down the envelope and runs `body` at what it holds. If a key comes twice the last counts.
  private mutating func enveloped(
    _ components: ArraySlice<JSONPath.Component>, _ text: String?,
    _ body: (inout PayloadDecoder) throws -> Void
  ) throws {
    guard let component = components.first else {
      try body(&self)
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
      throw reader.kind() == .invalid
        ? topError(.nonDictionaryTopLevelObject) : envelopeError(text, [], at: start)
    }
    var found: [String] = []
    var isFound = false
    if try beginObject() {
      repeat {
        let key = try anyKey().string
        if configuration.duplicateKeys == .fail, found.contains(key) {
          throw error(.duplicateKey, found: key, at: reader.lastKeyOffset)
        }
        found.append(key)
        guard key.utf8.elementsEqual(name.utf8) else {
          try skip()
          continue
        }
        if isFound {
          batch.truncate(toRowCount: 0)
          issues.append(error(.duplicateKey, found: key, at: reader.lastKeyOffset))
        }
        isFound = true
        issues = []
        do {
          try enveloped(components.dropFirst(), text, body)
          place(issuesFrom: 0, .key(name))
        } catch var error as StoreCodingError {
          error.prepend(key: name)
          throw error
        }
      } while try objectContinues()
    }
    guard isFound else { throw envelopeError(text, found, at: start) }
  }

  private mutating func envelopedElement(
    _ index: Int, _ rest: ArraySlice<JSONPath.Component>, _ text: String?,
    _ body: (inout PayloadDecoder) throws -> Void
  ) throws {
    let start = reader.byteOffset
    var isFound = false
    var place = 0
    if try beginArray() {
      repeat {
        if place == index {
          isFound = true
          do {
            try enveloped(rest, text, body)
            self.place(issuesFrom: 0, .index(index))
          } catch var error as StoreCodingError {
            error.prepend(index: index)
            throw error
          }
        } else {
          try skip()
        }
        place += 1
      } while try arrayContinues()
    }
    guard isFound else { throw envelopeError(text, [], at: start) }
  }

  private func envelopeError(
    _ text: String?, _ found: [String], at byteOffset: Int
  ) -> StoreCodingError {
    error(.envelopeNotFound(found: found), expected: text, at: byteOffset)
  }

  /// The payload is sound JSON of another shape, or no JSON at all.
  mutating func topError(_ kind: StoreCodingError.Kind) -> StoreCodingError {
    if reader.kind() == .invalid {
      do { try reader.skipValue() } catch { return syntax(error) }
    }
    return error(kind, found: describeValue(at: reader.byteOffset), at: reader.byteOffset)
  }
}
