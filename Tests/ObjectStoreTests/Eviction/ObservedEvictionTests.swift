import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// An eviction keeps objects that are observed through any handle.
@Suite struct `Evicting observed objects` {
  private typealias Photo = Cached.Photo
  private typealias Album = Cached.Album
  private let store: Store
  private let now = Cached.now

  init() throws {
    store = try Store()
    try Cached.makePhotos(
      store, Dictionary(uniqueKeysWithValues: (1...6).map { ($0, 500) }))
    try store.write {
      try store.photo(1).next = store.photo(2)
      try store.photo(3).frame = Cached.Frame()
    }
  }

  /// Evicts and returns the keys of the remaining photos.
  private func left() throws -> [Int] {
    try store.evict(asOf: now)
    store.checkInvariants()
    return store.photoIDs
  }

  @Test func `eviction keeps an observed object and its link target until the token is cancelled`()
    throws
  {
    let token = try store.photo(1).observe { _ in }
    let report = try store.evict(asOf: now)
    #expect(report.description == "Photo: 4 evicted, 0 kept, 1 observed, 1 linked")
    #expect(store.photoIDs == [1, 2])
    token.cancel()
    #expect(try left() == [])
  }

  @Test func `eviction keeps the objects of an observed query`() throws {
    let results = store.objects(Photo.self).where { $0.id > 3 }.sorted(by: \.id, ascending: false)
    let token = results.limit(2).observe { _ in }
    #expect(try left() == [5, 6])
    withExtendedLifetime(token) {}
  }

  @Test func `eviction keeps all objects of an observed class`() throws {
    var token: ObservationToken? = store.objects(Photo.self).observe { _ in }
    #expect(try left() == [1, 2, 3, 4, 5, 6])
    withExtendedLifetime(token) {}
    token = nil
    #expect(try left() == [])
  }

  @Test func `eviction keeps objects of observed sections and owners of observed collections`()
    throws
  {
    let album = try store.write {
      try store.create(
        Album.self,
        value: [
          "id": 1, "photos": [["id": 1]], "byName": ["a": ["id": 4]],
        ], update: .modified)
    }
    let rule = CachePolicy.Rule.policy(.whileLinked, of: Album.self)
    for observe in [
      { album.photos.observe { _ in } }, { album.marked.observe { _ in } },
      { album.byName.observe { _ in } },
    ] as [() -> ObservationToken] {
      let token = observe()
      #expect(try store.evict(by: [rule], asOf: now)[Album.self]?.observedCount == 1)
      withExtendedLifetime(token) {}
    }
    let sections = store.objects(Photo.self).where { $0.id < 4 }.sectioned(by: \.id)
    let token = sections.observe { _ in }
    #expect(try left() == [1, 2, 3, 4])
    withExtendedLifetime(token) {}
    #expect(try store.evict(by: [rule])[Album.self]?.evicted == [1])
  }

  @Test func `eviction keeps the owner of an observed embedded object`() throws {
    let token = try #require(store.photo(3).frame).observe { _ in }
    #expect(try left() == [3])
    withExtendedLifetime(token) {}
  }

  @Test func `an observer of all changes of a store keeps no object from eviction`() throws {
    var deleted = 0
    let token = store.observe { deleted += $0[Photo.self]?.deleted.count ?? 0 }
    #expect(try left() == [])
    store.refresh()
    #expect(deleted == 6)
    withExtendedLifetime(token) {}
  }

  @Test func `eviction keeps the objects of a changes sequence while its iterator exists`()
    async throws
  {
    var iterator = store.objects(Photo.self).where { $0.id == 5 }.changes.makeAsyncIterator()
    guard case .initial? = await iterator.next() else {
      Issue.record("the iterator returned no initial change")
      return
    }
    #expect(try left() == [5])
    _ = consume iterator
    #expect(try left() == [])
  }

  /// An actor with a handle of its own.
  private actor Viewer {
    private let store: Store
    private var tokens: [ObservationToken] = []

    init(_ configuration: StoreConfiguration) throws {
      store = try ObjectStore.Store(configuration: configuration, isolation: nil)
    }

    func observe(_ id: Int) throws {
      tokens.append(try store.photo(id).observe { _ in })
      tokens.append(store.objects(Photo.self).where { $0.id == 6 }.observe { _ in })
    }

    func stop() { tokens = [] }

    /// Reads a photo with observation tracking, as a view does.
    func look(at id: Int, _ isDifferent: Flag) throws {
      store.follow()
      store.tracksReads = true
      let photo = try store.photo(id)
      withObservationTracking {
        _ = photo.name
      } onChange: {
        isDifferent.raise()
      }
    }
  }

  @Test func `eviction keeps objects observed by another actor until its handle is released`()
    async throws
  {
    var viewer: Viewer? = try Viewer(store.configuration)
    try await viewer?.observe(1)
    let report = try store.evict(asOf: now)
    #expect(report.description == "Photo: 3 evicted, 0 kept, 2 observed, 1 linked")
    #expect(store.photoIDs == [1, 2, 6])
    viewer = nil
    // A scheduled delivery may still retain the actor.
    await waitUntil { (try? left()) == [] }
  }

  @Test func `an object that a view read only once survives only one eviction`() throws {
    let isDifferent = Flag()
    store.tracksReads = true
    let photo = try store.photo(4)
    withObservationTracking {
      _ = photo.name
    } onChange: {
      isDifferent.raise()
    }
    #expect(try store.evict(asOf: now, dryRun: true)[Photo.self]?.observedCount == 1)
    #expect(!isDifferent.isRaised)
    #expect(try left() == [4])
    // The view was notified, and does not read the photo again.
    #expect(isDifferent.isRaised)
    #expect(try left() == [])
  }

  @Test func `an eviction notifies a view even if it deletes nothing`() throws {
    let isDifferent = Flag()
    store.tracksReads = true
    try store.write {
      for id in [1, 2, 3, 5, 6] { store.delete(try store.photo(id)) }
    }
    let photo = try store.photo(4)
    withObservationTracking {
      _ = photo.name
    } onChange: {
      isDifferent.raise()
    }
    #expect(try left() == [4])
    #expect(isDifferent.isRaised)
    #expect(try left() == [])
  }

  @Test func `one eviction notifies the views of all handles`() throws {
    let handles = try (0..<4).map { _ in
      let handle = try ObjectStore.Store(configuration: store.configuration, isolation: nil)
      handle.tracksReads = true
      return handle
    }
    let alarms = try handles.map { handle in
      let isDifferent = Flag()
      let photo = try handle.photo(4)
      withObservationTracking {
        _ = photo.name
      } onChange: {
        isDifferent.raise()
      }
      return isDifferent
    }
    #expect(try left() == [4])
    for handle in handles { handle.refresh() }
    #expect(alarms.allSatisfy { $0.isRaised })
    #expect(try left() == [])
  }

  @Test func `an eviction without a commit notifies a view of another actor`() async throws {
    let isDifferent = Flag()
    try store.write {
      for id in [1, 2, 3, 5, 6] { store.delete(try store.photo(id)) }
    }
    let viewer = try Viewer(store.configuration)
    try await viewer.look(at: 4, isDifferent)
    #expect(try left() == [4])
    await waitUntil { isDifferent.isRaised }
    #expect(try left() == [])
    await viewer.stop()
  }

  @Test func `an eviction does not notify the view of an object within the limits`() throws {
    let isDifferent = Flag()
    store.tracksReads = true
    let photo = try store.photo(4)
    try store.write { photo.lastUsed = now }
    withObservationTracking {
      _ = photo.name
    } onChange: {
      isDifferent.raise()
    }
    #expect(try left() == [4])
    #expect(!isDifferent.isRaised)
  }

  /// Observed content that counts the requests for its rows.
  private final class Counted: ObservedContent {
    let scope: ObservedScope?
    private let slots: [Int]
    private let requests = Atomic(0)
    var isOver: Bool { false }
    var requestCount: Int { requests.load(ordering: .relaxed) }

    init(_ scope: ObservedScope?, _ slots: [Int]) {
      self.scope = scope
      self.slots = slots
    }

    func forEachRow(_ handle: StoreHandle, _ body: (_ table: Int, _ slot: Int) -> Void) {
      requests.add(1, ordering: .relaxed)
      guard let table = try? handle.entry(Photo.self).table else { return }
      for slot in slots { body(table, slot) }
    }
  }

  @Test func `an eviction reads content with several observers only once`() throws {
    let table = try store.handle.entry(Photo.self).table
    let query = ResultsQuery()
    let (other, inCollection) = (ResultsQuery(), ResultsQuery())
    let scopes: [(ObservedScope, [Int])] = [
      (.query(ObjectIdentifier(query), table: table), [4]),
      (.query(ObjectIdentifier(query), table: table), [4]),
      (.query(ObjectIdentifier(other), table: table), [3]),
      (.query(ObjectIdentifier(inCollection), table: nil), [2]),
    ]
    let contents = scopes.map { Counted($0, $1) }
    for content in contents { store.handle.core.observed.add(content) }
    #expect(try left() == [3, 4, 5])
    #expect(contents.map(\.requestCount) == [1, 0, 1, 1])
    let whole = (0..<3).map { _ in Counted(.table(table), [4]) }
    for content in whole { store.handle.core.observed.add(content) }
    #expect(try left() == [3, 5])
    #expect(whole.map(\.requestCount) == [1, 0, 0])
    #expect(contents.map(\.requestCount) == [1, 0, 1, 2])
    withExtendedLifetime([query, other, inCollection]) {}
  }

  @Test func `an object that a view reads again after each eviction is kept`() throws {
    store.tracksReads = true
    let photo = try store.photo(4)
    for _ in 0..<3 {
      withObservationTracking {
        _ = photo.name
      } onChange: {
      }
      #expect(try left() == [4])
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
