/// A query with the closures by which a repository puts a value or a list, or deletes.
struct WriteRequest<Content: Sendable, Value: Sendable> {
  let verb: DataSourceError.Verb
  let query: any Query
  let affectedKeys: AffectedKeys
  /// The lookup whose result is the written content; nil if there is none.
  let lookup: Lookup?
  /// Writes the caller's content to the main source and returns its response.
  let send: (Content) async throws -> Content
  /// Writes the caller's content to the cache.
  let putInCache: (Content) async throws -> Content
  /// Stores the main source's response to the sent content in the cache.
  let store: (_ sent: Content, _ response: Content) async throws -> KeptResponse<Content>
  /// Writes the caller's content to a cache that tracks edits, and takes the edits.
  let putEdits: (Content, any EditCache<Value>) async throws -> EditedValues<Value>
  /// Writes an edit, or the caller's content if there is none, to the main source in place of ``send``; nil to send the
  /// content of the cache.
  var sendEdits: ((PendingEdit<Value>?) async throws -> Content)?
  /// The written values; nil if only the query identifies them.
  let values: (Content) -> [Value]?
  /// The content of written values.
  let content: ([Value]) -> Content
  /// The stored response as content; nil if there is none.
  let kept: (KeptResponse<[Value]>) -> KeptResponse<Content>?

  var isDeletion: Bool { verb == .delete || verb == .deleteAll }
}
