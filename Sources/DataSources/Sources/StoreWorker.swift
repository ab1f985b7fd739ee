import ObjectStore

/// The objects that a complete response deletes if it lacks them.
struct PruningScope: Sendable {
  let query: any Query
  /// The version of the store before the request.
  let version: StoreVersion
  let limits: ListGuard
}

/// Executes the calls of a ``StoreDataSource`` in its own isolation, with its own store handle.
actor StoreWorker<Value: Sendable, ObjectType: Object> {
  private let configuration: StoreConfiguration
  let mapping: StoreMapping<Value, ObjectType>
  private var opened: Store?

  /// - Parameter isOpen: True if the store is open. Then the worker retains it from now on.
  init(
    _ configuration: StoreConfiguration, isOpen: Bool,
    _ mapping: sending StoreMapping<Value, ObjectType>
  ) {
    self.configuration = configuration
    self.mapping = mapping
    if isOpen { opened = try? Store(configuration: configuration, isolation: nil) }
  }

  /// The store at its latest version, opened if necessary.
  func current() throws -> Store {
    try Task.checkCancellation()
    return try newest()
  }

  /// The store at its latest version, also in a cancelled task.
  func newest() throws -> Store {
    let store = try opened ?? Store(configuration: configuration, isolation: nil)
    opened = store
    try mapping.check(store)
    store.refresh()
    return store
  }

  /// Retains the newest version of the store.
  func holdVersion() throws -> StoreVersion { try current().holdVersion() }

  // MARK: - Reading

  func get(_ query: any Query) async throws -> Value {
    let store = try current()
    let object: ObjectType? =
      switch query {
      case let query as any IdentifierQuery: try findKnown(query.identifier, in: store)
      case is any StoreQuery: try results(of: query, .get, in: store).first
      default: throw query.notSupported(.get, StoreDataSource<Value, ObjectType>.self)
      }
    guard let object else { throw query.notFound }
    return try mapping.value(object)
  }

  func getAll(_ query: any Query) async throws -> [Value] {
    let store = try current()
    switch query {
    case is any IdentifierQuery:
      throw query.notSupported(.getAll, StoreDataSource<Value, ObjectType>.self)
    case let query as any IdentifiersQuery:
      return try query.identifiers.compactMap { try findKnown($0, in: store) }.map(mapping.value)
    default:
      return try results(of: query, .getAll, in: store).map(mapping.value)
    }
  }

  /// The object with an id.
  func find(_ id: any Hashable, in store: Store) throws -> ObjectType? {
    store.object(
      ofType: ObjectType.self, forPrimaryKey: try KeySearch.key(id, of: ObjectType.self))
  }

  /// The object with an id; nil for a placeholder, of which only the key is known.
  private func findKnown(_ id: any Hashable, in store: Store) throws -> ObjectType? {
    let placeholder = try ObjectSchema.of(ObjectType.self).placeholderProperty
    return try find(id, in: store).flatMap { object in
      placeholder.map { object[$0.name] as? Bool == true } ?? false ? nil : object
    }
  }

  /// The objects of a query, in its order, without placeholders. Only the deletion of all objects includes them.
  func results(
    of query: any Query, _ verb: DataSourceError.Verb, in store: Store
  ) throws -> Results<ObjectType> {
    var results = store.objects(ObjectType.self)
    let isDeletionOfAll = [.delete, .deleteAll].contains(verb) && query is AllObjectsQuery
    if !isDeletionOfAll,
      let placeholder = try ObjectSchema.of(ObjectType.self).placeholderProperty
    {
      results = try results.filter("%K == NO", placeholder.name)
    }
    if let ids = query.requestedIds {
      return try results.filter(
        "%K IN %@", KeySearch.keyName(of: ObjectType.self), Self.keys(ids) as [Any])
    }
    switch query {
    case let query as any StoreQuery:
      results = try results.filter(query.predicate)
      if !query.sortDescriptors.isEmpty { results = try results.sorted(by: query.sortDescriptors) }
    case is AllObjectsQuery, is any PaginationQuery:
      break
    default:
      throw query.notSupported(verb, StoreDataSource<Value, ObjectType>.self)
    }
    guard let page = query as? any PaginationQuery else { return results }
    guard page.offset >= 0, page.limit >= 0 else {
      throw DataSourceError.illegalArgument(
        "a page's offset and limit must be 0 or more (were \(page.offset) and \(page.limit))")
    }
    if let order = (page as? PaginationOffsetLimitQuery)?.order, !order.isEmpty {
      results = try results.sorted(by: order)
    }
    return results.limit(page.limit, offset: page.offset)
  }

  /// The primary keys for ids.
  static func keys(_ ids: [any Hashable]) throws -> [any PrimaryKeyValue] {
    try ids.map { try KeySearch.key($0, of: ObjectType.self) }
  }

  // MARK: - Writing

  /// Stored values and their keys. `keys` is empty for a class without a primary key.
  struct PutResult: Sendable {
    let values: [Value]
    let keys: [any ObjectKey]
  }

  /// Puts each value under its primary key, which must match the id of the query.
  func put(_ values: [Value], in query: any Query) async throws -> [Value] {
    let ids = try Self.ids(of: query, count: values.count)
    let store = try current()
    return try await store.asyncWrite {
      try result(of: placeForUser(values, ids, query, in: store).objects).values
    }
  }

  /// Stores the server's values under their primary keys, which must match the id of the query. The result lacks the
  /// values of objects that were deleted locally.
  /// - Parameters:
  ///   - scope: The scope in which objects are deleted that `values` lacks; nil to delete none.
  ///   - list: The query whose objects that were created locally follow the values; nil for none.
  func keep(
    _ values: [Value], answering query: any Query, in scope: PruningScope? = nil,
    appendingCreationsOf list: (any Query)? = nil
  ) async throws -> PutResult {
    let ids = try Self.ids(of: query, count: values.count)
    let store = try current()
    return try await store.asyncWrite {
      var objects = try prune(scope, in: store) {
        try store.asServer { try place(values, ids, in: store) }
      }
      if let list { objects += try creations(matching: list, in: store) }
      return try result(of: objects)
    }
  }

  /// The ids of a query for values with ids; empty for any other query.
  static func ids(of query: any Query, count: Int) throws -> [any Hashable] {
    try (query as? any IdentifiersQuery)?.check(count: count)
    return query.requestedIds ?? []
  }

  /// Puts values in the open write.
  /// - Parameter ids: The ids that the keys of the objects must match; empty for any key.
  func place(
    _ values: [Value], _ ids: [any Hashable], in store: Store
  ) throws -> [ObjectType] {
    let keys = try Self.keys(ids)
    return try values.indices.map { index in
      let object = try mapping.put(values[index], store)
      if !keys.isEmpty { try check(object, hasKey: keys[index], in: store) }
      return object
    }
  }

  /// Stores values of the user. If the class tracks edits, the value of a ``ChangesQuery`` changes only the attributes that
  /// differ from the earlier value, so that the others are not edits.
  ///
  /// - Returns: The objects, and the names of the changed attributes; nil if values were stored whole.
  func placeForUser(
    _ values: [Value], _ ids: [any Hashable], _ query: any Query, in store: Store
  ) throws -> (objects: [ObjectType], changed: Set<String>?) {
    guard Self.tracksEdits,
      let previous = (query as? any PreviousValueQuery)?.previousValue as? Value
    else { return (try place(values, ids, in: store), nil) }
    let put = try store.putChanges(
      { try place(values, ids, in: store)[0] }, since: { try place([previous], ids, in: store)[0] },
      key: try KeySearch.key(ids[0], of: ObjectType.self))
    return ([put.object], put.changed)
  }

  /// Maps objects after all puts, because a later value may have updated the same object. Leaves out objects that were
  /// deleted, because a local deletion of them is not confirmed.
  func result(of objects: [ObjectType]) throws -> PutResult {
    let objects = Self.tracksEdits ? objects.filter { !$0.isInvalidated } : objects
    return PutResult(
      values: try objects.map(mapping.value),
      keys: objects.compactMap(StoreMapping<Value, ObjectType>.key))
  }

  /// Returns the objects that `put` stores, and deletes the other objects of a scope in the open write.
  /// - Throws: ``DataSourceError/incompleteResponse(query:reason:)`` if the objects may be an incomplete list.
  private func prune(
    _ pruning: PruningScope?, in store: Store, _ put: () throws -> [ObjectType]
  ) throws -> [ObjectType] {
    guard let pruning, try ObjectSchema.of(ObjectType.self).primaryKeyProperty != nil else {
      return try put()
    }
    var scope = try ScopeRows(
      results(of: pruning.query, .getAll, in: store), in: store, since: pruning.version)
    let stored = try scope.naming(put)
    let objects = Self.tracksEdits ? stored.filter { !$0.isInvalidated } : stored
    let missing = try scope.missing(without: objects)
    if missing.isEmpty { return objects }
    var reason = pruning.limits.refusal(
      elementCount: stored.count, missingCount: missing.count, scopeCount: scope.count)
    if let outside = objects.first(where: { !scope.allows($0) }) {
      reason = "\(scope.name(of: outside)) does not match the query"
    }
    if let reason {
      throw DataSourceError.incompleteResponse(
        query: pruning.query.nameInMessages, reason: scope.refusal(reason, missing))
    }
    try scope.delete(missing)
    return objects
  }

  private func check(
    _ object: ObjectType, hasKey key: some PrimaryKeyValue, in store: Store
  ) throws {
    if store.object(ofType: ObjectType.self, forPrimaryKey: key) == object { return }
    let found: any Sendable = StoreMapping<Value, ObjectType>.key(of: object) ?? "–"
    throw DataSourceError.illegalArgument(
      "the \(ObjectType.self) has the key \(IdentifierString.string(of: found)), "
        + "but the query has the key \(IdentifierString.string(of: key))")
  }

  // MARK: - Deleting

  func delete(_ query: any Query, _ verb: DataSourceError.Verb) async throws {
    let store = try current()
    try await store.asyncWrite { store.delete(try objects(of: query, verb, in: store)) }
  }

  /// The objects that a deletion deletes.
  func objects(
    of query: any Query, _ verb: DataSourceError.Verb, in store: Store
  ) throws -> [ObjectType] {
    switch query {
    case let query as ObjectQuery<Value>: try objects(for: [query.value], in: store)
    case let query as ObjectsQuery<Value>: try objects(for: query.values, in: store)
    default:
      try query.requestedIds?.compactMap { try find($0, in: store) }
        ?? Array(results(of: query, verb, in: store))
    }
  }

  /// The objects with the primary keys of values.
  private func objects(for values: [Value], in store: Store) throws -> [ObjectType] {
    try withObjects(for: values, in: store) { $0.compactMap(StoreMapping<Value, ObjectType>.key) }
      .compactMap { store.object(ofType: ObjectType.self, forPrimaryKey: $0) }
  }

  /// Passes the objects for values to `body` and rolls back all changes.
  func withObjects<R>(
    for values: [Value], in store: Store, _ body: ([ObjectType]) throws -> R
  ) throws -> R {
    _ = try KeySearch.keyName(of: ObjectType.self)
    return try store.rollingBack { try body(values.map { try mapping.object($0, store) }) }
  }

  /// The primary keys of values and, if requested, of all objects that are reachable from them; nil if unknown.
  func keys(of values: [Value], withLinkedObjects: Bool) async throws -> [any ObjectKey]? {
    let store = try current()
    return try await store.asyncWrite {
      try withObjects(for: values, in: store) { objects in
        withLinkedObjects
          ? StoreMapping<Value, ObjectType>.keysOfGraph(objects)
          : objects.compactMap(StoreMapping<Value, ObjectType>.key)
      }
    }
  }

  // MARK: - Observing

  /// Passes the values of a query to `body`, now and after each change, until the task is cancelled.
  func observe(_ query: any Query, _ body: @Sendable ([Value]) -> Void) async throws {
    let store = try current()
    store.follow()
    for await change in try results(of: query, .observe, in: store).changes {
      switch change {
      case .initial(let objects), .update(let objects, _, _, _):
        body(try objects.map(mapping.value))
      case .error(let error):
        throw error
      }
    }
  }
}
