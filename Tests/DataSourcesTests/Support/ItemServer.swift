import DataSources
import Synchronization
import TestSupport
import Testing

/// A server with ordered items. Requests can be held back before they are executed, and responses afterwards.
actor ItemServer {
  fileprivate(set) var items: [ItemEntity]
  private(set) var log: [String] = []
  private var error: (any Error)?
  private var gate: Gate?
  private var entrance: Gate?

  init(_ ids: [String] = []) {
    items = ids.map { ItemEntity(id: $0, text: "old") }
  }

  /// Makes all later requests throw `error`, or succeed if it is nil.
  func fail(_ error: (any Error)?) { self.error = error }

  /// Holds the response to the next request at a gate.
  func holdNext(at gate: Gate) { self.gate = gate }

  /// Holds the next request at a gate before it is executed.
  func holdNextRequest(at gate: Gate) { entrance = gate }

  /// Changes the items, as another client does.
  func set(_ items: [ItemEntity]) { self.items = items }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  fileprivate func note(_ verb: String, _ query: any Query) async throws {
    log.append("\(verb) \((query as? any KeyQuery)?.key ?? "\(type(of: query))")")
    if let error { throw error }
    let entrance = entrance
    self.entrance = nil
    await entrance?.pass()
  }

  fileprivate func pass() async {
    let gate = gate
    self.gate = nil
    await gate?.pass()
  }

  fileprivate static func id(_ query: any Query) throws -> String {
    guard let query = query as? IdQuery<String> else { throw TestError(text: "no route") }
    return query.id
  }

  fileprivate func place(_ value: ItemEntity) {
    if let index = items.firstIndex(where: { $0.id == value.id }) {
      items[index] = value
    } else {
      items.append(value)
    }
  }

}

extension ItemServer: DataSource {
  func get(_ query: some Query) async throws -> ItemEntity {
    try await note("get", query)
    let id = try Self.id(query)
    let found = items.first { $0.id == id }
    await pass()
    guard let found else { throw DataSourceError.notFound(query: "IdQuery(\(id))") }
    return found
  }

  /// Returns the items in the server's order, even for a query by ids.
  func getAll(_ query: some Query) async throws -> [ItemEntity] {
    try await note("getAll", query)
    let found =
      switch query {
      case let query as IdsQuery<String>: items.filter { query.ids.contains($0.id ?? "") }
      case let query as PaginationOffsetLimitQuery:
        Array(items.dropFirst(query.offset).prefix(query.limit))
      case let query as SearchTextQuery: items.filter { $0.text == query.text }
      default: items
      }
    await pass()
    return found
  }

  func put(_ value: ItemEntity, in query: some Query) async throws -> ItemEntity {
    try await note("put", query)
    place(value)
    await pass()
    return value
  }

  func putAll(_ values: [ItemEntity], in query: some Query) async throws -> [ItemEntity] {
    try await note("putAll", query)
    for value in values { place(value) }
    await pass()
    return values
  }

  func delete(_ query: some Query) async throws {
    try await note("delete", query)
    switch query {
    case let query as IdsQuery<String>: items.removeAll { query.ids.contains($0.id ?? "") }
    case let query as ObjectQuery<ItemEntity>: items.removeAll { $0.id == query.value.id }
    case is AllObjectsQuery: items = []
    default:
      let id = try Self.id(query)
      items.removeAll { $0.id == id }
    }
    await pass()
  }

  func deleteAll(_ query: some Query) async throws { try await delete(query) }
}

/// A gate that holds callers until it is opened.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, arrived: 0))

  var arrivedCount: Int { state.withLock { $0.arrived } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() async {
    state.withLock { $0.arrived += 1 }
    while !state.withLock({ $0.isOpen }) { await Task.yield() }
  }

  /// Starts a request, and returns its task when the request has arrived at this gate as the first one.
  func firstRequest<R: Sendable>(
    _ body: @escaping @Sendable () async throws -> R
  ) async -> Task<R, any Error> {
    let task = Task { try await body() }
    await waitUntil { arrivedCount == 1 }
    return task
  }
}

/// A cache that can fail to write or read, and can be slow to return from storing a value.
final class FlakyCache<Cache: DataSource>: DataSource {
  typealias Value = Cache.Value

  fileprivate let cache: Cache
  private let isFailing = Mutex(false)
  private let isUnreadable = Mutex(false)
  private let gate = Mutex<Gate?>(nil)

  init(_ cache: Cache) { self.cache = cache }

  func fail(_ isFailing: Bool) { self.isFailing.withLock { $0 = isFailing } }

  /// Makes reads fail.
  func failReading(_ isUnreadable: Bool) { self.isUnreadable.withLock { $0 = isUnreadable } }

  /// Holds the caller that stores the next value at a gate, after the value is stored.
  func holdNext(at gate: Gate) { self.gate.withLock { $0 = gate } }

  fileprivate func pass() async {
    let gate = gate.withLock { gate in
      defer { gate = nil }
      return gate
    }
    await gate?.pass()
  }

  func check() throws {
    if isFailing.withLock({ $0 }) { throw TestError(text: "disk full") }
  }

  private func checkReading() throws {
    if isUnreadable.withLock({ $0 }) { throw TestError(text: "unreadable") }
  }

  func get(_ query: some Query) async throws -> Value {
    try checkReading()
    return try await cache.get(query)
  }

  func getAll(_ query: some Query) async throws -> [Value] {
    try checkReading()
    return try await cache.getAll(query)
  }

  func put(_ value: Value, in query: some Query) async throws -> Value {
    try check()
    return try await cache.put(value, in: query)
  }

  func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try check()
    return try await cache.putAll(values, in: query)
  }

  func delete(_ query: some Query) async throws {
    try check()
    try await cache.delete(query)
  }

  func deleteAll(_ query: some Query) async throws {
    try check()
    try await cache.deleteAll(query)
  }
}

extension FlakyCache: CacheDataSource where Cache: CacheDataSource {
  func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {
    try cache.check(verb, query)
  }

  func keep(_ value: Value, answering query: some Query) async throws -> KeptResponse<Value> {
    try check()
    let kept = try await cache.keep(value, answering: query)
    await pass()
    return kept
  }

  func keepAll(_ values: [Value], answering query: some Query) async throws -> KeptResponse<[Value]>
  {
    try check()
    return try await cache.keepAll(values, answering: query)
  }

  func state(beforeRequesting query: some Query) async -> (any Sendable)? {
    await cache.state(beforeRequesting: query)
  }

  func keepAll(
    _ values: [Value], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Value]> {
    try check()
    return try await cache.keepAll(values, answering: query, since: state)
  }
}

/// A cache that is not a `CacheDataSource`.
struct PlainCache<Cache: DataSource>: DataSource {
  typealias Value = Cache.Value

  private let cache: Cache

  init(_ cache: Cache) { self.cache = cache }

  func get(_ query: some Query) async throws -> Value { try await cache.get(query) }

  func getAll(_ query: some Query) async throws -> [Value] { try await cache.getAll(query) }

  func put(_ value: Value, in query: some Query) async throws -> Value {
    try await cache.put(value, in: query)
  }

  func putAll(_ values: [Value], in query: some Query) async throws -> [Value] {
    try await cache.putAll(values, in: query)
  }

  func delete(_ query: some Query) async throws { try await cache.delete(query) }

  func deleteAll(_ query: some Query) async throws { try await cache.deleteAll(query) }
}
