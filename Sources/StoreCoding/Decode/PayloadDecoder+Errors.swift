import JSONText
import ObjectStore

// The reader's steps with its errors turned into the coder's, and the making of errors. Out of the
// way of the hot path: nothing here runs for a sound payload but the forwarding.

extension PayloadDecoder {
  @inline(__always)
  mutating func beginObject() throws -> Bool {
    do { return try reader.beginObject() } catch { throw syntax(error) }
  }

  @inline(__always)
  mutating func objectContinues() throws -> Bool {
    do { return try reader.objectContinues() } catch { throw syntax(error) }
  }

  /// The index of the next key in `table`, which is the node's; -1 for another key.
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

  /// The next key, of a map or a JSON value, or beside an envelope.
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

  /// Passes a text if it is empty.
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

  /// Sends the work to a larger stack, or refuses it where there is none.
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

  /// The error at a key: one that stands twice is a place of its own, and may be an attribute's.
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

  /// The error for a value that is sound JSON but not what the field takes.
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

  /// The error for the next value, which is of another type than the field's.
  mutating func mismatch(
    _ field: CodingField, expected: String? = nil, isElement: Bool = false
  ) -> StoreCodingError {
    if reader.kind() == .invalid {
      // Not a value at all: the reader says what is wrong.
      do { try reader.skipValue() } catch { return syntax(error) }
    }
    return StoreCodingError(
      .typeMismatch, attribute: field.fullName,
      expected: expected ?? field.expected(element: isElement), valueAt: reader.byteOffset,
      policy: field.errorPolicy)
  }

  /// The value that begins at a place: its type, and its text clipped to 40 characters.
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
