package import Foundation

extension Store {
  /// The number of times that an upload sends one object, which may change at every request.
  private static let sendCount = 8

  /// Sends the unconfirmed edits, one object at a time, and settles each by its outcome.
  ///
  /// - Parameters:
  ///   - class: The class whose edits are sent; nil for all classes. An edit that waits for the creation of an object of
  ///     another class stays for a later upload.
  ///   - send: Sends one edit. If it throws, the edit is released and the upload ends.
  ///   - confirm: Confirms an edit with the server's response. If it throws, the edit is released and the upload ends.
  ///   - concernsOneEdit: Returns true for an error of `send` or `confirm` that says nothing about other edits: these are
  ///     sent, and the first such error is thrown at the end.
  ///   - resolve: Chooses whether an object with edits that the server does not have is kept, created again or deleted.
  ///   - mayContinue: Called before each edit; returns false to leave it and the rest for a later upload.
  /// - Throws: The errors of the closures; `CancellationError`; errors of the commits.
  package nonisolated(nonsending) func upload(
    of class: Object.Type? = nil, _ send: (Edit) async throws -> Edit.Outcome,
    confirm: (Edit, Data?) throws -> Void,
    concernsOneEdit: (any Error) -> Bool = { _ in false },
    resolve: @escaping (Edit.Conflict) throws -> Edit.Choice,
    while mayContinue: () -> Bool = { true }
  ) async throws -> Edit.Summary {
    var summary = Edit.Summary()
    var postponed: Set<Edit.Identity> = []
    var sendCounts: [Edit.Identity: Int] = [:]
    var firstError: (any Error)?
    func isIncluded(_ edit: Edit) -> Bool {
      `class`.map { edit.entry.model.type == $0 } ?? true
    }
    func waits(_ edit: Edit) -> Bool {
      edit.waitsForIdentities.contains { postponed.contains($0) }
        || `class` != nil && edit.waitsFor.contains { $0.tableName != edit.tableName }
    }
    func settle(_ edit: Edit, _ outcome: Edit.Outcome) throws {
      switch outcome {
      case .confirmed(let response):
        try confirm(edit, response)
        summary.confirmed += 1
      case .rejected(let rejection):
        try reject(edit, with: rejection)
        summary.rejected += 1
        postponed.insert(edit.identity)
      case .reverted:
        try revert(edit)
        summary.reverted += 1
      case .gone:
        if let conflict = try confirmGone(edit, resolve) { summary.gone.append(conflict) }
        if edit.kind == .deleted { summary.confirmed += 1 }
        if edit.kind == .created { postponed.insert(edit.identity) }
      case .later:
        try release(edit)
        postponed.insert(edit.identity)
      case .unapplied:
        try releaseUnapplied(edit)
        postponed.insert(edit.identity)
      }
    }
    var isProgressing = true
    while isProgressing, mayContinue() {
      isProgressing = false
      for pending in pendingEdits() where isIncluded(pending) {
        try Task.checkCancellation()
        guard mayContinue() else { break }
        if postponed.contains(pending.identity) { continue }
        if pending.rejection != nil || waits(pending) {
          postponed.insert(pending.identity)
          continue
        }
        // Edits of linked objects come first. If objects link to each other, their links follow in a second edit.
        guard let edit = try takeEdit(again: pending, isCut: true) else { continue }
        isProgressing = true
        if edit.attributes.isEmpty, edit.kind == .edited {
          // Only links to objects that could not be created yet are left.
          try releaseUnapplied(edit)
          postponed.insert(edit.identity)
          continue
        }
        do {
          try settle(edit, try await send(edit))
        } catch {
          try? release(edit)
          guard concernsOneEdit(error) else { throw error }
          firstError = firstError ?? error
          postponed.insert(edit.identity)
        }
        sendCounts[edit.identity, default: 0] += 1
        if sendCounts[edit.identity] == Self.sendCount { postponed.insert(edit.identity) }
      }
    }
    if let firstError { throw firstError }
    summary.postponed = pendingEdits().count { isIncluded($0) && $0.rejection == nil }
    return summary
  }
}
