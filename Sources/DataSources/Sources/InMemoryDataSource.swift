import ObjectStore

/// A source that stores values and lists in memory by key.
///
///     let source = InMemoryDataSource<Item>()
///     try await source.put(item, forId: item.id)
///     try await source.putAll(favourites, forId: "favourites")
///
/// A key has either a value or a list; putting one replaces the other. The source supports every ``KeyQuery``,
/// ``IdsQuery``, which omits missing values, and ``AllObjectsQuery``. The latter returns the list that was put with
/// it, otherwise all values and the elements of all lists in the order in which their keys were first put.
///
/// The source knows the id of a value only if it is `Identifiable`. Only then can it store the response to an
/// ``IdsQuery`` as the cache of a ``CacheRepository``, and delete values that were put under an id by an
/// ``ObjectQuery`` or ``ObjectsQuery``. For other values, an ``ObjectQuery`` finds only what was put by an equal one.
public actor InMemoryDataSource<Value: Sendable>: DataSource, ObserveDataSource {
  private enum Entry {
    case value(Value)
    case list([Value])
  }

  private var entries: [ExactString: (entry: Entry, number: Int)] = [:]
  private var lastNumber = 0
  private var observers: [Int: Observer] = [:]

  /// Creates an empty source.
  public init() {}

  public func get(_ query: some Query) async throws -> Value {
    try Task.checkCancellation()
    try check(.get, query)
    guard let key = (query as? any KeyQuery)?.key, let value = value(key) else {
      throw query.notFound
    }
    return value
  }

  public func getAll(_ query: some Query) async throws -> [Value] {
    try Task.checkCancellation()
    return try values(query, .getAll)
  }

  @discardableResult
  public func put(_ value: Value, in query: some Query) async throws -> Value {
    try Task.checkCancellation()
    try check(.put, query)
    if let keyed = query as? any KeyQuery { set(keyed.key, .value(value)) }
    notifyObservers()
    return value
  }

  @discardableResult
  public func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try Task.checkCancellation()
    try check(.putAll, query)
    var kept = values
    if let ids = query as? any IdentifiersQuery {
      try ids.check(count: values.count)
      kept = set(ids.keys, values)
    } else if let keyed = query as? any KeyQuery {
      set(keyed.key, .list(values))
    }
    notifyObservers()
    return kept
  }

  public func delete(_ query: some Query) async throws {
    try remove(query, .delete)
  }

  public func deleteAll(_ query: some Query) async throws {
    try remove(query, .deleteAll)
  }

  private func remove(_ query: some Query, _ verb: DataSourceError.Verb) throws {
    try Task.checkCancellation()
    if !(query is any ValuesQuery) { try check(verb, query) }
    switch query {
    case is AllObjectsQuery: entries = [:]
    case let ids as any IdentifiersQuery: remove(ids.keys)
    case let values as any ValuesQuery where values.valueKeys != nil:
      remove(values.valueKeys ?? [])
    case is any ValuesQuery where entry(query) == nil:
      throw query.notSupported(verb, Self.self)
    case let keyed as any KeyQuery: remove([keyed.key])
    default: break
    }
    notifyObservers()
  }

  private func remove(_ keys: [String]) {
    for key in keys { entries[ExactString(key)] = nil }
  }

  /// The entry under the key of a query.
  private func entry(_ query: any Query) -> Entry? {
    (query as? any KeyQuery).flatMap { entries[ExactString($0.key)]?.entry }
  }

  private func set(_ key: String, _ entry: Entry) {
    let key = ExactString(key)
    lastNumber += 1
    entries[key] = (entry, entries[key]?.number ?? lastNumber)
  }

  /// Puts each value under its key and returns the values that are then stored under these keys.
  private func set(_ keys: [String], _ values: [Value]) -> [Value] {
    for (key, value) in zip(keys, values) { set(key, .value(value)) }
    return keys.compactMap(value)
  }

  private func value(_ key: String) -> Value? {
    if case .value(let value) = entries[ExactString(key)]?.entry { value } else { nil }
  }

  private func values(_ query: any Query, _ verb: DataSourceError.Verb) throws -> [Value] {
    try IdentifierString.checkPresent(query.requestedIds ?? [])
    switch query {
    case let all as AllObjectsQuery:
      if case .list(let values) = entry(all) { return values }
      return entries.values.sorted { $0.number < $1.number }.flatMap { Self.values(of: $0.entry) }
    case let ids as any IdentifiersQuery:
      return ids.keys.compactMap(value)
    case is any KeyQuery:
      guard case .list(let values) = entry(query) else { throw query.notFound }
      return values
    default:
      throw query.notSupported(verb, Self.self)
    }
  }

  private static func values(of entry: Entry) -> [Value] {
    switch entry {
    case .value(let value): [value]
    case .list(let values): values
    }
  }

  // MARK: - Observing

  private struct Observer {
    let query: any Query
    let continuation: AsyncThrowingStream<[Value], any Error>.Continuation
  }

  /// The values of a query, now and after each change of the source. Where ``getAll(_:)-(Query)`` throws
  /// `notFound`, the list is empty or, for a query with one key, contains the value under that key.
  public nonisolated func observe(
    _ query: some Query
  ) -> AsyncThrowingStream<[Value], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { await self.addObserver(Observer(query: query, continuation: continuation)) }
      continuation.onTermination = { _ in
        task.cancel()
        Task { await self.removeObserver(await task.value) }
      }
    }
  }

  private func addObserver(_ observer: Observer) -> Int {
    lastNumber += 1
    observers[lastNumber] = observer
    notify(observer)
    return lastNumber
  }

  private func removeObserver(_ number: Int) {
    observers[number] = nil
  }

  private func notifyObservers() {
    for observer in observers.values { notify(observer) }
  }

  private func notify(_ observer: Observer) {
    if observer.query is any KeyQuery, !(observer.query is AllObjectsQuery) {
      observer.continuation.yield(entry(observer.query).map(Self.values) ?? [])
      return
    }
    do {
      observer.continuation.yield(try values(observer.query, .observe))
    } catch {
      observer.continuation.finish(throwing: error)
    }
  }
}

// MARK: - Caching

extension InMemoryDataSource: CacheDataSource {
  /// False: an entry is stored as a whole.
  public nonisolated var isNested: Bool { false }

  public nonisolated func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {
    let isForOneValue = verb == .get || verb == .put
    let isDeletion = verb == .delete || verb == .deleteAll
    let isKnown =
      switch query {
      case is AllObjectsQuery, is any IdentifiersQuery: !isForOneValue
      case let values as any ValuesQuery where isDeletion: values.valueKeys != nil
      default: query is any KeyQuery
      }
    guard isKnown else { throw query.notSupported(verb, Self.self) }
    try IdentifierString.checkPresent(query.requestedIds ?? [])
  }

  public func keep(_ value: Value, answering query: some Query) async throws -> KeptResponse<Value>
  {
    KeptResponse(try await put(value, in: query), at: query)
  }

  public func keepAll(
    _ values: [Value], answering query: some Query
  ) async throws -> KeptResponse<[Value]> {
    guard let ids = query as? any IdentifiersQuery else {
      return KeptResponse(try await putAll(values, in: query), at: query)
    }
    try Task.checkCancellation()
    let requested = Set(ids.keys.map(ExactString.init))
    let keys = values.compactMap(IdentifierString.key(of:))
    guard keys.count == values.count, requested.isSuperset(of: keys.map(ExactString.init)) else {
      return KeptResponse(values, at: nil)
    }
    let kept = set(keys, values)
    notifyObservers()
    return KeptResponse(kept, at: IdsQuery(keys))
  }

  public func keys(of values: [Value], in query: some Query) async -> [String]? {
    switch query {
    case let keyed as any KeyQuery: [keyed.key]
    case let ids as any IdentifiersQuery: ids.keys
    case let values as any ValuesQuery: values.valueKeys
    default: nil
    }
  }
}
