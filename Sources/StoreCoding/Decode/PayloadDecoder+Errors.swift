import JSONText
import ObjectStore

// The steps of the reader with its errors converted to coding errors, and the creation of errors. For a valid
// payload, only the forwarding runs.

extension PayloadDecoder {
  @inline(__always)
  mutating func beginObject() throws -> Bool {
    do { return try reader.beginObject() } catch { throw syntax(error) }
  }

  @inline(__always)
  mutating func objectContinues() throws -> Bool {
    do { return try reader.objectContinues() } catch { throw syntax(error) }
  }

  /// Reads the next key and returns its index in `table`, the keys of `node`; -1 for an unknown key.
  @inline(__always)
  mutating func key(
    _ table: JSONKeySet, _ predicted: Int, _ node: PlanNode
  ) throws -> Int {
    do {
      return try reader.key(table, predicted: predicted)
    } catch {
      throw keyError(error, attribute: node.attribute(ofKey: reader.lastKey))
    }
  }

  /// Reads the next key of a map, a JSON value or an envelope.
  @inline(__always)
  mutating func anyKey(of field: CodingField? = nil) throws -> JSONString {
    do { return try reader.key() } catch { throw keyError(error, attribute: field?.fullName) }
  }

  @inline(__always)
  mutating func beginArray() throws -> Bool {
    do { return try reader.beginArray() } catch { throw syntax(error) }
  }

  @inline(__always)
  mutating func arrayContinues() throws -> Bool {
    do { return try reader.arrayContinues() } catch { throw syntax(error) }
  }

  mutating func skip() throws {
    do { try reader.skipValue() } catch { throw syntax(error) }
  }

  mutating func consumeNull() throws {
    do { _ = try reader.null() } catch { throw syntax(error) }
  }

  /// Consumes a string if it is empty.
  mutating func takeEmptyText() throws -> Bool {
    guard reader.kind() == .string else { return false }
    let start = reader.byteOffset
    do {
      if try reader.string().count == 0 { return true }
    } catch {
      throw syntax(error)
    }
    reader.rewind(to: start, depth: reader.depth)
    return false
  }

  mutating func finish() throws {
    do { try reader.finish() } catch { throw syntax(error) }
  }

  // MARK: - Making errors

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
      StoreCodingError(
        .syntax, expected: error.message,
        found: PayloadText(input, configuration, limits).describeText(of: error),
        byteOffset: error.byteOffset)
    }
  }

  /// The error at a key. A duplicate key has a path of its own and may belong to an attribute.
  @inline(never)
  private func keyError(_ error: JSONError, attribute: String?) -> StoreCodingError {
    var failure = syntax(error)
    guard error.kind == .duplicateKey else { return failure }
    failure.prepend(key: String(decoding: reader.lastKey, as: UTF8.self))
    failure.attribute = attribute
    return failure
  }

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
    if error.kind == .outOfRange, field.scalar.isText, field.scalar != .decimal {
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

  /// Describes the value at an offset: its type, and its text clipped to 40 characters.
  func describeValue(at byteOffset: Int) -> String {
    PayloadText(input, configuration, limits).describeValue(at: byteOffset)
  }
}

extension PayloadText {
  init(
    _ input: JSONInput, _ configuration: CodingConfiguration, _ limits: CodingConfiguration.Limits
  ) {
    self.init(
      input, depthLimit: limits.usedDepth,
      repairsUnicode: configuration.invalidUnicode == .repair)
  }
}
