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

extension PayloadDecoder {
  /// Reads an object whose key is given.
  mutating func object(
    _ plan: CodingPlan, of field: CodingField?, key: GivenKey
  ) throws -> BatchRow {
    givenKey = key
    let row = try object(.passUnretained(plan), of: field.map { .passUnretained($0) })
    for (keyField, given) in zip(plan.identifyingFields, key.cells) {
      let found = row[keyField.attribute]
      let isSame =
        keyField.scalar.isText
        ? found.bytes.elementsEqual(given.bytes) : found.bits == given.bits
      if isSame { continue }
      rejectedRange = row.source..<reader.byteOffset
      var error = error(
        .typeMismatch, attribute: keyField.fullName,
        expected: "\(KeyDescription.describe(given, keyField.scalar)), \(key.source.rawValue)",
        found: KeyDescription.describe(found, keyField.scalar), at: row.source)
      error.prepend(keyField.path.components)
      error.resolveKey(plan.keyText(of: row))
      throw error
    }
    return row
  }

  /// Moves the given key into the row. A key in the object replaces it and is compared afterwards.
  @inline(never)
  mutating func assignGivenKey(to row: BatchRow, _ plan: CodingPlan) {
    guard let key = givenKey else { return }
    givenKey = nil
    for (field, cell) in zip(plan.identifyingFields, key.cells) { row[field.attribute] = cell }
  }

  /// Reads an element of a keyed collection.
  mutating func keyedElement(_ field: CodingField, _ name: BatchCell) throws -> BatchCell {
    guard reader.kind() == .object, let target = field.linkedPlan else { return try element(field) }
    return try target._withUnsafeGuaranteedRef { plan in
      guard let keyField = plan.keyField else { throw mismatch(field, isElement: true) }
      let start = reader.byteOffset
      guard let key = key(named: name.bytes, keyField) else {
        throw error(
          .typeMismatch, attribute: field.fullName,
          expected: "\(keyField.article) as the name of the member",
          found: MessageText.quoted(name.bytes), at: start)
      }
      return .row(
        try object(plan, of: field, key: GivenKey(cells: [key], source: .memberName)))
    }
  }

  /// The key that the name of a member represents; nil if it is not in the form in which the key is encoded.
  private func key(named name: UnsafeRawBufferPointer, _ field: CodingField) -> BatchCell? {
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
