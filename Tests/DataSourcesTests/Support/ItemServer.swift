import DataSources
import Synchronization
import TestSupport

/// A server with items in an order. Requests can be held back, and answers after it did what it was asked.
actor ItemServer {
  fileprivate(set) var items: [ItemEntity]
  private(set) var log: [String] = []
  private var error: (any Error)?
  private var gate: Gate?
  private var entrance: Gate?

  init(_ ids: [String] = []) {
    items = ids.map { ItemEntity(id: $0, text: "old") }
  }

  /// Refuses all requests from now on; nil for none.
  func fail(_ error: (any Error)?) { self.error = error }

  /// The answer to the next request waits at this gate.
  func holdNext(at gate: Gate) { self.gate = gate }

  /// The next request waits at this gate, and is not done before it is opened.
  func holdNextRequest(at gate: Gate) { entrance = gate }

  /// What somebody else does.
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

  /// Of ids in the server's own order.
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

/// Holds who comes until it is opened.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, arrived: 0))

  var arrivedCount: Int { state.withLock { $0.arrived } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() async {
    state.withLock { $0.arrived += 1 }
    while !state.withLock({ $0.isOpen }) { await Task.yield() }
  }
}

/// A cache that can be told to fail, to give nothing, and to take its time with a value that it has kept.
final class FlakyCache<Cache: DataSource>: DataSource {
  typealias Value = Cache.Value

  fileprivate let cache: Cache
  private let isFailing = Mutex(false)
  private let isUnreadable = Mutex(false)
  private let gate = Mutex<Gate?>(nil)

  init(_ cache: Cache) { self.cache = cache }

  func fail(_ isFailing: Bool) { self.isFailing.withLock { $0 = isFailing } }

  /// Whether it fails to give.
  func failReading(_ isUnreadable: Bool) { self.isUnreadable.withLock { $0 = isUnreadable } }

  /// The next value that is kept is there, and who keeps it waits at this gate.
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

  func keep(_ value: Value, answering query: some Query) async throws -> KeptAnswer<Value> {
    try check()
    let kept = try await cache.keep(value, answering: query)
    await pass()
    return kept
  }

  func keepAll(_ values: [Value], answering query: some Query) async throws -> KeptAnswer<[Value]> {
    try check()
    return try await cache.keepAll(values, answering: query)
  }
}

/// A cache of which nothing is known but what it gives and takes.
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
