import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Asynchronous sequences of changes` {
  typealias Animal = Observed.Animal

  @MainActor @Test
  func `a sequence of changes begins with the initial state and merges pending changes`()
    async throws
  {
    let store = try Observed.store(0..<3)
    var lines: [String] = []
    for await change in store.objects(Animal.self).changes {
      lines.append(change.text)
      if lines.count == 1 {
        for legs in [1, 2, 3] { try store.write { store.objects(Animal.self)[1].legs = legs } }
      } else if lines.count == 2 {
        try store.write { store.delete(store.objects(Animal.self)[0]) }
      } else {
        break
      }
    }
    #expect(lines == ["initial", "-[] +[] ~[1]", "-[0] +[] ~[]"])
  }

  @MainActor @Test func `the sequence of an object ends when the object is deleted`() async throws {
    let store = try Observed.store(0..<3)
    let animal = store.objects(Animal.self)[1]
    let changes = animal.changes
    let task = Task {
      var lines: [String] = []
      for await change in changes {
        lines.append("\(change)")
        if lines.count == 1 { try store.write { store.delete(animal) } }
      }
      return lines
    }
    while store.handle.delivery == nil { await Task.yield() }
    try store.write { animal.legs = 1 }
    #expect(try await task.value == [#"change(["legs"])"#, "deleted"])
  }

  @MainActor @Test func `a sequence of changes ends when its task is cancelled`() async throws {
    let store = try Observed.store(0..<3)
    let task = Task {
      var count = 0
      for await _ in store.objects(Animal.self).changes { count += 1 }
      return count
    }
    while store.handle.delivery == nil { await Task.yield() }
    task.cancel()
    #expect(await task.value <= 1)
    try store.write { store.delete(store.objects(Animal.self)) }
    store.refresh()
    #expect(store.handle.delivery == nil)
  }

  @MainActor @Test func `all waiting copies of a change iterator resume`() async throws {
    let store = try Observed.store(0..<3)
    var iterator = store.objects(Animal.self).changes.makeAsyncIterator()
    _ = await iterator.next(isolation: MainActor.shared)
    let copy = iterator
    var doneCount = 0
    let tasks = (0..<2).map { _ in
      Task {
        var mine = copy
        defer { doneCount += 1 }
        return await mine.next(isolation: MainActor.shared) != nil
      }
    }
    var legs = 4
    // Each change resumes one of the tasks.
    await waitUntil {
      legs += 1
      try? store.write { store.objects(Animal.self)[0].legs = legs }
      return doneCount == 2
    }
    for task in tasks { #expect(await task.value) }
  }

  @MainActor @Test func `a sequence of changes ends when the store is deallocated`() async throws {
    var store: Store? = try Observed.store(0..<3)
    let animals = try #require(store).objects(Animal.self)
    let task = Task {
      var lines: [String] = []
      for await change in animals.changes { lines.append(change.text) }
      return lines
    }
    while store?.handle.delivery == nil { await Task.yield() }
    store = nil
    #expect(await task.value == ["initial"])
  }

  actor Barn {
    let store: Store
    private(set) var isWatching = true

    init(_ configuration: StoreConfiguration) throws {
      store = try Store(configuration: configuration)
    }

    func legs(until sum: Int) async throws -> [Int] {
      store.follow()
      defer { isWatching = false }
      var sums: [Int] = []
      for await change in store.objects(Animal.self).changes {
        guard case .update(let animals, _, _, _) = change else { continue }
        sums.append(animals.sum(of: \.legs))
        if animals.sum(of: \.legs) >= sum { break }
      }
      return sums
    }
  }

  @Test func `a sequence of changes can be awaited on any actor`() async throws {
    let store = try Observed.store(0..<3)
    let barn = try Barn(store.configuration)
    async let sums = barn.legs(until: 100)
    var legs = 4
    // Repeats the change, because the barn may begin to observe late.
    while await barn.isWatching || legs < 200 {
      legs += 8
      try store.write { store.objects(Animal.self)[0].legs = legs }
      await Task.yield()
    }
    let all = try await sums
    #expect(all == all.sorted())
    #expect(all.last ?? 0 >= 100)
  }
}
