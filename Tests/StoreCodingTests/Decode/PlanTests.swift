import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Planned {
  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city: String?
  }

  final class Line: EmbeddedObject {
    @Persisted var count = 0
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var total = 0.0
    @Persisted var customer: Customer?
    @Persisted var address: Address?
    @Persisted var lines: List<Line>
    @Persisted var tags: List<String>
    @Persisted var prices: Map<String, Int>
    @Persisted var extra: JSONValue = [:]
    @Persisted var token: UUID?
    @Persisted var created = Date()
  }

  final class Visit: Object {
    @Persisted var page = ""
    @Persisted var next: Visit?
  }

  final class Token: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
    @Persisted var made = Date()
    @Persisted var log: Visit?
  }
}

@Suite struct `Plans` {
  private typealias Order = Planned.Order
  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws {
    coder = try makeCoder()
    try coder.decodeArray(
      Order.self,
      #"""
      [{"id":4},{"id":7,"note":"a","lines":[{"count":1},{"count":2}],"tags":["x"],
        "address":{"street":"A"},"customer":{"id":"c1","name":"Ann"}}]
      """#)
  }

  private let list = Data(
    #"""
    [{"id":9,"total":2.5},
     {"id":7,"note":null,"lines":[{"count":1},{"count":2},{"count":3}],"customer":{"id":"c2"}}]
    """#.utf8)

  @Test func `a plan lists the objects that a list would update, insert and delete`() throws {
    let plan = try coder.plan([Order].self, from: list, complete: .all)
    #expect(
      plan.description == """
        ~ Order 7: note "a" → null, customer "c1" → "c2", lines 2 → 3 elements
        + Order 9
        - Order 4
        + Customer "c2"
        """)
    #expect((plan.changes.inserted, plan.changes.updated, plan.changes.deleted) == (2, 1, 1))
  }

  @Test func `applying a plan returns the result of decoding`() throws {
    let plan = try coder.plan([Order].self, from: list, complete: .all)
    let result = try plan.apply()
    #expect(result.objects.map(\.id) == [9, 7])
    #expect((result.inserted, result.updated, result.deleted) == (1, 1, 1))
    #expect(store.objects(Order.self).map(\.id) == [7, 9])
    #expect(try coder.plan([Order].self, from: list, complete: .all).isEmpty)
  }

  @Test func `a plan creates no version, notifies no observer and writes no file`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = try Store(configuration: .file(folder.file("orders.store")))
    let coder = StoreCoder(store: file)
    try coder.decode(Order.self, #"{"id":7,"note":"a"}"#)
    func bytes() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return try Dictionary(
        uniqueKeysWithValues: names.filter { !$0.hasSuffix("-shm") }.map {
          ($0, try Data(contentsOf: folder.url.appending(path: $0)))
        })
    }
    let (version, before) = (file.version, try bytes())
    var changes: [Store.Changes] = []
    let token = file.observe { changes.append($0) }
    let plan = try coder.plan([Order].self, from: list)
    #expect(plan.changes.count == 3)
    file.refresh()
    #expect(file.version == version)
    #expect(try bytes() == before)
    #expect(file.object(ofType: Order.self, forPrimaryKey: 7)?.note == "a")
    #expect(changes.isEmpty)
    try plan.apply()
    file.refresh()
    #expect(changes.count == 1)
    #expect(file.version == version + 1)
    token.cancel()
  }

  @Test func `a plan without changes says so`() throws {
    let plan = try coder.plan(Order.self, from: Data(#"{"id":7,"note":"a"}"#.utf8))
    #expect(plan.isEmpty)
    #expect(plan.description == "no changes")
    #expect(plan.changes.json == [])
    #expect(try plan.apply().unchanged == 1)
  }

  @Test func `the members of embedded objects and elements are compared one by one`() throws {
    let plan = try coder.plan(
      Order.self,
      from: Data(
        #"""
        {"id":7,"address":{"street":"B","city":"Ulm"},"lines":[{"count":1},{"count":5}],
         "tags":["x","y"],"prices":{"a":1}}
        """#.utf8))
    #expect(
      plan.description == """
        ~ Order 7: address.street "A" → "B", address.city null → "Ulm", lines[1].count 2 → 5, \
        tags ["x"] → ["x","y"], prices.a null → 1; now known: prices
        """)
  }

  @Test func `a plan shows the notation of numbers in JSON`() throws {
    try coder.decode(Order.self, #"{"id":7,"extra":{"x":0.4,"y":1}}"#)
    let plan = try coder.plan(Order.self, from: Data(#"{"id":7,"extra":{"x":0.40,"y":1}}"#.utf8))
    #expect(plan.description == #"~ Order 7: extra {"x":0.4,"y":1} → {"x":0.40,"y":1}"#)
    try plan.apply()
    #expect(
      try coder.plan(Order.self, from: Data(#"{"id":7,"extra":{"x":0.40,"y":1}}"#.utf8)).description
        == "no changes")
  }

  @Test func `old and new values have the types of the attributes`() throws {
    let plan = try coder.plan([Order].self, from: list, complete: .all)
    let change = try #require(plan.changes.first { $0.key == 7 })
    #expect(change.kind == .updated)
    #expect(change.className == "Order")
    #expect(change.attributes == ["note", "customer", "lines"])
    #expect(change.oldValue(of: "note") == "a")
    #expect(change.newValue(of: "note") == .some(.null))
    #expect(change.newValue(of: "customer") == "c2")
    #expect(change.oldValue(of: "lines") == [["count": 1], ["count": 2]])
    #expect(change.oldValue(of: "total") == 0.0)
    #expect(change.oldValue(of: "nothing") == nil)
    let deleted = try #require(plan.changes.first { $0.key == 4 })
    #expect(deleted.newValue(of: "id") == nil)
    #expect(deleted.oldValue(of: "id") == 4)
    let inserted = try #require(plan.changes.first { $0.key == 9 })
    #expect(inserted.newValue(of: "total") == 2.5)
    #expect(inserted.oldValue(of: "total") == nil)
    #expect(inserted.attributes.count == 11)
  }

  @Test func `a plan as JSON has the old and the new values`() throws {
    let plan = try store.plan {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      order.note = nil
      order.created = Date(timeIntervalSince1970: 0.25)
      order.lines[0].count = 3
      store.delete(try #require(store.object(ofType: Planned.Customer.self, forPrimaryKey: "c1")))
    }
    var json = plan.changes.json
    guard case .array(let changes) = json, case .object(var first) = changes[0],
      case .object(var attributes)? = first["attributes"]
    else {
      Issue.record("\(json)")
      return
    }
    attributes["created"] = attributes["created"].map { $0["new"] ?? .null }
    first["attributes"] = .object(attributes)
    json = .array([.object(first), changes[1]])
    #expect(
      json == [
        [
          "change": "updated", "class": "Order", "key": 7, "becameKnown": ["created"],
          "attributes": [
            "note": ["old": "a", "new": nil], "customer": ["old": "c1", "new": nil],
            "lines": [
              "old": [["count": 1], ["count": 2]], "new": [["count": 3], ["count": 2]],
            ], "created": "1970-01-01T00:00:00.250Z",
          ],
        ],
        [
          "change": "deleted", "class": "Customer", "key": "c1",
          "attributes": ["id": ["old": "c1"], "name": ["old": "Ann"]],
        ],
      ])
  }

  @Test func `a changed key is a change of the key attribute`() throws {
    let plan = try store.plan { try store.rekey(Order.self, from: 7, to: 8) }
    #expect(plan.description == "~ Order 7: id 7 → 8")
    try plan.apply()
    #expect(store.objects(Order.self).map(\.id) == [4, 8])
  }

  @Test func `objects without a key are listed by their class`() throws {
    let plan = try store.plan {
      let visit = try store.create(Planned.Visit.self, value: ["page": "a", "next": ["page": "b"]])
      visit.next?.next = visit
    }
    #expect(plan.description == "+ Visit\n+ Visit")
    let values = plan.changes.map { $0.newValue(of: "next") }
    #expect(Set(values) == [["page": "a"], ["page": "b"]])
    try plan.apply()
    #expect(store.objects(Planned.Visit.self).count == 2)
  }

  @Test func `a plan inside a write contains the changes relative to it, and leaves it as it was`()
    throws
  {
    try store.write {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      order.note = "b"
      let plan = try store.plan {
        order.note = "c"
        order.total = 1
      }
      #expect(plan.description == #"~ Order 7: note "b" → "c", total 0.0 → 1.0; now known: total"#)
      #expect((order.note, order.total) == ("b", 0))
      try plan.apply()
      #expect((order.note, order.total) == ("c", 1))
      order.note = "d"
      #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
      #expect((order.note, order.total) == ("d", 1))
    }
  }

  @Test func `a plan inside a plan is undone with it`() throws {
    let plan = try store.plan {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      order.note = "b"
      let inner = try store.plan { order.note = "c" }
      #expect(inner.description == #"~ Order 7: note "b" → "c""#)
    }
    #expect(plan.description == #"~ Order 7: note "a" → "b""#)
    #expect(store.object(ofType: Order.self, forPrimaryKey: 7)?.note == "a")
  }

  @Test func `objects added in a plan are unmanaged afterwards`() throws {
    let customer = Planned.Customer()
    customer.id = "c9"
    let plan = try store.plan { try store.add(customer) }
    #expect(plan.description == #"+ Customer "c9""#)
    #expect(!customer.isManaged)
    try plan.apply()
    #expect(store.object(ofType: Planned.Customer.self, forPrimaryKey: "c9") == customer)
  }

  // MARK: - Stale plans

  /// Runs a write with another handle of the store.
  private func elsewhere(_ body: (Store) throws -> Void) throws {
    let other = try Store(configuration: store.configuration)
    try other.write { try body(other) }
  }

  @Test func `a plan that others have made wrong changes nothing and shows the new changes`()
    throws
  {
    let plan = try coder.plan(Order.self, from: Data(#"{"id":7,"note":"z"}"#.utf8))
    try elsewhere { other in
      try #require(other.object(ofType: Order.self, forPrimaryKey: 7)).note = "b"
    }
    store.refresh()
    let version = store.version
    let error = #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
    #expect(
      error?.description == """
        the write would no longer make the changes of the plan; it would now make:
        ~ Order 7: note "b" → "z"
        """)
    #expect(store.version == version)
    #expect(plan.description == #"~ Order 7: note "b" → "z""#)
    try plan.apply()
    #expect(store.object(ofType: Order.self, forPrimaryKey: 7)?.note == "z")
  }

  @Test func `a write that depends on more than the store is applied only as planned`() throws {
    var limit = 5
    let plan = try store.plan {
      store.delete(store.objects(Order.self).where { $0.id < limit })
    }
    #expect(plan.description == "- Order 4")
    limit = 100
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
    #expect(store.objects(Order.self).count == 2)
    #expect(plan.description == "- Order 4\n- Order 7")
    try plan.apply()
    #expect(store.objects(Order.self).isEmpty)
  }

  @Test func `other changes do not make a plan stale`() throws {
    let plan = try coder.plan([Order].self, from: list, complete: .all)
    try elsewhere { other in
      try #require(other.object(ofType: Order.self, forPrimaryKey: 7)).total = 3
      try other.create(Planned.Visit.self)
    }
    #expect(try plan.apply().inserted == 1)
  }

  @Test(arguments: ["update", "insert", "delete", "nested"])
  func `each change of others that alters the outcome makes a plan stale`(change: String) throws {
    let plan = try coder.plan(
      [Order].self,
      from: Data(#"[{"id":7,"address":{"street":"C"}},{"id":9,"note":"n"}]"#.utf8), complete: .all)
    try elsewhere { other in
      let order = try #require(other.object(ofType: Order.self, forPrimaryKey: 7))
      switch change {
      case "update": order.address?.street = "C"
      case "insert": try other.create(Order.self, value: ["id": 9])
      case "delete": other.delete(try #require(other.object(ofType: Order.self, forPrimaryKey: 4)))
      default: order.address = nil
      }
    }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
  }

  @Test func `defaults that are evaluated for each object are not compared`() throws {
    let list = Data(#"[{"text":"a","log":{"page":"p"}},{"text":"b"}]"#.utf8)
    let plan = try coder.plan([Planned.Token].self, from: list)
    #expect(plan.changes.count == 3)
    try elsewhere { _ = try $0.create(Planned.Customer.self, value: ["id": "x"]) }
    try plan.apply()
    #expect(store.objects(Planned.Token.self).map(\.text) == ["a", "b"])
    let other = try store.plan {
      _ = try store.create(Planned.Token.self, value: ["text": .init("\(store.version)")])
    }
    try elsewhere { _ = try $0.create(Planned.Customer.self, value: ["id": "y"]) }
    #expect(throws: PlannedChanges.Stale.self, "the text is no default") { try other.apply() }
  }

  @Test func `dates of the time of the write and new UUIDs are not compared`() throws {
    let plan = try store.plan {
      let token = Planned.Token()
      token.text = UUID().uuidString
      try store.add(token)
      try #require(store.object(ofType: Order.self, forPrimaryKey: 7)).created = Date()
    }
    #expect(plan.changes.count == 2)
    try plan.apply()
    #expect(store.objects(Planned.Token.self).count == 1)
    let dated = try store.plan {
      try #require(store.object(ofType: Order.self, forPrimaryKey: 7)).created =
        Date(timeIntervalSince1970: Double(store.objects(Planned.Customer.self).count))
    }
    try elsewhere { _ = try $0.create(Planned.Customer.self, value: ["id": "z"]) }
    #expect(throws: PlannedChanges.Stale.self) { try dated.apply() }
  }

  @Test func `a value assigned to a new object is compared although its default was evaluated`()
    throws
  {
    let plan = try store.plan {
      let order = try store.create(Order.self, value: ["id": 9])
      order.total = 2 * (store.object(ofType: Order.self, forPrimaryKey: 7)?.total ?? 0)
    }
    try elsewhere { other in
      try #require(other.object(ofType: Order.self, forPrimaryKey: 7)).total = 500
    }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
  }

  @Test func `a plan is stale if a random value takes the place of a planned nil or key`()
    throws
  {
    try store.write {
      for text in ["a", "b"] { try store.create(Planned.Token.self, value: ["text": .init(text)]) }
    }
    let tokens = store.objects(Planned.Token.self)
    let plan = try store.plan {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      order.token = order.total == 0 ? nil : UUID()
      order.note = tokens.where { $0.text == "a" }.first?.id.uuidString
    }
    try elsewhere { try #require($0.object(ofType: Order.self, forPrimaryKey: 7)).total = 1 }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
    let owned = try store.plan {
      try #require(store.object(ofType: Order.self, forPrimaryKey: 7)).token =
        tokens.where { $0.text == "a" }.first?.id
    }
    try elsewhere { other in
      for token in other.objects(Planned.Token.self) { token.text = token.text == "a" ? "b" : "a" }
    }
    #expect(throws: PlannedChanges.Stale.self) { try owned.apply() }
  }

  @Test(arguments: ["rekeyed", "changed"])
  func `a plan does not delete an object that others have changed`(change: String) throws {
    let plan = try store.plan { store.delete(store.objects(Order.self).where { $0.id < 7 }) }
    try elsewhere { other in
      let order = try #require(other.object(ofType: Order.self, forPrimaryKey: 4))
      if change == "changed" { order.note = "precious" } else { try other.rekey(order, to: 5) }
    }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
    #expect(store.objects(Order.self).count == 2)
    #expect(plan.description == (change == "changed" ? "- Order 4" : "- Order 5"))
  }

  @Test func `a plan does not change an object that has another key now`() throws {
    let plan = try store.plan {
      store.objects(Order.self).where { $0.id < 7 }.first?.note = "n"
    }
    try elsewhere { try $0.rekey(Order.self, from: 4, to: 5) }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
  }

  @Test func `the shown values of a linked object without a key are compared`() throws {
    try store.write {
      try store.create(Planned.Visit.self, value: ["page": "a"])
      try store.create(Planned.Visit.self, value: ["page": "b"])
    }
    let plan = try store.plan {
      let visits = store.objects(Planned.Visit.self)
      visits[0].next = visits[1]
    }
    #expect(plan.description == "~ Visit: next null → {\"page\":\"b\"}")
    try elsewhere { $0.objects(Planned.Visit.self)[1].page = "c" }
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
  }

  @Test func `hostile names and JSON values are readable on one line`() throws {
    let plan = try store.plan {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      order.prices["\u{1B}[2J\n- Order 1"] = 1
      order.note = "a\n+ Order 2"
      order.extra = ["a": [1, nil], "b": "x", "c": ["d": 2]]
    }
    #expect(
      plan.description == """
        ~ Order 7: note "a" → "a\\n+ Order 2", \
        prices["\\u{1B}[2J\\n- Order 1"] null → 1, extra.a null → [1,null], extra.b null → "x", \
        extra.c null → {"d":2}; now known: prices, extra
        """)
  }

  @Test func `a line has at most twenty differences`() throws {
    let plan = try store.plan {
      let order = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
      for number in 10..<5_000 { order.prices["\(number)"] = number }
    }
    #expect(plan.description.hasPrefix("~ Order 7: prices.10 null → 10, prices.100 null → 100, "))
    #expect(plan.description.hasSuffix(", …; now known: prices"))
    #expect(plan.description.utf8.count < 700)
  }

  @Test func `a line of a plan has at most twenty attributes that become known`() throws {
    let names = (0..<21).map { "a\($0)" }
    let schema = ObjectSchema(
      "Wide", [Property("id", .int, isPrimaryKey: true)] + names.map { Property($0, .int) })
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    let object = try store.write(as: .server) {
      try store.create(dynamic: "Wide", value: ["id": 1])
    }
    for count in [20, 21] {
      let plan = try store.plan { for name in names.prefix(count) { object[name] = 0 } }
      let text = "= Wide 1: now known: \(names.prefix(20).joined(separator: ", "))"
      #expect(plan.description == (count == 20 ? text : "\(text), …"))
      #expect(plan.changes.first?.becameKnown.count == count)
    }
  }

  // MARK: - Errors

  @Test func `the errors of decoding are those of its plan`() throws {
    let version = store.version
    #expect(
      message { _ = try coder.plan(Order.self, from: Data(#"{"id":7,"total":"x"}"#.utf8)) }
        == message { _ = try coder.read(Order.self, from: Data(#"{"id":7,"total":"x"}"#.utf8)) })
    #expect(
      message { _ = try coder.plan([Order].self, from: Data("[]".utf8), complete: .all) }
        == "(Order): the list may be incomplete: it is empty; it would remove Order 4, Order 7")
    #expect(store.version == version)
  }

  @Test func `a plan throws the errors of a write`() throws {
    #expect(
      message { _ = try store.plan { try store.beginWrite() } }
        == message { try store.write { try store.beginWrite() } })
    #expect(!store.isInWriteTransaction)
    #expect(
      message {
        _ = try store.plan {
          try #require(store.object(ofType: Order.self, forPrimaryKey: 7)).created =
            Date(timeIntervalSinceReferenceDate: .nan)
        }
      }.contains("NaN"))
    struct Failure: Error {}
    #expect(throws: Failure.self) { try store.plan { throw Failure() } }
    #expect(!store.isInWriteTransaction)
  }

  @Test func `a plan of a document lists the changes of all its sections`() throws {
    let plan = try coder.plan(
      ["orders": .list(Order.self), "gone": .deleted(Planned.Customer.self)],
      from: Data(#"{"orders":[{"id":4,"total":1}],"gone":["c1"]}"#.utf8))
    #expect(
      plan.description == """
        ~ Order 4: total 0.0 → 1.0; now known: total
        ~ Order 7: customer "c1" → null
        - Customer "c1"
        """)
    #expect(try plan.apply()[Planned.Customer.self].deleted == 1)
  }

  @Test func `a plan of deeply nested embedded objects can be printed and applied`() throws {
    func payload(_ depth: Int, _ value: Int) -> Data {
      Data(
        (#"{"id":1,"child":"# + String(repeating: #"{"child":"#, count: depth)
          + #"{"value":\#(value)}"#
          + String(repeating: "}", count: depth + 1)).utf8)
    }
    try coder.decode(Chain.self, from: payload(300, 1))
    let plan = try coder.plan(Chain.self, from: payload(300, 2))
    #expect(plan.description.hasSuffix(".child.value 1 → 2"))
    #expect(plan.changes.json != [])
    try elsewhere { _ = try $0.create(Planned.Customer.self, value: ["id": "x"]) }
    try plan.apply()
    #expect(try coder.plan(Chain.self, from: payload(300, 2)).isEmpty)
  }
}

private final class Chain: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var child: ChainLink?
}

private final class ChainLink: EmbeddedObject {
  @Persisted var value = 0
  @Persisted var child: ChainLink?
}
