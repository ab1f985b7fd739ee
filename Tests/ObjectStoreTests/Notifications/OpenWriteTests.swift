import Observation
import TestSupport
import Testing

@testable import ObjectStore

/// Observers that begin a write and do not end it.
@Suite struct `A write that an observer leaves open` {
  typealias Animal = Observed.Animal

  private func leavingOpen(_ store: Store) throws -> ObservationToken {
    store.objects(Animal.self).observe { [unowned store] _ in
      try? store.beginWrite()
      store.objects(Animal.self).first?.legs = 77
    }
  }

  @Test func `is undone, and the write that delivered to it throws`() throws {
    let store = try Observed.store(0..<2)
    let other = try Store(configuration: store.configuration)
    let token = try leavingOpen(store)
    var wasRun = false
    #expect(throws: StoreError(.unbalancedWrite)) { try store.write { wasRun = true } }
    #expect(!wasRun && !store.isInWriteTransaction && store.objects(Animal.self)[0].legs == 4)
    // The writer's turn is free.
    try other.write { other.objects(Animal.self)[1].legs = 3 }
    token.cancel()
    try store.write { store.objects(Animal.self)[0].legs = 5 }
    #expect(store.objects(Animal.self).map(\.legs) == [5, 3])
  }

  @Test func `is undone by refresh, which notifies the other observers`() throws {
    let store = try Observed.store(0..<2)
    let told = Told()
    let token = try leavingOpen(store)
    let later = store.objects(Animal.self).observe { change in
      told.note("\(change.text) \(store.isInWriteTransaction)")
    }
    store.refresh()
    #expect(told.take() == ["initial false"])
    #expect(!store.isInWriteTransaction && store.objects(Animal.self)[0].legs == 4)
    withExtendedLifetime((token, later)) {}
  }

  @Test func `is undone where it tracks what it reads`() throws {
    let store = try Observed.store(0..<2)
    store.tracksReads = true
    let animals = Array(store.objects(Animal.self))
    let told = Told()
    for (index, animal) in animals.enumerated() {
      // Sendable: all on this thread.
      nonisolated(unsafe) let (store, told) = (store, told)
      withObservationTracking {
        _ = animal.legs
      } onChange: {
        told.note("\(index) \(store.isInWriteTransaction)")
        try? store.beginWrite()
      }
    }
    try store.write { for animal in animals { animal.legs = 2 } }
    #expect(told.take().sorted() == ["0 false", "1 false"])
    #expect(!store.isInWriteTransaction && animals.map(\.legs) == [2, 2])
  }
}
