import Foundation

// What the classes' keys are, whether they stand in one attribute or are made of several.

extension ObjectSchema {
  /// The names that an object is found by: those of the parts of its key, or its key's.
  package var keyNames: [String] {
    compoundKey.isEmpty ? primaryKeyProperty.map { [$0.name] } ?? [] : compoundKey
  }

  /// What is wrong with looking an object up by a key; nil for nothing. The text of a compound key is one, too.
  package func mismatch(ofKey key: some ObjectKey) -> StoreError? {
    mismatch(ofKey: type(of: key), key._compoundKey)
  }

  func mismatch(ofKey type: any ObjectKey.Type, _ compound: CompoundKey?) -> StoreError? {
    guard let key = primaryKeyProperty else {
      return StoreError(.noPrimaryKey(className: className))
    }
    let keyKind = key.shape.scalar?.kind ?? .int
    let kind = type._scalarKind
    let kinds = keyParts.map { storedProperties[$0].shape.scalar?.kind ?? .int }
    guard let compound else {
      let fits = kind == keyKind || kind.column == .word && keyKind.column == .word
      return fits ? nil : mismatch(found: "a key of type \(type)")
    }
    if !kinds.isEmpty, compound.fits(kinds) { return nil }
    return mismatch(found: "a CompoundKey of \(compound.typeText)")
  }

  /// The error where another key is found than the class's.
  func mismatch(found: String) -> StoreError {
    let kinds = keyParts.map { storedProperties[$0].shape.scalar?.kind ?? .int }
    let expected =
      kinds.isEmpty
      ? primaryKeyProperty?.shape.scalar?.kind.name ?? ""
      : "a CompoundKey of (\(kinds.map(\.keyPartName).joined(separator: ", ")))"
    return StoreError(
      .typeMismatch(
        attribute: "\(className).\(primaryKeyProperty?.name ?? "")", expected: expected,
        found: found))
  }

  /// The update that names an object by its key: each part of it, or the key.
  package func keyValues(_ key: some ObjectKey) -> UpdateDictionary {
    var update = UpdateDictionary()
    guard !keyParts.isEmpty, let compound = key._compoundKey else {
      update.append(primaryKeyProperty?.name ?? "", key._updateValue)
      return update
    }
    for (name, value) in zip(compoundKey, compound.parts) { update.append(name, value) }
    return update
  }

  /// The first part of the key that a row has no value of, by its place; nil if it has all, or the class's key
  /// is made of nothing.
  package func missingPart(of row: BatchRow) -> Int? {
    keyParts.first { row[$0].state != .value }
  }

  /// The key that is made of the parts, which a row has.
  /// - Throws: `valueTooLarge`.
  package func compoundKey(
    of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) -> BatchCell {
    var text = CompoundKeyString()
    for part in keyParts {
      let kind = storedProperties[part].shape.scalar?.kind ?? .int
      let cell = row[part]
      if kind.isText {
        text.append(0, cell.bytes, kind)
      } else {
        text.append(cell.bits, UnsafeRawBufferPointer(start: nil, count: 0), kind)
      }
    }
    guard text.bytes.count < BatchExport.sizeLimit else {
      throw StoreError(
        .valueTooLarge(
          attribute: "\(className).\(primaryKeyProperty?.name ?? "")",
          byteCount: text.bytes.count))
    }
    return text.bytes.withUnsafeBytes { batch.text(copying: $0) }
  }

  /// The advice where a key, or a part of one, is assigned.
  func keyAdvice(_ attribute: Int) -> String {
    "\(className).\(storedProperties[attribute].name) is "
      + (keyParts.contains(attribute) ? "part of the primary key" : "the primary key")
      + "; use store.rekey(_:to:)"
  }

  /// Looks whether the parts of the key that an update has are those of an object.
  /// - Throws: `invalidKeyPath` if one is not.
  package func checkParts(
    in update: UpdateDictionary, of object: ObjectBase
  ) throws(StoreError) {
    for part in keyParts {
      let name = storedProperties[part].name
      guard let value = update[name], let known = UpdateValue(any: object[name]) else { continue }
      if !value.isSamePart(as: known) { throw StoreError(.invalidKeyPath(keyAdvice(part))) }
    }
  }

  /// What a key is to be that an update has beside its parts: `"7|cafe", made of userID and restaurantID`.
  package func expectedKey(_ key: BatchCell) -> String {
    "\(MessageText.quoted(key.bytes)), made of \(compoundKey.joined(separator: ", "))"
  }

  /// The primary key of an object of the class, of an unmanaged one, too; nil for a class without one.
  package func key(of object: ObjectBase) -> (any ObjectKey)? {
    let stored = primaryKeyProperty.flatMap { object[$0.name] }
    if keyParts.isEmpty { return stored as? any PrimaryKeyValue }
    var text = CompoundKeyString()
    var parts: [UpdateValue] = []
    for part in keyParts {
      guard let value = object[storedProperties[part].name] as? any ScalarValue else { return nil }
      value._encode { text.append($0.word, $0.bytes, type(of: value)._scalarKind) }
      parts.append(value._updateValue)
    }
    let made = String(decoding: text.bytes, as: UTF8.self)
    // A raw value that is no case of an enum any more reads as another one.
    return CompoundKey(parts: parts, text: object.isManaged ? stored as? String ?? made : made)
  }
}
