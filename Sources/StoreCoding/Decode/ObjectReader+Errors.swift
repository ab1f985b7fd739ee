import JSONText
import ObjectStore

// The creation of errors. None of this runs for a valid payload, unless it is nested deeply.

extension ObjectReader {
  /// The error that restarts decoding on a larger stack or, at the depth limit, rejects the payload.
  @inline(never)
  func tooDeep() -> any Error {
    stackDepth < limits.usedDepth
      ? TooDeep() : syntax(JSONError(.depthLimit, at: reader.byteOffset))
  }

  func syntax(_ error: JSONError) -> StoreCodingError {
    switch error.kind {
    case .depthLimit:
      limits.depthError(at: error.byteOffset)
    case .duplicateKey:
      StoreCodingError(
        .duplicateKey, found: MessageText.clipped(UnsafeRawBufferPointer(reader.lastKey)),
        byteOffset: error.byteOffset)
    default:
      StoreCodingError(error, in: PayloadText(input, configuration, limits))
    }
  }

  /// The error at a key. A duplicate key has a path of its own and may belong to an attribute.
  @inline(never)
  func keySyntaxError(_ error: JSONError, attribute: String?) -> StoreCodingError {
    var failure = syntax(error)
    guard error.kind == .duplicateKey else { return failure }
    failure.prepend(key: String(decoding: reader.lastKey, as: UTF8.self))
    failure.attribute = attribute
    return failure
  }

  @inline(never)
  func error(
    _ kind: StoreCodingError.Kind, attribute: String? = nil, expected: String? = nil,
    found: String? = nil, at byteOffset: Int
  ) -> StoreCodingError {
    StoreCodingError(
      kind, attribute: attribute, expected: expected, found: found, byteOffset: byteOffset)
  }

  /// The error for a valid JSON value that the field cannot hold.
  func valueError(_ error: JSONError, _ field: CodingField, isElement: Bool) -> StoreCodingError {
    guard !error.isSyntax else { return syntax(error) }
    if error.kind == .outOfRange, field.scalar.isBytes, field.scalar != .decimal {
      var failure = self.error(
        .outOfRange, attribute: field.fullName, expected: field.expected(element: isElement),
        found: "a value of 16 MiB or more", at: error.byteOffset)
      failure.policy = field.errorPolicy
      return failure
    }
    return StoreCodingError(
      error.kind == .outOfRange ? .outOfRange : .typeMismatch, attribute: field.fullName,
      expected: field.expected(element: isElement), valueAt: error.byteOffset,
      policy: field.errorPolicy)
  }

  /// The error for the next value, whose type does not match the field.
  mutating func mismatch(
    _ field: CodingField, expected: String? = nil, isElement: Bool = false
  ) -> StoreCodingError {
    if reader.kind() == .invalid {
      // Not a value: the reader's error describes the mistake.
      do { try reader.skipValue() } catch { return syntax(error) }
    }
    return StoreCodingError(
      .typeMismatch, attribute: field.fullName,
      expected: expected ?? field.expected(element: isElement), valueAt: reader.byteOffset,
      policy: field.errorPolicy)
  }

  // MARK: - The parts of a payload

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

  /// The error for a payload that is not a list. If it is an object, its class may lack an envelope
  /// declaration, or the call a path.
  ///
  /// - Parameter expected: The expected JSON; nil for an array of objects.
  mutating func listError(expected: String?, isEnveloped: Bool) -> StoreCodingError {
    guard reader.kind() == .object else {
      return shapeError(.nonArrayTopLevelObject, expected: expected)
    }
    let start = reader.byteOffset
    let keys = PayloadText(input, configuration, limits).keys(at: start)
    // If the object is malformed, it is not known what it contains.
    if let malformed = skippingError() { return malformed }
    let failure = error(
      .nonArrayTopLevelObject, expected: expected, found: "an object with \(keys.text)", at: start)
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

  func describeValue(at byteOffset: Int) -> String {
    PayloadText(input, configuration, limits).describeValue(at: byteOffset)
  }
}

extension PayloadText {
  init(
    _ input: JSONInput, _ configuration: CodingConfiguration, _ limits: CodingConfiguration.Limits,
    gap: Gap? = nil
  ) {
    self.init(
      input, depthLimit: limits.usedDepth,
      repairsUnicode: configuration.invalidUnicode == .repair, gap: gap)
  }
}
