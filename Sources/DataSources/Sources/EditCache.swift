import ObjectStore

/// A cache in which writes of the user are edits until a main source confirms them.
nonisolated protocol EditCache<Value>: CacheDataSource {
  /// True if writes of the user are edits. Otherwise, only the requirements of ``CacheDataSource`` are used.
  var tracksEdits: Bool { get }

  /// Puts values of the user, and takes their edits.
  /// - Returns: The stored values with their edits, in the same order. An edit is nil if there is none, or if an upload
  ///   is sending an earlier one.
  func putEdits(_ values: [Value], in query: any Query) async throws -> EditedValues<Value>

  /// Deletes values for the user, and takes the edits of the deletions.
  func deleteEdits(_ query: any Query, _ verb: DataSourceError.Verb) async throws -> [Edit?]

  /// Confirms edits that the main source has applied, and stores its response.
  /// - Parameter response: The values that the main source returned, in the order of the edits; nil for a deletion and
  ///   for a response that must not be stored.
  /// - Returns: The stored response, without values that were deleted since; nil if there is none.
  func confirm(
    _ edits: [Edit?], with response: [Value]?
  ) async throws -> KeptResponse<[Value]>?

  /// Settles edits that the main source has not confirmed.
  func settle(_ edits: [Edit?], by failure: EditFailure) async throws

  /// Stores the response to a put that the main source has executed first, in place of earlier edits of the values.
  func keep(
    _ response: [Value], replacing values: [Value], in query: any Query
  ) async throws -> KeptResponse<[Value]>

  /// Deletes values that the main source has deleted, with their edits.
  func deleteConfirmed(_ query: any Query, _ verb: DataSourceError.Verb) async throws

  /// Sends the edits of the class; see `Store.upload`.
  func upload(
    send: @escaping @Sendable (PendingEdit<Value>) async throws -> SentEdit<Value>,
    resolve: @escaping @Sendable (Edit.Conflict) throws -> Edit.Choice,
    while mayContinue: @escaping @Sendable () -> Bool
  ) async throws -> Edit.Summary
}

/// Stored values and their edits.
struct EditedValues<Value: Sendable>: Sendable {
  let values: [Value]
  let edits: [Edit?]
  /// The edit of the value of a ``ChangesQuery``, with all changes that the main source lacks; nil if there is none.
  var pending: PendingEdit<Value>?
  /// An object to which the values link and which the main source does not have yet. The edits are then not taken.
  var prerequisite: String?
}

/// An edit that is sent, with its values.
struct PendingEdit<Value: Sendable>: Sendable {
  let kind: Edit.Kind
  let key: any ObjectKey
  /// The value with the user's changes; nil for a deletion.
  let value: Value?
  /// The value with the attributes that the main source has; nil if they are not all known.
  let previous: Value?
}

/// The outcome of sending an edit.
enum SentEdit<Value: Sendable>: Sendable {
  /// The main source has applied the edit, and returned a value unless it was a deletion.
  case confirmed(Value?)
  /// The main source refused it, with this error.
  case rejected(DataSourceError)
  /// The main source does not have the value any more.
  case gone
  /// The main source has another state. It has returned its value; nil if this failed.
  case conflicting(Value?)
  /// The edit stays for a later upload.
  case later
}
