// Attributes by name, for names and types that are known only at run time.

extension ObjectBase {
  /// The attribute's value by name; nil for a null.
  ///
  ///     object["legs"] = 3
  ///     object["address"] = ["street": "Main St", "city": "Ulm"]
  ///
  /// Assigning takes the values that an update takes for the attribute: a number of any width that the attribute
  /// holds exactly, a dictionary for an object, an array for a list. Of a managed object a value that an update
  /// refuses makes the write throw the same error at its end, and nothing of the write is applied.
  ///
  /// A name that is no attribute is misuse: ask ``objectSchema`` for names you do not know. So is assigning to a
  /// managed object outside a write, and assigning a value of another type to an object that is not managed. Of an
  /// old object in a ``Migration`` the value of an unknown name is nil, since the file decides what it has.
  public final subscript(name: String) -> Any? {
    get {
      if let attribute = model[name] { return attribute.wrapper.readAny(self, attribute) }
      if let side = handle?.core.side, !side.isNew { return nil }
      misuseUnknown(name)
    }
    set {
      guard let attribute = model[name] else { misuseUnknown(name) }
      if let storage, !storage.pointee.isWritable { misuseOutsideWrite() }
      do {
        guard let handle, isManaged else {
          return try attribute.wrapper.assignAny(self, attribute, newValue)
        }
        try handle.assign(newValue, to: self, attribute)
      } catch {
        guard let error = error as? StoreError, let transaction = handle?.transaction else {
          misuse("\(error)")
        }
        transaction.failure.note(error)
      }
    }
  }

  private func misuseUnknown(_ name: String) -> Never {
    let schema = objectSchema
    misuse(
      StoreError(
        .unknownAttribute(
          className: schema.className, name: name,
          suggestion: Suggestion.nearest(to: name, among: schema.properties.map(\.name)))
      ).description)
  }
}

extension StoreHandle {
  /// Assigns to an attribute of a managed object of this handle.
  ///
  /// A value of the attribute's own type goes the way of the typed setter; every other is converted as that of an
  /// update, which also checks the raw values of an enum that only its schema describes.
  /// - Throws: as an update does.
  fileprivate func assign(
    _ value: Any?, to object: ObjectBase, _ attribute: ModelAttribute
  ) throws {
    let entry = try entry(of: object)
    let stored = entry.attribute(attribute.property.name)
    let checksCases = entry.model.isDynamic && stored?.cases != nil
    if !checksCases, attribute.wrapper.assignTyped(object, attribute, value) { return }
    guard let stored, stored.column != entry.keyColumn,
      !entry.schema.keyParts.contains(stored.index), let update = UpdateValue(any: value)
    else {
      return try attribute.wrapper.assignAny(object, attribute, value)
    }
    guard let writer = writer(of: object, entry.table) else { return }
    try withBatch { batch in
      let cell = try UpdateConversion(self, batch).cell(update, stored)
      // A migration's new objects are not found by their keys.
      try apply(batch, core.side == nil ? .modified : .error)
      try writableTransaction().write(writer, object.slot, stored.column, cell, of: batch)
    }
  }
}
