import Foundation
public import ObjectStore

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
    let resolve = configuration.conflictResolver
    return try await store.upload(send) { edit, response in
      try confirm(edit, with: response)
    } resolve: {
      try resolve($0)
    }
  }
}
