public import Foundation
public import ObjectStore

/// The outcome of sending one edit.
public enum UploadOutcome: Sendable {
  /// The server has applied the edit. The value is the object that it returned; nil or empty if it returned none.
  case confirmed(Data?)
  /// The server refused the edit: the values stay, and `Object.rejection` has the reason.
  case rejected(Rejection)
  /// The server refused the edit, and it is undone.
  case reverted
  /// The server does not have the object any more (404, 410). A deletion is confirmed; an object with edits is deleted or
  /// created again, as `CodingConfiguration.resolveConflict` chooses.
  case gone
  /// The edit could not be sent, or its fate is unknown: it stays for a later upload.
  case later

  /// The server has applied the edit and returned no object.
  public static var confirmed: UploadOutcome { .confirmed(nil) }
}

/// The numbers of edits by outcome of an upload.
public struct UploadSummary: Sendable, Hashable {
  /// The number of edits that the server applied.
  public internal(set) var confirmed = 0
  /// The number of edits that the server refused.
  public internal(set) var rejected = 0
  /// The number of edits that were undone.
  public internal(set) var reverted = 0
  /// The number of edits of objects that the server does not have any more.
  public internal(set) var gone = 0
  /// The number of edits that stay for a later upload, including those that wait for the creation of another object.
  public internal(set) var postponed = 0
}

extension StoreCoder {
  /// Sends the unconfirmed edits of the store, one object at a time, and settles each by its outcome.
  ///
  ///     let summary = try await coder.upload { edit in
  ///       let body = try coder.encode(edit, as: .mergePatch)
  ///       let response = try await client.send(edit.kind, edit.className, edit.key, body)
  ///       switch response.status {
  ///       case 200..<300: return .confirmed(response.body)
  ///       case 404, 410: return .gone
  ///       case 422: return .rejected(coder.rejection(of: Order.self, in: response.body))
  ///       default: return .later
  ///       }
  ///     }
  ///
  /// The order is that of `Store.takeEdits()`. Each edit is taken immediately before it is sent, so that it contains the
  /// key that the server has assigned to an object sent before. Edits made in the meantime are sent as well. An object whose
  /// outcome is `.later` or `.rejected`, and those that wait for its creation, are left out until the next call. Only one
  /// upload of a store should run at a time: an object that is in flight is left out.
  ///
  /// - Parameter send: Sends one edit. If it throws, the edit is released and the upload ends.
  /// - Returns: The numbers of edits by outcome.
  /// - Throws: Any error of `send`; `CancellationError`; errors of the commits; ``StoreCodingError`` for a response that cannot
  ///   be decoded: its edit is then released, because the server may have applied it.
  @discardableResult
  public nonisolated(nonsending) func upload(
    _ send: (Edit) async throws -> UploadOutcome
  ) async throws -> UploadSummary {
    var summary = UploadSummary()
    var postponed: Set<Edit.Identity> = []
    var isProgressing = true
    while isProgressing {
      isProgressing = false
      for pending in store.pendingEdits() {
        try Task.checkCancellation()
        if postponed.contains(pending.identity) { continue }
        if pending.rejection != nil
          || pending.waitsForIdentities.contains(where: { postponed.contains($0) })
        {
          postponed.insert(pending.identity)
          continue
        }
        guard let edit = try store.takeEdit(again: pending) else { continue }
        isProgressing = true
        try await settle(edit, send, &summary, &postponed)
      }
    }
    summary.postponed = store.pendingEdits().count { $0.rejection == nil }
    return summary
  }

  private nonisolated(nonsending) func settle(
    _ edit: Edit, _ send: (Edit) async throws -> UploadOutcome, _ summary: inout UploadSummary,
    _ postponed: inout Set<Edit.Identity>
  ) async throws {
    do {
      switch try await send(edit) {
      case .confirmed(let response):
        try confirm(edit, with: response)
        summary.confirmed += 1
      case .rejected(let rejection):
        try store.reject(edit, with: rejection)
        summary.rejected += 1
        postponed.insert(edit.identity)
      case .reverted:
        try store.revert(edit)
        summary.reverted += 1
      case .gone:
        _ = try store.confirmGone(edit, configuration.conflictResolver)
        summary.gone += 1
        // An object that is created again is sent once.
        if edit.kind == .created { postponed.insert(edit.identity) }
      case .later:
        try store.release(edit)
        postponed.insert(edit.identity)
      }
    } catch {
      try? store.release(edit)
      throw error
    }
  }
}
