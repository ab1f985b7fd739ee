import Foundation
import ObjectStore
import StoreCoding
import Synchronization
import Testing

private enum Shop {
  /// The value of the declared defaults, set by each test.
  @TaskLocal static var day = 1

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var day = Shop.day
    @Persisted(.null(.default), .mismatch(.useDefault)) var due = Shop.day
    @Persisted var lines: List<Line>
    @Persisted var parcel: Parcel? = Parcel()
  }

  /// A class without a primary key.
  final class Line: Object {
    @Persisted var name = ""
    @Persisted(.null(.default)) var day = Shop.day
  }

  final class Parcel: EmbeddedObject {
    @Persisted var weight = 5
    @Persisted var token = UUID()
  }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var day = Shop.day
    @Persisted var name = ""
  }

  /// The action of `Restless.init`.
  @TaskLocal static var restlessAction: (@Sendable (Restless) -> Void)?

  final class Restless: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count = 1
    @Persisted var friend: Restless?

    required init() {
      super.init()
      Shop.restlessAction?(self)
    }
  }

  /// A class whose default key is the next of `Shop.keys`, so different for each object.
  final class Keyed: Object {
    @Persisted(primaryKey: true) var id = Shop.nextKey()
    @Persisted var name = "default"
    @Persisted var rank = 0
  }

  final class Keys: Sendable {
    private let next: Mutex<Int>

    init(first: Int) { next = Mutex(first) }

    func take() -> Int {
      next.withLock { next in
        defer { next += 1 }
        return next
      }
    }
  }

  @TaskLocal static var keys = Keys(first: 0)

  static func nextKey() -> Int { keys.take() }

  final class DayKey: Object {
    @Persisted(primaryKey: true) var id = Shop.day
    @Persisted var name = ""
  }
}

@Suite struct `Declared defaults in payloads` {
  private let store: Store
  private let coder: StoreCoder

  init() throws {
    store = try Store()
    coder = StoreCoder(store: store)
  }

  private func orders(_ json: String, on day: Int) throws -> [Shop.Order] {
    try Shop.$day.withValue(day) {
      try coder.decodeArray(Shop.Order.self, from: Data(json.utf8))
    }
  }

  @Test func `a default is evaluated for each new object that lacks the attribute`() throws {
    let first = try orders(#"[{"id": 1}, {"id": 2, "day": 0}]"#, on: 4)
    let second = try orders(#"[{"id": 2}, {"id": 3, "lines": [{"name": "a"}]}]"#, on: 9)
    #expect(first.map(\.day) == [4, 0] && first.map(\.due) == [4, 4])
    #expect(second.map(\.day) == [0, 9] && second.map(\.due) == [4, 9])
    #expect(second[1].lines[0].day == 9)
  }

  @Test func `a policy that assigns the default evaluates it for each attribute once`() throws {
    _ = try orders(#"[{"id": 1, "due": null}, {"id": 3, "due": 3}]"#, on: 4)
    let orders = try orders(
      #"[{"id": 1, "due": null}, {"id": 2, "due": "soon"}, {"id": 3, "due": null}]"#, on: 9)
    #expect(orders.map(\.due) == [4, 9, 9] && orders.map(\.day) == [4, 9, 4])
  }

  @Test func `an embedded default is a separate row for each object`() throws {
    let orders = try orders(#"[{"id": 1}, {"id": 2}, {"id": 3, "parcel": null}]"#, on: 1)
    #expect(orders.map(\.parcel?.weight) == [5, 5, nil])
    #expect(orders[0].parcel?.token != orders[1].parcel?.token)
  }

  @Test
  func `decoding the same payload again creates no version even if the defaults have changed`()
    throws
  {
    let json = #"[{"id": 1, "lines": [{"name": "a"}, {"day": null}], "parcel": {"weight": 1}}]"#
    let order = try #require(try orders(json, on: 4).first)
    let version = store.version
    _ = try orders(json, on: 9)
    #expect(store.version == version)
    #expect(order.lines.map(\.day) == [4, 4])
  }

  @Test func `only a key whose default is unique per object may be missing`() throws {
    let tickets = try coder.decodeArray(
      Shop.Ticket.self, from: Data(#"[{"name": "a"}, {"name": "b"}]"#.utf8))
    #expect(tickets[0].id != tickets[1].id && tickets.map(\.name) == ["a", "b"])
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(Shop.DayKey.self, from: Data(#"{"name": "a"}"#.utf8))
    }
    #expect(
      error?.description
        == "(DayKey.id): no value for the primary key 'id', found the key 'name' "
        + "at line 1, column 1")
    let update = try coder.updateDictionary(
      for: Shop.Ticket.self, from: Data(#"{"name": "a"}"#.utf8))
    #expect(update.keys.sorted() == ["id", "name"])
  }

  @Test func `a default cannot decode into the store that evaluates it`() throws {
    let store = try Store()
    let coder = StoreCoder(store: store)
    try coder.check(Shop.Restless.self)
    try coder.decode(Shop.Restless.self, from: Data(#"{"id":9,"count":1,"friend":null}"#.utf8))
    let thrown = Mutex<String?>(nil)
    let depth = Depth()
    nonisolated(unsafe) let inner = coder
    try Shop.$restlessAction.withValue({ _ in
      guard depth.enter() else { return }
      let body = Data(#"{"id":1,"count":5,"friend":null}"#.utf8)
      do { try inner.decode(Shop.Restless.self, from: body) } catch {
        thrown.withLock { $0 = "\(error)" }
      }
    }) {
      _ = try coder.decode(Shop.Restless.self, from: Data(#"{"id":1}"#.utf8))
    }
    #expect(
      thrown.withLock { $0 }
        == "a default value, an initializer, a conversion for encoding, or a resolver of conflicts cannot write to the store that evaluates it"
    )
    #expect(store.objects(Shop.Restless.self).map(\.id) == [9, 1])
    #expect(store.objects(Shop.Restless.self).map(\.count) == [1, 1])
  }

  @Test func `a default does not replace the value of another element with the same key`() throws {
    try coder.check(Shop.Keyed.self)
    let objects = try Shop.$keys.withValue(Shop.Keys(first: 500)) {
      try coder.decodeArray(
        Shop.Keyed.self, from: Data(#"[{"id":500,"name":"said","rank":3},{"rank":1}]"#.utf8))
    }
    #expect(objects.map(\.name) == ["said", "said"])
    #expect(store.objects(Shop.Keyed.self).map(\.rank) == [1])
  }

  @Test func `a default that cannot be stored rejects the payload even if check passes`()
    throws
  {
    let store = try Store()
    let coder = StoreCoder(store: store)
    try coder.check(Shop.Restless.self)
    let depth = Depth()
    let error = Shop.$restlessAction.withValue({ object in
      if depth.enter() { object.friend = Shop.Restless() }
    }) {
      #expect(throws: StoreError.self) {
        try coder.decode(Shop.Restless.self, from: Data(#"{"id":1}"#.utf8))
      }
    }
    #expect(
      error?.kind
        == .invalidDeclarations([
          "Restless.friend: its default cannot be stored: a default can only refer to embedded objects; "
            + "assign other objects after creation"
        ]))
    #expect(store.version == 0)
    #expect(store.objects(Shop.Restless.self).isEmpty)
  }

  @Test(arguments: [#"{"id":1,"due":null}"#, #"{"id":1,"due":"soon"}"#])
  func `a varying default that a policy assigns again creates no version`(text: String) throws {
    try Shop.$day.withValue(1) { _ = try coder.decode(Shop.Order.self, text) }
    let version = store.version
    let result = try Shop.$day.withValue(2) {
      try coder.read(Shop.Order.self, from: Data(text.utf8))
    }
    #expect(result.objects[0].due == 1 && !result.objects[0].isKnown(\.due))
    #expect(result.outcomes == [.unchanged] && store.version == version)
  }
}

/// A flag whose `enter()` returns true only for the first call.
private final class Depth: Sendable {
  private let isEntered = Mutex(false)

  func enter() -> Bool {
    isEntered.withLock { isEntered in
      defer { isEntered = true }
      return !isEntered
    }
  }
}
