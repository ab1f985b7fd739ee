import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Observers are added and removed on several threads while another one evicts.
@Suite struct `Eviction with concurrent observers` {
  private typealias Photo = Cached.Photo

  private final class Shared: Sendable {
    let isOver = Atomic(false)
    let lost = Atomic(0)
  }

  @Test func `eviction never deletes objects that are observed throughout`() async throws {
    let store = try Store()
    try Cached.makePhotos(
      store, Dictionary(uniqueKeysWithValues: (0..<400).map { ($0, 500) }))
    let configuration = store.configuration
    let shared = Shared()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for place in 0..<3 {
        group.addTask { @concurrent in
          var random = SeededRandom(seed: UInt64(place))
          let store = try ObjectStore.Store(configuration: configuration, isolation: nil)
          var turn = 0
          while turn < 200 || !shared.isOver.load(ordering: .relaxed) {
            turn += 1
            store.refresh()
            let ids = store.photoIDs
            guard !ids.isEmpty else { break }
            let id = ids[random.below(ids.count)]
            let token = store.objects(Photo.self).where { $0.id == id }.observe { _ in }
            // An eviction in progress may not know the observer yet.
            let wasThere = try store.write {
              store.object(ofType: Photo.self, forPrimaryKey: id) != nil
            }
            await Task.yield()
            store.refresh()
            if wasThere, store.object(ofType: Photo.self, forPrimaryKey: id) == nil {
              shared.lost.add(1, ordering: .relaxed)
            }
            token.cancel()
          }
        }
      }
      for left in stride(from: 380, through: 20, by: -20) {
        try store.evict(
          by: [.policy(CachePolicy(maximumCount: left, since: "lastUsed"), of: Photo.self)],
          asOf: Cached.now)
        await Task.yield()
      }
      shared.isOver.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
    #expect(shared.lost.load(ordering: .relaxed) == 0)
    #expect(store.photoIDs.count >= 20)
    store.checkInvariants()
  }
}
