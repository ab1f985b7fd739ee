public import ObjectStore

extension StoreCoder {
  /// Sends the unconfirmed edits of a class, or of all classes, one object at a time, and settles each by its outcome.
  ///
  ///     let summary = try await coder.upload(Order.self) { edit in
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
  /// Each class usually has its own path, so a closure for all classes must look at `edit.type`. Objects of one class that
  /// link to new objects of another one need an upload of both classes: an edit that waits for the creation of an object of
  /// another class stays for a later upload.
  ///
  /// The order is that of `Store.takeEdits()`. Each edit is taken immediately before it is sent, so that it contains the
  /// key that the server has assigned to an object sent before. Edits made in the meantime are sent as well. An object whose
  /// outcome is `.later`, `.unapplied`, `.rejected` or `.gone`, and those that wait for its creation, are left out until the
  /// next call. So is an object that was sent eight times and has changed again. Only one upload of a store should run at a
  /// time: an object that is in flight is left out.
  ///
  /// - Parameters:
  ///   - type: The class; nil for all classes.
  ///   - absent: The meaning of attributes that the responses lack.
  ///   - send: Sends one edit. If it throws a ``StoreCodingError``, because the edit cannot be encoded, the edit is
  ///     released and the others are sent. If it throws another error, the edit is released and the upload ends.
  /// - Returns: The numbers of edits by outcome.
  /// - Throws: The first ``StoreCodingError``, after the other edits were sent: of `send`, or for a response that cannot be
  ///   decoded; its edit is then released, because the server may have applied it. Any other error of `send`, at once;
  ///   `editsNotTracked`; `unregisteredEdits`, and `unbalancedWrite` inside a write, before anything is sent; `CancellationError`; errors of
  ///   the commits.
  /// - Complexity: O(*n* log *n*) in the objects with edits, in addition to the links of the edits and the commits.
  @discardableResult
  public nonisolated(nonsending) func upload(
    _ type: Object.Type? = nil, absent: AbsentAttributes = .keep,
    _ send: (Edit) async throws -> Edit.Outcome
  ) async throws -> Edit.Summary {
    try await store.upload(of: type, send) { edit, outcome in
      try settle(edit, outcome, absent: absent)
    } concernsOneEdit: {
      $0 is StoreCodingError
    }
  }

  /// Sends the unconfirmed edits of a class, or of all classes, up to a number at a time, and settles each by its outcome;
  /// see ``upload(_:absent:_:)``.
  ///
  ///     let summary = try await coder.upload(Order.self, concurrency: 4) { edit in … }
  ///
  /// Edits that wait for the creation of another object are sent after its response. Deletions are sent last and one at a
  /// time. The server may receive other edits in any order.
  ///
  /// If `send` throws an error that ends the upload, the tasks of the other requests are cancelled. Those that return an
  /// outcome nevertheless are settled by it, and the others are released.
  ///
  /// - Parameters:
  ///   - type: The class; nil for all classes.
  ///   - absent: The meaning of attributes that the responses lack.
  ///   - concurrency: The maximum number of edits under way, at least 1.
  ///   - send: Sends one edit. It runs in the isolation of the caller, for example the main actor, and can use the store
  ///     and the coder there. Edits can be encoded and sent in parallel elsewhere by calls that it awaits.
  /// - Returns: The numbers of edits by outcome.
  /// - Throws: The errors of ``upload(_:absent:_:)``.
  @discardableResult
  public nonisolated(nonsending) func upload(
    _ type: Object.Type? = nil, absent: AbsentAttributes = .keep, concurrency: Int,
    @_inheritActorContext _ send:
      @escaping @isolated(any) @Sendable (Edit) async throws -> Edit.Outcome
  ) async throws -> Edit.Summary {
    try await store.upload(of: type, concurrency: max(1, concurrency), send) { edit, outcome in
      try settle(edit, outcome, absent: absent)
    } concernsOneEdit: {
      $0 is StoreCodingError
    }
  }
}
