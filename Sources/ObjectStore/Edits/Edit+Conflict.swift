extension Edit {
  /// A value of the server that is neither the base value nor the local value of an edited attribute.
  ///
  /// The local value stays and will be sent, unless `CodingConfiguration.resolveConflict` chooses otherwise. An object that
  /// the server deleted stays and is not sent until it is edited again; see ``Edit/Choice/keep``.
  public struct Conflict: Sendable, Hashable {
    /// The name of the class.
    public let className: String
    /// The key of the object, for calls that take a key.
    public let key: UpdateValue
    /// The name of the attribute; nil if the server deleted the object, and for ``isDeletedLocally``.
    public let attribute: String?
    /// A Boolean value that indicates whether the user has deleted the object, and the server has other values than before:
    /// somebody else has changed it.
    public let isDeletedLocally: Bool
    /// The value that the server had before; nil if it is unknown, and for a deletion.
    public let base: UpdateValue?
    /// The value of the attribute in the store; nil for a deletion.
    public let local: UpdateValue?
    /// The value that the server has now; nil for a deletion.
    public let server: UpdateValue?
    /// A Boolean value that indicates whether an edit with the attribute is in flight. Such a conflict is only reported,
    /// because the response to the edit decides.
    public let isInFlight: Bool
  }
}

extension Edit.Conflict: CustomStringConvertible {
  /// The object, the attribute and its three values: `Order 7: note is "b", was "a" on the server, now "c"`.
  public var description: String {
    let name = "\(className) \(PlannedText.text(key))"
    if isDeletedLocally { return "\(name): deleted here, changed on the server" }
    guard let attribute else { return "\(name): not on the server" }
    func text(_ value: UpdateValue?) -> String { value.map { PlannedText.text($0) } ?? "?" }
    return "\(name): \(attribute) is \(text(local)), was \(text(base)) on the server, "
      + "now \(text(server))"
  }
}

extension Edit {
  /// The value that an edited attribute gets in a conflict.
  public enum Choice: Sendable {
    /// The local value, which stays an edit. An object that the server deleted stays, too: its ``Object/editState`` is
    /// `.rejected`, and ``Edit/Rejection/isGone`` is true. The deletion of an object stays. This is the default.
    case keep
    /// The local value, which stays an edit. An object that the server deleted becomes a created one. The deletion of an
    /// object stays.
    case local
    /// The server's value, which ends the edit. An object that the server deleted is deleted. An object that the user
    /// deleted is back with the server's values, also if its deletion is in flight.
    case server
    /// Another value, for example a combination of both, which is an edit.
    case value(UpdateValue)
  }
}

/// The author of the values of a batch.
package enum ValueAuthor {
  /// The user: changes are edits.
  case user
  /// A server: changes of edited attributes go to their base values. The closure chooses the treatment of conflicts; nil for
  /// `.keep`.
  case server(((Edit.Conflict) throws -> Edit.Choice)?)
}

extension StoreHandle {
  /// Runs `body`, which applies batches, in the open write or in a write of its own, and resolves the conflicts.
  func applying<R>(
    as author: ValueAuthor, _ body: () throws -> R
  ) throws -> (result: R, conflicts: [Edit.Conflict]) {
    guard case .server(let choose) = author else { return (try joinOrWrite(body), []) }
    func apply(_ transaction: Transaction) throws -> (result: R, conflicts: [Edit.Conflict]) {
      transaction.edits.conflicts = []
      let result = try body()
      if transaction.edits.conflicts.isEmpty { return (result, []) }
      return (result, try resolveConflicts(transaction, choose ?? { _ in .keep }))
    }
    if let transaction {
      return try transaction.run(as: .server, isApplying: true) {
        // A resolver that throws undoes what was applied, also if the open write continues.
        guard choose != nil, transaction.hasBaseRows else { return try apply(transaction) }
        return try write { try apply(transaction) }
      }
    }
    return try write {
      let transaction = try writableTransaction()
      // The write has no other author, so no edits have to be found.
      transaction.edits.phase.author = .server
      transaction.edits.phase.isApplying = true
      return try apply(transaction)
    }
  }

  private func resolveConflicts(
    _ transaction: Transaction, _ choose: (Edit.Conflict) throws -> Edit.Choice
  ) throws -> [Edit.Conflict] {
    let stored = transaction.edits.conflicts
    transaction.edits.conflicts = []
    let state = transaction.freeze()
    let now = StoreHandle(core, frozen: state, core.allEntries())
    let former = formerState(state, transaction)
    let conflicts = stored.map { conflict(of: $0, now, former) }
    for (stored, conflict) in zip(stored, conflicts) {
      let writer = transaction.writer(stored.table)
      if stored.isDeletedLocally {
        let choice = try evaluation.run { try choose(conflict) }
        if case .server = choice { transaction.undelete(stored.baseSlot, writer) }
        continue
      }
      guard !stored.isInFlight, let base = writer.base, writer.version.isLive(stored.slot) else {
        continue
      }
      guard transaction.writer(base.table).version.isLive(stored.baseSlot) else {
        // An earlier choice has ended the edits of the object.
        if stored.attribute == nil { transaction.delete([(stored.table, stored.slot)]) }
        continue
      }
      // The choice may read the store, but not write to it.
      let choice = try evaluation.run { try choose(conflict) }
      guard let attribute = stored.attribute else {
        switch choice {
        case .keep:
          transaction.setRejection(Edit.Rejection.gone.storedText, base, stored.baseSlot)
        case .local, .value:
          transaction.recreate(writer, base, stored.baseSlot)
        case .server:
          transaction.dropBaseRow(base, stored.baseSlot)
          transaction.delete([(stored.table, stored.slot)])
        }
        continue
      }
      switch choice {
      case .keep, .local: break
      case .server:
        transaction.copyBaseValue(
          of: attribute, to: writer, stored.slot, base, stored.baseSlot)
        transaction.clearEdit(attribute, base, stored.baseSlot)
        transaction.dropIfClean(base, stored.baseSlot)
      case .value(let value):
        // These may have parts that an update cannot have, such as links of objects without a key.
        if let local = conflict.local, value.isIdentical(to: local) {
          transaction.clearRejection(base, stored.baseSlot)
        } else if let server = conflict.server, value.isIdentical(to: server) {
          transaction.copyBaseValue(
            of: attribute, to: writer, stored.slot, base, stored.baseSlot)
          transaction.clearRejection(base, stored.baseSlot)
          transaction.noteChangedSinceSent(attribute, base, stored.baseSlot)
        } else if let known = conflict.base, value.isIdentical(to: known) {
          transaction.copyValue(
            writer.firstAttribute + attribute,
            of: StoredRow(state: former.version, table: base.table, slot: stored.baseSlot),
            to: writer, stored.slot)
          transaction.clearRejection(base, stored.baseSlot)
          transaction.noteChangedSinceSent(attribute, base, stored.baseSlot)
        } else {
          try assign(value, attribute, stored, transaction)
        }
      }
    }
    return conflicts
  }

  /// A view in which the base tables are as before the batch.
  private func formerState(_ state: Version, _ transaction: Transaction) -> StoreHandle {
    var tables = state.touchedTables
    for (table, version) in transaction.edits.formerBases {
      while tables.count <= table { tables.append(nil) }
      tables[table] = version
    }
    let version = Version(
      number: state.number, touchedTables: tables, registry: nil, base: state)
    return StoreHandle(core, frozen: version, core.allEntries())
  }

  private func conflict(
    of stored: StoredConflict, _ now: StoreHandle, _ former: StoreHandle
  ) -> Edit.Conflict {
    let entry = entry(ofTable: stored.table)
    let bases = entry.base.map { self.entry(ofTable: $0.table) } ?? entry
    let attribute = stored.attribute
    let row =
      stored.isDeletedLocally
      ? (entry: bases, slot: stored.baseSlot) : (entry: entry, slot: stored.slot)
    return Edit.Conflict(
      className: entry.schema.className,
      key: row.entry.key(of: row.slot, in: now.tableVersion(row.entry.table)),
      attribute: attribute.map { entry.attributeNames[$0] },
      isDeletedLocally: stored.isDeletedLocally,
      base: attribute.flatMap { attribute in
        stored.formerBase.map { _ in
          PlannedValues(former).value(attribute, of: bases, stored.baseSlot)
        }
      },
      local: attribute.map { PlannedValues(now).value($0, of: entry, stored.slot) },
      server: attribute.map { PlannedValues(now).value($0, of: bases, stored.baseSlot) },
      isInFlight: stored.isInFlight)
  }

  /// Replaces the keys in a value by links to their objects, so that the values of a conflict can be assigned.
  private func linking(_ value: UpdateValue, _ attribute: StoredAttribute) -> UpdateValue {
    guard let table = attribute.targetTable else { return value }
    let target = entry(ofTable: table)
    switch (attribute.property.shape.form, value) {
    case (.map, .object(let members)):
      return .object(UpdateDictionary(members.map { ($0.key, link($0.value, target)) }))
    case (.list, .array(let elements)), (.set, .array(let elements)):
      return .array(elements.map { link($0, target) })
    default:
      return link(value, target)
    }
  }

  private func link(_ value: UpdateValue, _ target: ClassEntry) -> UpdateValue {
    if target.keyColumn < 0 {
      guard case .object(let members) = value else { return value }
      return .object(
        UpdateDictionary(
          members.map { name, value in
            (name, target.attribute(name).map { linking(value, $0) } ?? value)
          }))
    }
    let slot: Int? =
      switch value {
      case .int(let key): slot(of: key, target)
      case .uint(let key): slot(of: key, target)
      case .string(let key): slot(of: key, target)
      case .uuid(let key): slot(of: key, target)
      default: nil
      }
    guard let slot, let reference = _AnyObjectReference(accessor(target, slot)) else {
      return value
    }
    return .reference(reference)
  }

  private func assign(
    _ value: UpdateValue, _ attribute: Int, _ stored: StoredConflict, _ transaction: Transaction
  ) throws {
    let entry = entry(ofTable: stored.table)
    try withBatch { batch in
      let conversion = UpdateConversion(self, batch)
      let cell = try conversion.cell(
        linking(value, entry.attributes[attribute]), entry.attributes[attribute])
      // Objects inside the value that have keys.
      try apply(batch, .modified)
      transaction.write(
        transaction.writer(stored.table), stored.slot, entry.attributes[attribute].column, cell,
        of: batch)
      // The value is a new edit.
      if let base = entry.base {
        transaction.clearRejection(base, stored.baseSlot)
        transaction.noteChangedSinceSent(attribute, base, stored.baseSlot)
      }
    }
  }
}
