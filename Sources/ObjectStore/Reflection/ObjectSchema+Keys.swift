// Primary keys, whether stored in one attribute or composed of several.

extension ObjectSchema {
  /// The names of the attributes that identify an object: the parts of a compound key, or the primary key.
  package var keyNames: [String] {
    compoundKey.isEmpty ? primaryKeyProperty.map { [$0.name] } ?? [] : compoundKey
  }

  /// Returns the error of a lookup by this key, or nil if its type fits. The string of a compound key fits as well.
  package func mismatch(ofKey key: some ObjectKey) -> StoreError? {
    guard let property = primaryKeyProperty else {
      return StoreError(.noPrimaryKey(className: className))
    }
    let keyKind = property.shape.scalar?.kind ?? .int
    guard let compound = key._compoundKey else {
      let fits = key._keyKind.map { kind in
        kind == keyKind || kind.column == .word && keyKind.column == .word
      }
      return fits ?? false ? nil : mismatch(found: key.foundText)
    }
    if !keyParts.isEmpty, compound.fits(partKinds) { return nil }
    return mismatch(found: "a CompoundKey of \(compound.typeDescription)")
  }

  /// The kinds of the parts of a compound key.
  private var partKinds: [ScalarKind] {
    keyParts.map { storedProperties[$0].shape.scalar?.kind ?? .int }
  }

  /// Returns a compound key, or the one whose string is in an ``UpdateValue``; nil for other keys.
  func compoundKey(of key: some ObjectKey) -> CompoundKey? {
    if let compound = key._compoundKey { return compound }
    guard !keyParts.isEmpty, case .string(let text)? = key as? UpdateValue else { return nil }
    return CompoundKey(parsing: text, kinds: partKinds)
  }

  /// Returns the error for a key whose type differs from that of the class's key.
  func mismatch(found: String) -> StoreError {
    let expected =
      keyParts.isEmpty
      ? primaryKeyProperty?.shape.scalar?.kind.name ?? ""
      : "a CompoundKey of (\(partKinds.map(\.keyPartName).joined(separator: ", ")))"
    return StoreError(
      .typeMismatch(
        attribute: "\(className).\(primaryKeyProperty?.name ?? "")", expected: expected,
        found: found))
  }

  /// The update that identifies an object by its key: each part of a compound key, or the key.
  package func keyValues(_ key: some ObjectKey) -> UpdateDictionary {
    var update = UpdateDictionary()
    guard !keyParts.isEmpty, let compound = compoundKey(of: key) else {
      update.append(primaryKeyProperty?.name ?? "", key._updateValue)
      return update
    }
    for (name, value) in zip(compoundKey, compound.parts) { update.append(name, value) }
    return update
  }

  /// The attribute index of the first key part for which the row has no value; nil if there is none, or if
  /// the key is not compound.
  package func missingPart(of row: BatchRow) -> Int? {
    keyParts.first { row[$0].state != .value }
  }

  /// Returns the compound key of a row that has all parts.
  ///
  /// - Throws: `valueTooLarge`.
  package func compoundKey(
    of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) -> BatchCell {
    var text = CompoundKeyString()
    for part in keyParts {
      let kind = storedProperties[part].shape.scalar?.kind ?? .int
      let cell = row[part]
      if kind.isBytes {
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

  /// The advice for an assignment to a key or a part of one.
  func keyAdvice(_ attribute: Int) -> String {
    "\(className).\(storedProperties[attribute].name) is "
      + (keyParts.contains(attribute) ? "part of the primary key" : "the primary key")
      + "; use store.rekey(_:to:)"
  }

  /// Checks that the key parts in an update equal those of an object.
  ///
  /// - Throws: `invalidKeyPath` if one does not.
  package func checkParts(
    in update: UpdateDictionary, of object: ObjectBase
  ) throws(StoreError) {
    for part in keyParts {
      let name = storedProperties[part].name
      guard let value = update[name], let known = UpdateValue(any: object[name]) else { continue }
      if !value.isSamePart(as: known) { throw StoreError(.invalidKeyPath(keyAdvice(part))) }
    }
  }

  /// The key that an update with these parts must have, for messages: `"7|cafe", made of userID, restaurantID`.
  package func expectedKey(_ key: BatchCell) -> String {
    "\(MessageText.quoted(key.bytes)), made of \(compoundKey.joined(separator: ", "))"
  }

  /// Returns the primary key of an object, managed or not; nil if its class has none.
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
    let composed = String(decoding: text.bytes, as: UTF8.self)
    // A stored raw value that no longer matches an enum case reads as another case, so the stored key is used.
    return CompoundKey(
      parts: parts, text: object.isManaged ? stored as? String ?? composed : composed)
  }
}
