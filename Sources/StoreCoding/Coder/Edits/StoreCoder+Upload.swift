import Foundation
public import ObjectStore

extension StoreCoder {
  /// Sends the unconfirmed edits of the store, one object at a time, and settles each by its outcome.
  ///
  ///     let summary = try await coder.upload { edit in
  ///       guard edit.className == "Order" else { return .unapplied }  // each class has its own path
  ///       let body = try coder.encode(edit, as: .mergePatch)
  ///       let response = try await client.send(edit.kind, "orders", edit.keyText, body)
  ///       switch response.status {
  ///       case 200..<300: return .confirmed(response.body)
  ///       case 404, 410: return .gone
  ///       case 400, 422: return .rejected(coder.rejection(of: edit, in: response.body))
  ///       case 408, 500...: return .later  // the server may have applied it
  ///       default: return .unapplied  // 401, 403, 409, 412, 429: it has not
  ///       }
  ///     }
  ///
  /// The order is that of `Store.takeEdits()`. Each edit is taken immediately before it is sent, so that it contains the
  /// key that the server has assigned to an object sent before. Edits made in the meantime are sent as well. An object whose
  /// outcome is `.later`, `.unapplied`, `.rejected` or `.gone`, and those that wait for its creation, are left out until the next
  /// call. So is an object that was sent eight times and has changed again. Only one upload of a store should run at a time:
  /// an object that is in flight is left out.
  ///
  /// - Parameters:
  ///   - absent: The meaning of attributes that the responses lack.
  ///   - send: Sends one edit. If it throws a ``StoreCodingError``, because the edit cannot be encoded, the edit is
  ///     released and the others are sent. If it throws another error, the edit is released and the upload ends.
  /// - Returns: The numbers of edits by outcome.
  /// - Throws: The first ``StoreCodingError``, after the other edits were sent: of `send`, or for a response that cannot be
  ///   decoded; its edit is then released, because the server may have applied it. Any other error of `send`, at once;
  ///   `CancellationError`; errors of the commits.
  @discardableResult
  public nonisolated(nonsending) func upload(
    absent: AbsentAttributes = .keep,
    _ send: (Edit) async throws -> Edit.Outcome
  ) async throws -> Edit.Summary {
    let resolve = configuration.conflictResolver
    return try await store.upload(send) { edit, response in
      try confirm(edit, with: response, absent: absent)
    } concernsOneEdit: {
      $0 is StoreCodingError
    } resolve: {
      try resolve($0)
    }
  }
}
