import Foundation
import TestSupport
import Testing

@testable import DataSources

/// What one of two sources cannot do, and the other can.
@Suite struct `Sources that fail` {
  let server = ItemServer(["a", "b"])
  let clock = ManualClock()

  private func repository<Cache: GetDataSource & PutDataSource>(
    _ cache: Cache
  ) -> CacheRepository<ItemServer, Cache> where Cache.Value == ItemEntity {
    CacheRepository(
      main: server, cache: cache, validator: AgeValidator(.seconds(60)), clock: clock)
  }

  // MARK: - Turns

  @Test func `who is cancelled leaves the queue`() async throws {
    let turns = Turns()
    let gate = Gate()
    let order = SeenCount()
    let first = Task { try await turns.run { await gate.pass() } }
    await waitUntil { gate.arrivedCount == 1 }
    let others = (1...3).map { _ in Task { try await turns.run { order.next() } } }
    others[1].cancel()
    await #expect(throws: CancellationError.self) { try await others[1].value }
    #expect(order.value == 0)
    gate.open()
    try await first.value
    #expect(try await others[0].value + others[2].value == 3)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await turns.run { order.next() }
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(try await turns.run { order.next() } == 3)
  }

  @Test func `a put that waits for a slow cache can be cancelled`() async throws {
    let cache = FlakyCache(itemSource())
    let repository = repository(cache)
    let gate = Gate()
    cache.holdNext(at: gate)
    let slow = Task { try await repository.put(ItemEntity(id: "a", text: "new"), forId: "a") }
    await waitUntil { gate.arrivedCount == 1 }
    let put = Task { try await repository.put(ItemEntity(id: "b", text: "new"), forId: "b") }
    await waitUntil { await server.items.allSatisfy { $0.text == "new" } }
    put.cancel()
    await #expect(throws: CancellationError.self) { try await put.value }
    gate.open()
    _ = try await slow.value
    #expect(try await repository.get("b").text == "new")
  }
}
