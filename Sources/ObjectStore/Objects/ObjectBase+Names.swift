// Access to attributes by name, for names and types that are known only at run time.

extension ObjectBase {
  /// The value of the attribute with this name; nil if it is null, or if there is no such attribute.
  ///
  ///     object["legs"] = 3
  ///     object["address"] = ["street": "Main St", "city": "Ulm"]
  ///
  /// The setter accepts every value that an update accepts for the attribute: a number of any width that the
  /// attribute can hold exactly, a dictionary for an object, an array for a list. If an update would reject the value
  /// assigned to a managed object, `write` throws the same error when it ends, and none of its changes are applied.
  ///
  /// ``objectSchema`` has the names. Assigning to a managed object outside a write is misuse, and so is assigning to an
  /// unknown name, or a value of another type, of an unmanaged object.
  public final subscript(name: String) -> Any? {
    get {
      model[name].flatMap { $0.wrapper.readAny(self, $0) }
    }
    set {
      if let storage, !storage.pointee.isWritable { misuseOutsideWrite() }
      do {
        guard let attribute = model[name] else { throw unknownAttribute(name) }
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

  private func unknownAttribute(_ name: String) -> StoreError {
    let schema = objectSchema
    return StoreError(
      .unknownAttribute(
        className: schema.className, name: name,
        suggestion: Suggestion.nearest(to: name, among: schema.properties.map(\.name))))
  }
}

extension StoreHandle {
  /// Assigns to an attribute of a managed object of this handle.
  ///
  /// A value of the attribute's own type is assigned by the typed setter. Any other value is converted like
  /// the value of an update, which also checks raw values of an enum that only its schema describes.
  ///
  /// - Throws: The errors of an update.
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
      // A migration does not find its new objects by key.
      try apply(batch, core.side == nil ? .modified : .error)
      try writableTransaction().write(writer, object.slot, stored.column, cell, of: batch)
    }
  }
}
