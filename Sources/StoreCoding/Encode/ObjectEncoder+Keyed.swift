import JSONText
import ObjectStore

// Keyed collections: a JSON object whose keys are the primary keys of the objects in it.

extension ObjectEncoder {
  /// Writes a keyed collection of a row.
  mutating func keyed(_ view: RowView, _ field: CodingField) throws {
    guard let key = field.target?.keyField else { return writer.null() }
    var members: [(name: String, target: RowView?)] = []
    for index in 0..<view.elementCount(field.attribute) {
      let element = view.element(field.attribute, index)
      let target = view.elementTarget(field.attribute, word: element.word)
      let own = target.map { target in
        key.scalar.isBytes
          ? name(bytes: target.bytes(key.attribute), key)
          : name(word: target.word(key.attribute), key)
      }
      let mapKey = field.form == .map ? String(decoding: element.key, as: UTF8.self) : nil
      members.append((try name(own, mapKey: mapKey, field, key), target))
    }
    try keyed(&members, field) { (encoder: inout ObjectEncoder, target, plan) in
      try encoder.row(target, plan)
    }
  }

  /// Writes a keyed collection of an unmanaged object.
  mutating func keyed(_ value: Any, _ field: CodingField) throws {
    guard let key = field.target?.keyField else { return writer.null() }
    let elements: [(String?, Any)] =
      field.form == .map
      ? Self.pairs(value).map { ($0.0, $0.1) } : Self.elements(value).map { (nil, $0) }
    var members: [(name: String, target: ObjectBase?)] = []
    for (mapKey, element) in elements {
      let target = Self.isNil(element) ? nil : element as? ObjectBase
      if let target, target.isInvalidated {
        throw StoreCodingError(.objectInvalidated, attribute: field.target?.className)
      }
      let own = (target?[key.name] as? any ScalarValue).map { value in
        let cell = Self.cell(of: value)
        return key.scalar.isBytes
          ? cell.bytes.withUnsafeBytes { name(bytes: $0, key) } : name(word: cell.word, key)
      }
      members.append((try name(own, mapKey: mapKey, field, key), target))
    }
    try keyed(&members, field) { (encoder: inout ObjectEncoder, target, plan) in
      try encoder.object(target, plan)
    }
  }

  private mutating func keyed<Target>(
    _ members: inout [(name: String, target: Target?)], _ field: CodingField,
    _ write: (inout ObjectEncoder, Target, CodingPlan) throws -> Void
  ) throws {
    guard let plan = field.target else { return }
    var names: Set<ExactString> = []
    for member in members where !names.insert(ExactString(member.name)).inserted {
      throw StoreCodingError(
        .duplicateKey, attribute: field.fullName, found: MessageText.clipped(member.name))
    }
    // The order of a list is content.
    if configuration.outputFormatting.contains(.sortedKeys), field.form != .list {
      members = configuration.keyOrder.sorted(members, by: \.name)
    }
    writer.beginObject()
    for (name, target) in members {
      writer.key(name)
      do {
        if let target { try write(&self, target, plan) } else { try null(field) }
      } catch var error as StoreCodingError {
        error.prepend(key: name)
        throw error
      }
    }
    writer.endObject()
  }

  /// The name of a member: the key of its object. In a map, the object must have the map's key, but a UUID may be in
  /// either case.
  private func name(
    _ own: String?, mapKey: String?, _ field: CodingField, _ key: CodingField
  ) throws -> String {
    guard let mapKey else { return own ?? "" }
    var expected = mapKey
    if key.scalar == .uuid, let uuid = expected.withUTF8(UUIDText.parse) {
      expected = withUnsafeBytes(of: uuid) { name(bytes: $0, key) }
    }
    guard let own, !own.hasSameBytes(as: expected) else { return expected }
    var error = StoreCodingError(
      .typeMismatch, attribute: field.fullName, expected: "the object with this key",
      found: "an object with the key \(MessageText.clipped(own))")
    error.prepend(key: mapKey)
    throw error
  }

  private func name(word: UInt64, _ key: CodingField) -> String {
    key.scalar.unsignedMaximum != nil ? "\(word)" : "\(Int64(bitPattern: word))"
  }

  private func name(bytes: UnsafeRawBufferPointer, _ key: CodingField) -> String {
    guard key.scalar == .uuid, bytes.count == 16 else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return UUIDText.text(bytes, isUppercase: configuration.uppercaseUUIDs)
  }
}
