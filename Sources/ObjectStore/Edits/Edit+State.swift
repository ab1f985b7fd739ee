extension Edit {
  /// The state of an object of a class that tracks edits; see ``Object/tracksEdits``.
  public enum State: String, Sendable, Hashable {
    /// The object has no unconfirmed edits.
    case clean
    /// The object was created locally, and the server has not confirmed it.
    case created
    /// At least one attribute has an unconfirmed edit.
    case edited
    /// The server rejected the last upload of the object; ``Object/rejection`` has the reason. The edits stay, and are
    /// offered again once one of the attributes changes.
    case rejected
  }
}

extension Object {
  /// The state of the object's edits. Always `.clean` for an unmanaged or deleted object, and if the class does not track
  /// edits.
  ///
  /// Observed like an attribute. Inside a write, it includes the changes made so far.
  ///
  /// - Complexity: O(1); inside a write, O(changes) since the last read.
  public final var editState: Edit.State {
    noteRead("editState", \.editStateAttribute)
    return withBaseRow { version, slot, base in
      if version.isRejected(slot, base) { return .rejected }
      return version.state(slot, base) == .created ? .created : .edited
    } ?? .clean
  }

  /// The server's reason for rejecting the last upload of the object; nil unless ``editState`` is `.rejected`.
  ///
  /// It survives a restart. An edit of one of the attributes removes it.
  public final var rejection: Edit.Rejection? {
    noteRead("rejection", \.rejectionAttribute)
    return withBaseRow { version, slot, base in
      version.ownBytes(slot, base, .rejection).map { Edit.Rejection(stored: $0) }
    } ?? nil
  }

  /// The names of the attributes with unconfirmed edits, in declared order; for a created object, those of all attributes
  /// that are encoded.
  public final var editedAttributes: [String] {
    noteRead("editState", \.editStateAttribute)
    return withBaseRow { version, slot, base in
      version.editedAttributes(slot, base).map { model.schema.storedProperties[$0].name }
    } ?? []
  }

  /// True if the object was created locally and the server has not confirmed it, also if it rejected it.
  package final var isCreatedLocally: Bool {
    withBaseRow { version, slot, base in version.state(slot, base) == .created } ?? false
  }

  private func noteRead(_ name: String, _ attribute: KeyPath<BaseLayout, Int>) {
    if let recorder = owner as? _KeyPathRecorder { return recorder.record(stateName: name) }
    guard let storage, let handle, let tracker = handle.tracker,
      let base = handle.entry(ofTable: storage.pointee.table).base
    else { return }
    tracker.readEditState(storage.pointee.table, slot, base[keyPath: attribute])
  }

  /// Calls `body` with the object's base row; returns nil if it has none.
  private func withBaseRow<R>(_ body: (TableVersion, Int, BaseLayout) -> R) -> R? {
    guard let storage, let handle else { return nil }
    let entry = handle.entry(ofTable: storage.pointee.table)
    guard let base = entry.base else { return nil }
    handle.settleEdits()
    let (rows, bases) = (handle.tableVersion(entry.table), handle.tableVersion(base.table))
    guard bases.liveCount > 0, rows.isLive(slot),
      let baseSlot = bases.find(keyOf: slot, in: rows, entry.layout),
      // A tombstone of a live object remains from a time when the class did not track edits.
      !bases.state(baseSlot, base).isTombstone, bases.hasEdits(baseSlot, base)
    else { return nil }
    return body(bases, baseSlot, base)
  }
}
