import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of known attributes` {
  typealias Order = Known.Order
  typealias Customer = Known.Customer

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: UpdateValue?
    let query: @Sendable (QueryPath<Order>) -> QueryPath<Bool>

    init(
      _ name: String, _ value: UpdateValue?,
      _ query: @escaping @Sendable (QueryPath<Order>) -> QueryPath<Bool>
    ) {
      (testDescription, self.value, self.query) = (name, value, query)
    }
  }

  static let cases = [
    Case("title", "") { $0.title.isKnown },
    Case("note", "a") { $0.note.isKnown },
    Case("note", .null) { $0.note.isKnown },
    Case("amount", 5) { $0.amount.isKnown },
    Case("status", "closed") { $0.status.isKnown },
    Case("status", "open") { $0.status.rawValue.isKnown },
    Case("extra", .json(["a": 1])) { $0.extra.isKnown },
    Case("customer", ["id": 3]) { $0.customer.isKnown },
    Case("customer", .null) { $0.customer.isKnown },
    Case("first", ["sku": "a"]) { $0.first.isKnown },
    Case("lines", [["sku": "a"]]) { $0.lines.isKnown },
    Case("others", [["id": 2]]) { $0.others.isKnown },
    Case("tags", []) { $0.tags.isKnown },
    Case("labels", ["a"]) { $0.labels.isKnown },
    Case("prices", ["a": 1]) { $0.prices.isKnown },
  ]

  @Test(arguments: cases)
  func `a query finds objects by whether an attribute is known`(_ test: Case) throws {
    let (store, name) = (try Store(), test.testDescription)
    let value = try #require(test.value)
    try store.receive(Order.self, ["id": 1, name: value])
    try store.receive(Order.self, ["id": 2])
    try store.write { try store.create(Order.self, value: ["id": 9]) }
    let orders = store.objects(Order.self).sorted(by: \.id)
    #expect(orders.where { test.query($0) }.map(\.id) == [1, 9])
    #expect(orders.where { !test.query($0) }.map(\.id) == [2])
    #expect(orders.where { test.query($0) == false && $0.id > 0 }.map(\.id) == [2])
    #expect(orders.where { test.query($0) || $0.id == 2 }.map(\.id) == [1, 2, 9])
    for format in ["@known", "@KNOWN == true", "@known != NO", "@known IN {true}"] {
      #expect(try orders.filter("\(name).\(format)").map(\.id) == [1, 9], "\(format)")
    }
    for format in ["NOT \(name).@known", "!\(name).@known", "\(name).@known == false AND id > 0"] {
      #expect(try orders.filter(format).map(\.id) == [2], "\(format)")
    }
    #expect(try orders.filter("\(name).@known == nil").isEmpty)
    let dynamic = try store.objects(dynamic: "Order").filter("\(name).@known")
    #expect(dynamic.map { $0.isKnown(name) } == [true, true])
  }

  @Test(arguments: [
    Case("id", nil) { $0.id.isKnown }, Case("isOpen", nil) { $0.isOpen.isKnown },
  ])
  func `attributes that payloads do not contain are always known`(_ test: Case) throws {
    let store = try Store()
    try store.receive(Order.self, ["id": 1])
    #expect(store.objects(Order.self).where { test.query($0) }.count == 1)
    #expect(try store.objects(Order.self).filter("NOT \(test.testDescription).@known").isEmpty)
    let customer = try store.receive(Customer.self, ["id": 1])
    #expect(store.objects(Customer.self).where { $0.orders.isKnown }.first == customer)
  }

  /// Order 1 has a customer with a name, 2 one without, 3 has none.
  private func storeOfLinks() throws -> Store {
    let store = try Store()
    try store.receive(
      Order.self,
      ["id": 1, "customer": ["id": 1, "name": "", "parent": ["id": 2]], "others": [["id": 2]]])
    try store.receive(Order.self, ["id": 2, "customer": ["id": 2], "others": [["id": 3]]])
    try store.receive(Order.self, ["id": 3, "customer": nil, "others": [["id": 1], ["id": 2]]])
    try store.receive(
      Order.self, ["id": 1, "first": ["sku": "a"], "lines": [["sku": "a"], ["count": 1]]])
    try store.receive(Order.self, ["id": 2, "first": ["count": 1], "lines": [["sku": "a"]]])
    return store
  }

  @Test func `nothing is known behind a null link`() throws {
    let orders = try storeOfLinks().objects(Order.self).sorted(by: \.id)
    #expect(orders.where { $0.customer.name.isKnown }.map(\.id) == [1])
    #expect(orders.where { !$0.customer.name.isKnown }.map(\.id) == [2, 3])
    #expect(try orders.filter("customer.name.@known == false").map(\.id) == [2, 3])
    #expect(try orders.filter("customer.id.@known").map(\.id) == [1, 2])
    #expect(orders.where { $0.customer.parent.name.isKnown }.isEmpty)
    #expect(orders.where { $0.customer.parent.isKnown }.map(\.id) == [1])
    #expect(orders.where { $0.first.sku.isKnown }.map(\.id) == [1])
    #expect(try orders.filter("first.count.@known").map(\.id) == [2])
    #expect(try orders.filter("first.sku.@known == first.@known").map(\.id) == [1, 3])
  }

  @Test func `conditions on elements test whether their attributes are known`() throws {
    let orders = try storeOfLinks().objects(Order.self).sorted(by: \.id)
    #expect(orders.where { $0.lines.any { $0.count.isKnown } }.map(\.id) == [1])
    #expect(orders.where { $0.lines.all { $0.sku.isKnown } }.map(\.id) == [2, 3])
    #expect(orders.where { $0.lines.none { $0.sku.isKnown } }.map(\.id) == [3])
    #expect(orders.where { $0.lines.any { !$0.sku.isKnown && $0.count == 1 } }.map(\.id) == [1])
    #expect(try orders.filter("ANY lines.count.@known").map(\.id) == [1])
    #expect(try orders.filter("ALL lines.sku.@known == true").map(\.id) == [2, 3])
    #expect(try orders.filter("NONE lines.sku.@known").map(\.id) == [3])
    #expect(try orders.filter("ANY others.customer.name.@known").map(\.id) == [3])
    #expect(try orders.filter("ANY others.lines.count.@known").map(\.id) == [3])
    #expect(try orders.filter("ANY others.lines.@known == false").map(\.id) == [2])
    #expect(orders.where { $0.others.any { !$0.lines.isKnown } }.map(\.id) == [2])
    #expect(
      try orders.filter("SUBQUERY(lines, $l, $l.sku.@known).@count == 1").map(\.id) == [1, 2])
    #expect(
      orders.where { order in order.others.any { $0.lines.isKnown == order.first.isKnown } }
        .map(\.id) == [1])
    let customers = orders.where { $0.id == 1 }.first.map { [$0.customer] } ?? []
    #expect(customers.first??.orders.where { $0.amount.isKnown }.isEmpty == true)
  }

  @Test(arguments: [
    (
      StorePredicate(Order.self) { $0.note.isKnown && !$0.customer.name.isKnown },
      "note.@known == true AND NOT customer.name.@known == true"
    ),
    (
      StorePredicate(Order.self) { $0.note.isKnown != $0.first.sku.isKnown },
      "note.@known != first.sku.@known"
    ),
    (
      StorePredicate(Order.self) { $0.lines.any { $0.sku.isKnown } },
      "ANY lines.sku.@known == true"
    ),
    (
      StorePredicate(Order.self) { $0.others.all { $0.customer.name.isKnown } },
      "ALL others.customer.name.@known == true"
    ),
    (
      StorePredicate(Order.self) { order in
        order.lines.none { $0.sku.isKnown == order.note.isKnown }
      }, "SUBQUERY(lines, $x0, $x0.sku.@known == note.@known).@count == 0"
    ),
  ])
  func `the description of a condition on known attributes is parsed`(
    _ predicate: StorePredicate, _ format: String
  ) throws {
    #expect(predicate.description == format)
    #expect(try StorePredicate(format) == predicate)
  }

  @Test(arguments: [
    ("SELF.@known", "Order is no attribute; @known applies to the attributes of objects"),
    ("lines.sku.@known", "lines.sku passes through a collection"),
    ("note.@known > true", "note.@known is a Bool, which does not support >"),
    ("note.@known == 'a'", "note.@known: expected a Bool, found String \"a\""),
    (
      "ANY tags.@known",
      "the query \"ANY tags.@known\": expected an attribute of the elements before @known at column 4"
    ),
    ("note.@known 3", "the query \"note.@known 3\": expected an operator at column 13"),
    ("nte.@known", "Order: 'nte' is not an attribute; did you mean 'note'?"),
    (
      "SUBQUERY(tags, $t, $t.@known).@count > 0",
      "element is no attribute; @known applies to the attributes of objects"
    ),
  ])
  func `a condition on something that cannot be unknown is an error`(
    _ format: String, _ message: String
  ) throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.objects(Order.self).filter(format)
    }
    #expect(error?.description == message)
  }

  @Test func `each of many attributes of many objects is tested by its own bit`() throws {
    let names = (0..<130).map { "a\($0)" }
    let schema = ObjectSchema(
      "Wide", [Property("id", .int, isPrimaryKey: true)] + names.map { Property($0, .int) })
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write(as: .server) {
      for id in 0..<520 {
        var value: UpdateDictionary = ["id": .int(Int64(id))]
        if id % 131 < 130 { value[names[id % 131]] = 0 }
        try store.create(dynamic: "Wide", value: value)
      }
    }
    let objects = try store.objects(dynamic: "Wide")
    for name in names {
      let expected = objects.count { $0.isKnown(name) }
      #expect(expected > 0)
      #expect(try objects.filter("\(name).@known").count == expected)
      #expect(try objects.filter("\(name).@known == false").count == 520 - expected)
    }
  }

  @Test func `results read inside a write include what became known in it`() throws {
    let store = try Store()
    try store.receive(Order.self, ["id": 1])
    let (known, customers) = (
      store.objects(Order.self).where { $0.note.isKnown },
      store.objects(Order.self).where { $0.customer.name.isKnown }
    )
    try store.write(as: .server) {
      #expect(known.isEmpty && customers.isEmpty)
      try store.create(Order.self, value: ["id": 1, "note": nil], update: .modified)
      #expect(known.count == 1)
      try store.create(Order.self, value: ["id": 1, "customer": ["id": 1]], update: .modified)
      #expect(customers.isEmpty)
      try store.create(Customer.self, value: ["id": 1, "name": ""], update: .modified)
      #expect(customers.count == 1)
    }
    #expect(known.count == 1 && customers.count == 1)
  }
}
