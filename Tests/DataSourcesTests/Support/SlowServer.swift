import DataSources
import TestSupport

/// A server that delays requests and responses randomly and loses some of them. It numbers its writes: a value's
/// `serverId` is the number of its put.
actor SlowServer {
  private var items: [ItemEntity] = []
  /// The number of executed puts and deletions.
  private(set) var number = 0
  private var numbers: [String: Int] = [:]
  private var random: SeededRandom
  private var isCalm = false
  private let isReliable: Bool

  init(seed: UInt64, isReliable: Bool = false) {
    random = SeededRandom(seed: seed)
    self.isReliable = isReliable
  }

  /// Ends or resumes delays and failures.
  func calmDown(_ isCalm: Bool) { self.isCalm = isCalm }

  /// The number of the put of a value with this text.
  func number(ofText text: String) -> Int? { numbers[text] }

  private func wait() async throws {
    if isCalm { return }
    for _ in 0..<random.below(30) { await Task.yield() }
    if !isCalm, !isReliable, random.once(in: 8) { throw TestError(text: "lost") }
  }

  private func read<R: Sendable>(_ body: ([ItemEntity]) throws -> R) async throws -> R {
    try await wait()
    let response = Result { try body(items) }
    try await wait()
    return try response.get()
  }

  private func change(_ body: (inout [ItemEntity]) -> Void) async throws {
    try await wait()
    body(&items)
    try await wait()
  }
}

extension SlowServer: DataSource {
  func get(_ query: some Query) async throws -> ItemEntity {
    try await read { items in
      guard let id = (query as? IdQuery<String>)?.id, let item = items.first(where: { $0.id == id })
      else { throw DataSourceError.notFound(query: "server") }
      return item
    }
  }

  func getAll(_ query: some Query) async throws -> [ItemEntity] {
    try await read { items in
      switch query {
      case let query as IdsQuery<String>: items.filter { query.ids.contains($0.id ?? "") }
      case let query as PaginationOffsetLimitQuery:
        Array(items.dropFirst(query.offset).prefix(query.limit))
      default: items.reversed()
      }
    }
  }

  func put(_ value: ItemEntity, in query: some Query) async throws -> ItemEntity {
    try await putAll([value], in: query)[0]
  }

  func putAll(_ values: [ItemEntity], in query: some Query) async throws -> [ItemEntity] {
    var placed = values
    try await change { items in
      for position in values.indices {
        number += 1
        placed[position].serverId = number
        numbers[values[position].text] = number
        let value = placed[position]
        if let index = items.firstIndex(where: { $0.id == value.id }) {
          items[index] = value
        } else {
          items.append(value)
        }
      }
    }
    return placed
  }

  func delete(_ query: some Query) async throws {
    try await change { items in
      number += 1
      switch query {
      case let query as IdQuery<String>: items.removeAll { $0.id == query.id }
      case let query as IdsQuery<String>: items.removeAll { query.ids.contains($0.id ?? "") }
      default: items = []
      }
    }
  }

  func deleteAll(_ query: some Query) async throws { try await delete(query) }
}
