import ObjectStore
import TestSupport
import Testing

@Suite struct `Releasing an observer` {
  typealias Animal = Observed.Animal

  /// A screen that observes objects of each kind. The closures retain it, and it retains its store.
  @MainActor private final class Screen {
    let store: Store
    var tokens: [ObservationToken] = []

    init(_ store: Store) {
      self.store = store
      let farm = store.objects(Observed.Farm.self)[0]
      tokens = [
        store.objects(Animal.self).observe { _ in self.update() },
        store.objects(Animal.self).sectioned(by: \.legs).observe { _ in self.update() },
        farm.observe { _ in self.update() },
        farm.animals.observe { _ in self.update() },
        farm.scores.observe { _ in self.update() },
        farm.animals[0].farms.observe { _ in self.update() },
        store.observe { _ in self.update() },
      ]
    }

    private func update() { _ = store.objects(Animal.self).count }
  }

  /// A store that contains a farm with one animal.
  @MainActor private static func farm() throws -> Store {
    let store = try Store(configuration: .inMemory(identifier: "farm"))
    try store.write {
      try store.create(Observed.Farm.self, value: ["id": 1, "animals": [["id": 1]], "scores": [1]])
    }
    return store
  }

  @Test func `a store retained only by an observer is deallocated at the next delivery`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      for isCancelled in [true, false] {
        let app = try Self.farm()
        var screen: Screen? = Screen(try Store(configuration: app.configuration))
        weak let store = screen?.store
        var isNotified = false
        let token = app.observe { _ in isNotified = true }
        try app.write { app.objects(Animal.self)[0].legs += 1 }
        await waitUntil { isNotified }
        if isCancelled { for token in screen?.tokens ?? [] { token.cancel() } }
        screen?.tokens = []
        screen = nil
        try app.write { app.objects(Animal.self)[0].legs += 1 }
        await waitUntil { store == nil }
        withExtendedLifetime(token) {}
      }
    }
  }

  @Test func `a store retained only by an observer is deallocated when an observation begins`()
    async
  {
    await #expect(processExitsWith: .success) { @MainActor in
      let app = try Self.farm()
      var screen: Screen? = Screen(try Store(configuration: app.configuration, isolation: nil))
      weak let store = screen?.store
      let animal = try #require(screen?.store.objects(Animal.self).first)
      screen?.tokens = []
      screen = nil
      let token = animal.observe { _ in }
      #expect(store == nil)
      withExtendedLifetime(token) {}
    }
  }

  @Test func `a store retained only by an observer is deallocated inside its refresh`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let app = try Self.farm()
      var screen: Screen? = Screen(try Store(configuration: app.configuration, isolation: nil))
      weak let store = screen?.store
      screen?.tokens = []
      screen = nil
      store?.refresh()
      #expect(store == nil)
    }
  }

  @MainActor @Test func `a store that follows an actor releases an observer without a commit`()
    async throws
  {
    let store = try Store()
    final class Label {}
    var label: Label? = Label()
    weak let released = label
    let token = store.objects(Animal.self).observe { [label] _ in _ = label }
    label = nil
    token.cancel()
    await waitUntil { released == nil }
  }

  /// Calls a closure in its deinit.
  private final class Capture {
    private let onRelease: () -> Void
    init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  /// Adds an observer that holds the only reference to a `Capture`, and returns its token.
  private func observe(_ store: Store, onRelease: @escaping () -> Void) -> ObservationToken {
    let capture = Capture(onRelease: onRelease)
    return store.observe { _ in withExtendedLifetime(capture) {} }
  }

  @MainActor @Test
  func `a delivery releases a cancelled observer after it notifies the others`() throws {
    let store = try Store(configuration: .inMemory(), isolation: nil)
    var events: [String] = []
    let cancelled = observe(store) { events.append("released") }
    let token = store.observe { _ in events.append("notified") }
    try store.write { try store.create(Animal.self, value: ["id": 1]) }
    cancelled.cancel()
    store.refresh()
    #expect(events == ["notified", "released"])
    withExtendedLifetime(token) {}
  }

  @MainActor @Test
  func `an observation that begins in a deinit follows the one whose beginning ran the deinit`()
    throws
  {
    let store = try Store(configuration: .inMemory(), isolation: nil)
    var notified: [String] = []
    var inner: ObservationToken?
    let cancelled = observe(store) { [unowned store] in
      inner = store.observe { _ in notified.append("inner") }
    }
    cancelled.cancel()
    let outer = store.observe { _ in notified.append("outer") }
    try store.write { try store.create(Animal.self, value: ["id": 1]) }
    store.refresh()
    #expect(notified == ["outer", "inner"])
    withExtendedLifetime((inner, outer)) {}
  }

  @Test func `an object captured by an observer can use the store in its deinit`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      final class Label {
        let store: Store
        init(_ store: Store) { self.store = store }
        deinit {
          let token = store.objects(Animal.self).observe { _ in }
          _ = try? store.write { try store.create(Animal.self, value: ["id": 2]) }
          token.cancel()
        }
      }
      let app = try Self.farm()
      let store = try Store(configuration: app.configuration, isolation: nil)
      var token: ObservationToken? = store.objects(Animal.self).observe {
        [label = Label(store)] _ in
        _ = label
      }
      withExtendedLifetime(token) { store.refresh() }
      token = nil
      store.refresh()
      #expect(store.objects(Animal.self).count == 2)
    }
  }
}
