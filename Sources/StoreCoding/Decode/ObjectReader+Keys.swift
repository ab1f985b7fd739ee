import JSONText
import ObjectStore

// Primary keys from outside an object: from the call, or from the name of the member that holds the object.

/// The key of an object, which its JSON need not contain.
struct GivenKey {
  /// The origin of a key, for the error of an object that contains another key.
  enum Source: String {
    case call = "the key of the call"
    case memberName = "the name of the member"
  }

  /// The cells of the plan's ``CodingPlan/identifyingFields``.
  let cells: [BatchCell]
  let source: Source
}

extension ObjectReader {
  /// Reads an object whose key is given.
  mutating func object(
    _ plan: CodingPlan, of field: CodingField?, key: GivenKey
  ) throws -> BatchRow {
    givenKeys.append(key)
    isKeyGiven = true
    defer {
      givenKeys.removeLast()
      isKeyGiven = false
    }
    let row = try object(.passUnretained(plan), of: field.map { .passUnretained($0) })
    for (keyField, given) in zip(plan.identifyingFields, key.cells) {
      let found = row[keyField.attribute]
      let isSame =
        keyField.scalar.isBytes
        ? found.bytes.elementsEqual(given.bytes) : found.bits == given.bits
      if isSame { continue }
      rejectedRange = row.source..<reader.byteOffset
      let expected = "\(KeyDescription.describe(given, keyField.scalar)), \(key.source.rawValue)"
      let located = locate(keyField, in: row.source..<reader.byteOffset)
      var error =
        if let located {
          StoreCodingError(
            .typeMismatch, attribute: keyField.fullName, expected: expected,
            valueAt: located.byteOffset, policy: keyField.errorPolicy)
        } else {
          self.error(
            .typeMismatch, attribute: keyField.fullName, expected: expected,
            found: KeyDescription.describe(found, keyField.scalar), at: row.source)
        }
      error.policy = keyField.errorPolicy
      error.prepend((located?.path ?? keyField.path).components)
      error.resolveKey(plan.keyText(of: row))
      throw error
    }
    return row
  }

  /// Finds the value of an attribute in an object that was read. Returns nil if the searches in nested objects have
  /// become too expensive, which bounds their total cost by O(bytes of the payload).
  private mutating func locate(
    _ field: CodingField, in object: Range<Int>
  ) -> (path: JSONPath, byteOffset: Int)? {
    let text = PayloadText(input, configuration, limits)
    for path in [field.path] + field.aliases {
      searchedByteCount += object.count * path.components.count
      if searchedByteCount > 16 * input.count + 1 << 20 { return nil }
      if let byteOffset = text.find(path.components, from: object.lowerBound) {
        return (path, byteOffset)
      }
    }
    return nil
  }

  /// Sets the attributes of the given key that the object lacks. Those that it contains are compared afterwards.
  @inline(never)
  mutating func fillGivenKey(of row: BatchRow, _ plan: CodingPlan) {
    guard let key = givenKeys.last else { return }
    for (field, cell) in zip(plan.identifyingFields, key.cells)
    where row[field.attribute].state == .absent {
      row[field.attribute] = cell
    }
  }

  /// Reads an element of a keyed collection.
  mutating func keyedElement(_ field: CodingField, _ name: BatchCell) throws -> BatchCell {
    guard reader.kind() == .object, let target = field.linkedPlan else { return try element(field) }
    return .row(
      try target._withUnsafeGuaranteedRef { try keyedObject($0, of: field, name) })
  }

  /// Reads an object whose primary key is the name of its member.
  ///
  /// - Parameter field: The keyed collection; nil for a section of a document.
  mutating func keyedObject(
    _ plan: CodingPlan, of field: CodingField?, _ name: BatchCell
  ) throws -> BatchRow {
    let keyField = plan.identifyingFields[0]
    guard let key = key(named: name.bytes, keyField) else {
      throw error(
        .typeMismatch, attribute: (field ?? keyField).fullName,
        expected: "\(keyField.article) as the name of the member",
        found: MessageText.quoted(name.bytes), at: reader.lastKeyOffset)
    }
    return try object(plan, of: field, key: GivenKey(cells: [key], source: .memberName))
  }

  /// The name of a member whose name is the key of an object, as it is stored in a map and compared with others: a UUID
  /// in lower case.
  func canonicalName(_ name: BatchCell, of plan: CodingPlan) -> BatchCell {
    guard plan.keyField?.scalar == .uuid,
      var bytes = UUIDText.parse(name.bytes.assumingMemoryBound(to: UInt8.self))
    else { return name }
    return batch.text(withUnsafeBytes(of: &bytes) { UUIDText.text($0) })
  }

  /// The key that the name of a member represents; nil if it is not in the form in which the key is encoded.
  func key(named name: UnsafeRawBufferPointer, _ field: CodingField) -> BatchCell? {
    switch field.scalar {
    case .string:
      return batch.text(copying: name)
    case .uuid:
      guard var bytes = UUIDText.parse(name.assumingMemoryBound(to: UInt8.self)) else { return nil }
      return withUnsafeBytes(of: &bytes) { batch.text(copying: $0) }
    default:
      let text = String(decoding: name, as: UTF8.self)
      if let maximum = field.scalar.unsignedMaximum {
        guard let value = UInt64(text), value <= maximum, "\(value)" == text else { return nil }
        return .word(value)
      }
      guard let value = Int64(text), field.scalar.signedRange?.contains(value) ?? false,
        "\(value)" == text
      else { return nil }
      return .word(UInt64(bitPattern: value))
    }
  }
}
