extension Store {
  /// Sends the unconfirmed edits, one object at a time, and settles each by its outcome.
  ///
  /// - Parameters:
  ///   - type: The class whose edits are sent; nil for all classes. An edit that waits for the creation of an object of
  ///     another class stays for a later upload.
  ///   - send: Sends one edit. If it throws, the edit is released and the upload ends.
  ///   - settle: Records the outcome of an edit, with the response; see ``settle(_:_:)``. If it throws, the edit is released
  ///     and the upload ends.
  ///   - concernsOneEdit: Returns true for an error of `send` or `settle` that says nothing about other edits: these are
  ///     sent, and the first such error is thrown at the end.
  ///   - mayContinue: Called before each edit; returns false to leave it and the rest for a later upload.
  /// - Throws: The errors of the closures; `CancellationError`; errors of the commits.
  package nonisolated(nonsending) func upload(
    of type: Object.Type? = nil, _ send: (Edit) async throws -> Edit.Outcome,
    settle: (Edit, Edit.Outcome) throws -> [Edit.Conflict],
    concernsOneEdit: (any Error) -> Bool = { _ in false },
    while mayContinue: () -> Bool = { true }
  ) async throws -> Edit.Summary {
    var upload = try EditUpload(self, of: type)
    while mayContinue(), let edit = try upload.next() {
      do {
        try upload.settle(edit, try await send(edit), settle)
      } catch {
        upload.release(edit)
        guard concernsOneEdit(error) else { throw error }
        upload.note(error)
      }
    }
    return try upload.finish()
  }

  /// Sends the unconfirmed edits, up to a number at a time, and settles each by its outcome; see
  /// ``upload(of:_:settle:concernsOneEdit:while:)``.
  ///
  /// If `send` throws an error that ends the upload, the other requests are cancelled, and settled by the outcomes that they
  /// return nevertheless.
  package func upload(
    of type: Object.Type? = nil, concurrency: Int,
    isolation: isolated (any Actor)? = #isolation,
    _ send: @escaping @isolated(any) @Sendable (Edit) async throws -> Edit.Outcome,
    settle: (Edit, Edit.Outcome) throws -> [Edit.Conflict],
    concernsOneEdit: (any Error) -> Bool
  ) async throws -> Edit.Summary {
    var upload = try EditUpload(self, of: type)
    var firstError: (any Error)?
    await withTaskGroup(of: (edit: Edit, outcome: Result<Edit.Outcome, any Error>).self) { group in
      // Captured, the closure runs in the isolation of the caller.
      _ = isolation
      func stop(_ error: any Error) {
        if concernsOneEdit(error) { return upload.note(error) }
        firstError = firstError ?? error
        group.cancelAll()
      }
      while true {
        do {
          while firstError == nil, upload.inFlightCount < concurrency,
            let edit = try upload.next()
          {
            group.addTask {
              do {
                return (edit, .success(try await send(edit)))
              } catch {
                return (edit, .failure(error))
              }
            }
          }
        } catch {
          stop(error)
        }
        guard let (edit, outcome) = await group.next() else { return }
        do {
          try upload.settle(edit, try outcome.get(), settle)
        } catch {
          upload.release(edit)
          stop(error)
        }
      }
    }
    if let firstError { throw firstError }
    return try upload.finish()
  }
}

/// An upload under way: chooses the edits to send, and settles them.
///
/// - Complexity: O(*n* log *n*) in the objects with edits, in addition to O(links) of the edits.
private struct EditUpload {
  /// The number of times that an upload sends one object, which may change at every request.
  private static let sendCount = 8

  private let store: Store
  private let type: Object.Type?
  private var summary = Edit.Summary()
  /// The edits of this pass that were not visited, latest first.
  private var rest: [Edit] = []
  /// True if an edit was sent in this pass, so that another pass may find new ones.
  private var isProgressing = true
  /// The objects that are left out until the next upload.
  private var postponed: Set<Edit.Identity> = []
  private var inFlight: Set<Edit.Identity> = []
  /// The edits of this pass that wait for a creation under way, by that object.
  private var waiting: [Edit.Identity: [Edit]] = [:]
  /// The creations for which the edits in `waiting` wait.
  private var blockers: [Edit.Identity: Edit.Identity] = [:]
  private var sendCounts: [Edit.Identity: Int] = [:]
  private var firstError: (any Error)?

  var inFlightCount: Int { inFlight.count }

  init(_ store: Store, of type: Object.Type?) throws {
    self.store = store
    self.type = type
    // Before anything is sent.
    _ = try store.handle.classes(of: type)
    // Rolling it back would undo the confirmations.
    if store.isInWriteTransaction { throw StoreError(.unbalancedWrite) }
  }

  /// Takes the next edit to send; nil if there is none, or none before an edit under way is settled.
  mutating func next() throws -> Edit? {
    while true {
      guard let pending = rest.popLast() else {
        if !inFlight.isEmpty || !isProgressing { return nil }
        isProgressing = false
        rest = try store.pendingEdits(ofClass: type).reversed()
        if rest.isEmpty { return nil }
        continue
      }
      try Task.checkCancellation()
      // A deletion may concern an object from which an edit under way removes the last link.
      if pending.kind == .deleted, !inFlight.isEmpty {
        rest.append(pending)
        return nil
      }
      if postponed.contains(pending.identity) || inFlight.contains(pending.identity) { continue }
      let prerequisites = pending.waitsForIdentities
      if pending.rejection != nil || prerequisites.contains(where: postponed.contains)
        || type != nil && pending.waitsFor.contains(where: { $0.tableName != pending.tableName })
      {
        postponed.insert(pending.identity)
        continue
      }
      if let creation = prerequisites.first(where: { isWaiting(for: $0, pending.identity) }) {
        waiting[creation, default: []].append(pending)
        blockers[pending.identity] = creation
        continue
      }
      // Edits of linked objects come first. If objects link to each other, their links follow in a second edit.
      guard let edit = try store.takeEdit(again: pending, isCut: true) else { continue }
      isProgressing = true
      if edit.kind == .deleted, pending.kind != .deleted {
        // Deleted since the edits were listed: deletions are last, in the next pass.
        _ = try store.settle(edit, .unapplied) { _ in .keep }
        continue
      }
      if edit.attributes.isEmpty, edit.kind == .edited {
        // Only links to objects that could not be created yet are left.
        _ = try store.settle(edit, .unapplied) { _ in .keep }
        postponed.insert(edit.identity)
        continue
      }
      inFlight.insert(edit.identity)
      return edit
    }
  }

  /// Settles an edit that was sent. If this throws, the edit is still under way.
  mutating func settle(
    _ edit: Edit, _ outcome: Edit.Outcome,
    _ settle: (Edit, Edit.Outcome) throws -> [Edit.Conflict]
  ) throws {
    if store.handle.undoOpenWrites() { throw StoreError(.unbalancedWrite) }
    let conflicts = try settle(edit, outcome)
    switch outcome {
    case .confirmed: summary.confirmed += 1
    case .rejected: summary.rejected += 1
    case .reverted: summary.reverted += 1
    case .gone where edit.kind == .deleted: summary.confirmed += 1
    case .gone: summary.gone += conflicts
    case .later, .unapplied: break
    }
    switch outcome {
    case .confirmed, .reverted: break
    case .gone where edit.kind != .created: break
    case .rejected, .gone, .later, .unapplied: postponed.insert(edit.identity)
    }
    end(edit)
  }

  /// Releases an edit after an error, and leaves it out until the next upload.
  mutating func release(_ edit: Edit) {
    _ = try? store.settle(edit, .later) { _ in .keep }
    postponed.insert(edit.identity)
    end(edit)
  }

  /// Records an error that ``finish()`` throws.
  mutating func note(_ error: any Error) { firstError = firstError ?? error }

  /// True if a creation is under way, or waits for one. One that waits for the edit itself does not count.
  private func isWaiting(for creation: Edit.Identity, _ edit: Edit.Identity) -> Bool {
    var creation = creation
    while !inFlight.contains(creation) {
      guard let next = blockers[creation], next != edit else { return false }
      creation = next
    }
    return true
  }

  private mutating func end(_ edit: Edit) {
    inFlight.remove(edit.identity)
    sendCounts[edit.identity, default: 0] += 1
    if sendCounts[edit.identity] == Self.sendCount { postponed.insert(edit.identity) }
    if let freed = waiting.removeValue(forKey: edit.identity) {
      for edit in freed { blockers[edit.identity] = nil }
      rest += freed.reversed()
    }
  }

  func finish() throws -> Edit.Summary {
    if let firstError { throw firstError }
    var summary = summary
    summary.postponed = try store.pendingEdits(ofClass: type).count { $0.rejection == nil }
    return summary
  }
}
