import ObjectStore
import TestSupport
import Testing

private let shared = StoreConfiguration.inMemory(identifier: "followers")

/// Owns a handle and reports the version that the handle shows.
private protocol Watcher: Sendable {
  var version: UInt64 { get async }
}

@MainActor private final class StoredProperty: Watcher {
  let store = try? Store(configuration: shared, isolation: MainActor.shared)
  var version: UInt64 { store?.version ?? 0 }
}

@MainActor private final class LazyProperty: Watcher {
  lazy var store = try? Store(configuration: shared, isolation: MainActor.shared)
  var version: UInt64 { store?.version ?? 0 }
}

@MainActor private final class StaticProperty: Watcher {
  static let store = try? Store(configuration: shared, isolation: MainActor.shared)
  var version: UInt64 { Self.store?.version ?? 0 }
}

@MainActor private final class Initializer: Watcher {
  let store: Store
  init() throws { store = try Store(configuration: shared) }
  var version: UInt64 { store.version }
}

private actor ActorInitializer: Watcher {
  let store: Store
  init() throws { store = try Store(configuration: shared) }
  func open() { store.follow() }
  var version: UInt64 { store.version }
}

private actor ActorProperty: Watcher {
  let store = try? Store(configuration: shared)
  func open() { store?.follow() }
  var version: UInt64 { store?.version ?? 0 }
}

private actor ActorMethod: Watcher {
  var store: Store?
  func open() throws { store = try Store(configuration: shared) }
  var version: UInt64 { store?.version ?? 0 }
}

// R26
@Suite struct `Handles that follow an actor` {
  @Test func `a handle follows its actor regardless of how it was opened`() async throws {
    let writer = try Store(configuration: shared, isolation: nil)
    let inInit = try ActorInitializer()
    await inInit.open()
    let inProperty = ActorProperty()
    await inProperty.open()
    let inMethod = ActorMethod()
    try await inMethod.open()
    let watchers: [any Watcher] = [
      await StoredProperty(), await LazyProperty(), StaticProperty(),
      try await Initializer(), inInit, inProperty, inMethod,
    ]
    // A lazy or static handle is opened by its first read.
    for watcher in watchers { _ = await watcher.version }
    for _ in 0..<3 {
      try writer.write {
        try writer.create(Owner.self, value: ["id": .init(Int(writer.version))])
      }
      for watcher in watchers {
        let version = writer.version
        await waitUntil("\(type(of: watcher))") { await watcher.version == version }
      }
    }
  }

  @Test(arguments: Barn.Observation.allCases)
  private func `a handle opened in the init of an actor follows it from the first observation on`(
    _ observation: Barn.Observation
  ) async throws {
    let keeper = try Store(configuration: .inMemory(), isolation: nil)
    let barn = try Barn(keeper.configuration)
    try keeper.write { try keeper.add(Animal(id: 1)) }
    let task = Task { try await barn.observe(observation) }
    // Commits before and after the observation begins are reported.
    for id in 2...4 {
      try keeper.write {
        try keeper.update(Animal.self, key: 1, \.legs <- id, \.tags += ["\(id)"])
        try keeper.add(Animal(id: id))
      }
      await waitUntil("\(observation) \(id)") { await barn.seen == id }
    }
    task.cancel()
    try await task.value
  }

  @Test func `an observation on no actor is notified by refresh alone`() throws {
    let store = try Store(isolation: nil)
    var seen = 0
    let token = store.observe { _ in seen += 1 }
    try store.write { try store.add(Animal(id: 1)) }
    #expect(seen == 0)
    store.refresh()
    #expect(seen == 1)
    withExtendedLifetime(token) {}
  }

  @Test func `a handle opened in the init of an actor and not observed follows it after follow`()
    async throws
  {
    let keeper = try Store(configuration: .inMemory(), isolation: nil)
    let barn = try Barn(keeper.configuration)
    try await barn.watch()
    for id in 1...3 {
      try keeper.write { try keeper.add(Animal(id: id)) }
      // The actor has run when another handle of it shows the commit.
      await waitUntil { await barn.watched == UInt64(id) }
    }
    #expect(await barn.version == 0)
    // Earlier commits are visible at once.
    #expect(await barn.open() == 3)
    try keeper.write { try keeper.add(Animal(id: 4)) }
    await waitUntil { await barn.version == 4 }
    // A second call has no effect.
    #expect(await barn.open() == 4)
  }

  @Test func `a call to follow inside a write takes effect after the write`() async throws {
    let keeper = try Store(configuration: .inMemory(), isolation: nil)
    let barn = try Barn(keeper.configuration)
    try keeper.write { try keeper.add(Animal(id: 1)) }
    #expect(try await barn.openInWrite() == [1, 2])
    try keeper.write { try keeper.add(Animal(id: 3)) }
    await waitUntil { await barn.version == 3 }
  }

  @Test func `a handle that is moved to another actor follows that actor`() async throws {
    let keeper = try Store(configuration: .inMemory(), isolation: nil)
    let (first, second) = (try Barn(keeper.configuration), try Barn(keeper.configuration))
    await first.open()
    let handle = try Store(configuration: keeper.configuration, isolation: nil)
    await second.take(handle)
    try keeper.write { try keeper.add(Animal(id: 1)) }
    await waitUntil { await first.version == 1 }
    await waitUntil { await second.version == 1 }
  }
}

private actor Barn {
  private var store: Store
  private var watching: Store?

  init(_ configuration: StoreConfiguration) throws {
    store = try Store(configuration: configuration)
  }

  var version: UInt64 { store.version }
  var watched: UInt64? { watching?.version }

  enum Observation: CaseIterable {
    case store, results, keyPaths, collection, object, sections, changes, storeChanges
  }

  /// The highest id that an observer has seen.
  private(set) var seen = 0

  private func look() { seen = store.objects(Animal.self).map(\.id).max() ?? 0 }

  /// Observes the store until the task is cancelled.
  func observe(_ observation: Observation) async throws {
    store.refresh()
    let animals = store.objects(Animal.self)
    let animal = try #require(animals.first)
    look()
    let token: ObservationToken
    switch observation {
    case .store: token = store.observe { _ in self.look() }
    case .results: token = animals.observe { _ in self.look() }
    case .keyPaths: token = animals.observe(keyPaths: [\.legs]) { _ in self.look() }
    case .collection: token = animal.tags.observe { _ in self.look() }
    case .object: token = animal.observe { _ in self.look() }
    case .sections:
      token = animals.sectioned(by: \.legs).observe { _ in self.look() }
    case .changes:
      for await _ in animals.changes { look() }
      return
    case .storeChanges:
      for await _ in store.changes { look() }
      return
    }
    while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
    withExtendedLifetime(token) {}
  }

  /// Opens a second handle, which follows the actor.
  func watch() throws { watching = try Store(configuration: store.configuration) }

  @discardableResult
  func open() -> UInt64 {
    store.follow()
    return store.version
  }

  func openInWrite() throws -> [Int] {
    try store.write {
      store.follow()
      try store.add(Animal(id: 2))
      return store.objects(Animal.self).map(\.id)
    }
  }

  func take(_ handle: sending Store) {
    store = handle
    store.follow()
  }
}
