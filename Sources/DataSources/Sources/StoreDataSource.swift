public import Foundation
public import ObjectStore
public import ValueModels

/// A source of the values that objects of a store represent.
///
///     let source = StoreDataSource(
///       store: store, toEntityMapper: ItemToEntityMapper(), toObjectMapper: EntityToItemMapper())
///     try await source.put(item)
///     let found = try await source.getAll(StorePredicate(Item.self) { $0.text == "milk" })
///     for try await items in source.observe(AllObjectsQuery()) { … }
///
/// `Persistable` values need no mappers: `StoreDataSource(Character.self, store: store)`.
///
/// The supported queries:
///
/// | query | get | getAll, observe | put, putAll | delete, deleteAll |
/// |---|---|---|---|---|
/// | ``IdQuery``, ``ChangesQuery`` | by primary key | observe: none or one | the value must have the key | by key |
/// | ``IdsQuery`` | – | the existing ones | each value must have its key | by keys |
/// | ``StoreQuery`` | the first | all, in its order | – (see below) | all |
/// | ``PaginationQuery`` | – | the page | – | the page |
/// | ``AllObjectsQuery`` | – | all | – | all |
/// | ``ObjectQuery``, ``ObjectsQuery`` | – | – | – | by the values' keys |
///
/// A store identifies a value by its primary key. A put with a query without ids therefore ignores the query: it
/// updates the object with the value's key or inserts a new one.
///
/// As the cache of a ``CacheRepository``, the source knows the keys of each response and returns the server's values
/// in the server's order. This requires a primary key: for a class without one, each response is added to the
/// existing objects, and no list is considered valid.
///
/// A list adds and replaces objects, and deletes none, unless the source has a guard for `pruning`:
///
///     let storage = StoreDataSource(Character.self, store: store, pruning: ListGuard())
///
/// Then the response to a `getAll` deletes, in the same transaction, the objects that match the query and that the
/// response lacks:
///
/// | query | objects that can be deleted |
/// |---|---|
/// | ``AllObjectsQuery`` | all |
/// | ``StoreQuery`` that is not a ``PaginationQuery`` | those that satisfy the predicate, before and after |
/// | ``IdsQuery`` | those with the ids |
/// | any other query; every put | none |
///
/// An object is not deleted
///
/// - if a value of the response is stored as it, also as a nested object, or if the object of such a value links to it;
/// - if it was inserted or changed, by any handle, after the request was made;
/// - if it is a placeholder.
///
/// A nested object that a mapper finds in the store, and whose setters change nothing, is recognized only by a link from
/// the object that the mapper returns.
///
/// The `ListGuard` refuses an empty response, and one that lacks too many objects. If objects would be deleted, a
/// response with a value that does not match the query is refused, too, because the server then evaluates the query in
/// another way. A refused response is not stored: the repository treats this as a failure of the cache, and
/// ``RepositoryOperation/mainSync`` throws ``DataSourceError/incompleteResponse(query:reason:)``.
///
/// An object that the server does not have yet, for example one that was put with ``RepositoryOperation/cache``, is
/// deleted by the next complete response, unless the class tracks edits. For a class without a primary key, nothing is
/// pruned.
///
/// If the class tracks edits (`Object.tracksEdits`), each put and deletion is an edit of the user. Responses that a
/// repository caches are the server's: they change no attribute with an edit, delete no object with edits, and do not bring
/// back an object that was deleted. A list leaves out such objects; for a single one, ``keep(_:answering:)`` throws
/// `notFound`. An ``AllObjectsQuery``, or a ``StoreQuery`` without a page, also returns the objects that were created and
/// not yet confirmed, after those of the server.
///
/// Each call is one transaction: if it fails, nothing is written. The source has its own store handle and works
/// outside the caller's isolation. It uses only the configuration of a store that is passed to it.
public struct StoreDataSource<Value: Sendable, ObjectType: Object>: DataSource, ObserveDataSource {
  /// The configuration of the store.
  public let configuration: StoreConfiguration
  private let worker: StoreWorker<Value, ObjectType>
  private let declaredNested: Bool?
  private let pruning: ListGuard?
  private var readBody: (@Sendable (Data) throws -> Edit.Rejection)?

  /// Creates a source of an open store with mappers.
  ///
  /// - Parameters:
  ///   - store: An open store; the source uses its configuration.
  ///   - toEntityMapper: The mapper from objects to values.
  ///   - toObjectMapper: The mapper from values to objects.
  ///   - isNested: The value of ``isNested`` if it cannot be derived from the class. Pass true if a mapper reads or
  ///     changes objects to which objects of the class do not link.
  ///   - pruning: The guard for responses that delete objects; nil to delete none.
  public init(
    store: Store, toEntityMapper: sending Mapper<ObjectType, Value>,
    toObjectMapper: sending StoreMapper<Value, ObjectType>, isNested: Bool? = nil,
    pruning: ListGuard? = nil
  ) {
    self.init(
      configuration: store.configuration, isOpen: true,
      StoreMapping(toEntityMapper, toObjectMapper), isNested: isNested, pruning: pruning)
  }

  /// Creates a source with mappers for the store of a configuration, which is opened by the first call.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - toEntityMapper: The mapper from objects to values.
  ///   - toObjectMapper: The mapper from values to objects.
  ///   - isNested: The value of ``isNested`` if it cannot be derived from the class. Pass true if a mapper reads or
  ///     changes objects to which objects of the class do not link.
  ///   - pruning: The guard for responses that delete objects; nil to delete none.
  public init(
    configuration: StoreConfiguration, toEntityMapper: sending Mapper<ObjectType, Value>,
    toObjectMapper: sending StoreMapper<Value, ObjectType>, isNested: Bool? = nil,
    pruning: ListGuard? = nil
  ) {
    self.init(
      configuration: configuration, isOpen: false, StoreMapping(toEntityMapper, toObjectMapper),
      isNested: isNested, pruning: pruning)
  }

  /// Creates a source of `Persistable` values in an open store.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - store: An open store; the source uses its configuration.
  ///   - pruning: The guard for responses that delete objects; nil to delete none.
  public init(_ type: Value.Type = Value.self, store: Store, pruning: ListGuard? = nil)
  where Value: Persistable, Value.ManagedObject == ObjectType {
    self.init(
      configuration: store.configuration, isOpen: true, StoreMapping(), pruning: pruning)
  }

  /// Creates a source of `Persistable` values in the store of a configuration, which is opened by the first call.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - configuration: The configuration of the store.
  ///   - pruning: The guard for responses that delete objects; nil to delete none.
  public init(
    _ type: Value.Type = Value.self, configuration: StoreConfiguration, pruning: ListGuard? = nil
  ) where Value: Persistable, Value.ManagedObject == ObjectType {
    self.init(configuration: configuration, isOpen: false, StoreMapping(), pruning: pruning)
  }

  private init(
    configuration: StoreConfiguration, isOpen: Bool,
    _ mapping: sending StoreMapping<Value, ObjectType>, isNested: Bool? = nil,
    pruning: ListGuard?
  ) {
    self.configuration = configuration
    declaredNested = isNested
    self.pruning = pruning
    worker = StoreWorker(configuration, isOpen: isOpen, mapping)
  }

  /// Returns the value with an id, or the first value of a ``StoreQuery``.
  /// - Throws: ``DataSourceError/notFound(query:)``, ``DataSourceError/illegalArgument(_:)`` for an id that is not a
  ///   key of the class; errors of opening the store, of the query and of the mapper.
  public func get(_ query: some Query) async throws -> Value {
    try await worker.get(query)
  }

  /// Returns the values of a query. For ids, returns the existing values in the order of the ids.
  /// - Throws: The same errors as ``get(_:)-(Query)`` except `notFound`.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await worker.getAll(query)
  }

  /// Puts a value under its primary key.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if the id of the query differs from that of the value;
  ///   errors of opening the store, of writing and of the mapper; `CancellationError`. Nothing is written if it
  ///   throws.
  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    try check(.put, query)
    return try await worker.put([value], in: query)[0]
  }

  /// Puts values under their primary keys.
  /// - Throws: The same errors as ``put(_:in:)``; ``DataSourceError/illegalArgument(_:)`` if the numbers of ids and
  ///   values differ.
  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try check(.putAll, query)
    return try await worker.put(values, in: query)
  }

  /// Deletes the value of a query. A missing value is not an error.
  /// - Throws: The same errors as ``put(_:in:)``.
  public func delete(_ query: some Query) async throws {
    try await worker.delete(query, .delete)
  }

  /// Deletes all values of a query. A missing value is not an error.
  /// - Throws: The same errors as ``put(_:in:)``.
  public func deleteAll(_ query: some Query) async throws {
    try await worker.delete(query, .deleteAll)
  }

  /// The values of a query, now and after each change by any handle. They are mapped outside the caller's isolation.
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error> {
    .latest { yield in try await worker.observe(query, yield) }
  }
}

// MARK: - Caching

extension StoreDataSource: CacheDataSource {
  /// The value passed to the initializer. By default, true if the class declares links, embedded objects or inverse
  /// links.
  public var isNested: Bool {
    declaredNested
      ?? (try? ObjectSchema.of(ObjectType.self))?.properties.contains { $0.objectClassName != nil }
      ?? true
  }

  public func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {
    let isRefused =
      switch verb {
      case .put: query is any IdentifiersQuery
      case .putAll: query is any IdentifierQuery
      default: false
      }
    if isRefused { throw query.notSupported(verb, Self.self) }
  }

  public func keep(_ value: Value, answering query: some Query) async throws -> KeptResponse<Value>
  {
    try check(.put, query)
    let result = try await worker.keep([value], answering: query)
    guard let kept = result.values.first else { throw query.notFound }
    return KeptResponse(kept, at: result.keys.first.map(KeyOfStoreQuery.init))
  }

  public func keepAll(
    _ values: [Value], answering query: some Query
  ) async throws -> KeptResponse<[Value]> {
    try await keepAll(values, answering: query, since: nil)
  }

  public func state(beforeRequesting query: some Query) async -> (any Sendable)? {
    // Without a state, nothing is pruned, so a store that cannot be opened is not an error here.
    pruning != nil && query.isComplete ? try? await worker.holdVersion() : nil
  }

  public func keepAll(
    _ values: [Value], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Value]> {
    try check(.putAll, query)
    var scope: PruningScope?
    if let pruning, let version = state as? StoreVersion, query.isComplete {
      scope = PruningScope(query: query, version: version, limits: pruning)
    }
    // The server may return values for only some of the ids, and in an order of its own.
    let result = try await worker.keep(
      values, answering: VoidQuery(), in: scope,
      appendingCreationsOf: tracksEdits && query.isEvaluatedByStore ? query : nil)
    return Self.response(result)
  }

  private static func response(
    _ result: StoreWorker<Value, ObjectType>.PutResult
  ) -> KeptResponse<[Value]> {
    let isComplete = result.keys.count == result.values.count
    return KeptResponse(result.values, at: isComplete ? KeysOfStoreQuery(keys: result.keys) : nil)
  }

  public func keys(of values: [Value], in query: some Query) async throws -> [String]? {
    // The keys of the other objects that a mapper changes are unknown.
    if declaredNested == true { return nil }
    return try await worker.keys(of: values, withLinkedObjects: isNested)?.map(
      IdentifierString.string)
  }
}

// MARK: - Edits

extension StoreDataSource {
  /// Returns a source that reads the messages of a server that refused an edit in its own way. The method
  /// `rejection(of:in:)` of a `StoreCoder` knows the formats of common frameworks.
  ///
  ///     let storage = StoreDataSource(Item.self, store: store).readingRejections { body in
  ///       try JSONDecoder().decode(Refusal.self, from: body).rejection
  ///     }
  ///
  /// By default, the messages in the member `errors` of a JSON body are those of the attributes with the same names, and
  /// the text in `message`, `detail`, `title` or `error` is a general message.
  ///
  /// - Parameter read: A closure that receives the body of the response. If it throws, the default applies.
  public func readingRejections(
    _ read: @escaping @Sendable (Data) throws -> Edit.Rejection
  ) -> StoreDataSource {
    var source = self
    source.readBody = read
    return source
  }

  private func rejection(of error: DataSourceError) -> Edit.Rejection {
    if let readBody, case .badStatus(_, _, let body) = error, let rejection = try? readBody(body) {
      return rejection
    }
    let names = (try? ObjectSchema.of(ObjectType.self))?.properties.map(\.name) ?? []
    return Edit.Rejection(error, attributes: Set(names))
  }
}

extension StoreDataSource: EditCache {
  var tracksEdits: Bool { ObjectType.tracksEdits }

  func putEdits(_ values: [Value], in query: any Query) async throws -> EditedValues<Value> {
    try await worker.putEdits(values, in: query)
  }

  func deleteEdits(_ query: any Query, _ verb: DataSourceError.Verb) async throws -> [Edit?] {
    try await worker.deleteEdits(query, verb)
  }

  func confirm(
    _ edits: [Edit?], with response: [Value]?
  ) async throws -> KeptResponse<[Value]>? {
    try await worker.confirm(edits, with: response).map(Self.response)
  }

  func settle(_ edits: [Edit?], by failure: EditFailure) async throws {
    var rejection: Edit.Rejection?
    if case .refused(let error) = failure { rejection = self.rejection(of: error) }
    try await worker.settle(edits, rejection: rejection)
  }

  func keep(
    _ response: [Value], replacing values: [Value], in query: any Query
  ) async throws -> KeptResponse<[Value]> {
    Self.response(try await worker.keep(response, replacing: values, in: query))
  }

  func deleteConfirmed(_ query: any Query, _ verb: DataSourceError.Verb) async throws {
    try await worker.deleteConfirmed(query, verb)
  }

  func upload(
    send: @escaping @Sendable (PendingEdit<Value>) async throws -> SentEdit<Value>,
    resolve: @escaping @Sendable (Edit.Conflict) throws -> Edit.Choice,
    while mayContinue: @escaping @Sendable () -> Bool
  ) async throws -> Edit.Summary {
    try await worker.upload(
      send: send, rejection: { rejection(of: $0) }, resolve: resolve, while: mayContinue)
  }
}

/// A query whose identifier is a store key.
struct KeyOfStoreQuery: IdentifierQuery, DescribedQuery {
  let key: any ObjectKey
  var identifier: any Hashable { key }
  var description: String { "IdQuery(\(IdentifierString.string(of: key)))" }
}

/// A query for the objects with keys, in the order of the keys.
private struct KeysOfStoreQuery: IdentifiersQuery {
  let keys: [any ObjectKey]
  var identifiers: [any Hashable] { keys }
}

/// A ``StoreDataSource`` of `Persistable` values.
///
///     let source = PersistableDataSource<Character>(configuration: .file(url))
public typealias PersistableDataSource<Value: Persistable & Sendable> =
  StoreDataSource<Value, Value.ManagedObject>
