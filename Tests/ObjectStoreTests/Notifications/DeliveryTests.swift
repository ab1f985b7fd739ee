import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Deliveries to observers` {
  typealias Animal = Observed.Animal
  let store: Store
  let received = Received()

  init() throws {
    store = try Observed.store(0..<3)
  }

  private var animals: Results<Animal> { store.objects(Animal.self) }

  private func change(_ id: Int = 0, _ legs: Int) throws {
    try store.write { store.object(ofType: Animal.self, forPrimaryKey: id)?.legs = legs }
  }

  @Test func `a delivery happens before a write of the same handle, and never inside it`() throws {
    let token = animals.observe { [received, store] in
      received.note("\($0.text) \(store.isInWriteTransaction)")
    }
    try store.write {
      #expect(received.take() == ["initial false"])
      animals[0].legs = 3
      store.refresh()
      try store.write { animals[1].legs = 3 }
      #expect(received.take() == [])
    }
    #expect(received.take() == [])
    try store.write { #expect(received.take() == ["-[] +[] ~[0, 1] false"]) }
    withExtendedLifetime(token) {}
  }

  @Test func `deliveries end when the token is released or cancelled, even inside a callback`()
    throws
  {
    var token: ObservationToken? = animals.observe { [received] _ in received.note("first") }
    var second: ObservationToken?
    second = animals.observe { [received] _ in
      received.note("second")
      second?.cancel()
    }
    store.refresh()
    #expect(received.take() == ["first", "second"])
    try change(0, 1)
    store.refresh()
    #expect(received.take() == ["first"])
    token = nil
    try change(0, 2)
    store.refresh()
    #expect(received.take() == [])
    #expect(store.handle.delivery == nil)
    withExtendedLifetime((token, second)) {}
  }

  @Test func `an observer cancelled by another one in the same delivery is not called`() throws {
    var second: ObservationToken?
    let first = animals.observe { [received] _ in
      received.note("first")
      second?.cancel()
    }
    second = animals.observe { [received] _ in received.note("second") }
    store.refresh()
    #expect(received.take() == ["first"])
    withExtendedLifetime(first) {}
  }

  @Test func `an observer that writes in its callback is not called recursively`() throws {
    var depth = 0
    let token = animals.observe { [received, store] change in
      depth += 1
      defer { depth -= 1 }
      received.note("\(depth) \(change.text)")
      let legs = store.objects(Animal.self)[0].legs
      if legs < 7 { try? store.write { store.objects(Animal.self)[0].legs = legs + 1 } }
    }
    for _ in 0..<6 { store.refresh() }
    #expect(
      received.take()
        == ["1 initial", "1 -[] +[] ~[0]", "1 -[] +[] ~[0]", "1 -[] +[] ~[0]"])
    #expect(animals[0].legs == 7)
    withExtendedLifetime(token) {}
  }

  @Test func `an observer added in a callback is first called in the next delivery`() throws {
    var inner: ObservationToken?
    let token = animals.observe { [received, animals] change in
      received.note("outer \(change.text)")
      inner = inner ?? animals.observe { received.note("inner \($0.text)") }
    }
    store.refresh()
    #expect(received.take() == ["outer initial"])
    store.refresh()
    #expect(received.take() == ["inner initial"])
    try change(1, 1)
    store.refresh()
    #expect(received.take() == ["outer -[] +[] ~[1]", "inner -[] +[] ~[1]"])
    withExtendedLifetime((token, inner)) {}
  }

  @Test func `cancelling the token of an observer that retains the store releases both`() throws {
    weak var handle: StoreHandle?
    weak var state: Received?
    var token: ObservationToken?
    do {
      let received = Received()
      state = received
      let store = try Observed.store(0..<3)
      handle = store.handle
      let animals = store.objects(Animal.self)
      token = animals.observe { [store] _ in received.note("\(store.version)") }
      // The observer retains the store. Only cancelling the token releases it.
      token?.cancel()
      store.refresh()
    }
    #expect(handle == nil)
    #expect(state == nil)
    withExtendedLifetime(token) {}
  }

  @Test func `an observation token does not keep the store alive`() throws {
    weak var handle: StoreHandle?
    var token: ObservationToken?
    do {
      let store = try Observed.store(0..<3)
      handle = store.handle
      token = store.objects(Animal.self).observe { _ in }
    }
    #expect(handle == nil)
    withExtendedLifetime(token) {}
  }

  @Test func `observers called after an observer that writes receive its changes`() throws {
    var lines: [String] = []
    func ids(_ change: CollectionChange<Results<Animal>>) -> String {
      switch change {
      case .initial(let animals): "initial \(animals.map(\.id)) \(animals.count)"
      case .update(let animals, _, _, _): "\(change.text) \(animals.map(\.id)) \(animals.count)"
      case .error(let error): "\(error)"
      }
    }
    let legged = animals.where { $0.legs > 3 }
    var next = 10
    let writer = legged.observe { [store] change in
      lines.append("writer \(ids(change))")
      if next < 13 {
        _ = try? store.write { try store.create(Animal.self, value: ["id": .init(next)]) }
        next += 1
      }
    }
    let second = animals.where { $0.legs > 2 }.observe { lines.append("second \(ids($0))") }
    let feed = store.observe { lines.append("feed \($0.since) \($0.version)") }
    let first = store.version
    for _ in 0..<5 { store.refresh() }
    #expect(
      lines == [
        "writer initial [0, 1, 2] 3", "second initial [0, 1, 2, 10] 4",
        "feed \(first) \(first + 1)",
        "writer -[] +[3] ~[] [0, 1, 2, 10] 4", "second -[] +[4] ~[] [0, 1, 2, 10, 11] 5",
        "feed \(first + 1) \(first + 2)",
        "writer -[] +[4] ~[] [0, 1, 2, 10, 11] 5", "second -[] +[5] ~[] [0, 1, 2, 10, 11, 12] 6",
        "feed \(first + 2) \(first + 3)",
        "writer -[] +[5] ~[] [0, 1, 2, 10, 11, 12] 6",
      ])
    #expect(legged.count == 6)
    withExtendedLifetime((writer, second, feed)) {}
  }

  @Test func `deliveries to all observers end when a callback releases the store`() throws {
    var store: Store? = try Observed.store(0..<3)
    let animals = try #require(store).objects(Animal.self)
    let handle = animals.handle
    let first = animals.observe { [received] _ in
      received.note("first")
      store = nil
    }
    let second = animals.observe { [received] _ in received.note("second") }
    try handle.advanceAndDeliver()
    #expect(received.take() == ["first"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `observing results after their store is deallocated reports nothing`() async throws {
    var store: Store? = try Observed.store(0..<3)
    let animals = try #require(store).objects(Animal.self)
    store = nil
    let token = animals.observe { [received] _ in received.note("a change") }
    #expect(animals.handle.delivery == nil)
    for await _ in animals.changes { Issue.record("a change after the store was deallocated") }
    #expect(received.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `each handle delivers changes independently of other handles`() throws {
    let other = try Store(configuration: store.configuration)
    let token = animals.observe { [received] in received.note("one \($0.text)") }
    let second = other.objects(Animal.self).observe { [received] in
      received.note("other \($0.text)")
    }
    store.refresh()
    try change(2, 1)
    #expect(received.take() == ["one initial"])
    other.refresh()
    #expect(received.take() == ["other initial"])
    store.refresh()
    other.refresh()
    #expect(received.take() == ["one -[] +[] ~[2]"])
    withExtendedLifetime((token, second)) {}
  }

  @Test func `a loop continues when the observed objects that it visits are deleted`() throws {
    let token = animals.observe { [received] in received.note($0.text) }
    store.refresh()
    var seen: [Bool] = []
    try store.write {
      for animal in animals {
        store.delete(animals)
        seen.append(animal.isInvalidated)
      }
    }
    store.refresh()
    #expect(seen == [true, true, true])
    #expect(received.take() == ["initial", "-[0, 1, 2] +[] ~[]"])
    withExtendedLifetime(token) {}
  }
}

@Suite struct `Deliveries on an actor or queue` {
  @MainActor private final class Screen {
    let store: Store
    var lines: [String] = []
    var token: ObservationToken?

    init(_ configuration: StoreConfiguration) throws {
      store = try Store(configuration: configuration)
      token = store.objects(Observed.Animal.self).observe { [weak self] change in
        self?.lines.append(change.text)
      }
    }

    func write(_ legs: Int) throws {
      try store.write { store.objects(Observed.Animal.self)[0].legs = legs }
      // The delivery is not part of this call.
      lines.append("written")
    }
  }

  @MainActor @Test func `a delivery is asynchronous, regardless of which handle wrote`()
    async throws
  {
    let other = try Observed.store(0..<2)
    let screen = try Screen(other.configuration)
    #expect(screen.lines == [])
    await waitUntil { screen.lines == ["initial"] }
    try other.write { other.objects(Observed.Animal.self)[1].legs = 2 }
    #expect(screen.lines == ["initial"])
    await waitUntil { screen.lines.count == 2 }
    #expect(screen.lines == ["initial", "-[] +[] ~[1]"])
    try screen.write(3)
    await waitUntil { screen.lines.count == 4 }
    #expect(screen.lines == ["initial", "-[] +[] ~[1]", "written", "-[] +[] ~[0]"])
  }

  actor Late {
    let store: Store
    var lines: [String] = []
    var token: ObservationToken?

    init(_ configuration: StoreConfiguration) throws {
      store = try Store(configuration: configuration)
    }

    func observe() {
      token = store.objects(Observed.Animal.self).observe { [unowned self] change in
        let text = change.text
        assumeIsolated { $0.lines.append(text) }
      }
    }

    func follow() { store.follow() }
  }

  @Test func `an observation that began before the handle followed an actor is delivered`()
    async throws
  {
    let other = try Observed.store(0..<2)
    let late = try Late(other.configuration)
    await late.observe()
    await late.follow()
    await waitUntil { await late.lines == ["initial"] }
  }

  /// A screen confined to a queue.
  // Sendable: mutable state is accessed only on the queue.
  private final class QueueScreen: @unchecked Sendable {
    let queue = DispatchQueue(label: "screen")
    private var store: Store?
    private var token: ObservationToken?
    private var lines: [String] = []

    func open(_ configuration: StoreConfiguration) {
      queue.async { [self] in
        do {
          let store = try Store(configuration: configuration)
          store.follow(on: queue)
          store.follow(on: queue)
          token = store.objects(Observed.Animal.self).observe { [unowned self] in
            dispatchPrecondition(condition: .onQueue(queue))
            lines.append($0.text)
          }
          self.store = store
        } catch {
          Issue.record(error)
        }
      }
    }

    func close() {
      queue.sync {
        token = nil
        store = nil
      }
    }

    var text: [String] { queue.sync { lines } }
  }

  @Test func `a delivery runs on the queue that the handle follows`() async throws {
    let store = try Observed.store(0..<2)
    let screen = QueueScreen()
    screen.open(store.configuration)
    await waitUntil { screen.text == ["initial"] }
    try store.write { store.objects(Observed.Animal.self)[1].legs = 2 }
    await waitUntil { screen.text.count == 2 }
    #expect(screen.text == ["initial", "-[] +[] ~[1]"])
    screen.close()
  }

  @Test func `no delivery runs on a queue that the handle no longer follows`() throws {
    let other = try Observed.store(0..<2)
    let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
    let key = DispatchSpecificKey<String>()
    first.setSpecific(key: key, value: "first")
    second.setSpecific(key: key, value: "second")
    // Sendable: only one queue at a time uses these.
    nonisolated(unsafe) var queues: [String] = []
    nonisolated(unsafe) var store: Store?
    nonisolated(unsafe) var token: ObservationToken?
    let configuration = other.configuration
    first.sync {
      do {
        let opened = try Store(configuration: configuration)
        opened.follow(on: first)
        token = opened.objects(Observed.Animal.self).observe { _ in
          queues.append(DispatchQueue.getSpecific(key: key) ?? "nowhere")
        }
        store = opened
      } catch {
        Issue.record(error)
      }
    }
    first.sync {}
    first.suspend()
    try other.write { other.objects(Observed.Animal.self)[1].legs = 2 }
    second.sync { store?.follow(on: second) }
    second.sync {}
    first.resume()
    first.sync {}
    #expect(queues == ["first", "second"])
    second.sync {
      token?.cancel()
      store = nil
    }
  }
}
