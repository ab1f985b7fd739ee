import Observation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `A write that an observer leaves open` {
  typealias Animal = Observed.Animal

  private func leavingOpen(_ store: Store) throws -> ObservationToken {
    store.objects(Animal.self).observe { [unowned store] _ in
      try? store.beginWrite()
      store.objects(Animal.self).first?.legs = 77
    }
  }

  @Test func `an open write is rolled back, and the write that called the observer throws`() throws
  {
    let store = try Observed.store(0..<2)
    let other = try Store(configuration: store.configuration)
    let token = try leavingOpen(store)
    var wasRun = false
    #expect(throws: StoreError(.unbalancedWrite)) { try store.write { wasRun = true } }
    #expect(!wasRun && !store.isInWriteTransaction && store.objects(Animal.self)[0].legs == 4)
    // The writer lock is free.
    try other.write { other.objects(Animal.self)[1].legs = 3 }
    token.cancel()
    try store.write { store.objects(Animal.self)[0].legs = 5 }
    #expect(store.objects(Animal.self).map(\.legs) == [5, 3])
  }

  @Test func `refresh rolls back an open write and notifies the other observers`() throws {
    let store = try Observed.store(0..<2)
    let received = Received()
    let token = try leavingOpen(store)
    let later = store.objects(Animal.self).observe { change in
      received.note("\(change.text) \(store.isInWriteTransaction)")
    }
    store.refresh()
    #expect(received.take() == ["initial false"])
    #expect(!store.isInWriteTransaction && store.objects(Animal.self)[0].legs == 4)
    withExtendedLifetime((token, later)) {}
  }

  @Test func `a write left open by an onChange closure is rolled back`() throws {
    let store = try Observed.store(0..<2)
    store.tracksReads = true
    let animals = Array(store.objects(Animal.self))
    let received = Received()
    for (index, animal) in animals.enumerated() {
      // Sendable: used only on this thread.
      nonisolated(unsafe) let (store, received) = (store, received)
      withObservationTracking {
        _ = animal.legs
      } onChange: {
        received.note("\(index) \(store.isInWriteTransaction)")
        try? store.beginWrite()
      }
    }
    try store.write { for animal in animals { animal.legs = 2 } }
    #expect(received.take().sorted() == ["0 false", "1 false"])
    #expect(!store.isInWriteTransaction && animals.map(\.legs) == [2, 2])
  }
}
