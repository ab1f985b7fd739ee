public import ObjectStore
public import ValueModels

/// The values that objects of a store keep.
///
///     let source = StoreDataSource(
///       store: store, toEntityMapper: ItemToEntityMapper(), toObjectMapper: EntityToItemMapper())
///     try await source.put(item)
///     let found = try await source.getAll(StorePredicate(Item.self) { $0.text == "milk" })
///     for try await items in source.observe(AllObjectsQuery()) { … }
///
/// Values that are `Persistable` need no mappers: `StoreDataSource(Character.self, store: store)`.
///
/// What each query does:
///
/// | query | get | getAll, observe | put, putAll | delete, deleteAll |
/// |---|---|---|---|---|
/// | ``IdQuery`` | by primary key | observe: none or one | the value must have the key | by key |
/// | ``IdsQuery`` | – | those that are there | each value must have its key | by keys |
/// | ``StoreQuery`` | the first | all, in its order | – (see below) | all |
/// | ``PaginationQuery`` | – | the page | – | the page |
/// | ``AllObjectsQuery`` | – | all | – | all |
/// | ``ObjectQuery``, ``ObjectsQuery`` | – | – | – | by the values' keys |
///
/// A value's place in a store is its primary key. So a query that names no id says nothing about where
/// to put a value, and every such query does: an object with the key takes the value, else there is a new one.
///
/// As the cache of a ``CacheRepository`` it knows the keys of each answer, and gives it again by these: the
/// server's values in the server's order. That needs a primary key; of a class without one each answer is added to what
/// is there, and no list is held valid.
///
/// A call is one transaction: if anything is refused, or a mapper throws, nothing is written. The source has a
/// handle of its own and works off the caller's isolation; all it needs of a store given to it is
/// its configuration.
public struct StoreDataSource<Value: Sendable, ObjectType: Object>: DataSource, ObserveDataSource {
  /// The configuration of the store.
  public let configuration: StoreConfiguration
  private let worker: StoreWorker<Value, ObjectType>
  private let declaredNested: Bool?

  /// Values of objects in a store that is open, by mappers.
  ///
  /// By `isNested` it can be told what ``isNested`` is, where the class does not say: true if a mapper looks at other
  /// objects, or changes them, that objects of the class do not link to.
  public init(
    store: Store, toEntityMapper: sending Mapper<ObjectType, Value>,
    toObjectMapper: sending StoreMapper<Value, ObjectType>, isNested: Bool? = nil
  ) {
    self.init(
      configuration: store.configuration, isOpen: true,
      StoreMapping(toEntityMapper, toObjectMapper), isNested: isNested)
  }

  /// Values of objects in the store of a configuration, by mappers; the first call opens it.
  ///
  /// By `isNested` it can be told what ``isNested`` is, where the class does not say: true if a mapper looks at other
  /// objects, or changes them, that objects of the class do not link to.
  public init(
    configuration: StoreConfiguration, toEntityMapper: sending Mapper<ObjectType, Value>,
    toObjectMapper: sending StoreMapper<Value, ObjectType>, isNested: Bool? = nil
  ) {
    self.init(
      configuration: configuration, isOpen: false, StoreMapping(toEntityMapper, toObjectMapper),
      isNested: isNested)
  }

  /// Values that say themselves how they are kept, in a store that is open.
  public init(_ type: Value.Type = Value.self, store: Store)
  where Value: Persistable, Value.ManagedObject == ObjectType {
    self.init(configuration: store.configuration, isOpen: true, StoreMapping())
  }

  /// Values that say themselves how they are kept, in the store of a configuration; the first call
  /// opens it.
  public init(_ type: Value.Type = Value.self, configuration: StoreConfiguration)
  where Value: Persistable, Value.ManagedObject == ObjectType {
    self.init(configuration: configuration, isOpen: false, StoreMapping())
  }

  private init(
    configuration: StoreConfiguration, isOpen: Bool,
    _ mapping: sending StoreMapping<Value, ObjectType>, isNested: Bool? = nil
  ) {
    self.configuration = configuration
    declaredNested = isNested
    worker = StoreWorker(configuration, isOpen: isOpen, mapping)
  }

  /// The value with an id; of a ``StoreQuery`` the first.
  /// - Throws: ``DataSourceError/notFound(query:)``, ``DataSourceError/illegalArgument(_:)`` for an id that
  ///   is no key of the class; what opening the store, the query and the mapper throw.
  public func get(_ query: some Query) async throws -> Value {
    try await worker.get(query)
  }

  /// The values that a query asks for. Of ids, those that are there, in the order of the ids.
  /// - Throws: as ``get(_:)-(Query)``, but for `notFound`.
  public func getAll(_ query: some Query) async throws -> [Value] {
    try await worker.getAll(query)
  }

  /// Puts a value in the place that its primary key says.
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if the query has an id and the value another; what opening
  ///   the store, writing and the mapper throw; `CancellationError`. Then nothing is written.
  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    try check(.put, query)
    return try await worker.put([value], in: query)[0]
  }

  /// Puts values in the places that their primary keys say.
  /// - Throws: as ``put(_:in:)``; ``DataSourceError/illegalArgument(_:)`` for another number of ids than of values.
  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try check(.putAll, query)
    return try await worker.put(values, in: query)
  }

  /// Deletes what a query asks for; what is not there is deleted already.
  /// - Throws: as ``put(_:in:)``.
  public func delete(_ query: some Query) async throws {
    try await worker.delete(query, .delete)
  }

  /// Deletes what a query asks for; what is not there is deleted already.
  /// - Throws: as ``put(_:in:)``.
  public func deleteAll(_ query: some Query) async throws {
    try await worker.delete(query, .deleteAll)
  }

  /// The values of a query, now and after each change, whoever makes it; made off the caller's isolation.
  public func observe(_ query: some Query) -> AsyncThrowingStream<[Value], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          try await worker.observe(query) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

// MARK: - As a cache

extension StoreDataSource: CacheDataSource {
  /// As it was made; else whether objects of the class link to others or are linked to, embedded ones included.
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

  public func keep(_ value: Value, answering query: some Query) async throws -> KeptAnswer<Value> {
    try check(.put, query)
    let result = try await worker.putReturningKeys([value], in: query)
    return KeptAnswer(result.values[0], at: result.keys.first.map(KeyOfStoreQuery.init))
  }

  public func keepAll(
    _ values: [Value], answering query: some Query
  ) async throws -> KeptAnswer<[Value]> {
    try check(.putAll, query)
    // Of several ids the server may know some, in its own order.
    let result = try await worker.putReturningKeys(values, in: VoidQuery())
    let isComplete = result.keys.count == values.count
    return KeptAnswer(result.values, at: isComplete ? KeysOfStoreQuery(keys: result.keys) : nil)
  }

  public func keys(of values: [Value], in query: some Query) async throws -> [String]? {
    // What else a mapper changes that was said to, nobody knows.
    if declaredNested == true { return nil }
    return try await worker.keys(of: values, withLinkedObjects: isNested)?.map(
      IdentifierString.string)
  }
}

/// Asks for the object with a key.
private struct KeyOfStoreQuery: IdentifierQuery {
  let key: any ObjectKey
  var identifier: any Hashable { key }
}

/// Asks for the objects with keys, in their order.
private struct KeysOfStoreQuery: IdentifiersQuery {
  let keys: [any ObjectKey]
  var identifiers: [any Hashable] { keys }
}

/// A ``StoreDataSource`` of values that say themselves how they are kept.
///
///     let source = PersistableDataSource<Character>(configuration: .file(url))
public typealias PersistableDataSource<Value: Persistable & Sendable> =
  StoreDataSource<Value, Value.ManagedObject>
