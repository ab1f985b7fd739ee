// Sending edits to a server: they are taken, and settled by the response.

extension Store {
  /// Takes the next unconfirmed edit to send it: the first in the order of ``takeEdits()`` that waits for no other object.
  ///
  ///     while let edit = try store.takeEdit() {
  ///       try coder.settle(edit, try await client.send(edit))
  ///     }
  ///
  /// Objects that link to each other and that the server does not have yet are sent without these links, which follow in a
  /// second edit. An edit that was released is offered again at once.
  ///
  /// Opens a write of its own, or joins the open one.
  ///
  /// - Returns: Nil if no edit can be sent: all are in flight, rejected, or wait for such an edit.
  /// - Throws: `unregisteredEdits`, `alreadyWriting`, and the errors of the commit.
  /// - Complexity: O(1) on average, if between two calls edits are only confirmed; otherwise, and inside an open write, O(*n*) in
  ///   the objects with edits, and O(*n* log *n*) if the first one waits for an edit that cannot be sent.
  public func takeEdit() throws -> Edit? { try takeEdit(ofClass: nil) }

  /// Takes the next unconfirmed edit of an object of a class; see ``takeEdit()``.
  ///
  /// - Throws: `editsNotTracked`, and the errors of ``takeEdit()``.
  public func takeEdit<T: Object>(of type: T.Type) throws -> Edit? { try takeEdit(ofClass: type) }

  private func takeEdit(ofClass type: Object.Type?) throws -> Edit? {
    let classes = try handle.classes(of: type)
    // Inside another write, base rows may change before and after this call.
    let isAlone = handle.writeDepth == 0
    return try handle.writeBases { transaction in
      while let next = handle.nextEdit(of: classes, transaction, isAlone: isAlone) {
        if let edit = handle.take([next], isCut: true, transaction).first { return edit }
      }
      return nil
    }
  }

  /// Takes the unconfirmed edits of all objects to send them in one request, in an order that servers accept.
  ///
  /// Edits are in the order of the first change of each object; objects precede those that link to them, and deletions are
  /// last. Left out are objects whose edit is in flight and those that the server rejected. An edit stays in flight until
  /// it is settled or the process ends; it is then offered again, so that the server may receive it twice.
  ///
  /// Links have the keys that their objects have now. To send one request for each edit, use ``takeEdit()`` or
  /// `StoreCoder.upload`: they take an object after the server has assigned keys to the new objects that it links to.
  ///
  /// Opens a write of its own, or joins the open one.
  ///
  /// - Throws: `unregisteredEdits` if the file has edits of a class that the store has not used, `alreadyWriting`, and the
  ///   errors of the commit; nothing is taken then.
  /// - Complexity: O(*n* log *n*) in the objects with edits.
  public func takeEdits() throws -> [Edit] { try takeEdits(ofClass: nil) }

  /// Takes the unconfirmed edits of the objects of a class; see ``takeEdits()``.
  ///
  /// - Throws: `editsNotTracked`, and the errors of ``takeEdits()``.
  public func takeEdits<T: Object>(of type: T.Type) throws -> [Edit] {
    try takeEdits(ofClass: type)
  }

  private func takeEdits(ofClass type: Object.Type?) throws -> [Edit] {
    let classes = try handle.classes(of: type)
    return try handle.writeBases { handle.take(handle.pendingEdits(of: classes), $0) }
  }

  /// Takes the unconfirmed edits of one object; see ``takeEdits()``.
  ///
  /// - Returns: Nil if the object has no edits, if they are in flight, and if the server rejected them.
  /// - Throws: `editsNotTracked`, `objectInvalidated`, `objectOfAnotherStore`, and the errors of ``takeEdits()``.
  public func takeEdit<T: Object>(of object: T) throws -> Edit? {
    try handle.writeBases { transaction in
      let slot = try handle.slot(of: object)
      let entry = try handle.entry(of: object)
      let base = try entry.trackedBase
      let writer = transaction.writer(entry.table)
      guard !transaction.isReferenced(slot, writer, base),
        let baseSlot = transaction.liveBaseRow(writer, slot, base)
      else { return nil }
      return handle.take(handle.candidate(entry, base, baseSlot).map { [$0] } ?? [], transaction)
        .first
    }
  }

  /// Takes the current edit of the object of an edit; nil if it has none, if it is in flight, and if it was rejected.
  ///
  /// - Parameter isCut: True to leave out links to objects that the server does not have yet, because these wait for this
  ///   one.
  package func takeEdit(again edit: Edit, isCut: Bool = false) throws -> Edit? {
    try handle.writeBases { transaction in
      guard transaction.writer(edit.base.table).version.isLive(edit.taken.baseSlot) else {
        return nil
      }
      guard let candidate = handle.candidate(edit.entry, edit.base, edit.taken.baseSlot) else {
        return nil
      }
      return handle.take([candidate], isCut: isCut, transaction).first
    }
  }

  /// Takes the edit of the object with a key, also a deletion and a rejected one; nil if it has none or if it is in
  /// flight.
  ///
  /// - Parameter names: The attributes to take; nil for all.
  package func takeEdit<T: Object>(
    of type: T.Type, key: some ObjectKey, only names: Set<String>? = nil
  ) throws -> Edit? {
    let entry = try handle.entry(type)
    guard let base = entry.base else { return nil }
    return try handle.writeBases { transaction in
      guard let baseSlot = handle.slot(of: key, handle.entry(ofTable: base.table)) else {
        return nil
      }
      guard var candidate = handle.candidate(entry, base, baseSlot) else { return nil }
      if let names, candidate.state == .edited {
        candidate.excluded = base.tracked.filter { !names.contains(entry.attributeNames[$0]) }
      }
      return handle.take([candidate], transaction, includesRejected: true).first
    }
  }

  /// Runs `put` in the open write. Returns an object that was created before, that the server does not have yet, and to
  /// which changed attributes of the objects that were put link, like `Order -1`; nil if there is none.
  ///
  /// - Parameter put: Puts objects and returns their keys.
  package func prerequisite<T: Object>(
    of type: T.Type, putting put: () throws -> [any ObjectKey]
  ) throws -> String? {
    let entry = try handle.entry(type)
    let before = try handle.writableTransaction().freeze()
    let keys = try put()
    guard let base = entry.base else { return nil }
    handle.settleEdits()
    for key in keys {
      guard let baseSlot = handle.slot(of: key, handle.entry(ofTable: base.table)),
        let candidate = handle.candidate(entry, base, baseSlot)
      else { continue }
      for (target, slot) in candidate.waitsFor
      where (target !== entry || slot != candidate.slot)
        && before[handle.engine.table(target.table)].isLive(slot)
      {
        let key = target.key(of: slot, in: handle.tableVersion(target.table))
        return "\(target.schema.className) \(key)"
      }
    }
    return nil
  }

  /// Returns true if the object with a key has an unconfirmed edit, also a deletion.
  package func hasEdit<T: Object>(of type: T.Type, key: some ObjectKey) throws -> Bool {
    let entry = try handle.entry(type)
    guard let base = entry.base else { return false }
    handle.settleEdits()
    let newest = handle.freezeNewest()
    return newest.slot(of: key, newest.entry(ofTable: base.table)) != nil
  }

  /// Returns the unconfirmed edits of all objects without taking them, also those in flight and those that the server
  /// rejected.
  ///
  /// They are those of the newest version, which the store may not show yet. See ``takeEdits()`` for the order, and
  /// ``settle(_:_:)`` for offering a rejected one again.
  ///
  /// - Throws: `unregisteredEdits`.
  /// - Complexity: O(*n* log *n*) in the objects with edits.
  public func pendingEdits() throws -> [Edit] { try pendingEdits(ofClass: nil) }

  /// Returns the unconfirmed edits of the objects of a class without taking them; see ``pendingEdits()``.
  ///
  /// - Throws: `editsNotTracked`, and the errors of opening the class.
  public func pendingEdits<T: Object>(of type: T.Type) throws -> [Edit] {
    try pendingEdits(ofClass: type)
  }

  /// Returns the unconfirmed edits of a class, or of all classes.
  func pendingEdits(ofClass type: Object.Type?) throws -> [Edit] {
    let classes = try handle.classes(of: type)
    handle.settleEdits()
    let newest = handle.freezeNewest()
    return newest.edits(of: newest.pendingEdits(of: classes), newest)
  }

  // MARK: - Reverting

  /// Gives attributes of an object the values that the server has, and ends their edits.
  ///
  ///     try store.revertEdits(of: order, \.note)
  ///     try store.revertEdits(of: order)          // all
  ///
  /// Without attributes, a created object is deleted; single attributes of it keep their values and are sent. An object that
  /// the server does not have (``Edit/Rejection/isGone``) is deleted once all its edits are reverted. An attribute whose base
  /// value is unknown keeps its value. An attribute that was sent gets its base value and stays edited, because the server
  /// may have the value that was sent; if the server does not have the object, the edit ends. An attribute that was not known
  /// (`isKnown`) when its edit began is unknown again; while the edit is in flight, it keeps its value.
  ///
  /// - Throws: `editsNotTracked`, `objectInvalidated`, `objectOfAnotherStore`, `alreadyWriting`. Misuse if a key path is
  ///   not a `@Persisted` attribute.
  public func revertEdits<T: Object>(
    of object: T, _ attributes: PartialKeyPath<T>...
  ) throws {
    try revertEdits(of: object, names: attributes.map { T.attributeNames(for: $0)[0] })
  }

  /// Reverts the edits of attributes with these names; of all attributes if there are none.
  package func revertEdits<T: Object>(of object: T, names: [String]) throws {
    try handle.writeBases { transaction in
      let slot = try handle.slot(of: object)
      let entry = try handle.entry(of: object)
      let writer = transaction.writer(entry.table)
      let base = try entry.trackedBase
      guard !transaction.isReferenced(slot, writer, base),
        let baseSlot = transaction.liveBaseRow(writer, slot, base)
      else { return }
      let bases = transaction.writer(base.table).version
      let isGone = bases.isGone(baseSlot, base)
      if bases.state(baseSlot, base) == .created {
        if names.isEmpty { transaction.revertCreation(writer, slot, base, baseSlot) }
        return
      }
      for attribute in base.tracked
      where names.isEmpty || names.contains(entry.attributeNames[attribute]) {
        transaction.revert(attribute, isGone: isGone, writer, slot, base, baseSlot)
      }
      if !transaction.dropIfClean(base, baseSlot, isGone: isGone, writer, slot), !isGone {
        transaction.clearRejection(base, baseSlot)
      }
    }
  }

  /// Brings back an object that was deleted locally and whose deletion the server has not confirmed. It has the values that
  /// the server has, without the edits that preceded the deletion, and is linked from where it was, unless another object
  /// took its place. If the deletion was sent, the server may have executed it: the object is then a created one.
  ///
  /// - Returns: The object; nil if there is no such deletion.
  /// - Throws: `editsNotTracked`; `typeMismatch` for a key of the wrong type; `alreadyWriting`.
  @discardableResult
  public func revertDeletion<T: Object, Key: ObjectKey>(of type: T.Type, key: Key) throws -> T? {
    let entry = try handle.entry(type)
    if let error = entry.mismatch(ofKey: key) { throw error }
    let base = try entry.trackedBase
    return try handle.writeBases { transaction in
      guard
        let tombstone = handle.slot(of: key, handle.entry(ofTable: base.table)),
        transaction.writer(base.table).version.state(tombstone, base).isTombstone,
        // A tombstone of a live object remains from a time when the class did not track edits.
        handle.slot(of: key, entry) == nil
      else { return nil }
      let slot = transaction.restore(base, tombstone, transaction.writer(entry.table))
      return handle.object(entry, slot)
    }
  }

  /// Marks attributes as edited although the server's values are unknown, for example for changes that the app recorded
  /// before the class tracked edits.
  ///
  /// - Throws: `editsNotTracked`, `objectInvalidated`, `objectOfAnotherStore`, `alreadyWriting`. Misuse if a key path is
  ///   not a `@Persisted` attribute. Attributes that are never encoded are ignored.
  public func markEdited<T: Object>(_ object: T, _ attributes: PartialKeyPath<T>...) throws {
    let names = attributes.map { T.attributeNames(for: $0)[0] }
    try handle.writeBases { transaction in
      let slot = try handle.slot(of: object)
      let entry = try handle.entry(of: object)
      let base = try entry.trackedBase
      for attribute in base.tracked where names.contains(entry.attributeNames[attribute]) {
        transaction.markEdited(attribute, transaction.writer(entry.table), slot, base)
      }
    }
  }

  /// Merges an object that was created locally into another one of its class, which the server knows: links and
  /// unconfirmed edits move to the other object, and the first one is deleted. No deletion is sent.
  ///
  /// Use it if a refresh has delivered an object before the response to its creation arrived. Values that were sent and have not
  /// changed since count as confirmed, whatever the outcome of the request: the other object shows what the server has.
  ///
  /// - Throws: `editsNotTracked`, `objectInvalidated`, `objectOfAnotherStore`, `alreadyWriting`.
  public func merge<T: Object>(_ object: T, into other: T) throws {
    try handle.writeBases { transaction in
      let (slot, otherSlot) = (try handle.slot(of: object), try handle.slot(of: other))
      if slot == otherSlot { return }
      let entry = try handle.entry(of: object)
      let base = try entry.trackedBase
      transaction.merge(slot, into: otherSlot, transaction.writer(entry.table), base)
    }
  }
}
