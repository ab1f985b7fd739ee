import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@MainActor private final class Screen {
  let store: Store
  init(_ configuration: StoreConfiguration) throws {
    store = try Store(configuration: configuration)
  }
  var version: UInt64 { store.version }
}

@Suite struct `Isolation` {
  @Test @MainActor func `an actor's handle advances by itself after another handle's commit`()
    async throws
  {
    let screen = try Screen(.inMemory())
    let results = screen.store.objects(Animal.self)
    #expect(results.isEmpty)
    let configuration = screen.store.configuration
    try await Task.detached {
      let store = try Store(configuration: configuration)
      try store.write { try store.add(Animal(id: 1)) }
    }.value
    await waitUntil { results.count == 1 }
  }

  // R20
  @Test @MainActor func `an actor's handle does not advance inside a job or a write`() async throws
  {
    let screen = try Screen(.inMemory())
    let other = try Store(configuration: screen.store.configuration)
    try other.write { try other.add(Animal(id: 1)) }
    #expect(screen.store.objects(Animal.self).isEmpty)
    try screen.store.beginWrite()
    try screen.store.add(Animal(id: 2))
    screen.store.refresh()
    #expect(screen.store.objects(Animal.self).map(\.id) == [1, 2])
    try screen.store.commitWrite()
  }

  // R20
  @Test func `a handle without an actor advances on refresh`() async throws {
    let store = try Store()
    let configuration = store.configuration
    let screen = try await Screen(configuration)
    try await Task.detached {
      let other = try Store(configuration: configuration)
      try other.write { try other.add(Animal(id: 1)) }
    }.value
    // Handles that follow an actor have been notified by now.
    await waitUntil { await screen.version == 1 }
    #expect(store.objects(Animal.self).isEmpty)
    store.refresh()
    #expect(store.objects(Animal.self).count == 1)
  }

  @Test func `background work uses its own handle, and its changes are visible afterwards`()
    async throws
  {
    let store = try Store()
    let count = try await store.inBackground { store in
      try store.write { try store.add(Animal(id: 1)) }
      return store.objects(Animal.self).count
    }
    #expect(count == 1 && store.objects(Animal.self).count == 1)
    await #expect(throws: Undo.self) {
      try await store.inBackground { store in
        try store.write {
          try store.add(Animal(id: 2))
          throw Undo()
        }
      }
    }
    #expect(store.objects(Animal.self).count == 1)
    try await store.inBackground { store in try store.write { try store.add(Animal(id: 3)) } }
    #expect(store.objects(Animal.self).count == 2)
  }

  @Test func `a reference resolves to the same object in another handle`() async throws {
    let store = try Store()
    let animal = Animal(id: 1, name: "Bella")
    try store.write { try store.add(animal) }
    let reference = animal.reference
    let name = try await store.inBackground { store in store.resolve(reference)?.name }
    #expect(name == "Bella")
    #expect(store.resolve(reference) == animal)
    #expect(try Store().resolve(reference) == nil)
    #expect(Set([reference, animal.reference]).count == 1)
  }

  // R23
  @Test func `an older handle advances to resolve a reference`() throws {
    let store = try Store()
    let old = try Store(configuration: store.configuration)
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    #expect(old.objects(Animal.self).isEmpty)
    #expect(old.resolve(animal.reference)?.id == 1)
    #expect(old.objects(Animal.self).count == 1)
  }

  @Test func `a reference to a deleted or rolled-back object resolves to nil`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    try store.write { try store.add(animal) }
    let reference = animal.reference
    var undone: ObjectReference<Animal>?
    _ = try? store.write {
      undone = try store.create(Animal.self, value: ["id": 2]).reference
      throw Undo()
    }
    #expect(undone.flatMap { store.resolve($0) } == nil)
    try store.write {
      store.delete(animal)
      try store.add(Animal(id: 1))
    }
    #expect(store.resolve(reference) == nil)
  }

  // R23
  @Test func `a reference does not retain its object`() throws {
    var reference: ObjectReference<Animal>?
    weak var object: Animal?
    let store = try Store()
    do {
      let animal = Animal(id: 1)
      try store.write { try store.add(animal) }
      reference = animal.reference
      object = animal
    }
    #expect(object == nil && reference.flatMap { store.resolve($0) }?.id == 1)
  }

  @Test @MainActor func `asyncWrite calls wait in order without blocking their actor`() async throws
  {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try other.beginWrite()
    try other.add(Animal(id: 0))
    var order: [Int] = []
    let tasks = (1...5).map { id in
      Task { @MainActor in
        try await store.asyncWrite {
          order.append(id)
          try store.add(Animal(id: id))
        }
      }
    }
    await waitUntil { store.handle.engine.writerLock.waiterCount == 5 }
    #expect(order.isEmpty)
    try other.commitWrite()
    for task in tasks { try await task.value }
    #expect(order == [1, 2, 3, 4, 5])
    #expect(store.objects(Animal.self).map(\.id) == [0, 1, 2, 3, 4, 5])
  }

  @Test func `asyncWrite returns the result and rethrows the error of its body`() async throws {
    let store = try Store()
    let count = try await store.asyncWrite {
      try store.add(Animal(id: 1))
      return store.objects(Animal.self).count
    }
    #expect(count == 1)
    await #expect(throws: Undo.self) {
      try await store.asyncWrite {
        try store.add(Animal(id: 2))
        throw Undo()
      }
    }
    #expect(store.objects(Animal.self).count == 1 && !store.isInWriteTransaction)
  }

  @Test func `a cancelled task does not begin to write`() async throws {
    let store = try Store()
    let configuration = store.configuration
    let task = Task {
      let store = try Store(configuration: configuration)
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.asyncWrite { try store.add(Animal(id: 1)) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    store.refresh()
    #expect(store.objects(Animal.self).isEmpty)
  }

  @Test func `concurrent writes of eight tasks are all applied`() async throws {
    let store = try Store()
    let configuration = store.configuration
    try store.write { try store.add(Animal(id: 0)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try Store(configuration: configuration)
          for _ in 0..<50 {
            try await store.asyncWrite {
              store.object(ofType: Animal.self, forPrimaryKey: 0)?.legs += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    store.refresh()
    #expect(store.objects(Animal.self).first?.legs == 404)
  }

  // R22
  @Test func `handles and frozen values may be released on any thread`() async throws {
    let configuration = StoreConfiguration.inMemory()
    let keeper = try Store(configuration: configuration)
    try keeper.write { for id in 0..<100 { try keeper.add(Animal(id: id)) } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            guard let store = try? Store(configuration: configuration) else { return }
            let frozen = store.objects(Animal.self).frozen()
            let first = store.objects(Animal.self).first?.frozen()
            // The frozen values are released on other threads than those that created them.
            Task.detached { _ = (frozen.count, first?.id) }
          }
        }
      }
    }
    #expect(keeper.objects(Animal.self).count == 100)
  }

  // R24
  @Test func `adding an object that another handle added changes nothing`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    let (animal, farm) = (Animal(id: 1), Farm(name: "A"))
    try other.write { try other.add(animal) }
    try store.write {
      try store.add(animal)
      try store.add(farm)
      farm.animals.append(animal)
    }
    #expect(farm.animals.map(\.id) == [1] && store.objects(Animal.self).count == 1)
  }
}
