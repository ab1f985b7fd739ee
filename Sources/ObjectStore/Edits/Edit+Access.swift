// Access to edits for coders and data sources.

extension Edit {
  /// The name of the class's table.
  package var tableName: String { entry.schema.tableName }

  /// The names of the changed attributes of which the server has the base value, as far as can be known.
  package var attributesWithBase: [String] {
    taken.attributes.filter(isBaseCertain).map { entry.attributeNames[$0] }
  }

  /// The names of the changed attributes whose base value is known, although the server may have another one by now.
  package var attributesWithUncertainBase: [String] {
    taken.attributes.filter { isBaseKnown($0) && !isBaseCertain($0) }.map {
      entry.attributeNames[$0]
    }
  }

  /// False if the deleted object of the edit lacked an attribute.
  package func isGiven(_ attribute: Int) -> Bool {
    !handle.tableVersion(base.table).marks(taken.baseSlot, base, attribute).contains(.missing)
  }

  /// The names of the changed attributes that hold one object and whose base value the server may not have.
  package var objectsWithoutBase: [String] {
    taken.attributes.filter { attribute in
      let shape = entry.schema.storedProperties[attribute].shape
      return shape.form == .link && shape.target != nil && !isBaseCertain(attribute)
    }.map { entry.attributeNames[$0] }
  }

  /// True if a merge patch of the object's values since its base values sets each changed attribute. It would omit members
  /// of an embedded object, a map or a JSON value that equal the base value although the server may have another one.
  package var isDifferenceComplete: Bool {
    taken.attributes.allSatisfy { attribute in
      let property = entry.schema.storedProperties[attribute]
      let hasMembers =
        property.shape.form == .map || property.shape.target != nil && property.shape.form == .link
        || property.shape.scalar?.kind == .json
      return hasMembers ? isBaseCertain(attribute) : differsFromBase(attribute)
    }
  }

  /// The names of the edited attributes that are not part of the edit, because they link to objects that the server does not
  /// have yet and that wait for this one.
  package var excludedAttributes: [String] {
    guard kind != .deleted else { return [] }
    let all = handle.tableVersion(base.table).editedAttributes(taken.baseSlot, base)
    return all.filter { !taken.attributes.contains($0) }.map { entry.attributeNames[$0] }
  }

  /// Identifies the object among those with edits, also after its key changed.
  package struct Identity: Hashable, Sendable {
    let table: Int
    let baseSlot: Int
  }

  /// The key of the object when the edit was taken.
  package var objectKey: (any ObjectKey)? {
    let row =
      taken.slot.map { handle.accessor(entry, $0) }
      ?? handle.accessor(handle.entry(ofTable: base.table), taken.baseSlot)
    return entry.schema.key(of: row)
  }

  /// True if an earlier edit of the object was sent whose fate is unknown: the server may have applied it.
  package var isResent: Bool {
    let bases = handle.tableVersion(base.table)
    return base.tracked.contains {
      bases.marks(taken.baseSlot, base, $0).contains(.uncertain)
    }
  }

  /// True if the edit has all attributes that can have edits, as when a deleted object was created again.
  package var isOfAllAttributes: Bool { taken.attributes.count == base.tracked.count }

  package var identity: Identity { Identity(table: base.table, baseSlot: taken.baseSlot) }

  /// The objects in ``waitsFor``.
  package var waitsForIdentities: [Identity] {
    waitsFor.compactMap { prerequisite in
      let entry = try? handle.core.entry(named: prerequisite.tableName)
      guard let entry, let base = entry.base else { return nil }
      let baseSlot = handle.tableVersion(base.table).find(
        keyOf: prerequisite.slot, in: handle.tableVersion(entry.table), entry.layout)
      return baseSlot.map { Identity(table: base.table, baseSlot: $0) }
    }
  }
}
