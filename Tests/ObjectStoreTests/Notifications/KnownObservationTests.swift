import Observation
import TestSupport
import Testing

@testable import ObjectStore

/// Payloads that make attributes known and change no value are reported to observers of `isKnown` only.
@MainActor @Suite struct `Observers of known attributes` {
  typealias Order = Known.Order
  typealias Customer = Known.Customer

  /// Orders 1, 2 and 3, of which only the keys, the links to customers and the first lines are known.
  private func makeStore() throws -> Store {
    let store = try Store()
    for id in 1...3 {
      try store.receive(
        Order.self,
        [
          "id": .int(Int64(id)), "customer": ["id": .int(Int64(id))], "first": ["sku": "a"],
          "lines": [["sku": "a"]],
        ])
    }
    return store
  }

  // MARK: - Live results

  struct Live: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let query: @Sendable (Results<Order>) -> Results<Order>
    let updates: [UpdateDictionary]
    let reported: [String]
  }

  nonisolated static let live = [
    Live(
      testDescription: "an attribute", query: { $0.where { $0.note.isKnown } },
      updates: [
        ["id": 2, "note": nil], ["id": 2, "note": nil], ["id": 2, "amount": 5],
        ["id": 1, "note": nil, "amount": 5],
      ],
      reported: ["-[] +[0] ~[] [2]", "-[] +[0] ~[] [1, 2]"]),
    Live(
      testDescription: "a negation", query: { $0.where { !$0.amount.isKnown } },
      updates: [["id": 1, "amount": 5], ["id": 1, "amount": 6], ["id": 3, "note": nil]],
      reported: ["-[0] +[] ~[] [2, 3]"]),
    Live(
      testDescription: "an attribute of a linked object",
      query: { $0.where { $0.customer.name.isKnown } },
      updates: [["id": 2, "customer": ["id": 2, "name": ""]], ["id": 3, "customer": ["id": 2]]],
      reported: ["-[] +[0] ~[] [2]", "-[] +[1] ~[] [2, 3]"]),
    Live(
      testDescription: "a condition that stays true",
      query: { $0.where { $0.note.isKnown || $0.customer.isKnown } },
      updates: [["id": 2, "note": nil]], reported: []),
    Live(
      testDescription: "a limit",
      query: { $0.where { $0.note.isKnown }.sorted(by: \.id, ascending: false).limit(1) },
      updates: [["id": 2, "note": nil], ["id": 1, "note": nil], ["id": 3, "note": nil]],
      reported: ["-[] +[0] ~[] [2]", "-[0] +[0] ~[] [3]"]),
    Live(
      testDescription: "distinct values",
      query: { $0.where { $0.note.isKnown }.distinct(by: \.title) },
      updates: [["id": 3, "note": nil], ["id": 1, "note": nil]],
      reported: ["-[] +[0] ~[] [3]", "-[0] +[0] ~[] [1]"]),
    Live(
      testDescription: "no condition on known attributes", query: { $0.where { $0.amount == 5 } },
      updates: [["id": 1, "amount": 5], ["id": 2, "note": nil]], reported: []),
    Live(
      testDescription: "all objects", query: { $0 },
      updates: [["id": 1, "amount": 5], ["id": 2, "note": nil]], reported: []),
  ]

  @Test(arguments: live)
  func `live results report the membership that depends on known attributes`(
    _ test: Live
  ) throws {
    let store = try makeStore()
    let results = test.query(store.objects(Order.self))
    let received = Received()
    let token = results.observe { change in
      if case .update(let now, _, _, _) = change {
        received.note("\(change.text) \(now.map(\.id))")
      }
    }
    store.refresh()
    for update in test.updates {
      let version = store.holdVersion()
      try store.receive(Order.self, update)
      store.refresh()
      if update["customer"] == nil, update["amount"] != 6 {
        #expect(try store.changes(since: version).classes.isEmpty)
      }
    }
    #expect(received.take() == test.reported)
    withExtendedLifetime(token) {}
  }

  @Test func `sections follow the known attributes that their query tests`() throws {
    let store = try makeStore()
    let sections = store.objects(Order.self).where { $0.lines.any { $0.count.isKnown } }
      .sectioned(by: \.amount)
    let received = Received()
    let token = sections.observe { change in
      if case .update(let now, _, let insertions, _, _, _) = change {
        received.note("\(insertions) \(now.map { $0.map(\.id) })")
      }
    }
    store.refresh()
    let line = try #require(store.objects(Order.self)[1].lines.first)
    try store.write { line.count = 1 }
    store.refresh()
    #expect(received.take() == ["[] [[2]]"])
    withExtendedLifetime(token) {}
  }

  @Test func `observed objects and key paths do not report what becomes known`() throws {
    let store = try makeStore()
    let order = store.objects(Order.self)[0]
    let received = Received()
    let tokens = [
      order.observe { received.note("\($0)") },
      order.observe(keyPaths: [\.note, \.customer?.name]) { received.note("\($0)") },
    ]
    try store.receive(Order.self, ["id": 1, "note": nil, "customer": ["id": 1, "name": ""]])
    store.refresh()
    #expect(received.take() == [])
    withExtendedLifetime(tokens) {}
  }

  // MARK: - Tracked reads

  struct Tracked: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (Store, Order) -> Void
    let update: UpdateDictionary
    let count: Int

    init(
      _ name: String, _ count: Int, _ update: UpdateDictionary,
      _ read: @Sendable @escaping (Store, Order) -> Void
    ) {
      (testDescription, self.read, self.update, self.count) = (name, read, update, count)
    }
  }

  nonisolated static let tracked = [
    Tracked("isKnown", 1, ["note": nil]) { _ = $1.isKnown(\.note) },
    Tracked("isKnown of an attribute with a new value", 1, ["note": "a"]) {
      _ = $1.isKnown(\.note)
    },
    Tracked("isKnown of another attribute", 0, ["amount": 5]) { _ = $1.isKnown(\.note) },
    Tracked("isKnown of a known attribute", 0, ["customer": ["id": 2]]) {
      _ = $1.isKnown(\.customer)
    },
    Tracked("isKnown of the key", 0, ["note": nil]) { _ = $1.isKnown(\.id) },
    Tracked("unknownAttributes", 1, ["tags": []]) { _ = $1.unknownAttributes },
    Tracked("isWhole", 1, ["amount": 5]) { _ = $1.isWhole },
    Tracked("isWhole of a linked object", 1, ["customer": ["id": 1, "name": ""]]) {
      _ = $1.customer?.isWhole
    },
    Tracked("the value", 0, ["note": nil, "amount": 5]) { _ = ($1.note, $1.amount) },
    Tracked("the value and isKnown", 1, ["note": "a"]) { _ = ($1.note, $1.isKnown(\.note)) },
    Tracked("a query", 1, ["note": nil]) { store, _ in
      _ = store.objects(Order.self).where { $0.note.isKnown }.count
    },
    Tracked("a query that follows a link", 1, ["customer": ["id": 1, "name": ""]]) { store, _ in
      _ = store.objects(Order.self).where { $0.customer.name.isKnown }.count
    },
    Tracked("a query of another attribute", 0, ["amount": 5]) { store, _ in
      _ = store.objects(Order.self).where { $0.note.isKnown }.count
    },
    Tracked("a query without isKnown", 0, ["amount": 5]) { store, _ in
      _ = store.objects(Order.self).where { $0.amount == 5 }.count
    },
    Tracked("a dynamic object", 1, ["note": nil]) { store, _ in
      _ = try? store.object(dynamic: "Order", forPrimaryKey: 1)?.isKnown("note")
    },
  ]

  @Test(arguments: tracked)
  func `a tracked read of isKnown is reported when it changes`(_ test: Tracked) throws {
    let store = try makeStore()
    let order = store.objects(Order.self)[0]
    let alarm = Alarm()
    alarm.track { test.read(store, order) }
    var update = test.update
    update["id"] = 1
    try store.receive(Order.self, update)
    store.refresh()
    #expect(alarm.take() == test.count)
    alarm.track { test.read(store, order) }
    try store.receive(Order.self, update)
    store.refresh()
    #expect(alarm.take() == 0)
  }

  @Test func `assigning the default and rolling it back are reported to trackers of isKnown`()
    throws
  {
    let store = try makeStore()
    let line = try #require(store.objects(Order.self)[0].first)
    let alarm = Alarm()
    alarm.track { _ = line.isKnown(\.count) }
    try store.write { line.count = 1 }
    store.refresh()
    #expect(alarm.take() == 1 && line.isKnown(\.count))
    struct Undo: Error {}
    let other = try #require(store.objects(Order.self)[1].first)
    #expect(throws: Undo.self) {
      try store.write {
        other.count = 1
        alarm.track { #expect(other.isKnown(\.count)) }
        throw Undo()
      }
    }
    #expect(alarm.take() == 1 && !other.isKnown(\.count))
  }
}
