import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Known attributes` {
  final class Line: EmbeddedObject {
    @Persisted var sku = ""
    @Persisted var count = 1
  }

  final class Remark: Object {
    @Persisted var text = ""
    @Persisted var stars = 3
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var isAdmin = false
    override class var tracksEdits: Bool { true }
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var note: String?
    @Persisted var count = 5
    @Persisted var tags: List<String>
    @Persisted var prices: Map<String, Int>
    @Persisted var first: Line?
    @Persisted var lines: List<Line>
    @Persisted var remarks: MutableSet<Remark>
    @Persisted var customer: Customer?
    @Persisted(json: "meta.version") var version = 0
    @Persisted(json: "meta.owner") var owner: String?
    @Persisted(.local) var isOpen = true
    override class var tracksEdits: Bool { true }
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  @discardableResult
  private func order(_ text: String) throws -> Order { try coder.decode(Order.self, text) }

  // MARK: - What gives a value

  @Test func `attributes that a payload lacks are unknown`() throws {
    let order = try order(
      #"{"id": 7, "title": "a", "note": null, "tags": [], "meta": {"version": 0}}"#)
    #expect(
      order.unknownAttributes
        == ["count", "prices", "first", "lines", "remarks", "customer", "owner"])
    #expect(order.isKnown(\.id) && order.isKnown(\.note) && order.isKnown(\.isOpen))
    #expect(!order.isKnown(\.count) && !order.isWhole && order.count == 5)
    #expect(order.frozen().unknownAttributes == order.unknownAttributes)
    #expect(!order.frozen().isKnown(\.count) && order.frozen().isKnown(\.version))
  }

  @Test func `attributes that are decoded but never encoded are unknown until a payload has them`()
    throws
  {
    final class Shop: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var rating: Double?
      @Persisted(.keyed(.anyName)) var people: List<Customer>
      @Persisted(.placeholder) var isPlaceholder = false
      override class var codableIgnoredAttributes: [String] { ["rating"] }
      override class var tracksEdits: Bool { true }
    }
    let shop = try coder.decode(Shop.self, #"{"id":1}"#)
    #expect(shop.unknownAttributes == ["rating", "people"] && shop.isPlaceholder)
    try coder.decode(Shop.self, #"{"id":1,"rating":null}"#)
    #expect(shop.unknownAttributes == ["people"] && !shop.isPlaceholder)
    try coder.decode(Shop.self, #"{"id":1,"people":{}}"#)
    #expect(shop.isWhole)
    try store.write { shop.rating = 4 }
    #expect(shop.editState == .clean)
    #expect(try coder.text(shop) == #"{"id":1}"#)
  }

  @Test func `an object is whole only if its embedded objects are`() throws {
    final class Box: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(.inPlace) var line: Line?
      @Persisted var lines: List<Line>
    }
    let box = try coder.decode(
      Box.self, #"{"id":1,"line":{"sku":"a"},"lines":[{"sku":"b","count":1}]}"#)
    #expect(box.unknownAttributes == [] && !box.isWhole && !box.frozen().isWhole)
    try coder.decode(Box.self, #"{"id":1,"line":{"count":2}}"#)
    #expect(box.isWhole && box.frozen().isWhole)
    try coder.decode(Box.self, #"{"id":1,"lines":[{"sku":"b","count":1},{}]}"#)
    #expect(!box.isWhole)
    try coder.decode(Box.self, from: Data(#"{"id":1,"lines":[{}]}"#.utf8), absent: .clear)
    #expect(box.isWhole)
  }

  @Test func `objects of the user are whole`() throws {
    let created = try store.write {
      try store.create(
        Order.self, value: ["id": 1, "first": ["sku": "a"], "remarks": [["text": "b"]]])
    }
    let added = Order()
    #expect(added.isWhole && added.isKnown(\.note))
    added.id = 2
    try store.write(as: .server) { try store.add(added) }
    #expect(created.isWhole && added.isWhole && created.first?.isWhole == true)
    #expect(created.remarks.allSatisfy { $0.isWhole })
    var configuration = coder.configuration
    configuration.decodesAs = .user
    let imported = try StoreCoder(store: store, configuration: configuration)
      .decode(Order.self, from: Data(#"{"id": 3, "first": {"sku": "c"}}"#.utf8))
    #expect(imported.isWhole && imported.first?.isWhole == true)
  }

  @Test func `a payload of the user gives the defaults that stand for its nulls`() throws {
    let order = try order(#"{"id": 7, "count": 2}"#)
    var configuration = coder.configuration
    configuration.decodesAs = .user
    configuration.nulls = .default
    try StoreCoder(store: store, configuration: configuration)
      .decode(Order.self, from: Data(#"{"id": 7, "count": null, "title": null}"#.utf8))
    #expect(order.count == 5 && order.isKnown(\.count) && order.isKnown(\.title))
    let edit = try #require(try store.pendingEdits().first)
    #expect(
      String(decoding: try coder.encode(edit), as: UTF8.self) == #"{"id":7,"title":"","count":5}"#)
  }

  @Test func `an update dictionary of the server gives what it contains`() throws {
    let order = try store.write(as: .server) {
      try store.create(Order.self, value: ["id": 1, "count": 5, "customer": ["id": 2]])
    }
    #expect(order.isKnown(\.count) && order.isKnown(\.customer) && !order.isKnown(\.title))
    #expect(order.customer?.unknownAttributes == ["name", "isAdmin"])
    try store.write(as: .server) {
      try store.create(Order.self, value: ["id": 1, "title": ""], update: .modified)
    }
    #expect(order.isKnown(\.title))
  }

  @Test func `a payload gives null, empty and equal values, and stores that once`() throws {
    let order = try order(#"{"id": 7}"#)
    let version = store.version
    let text =
      #"{"id": 7, "note": null, "count": 5, "tags": [], "prices": {}, "first": null, "customer": null}"#
    let result = try coder.read(Order.self, from: Data(text.utf8))
    #expect(result.outcomes == [.unchanged])
    #expect(order.unknownAttributes == ["title", "lines", "remarks", "version", "owner"])
    #expect(store.version == version + 1)
    try self.order(text)
    #expect(store.version == version + 1)
  }

  @Test func `assignments give equal values, too`() throws {
    let order = try order(#"{"id": 7}"#)
    try store.write {
      order.title = ""
      order.note = nil
      order.tags.removeAll()
      order.prices.removeAll()
      order.first = nil
      order.customer = nil
      order.remarks.removeAll()
    }
    #expect(order.unknownAttributes == ["count", "lines", "version", "owner"])
    try store.update(Order.self, key: 7, \.count <- 5)
    try store.write { order.lines.append(Line()) }
    #expect(order.unknownAttributes == ["version", "owner"])
    #expect(order.lines.allSatisfy { $0.isWhole })
  }

  @Test(
    arguments: [
      { $0.append(contentsOf: []) }, { $0.removeAll { _ in true } },
      { $0.replaceSubrange(0..<0, with: []) },
      { $0.reverse() }, { $0.sort() }, { $0 += [] },
    ] as [@Sendable (inout List<String>) -> Void])
  func `a call that changes nothing in a list does not give the list`(
    _ call: @Sendable (inout List<String>) -> Void
  ) throws {
    let order = try order(#"{"id": 7}"#)
    try store.write { call(&order.tags) }
    #expect(!order.isKnown(\.tags))
    #expect(try coder.text(order) == #"{"id":7}"#)
  }

  @Test func `a null that a policy skips and a default in its place give nothing`() throws {
    var configuration = coder.configuration
    configuration.nulls = .skip
    let skipping = StoreCoder(store: store, configuration: configuration)
    let order = try skipping.decode(Order.self, from: Data(#"{"id": 7, "note": null}"#.utf8))
    configuration.nulls = .default
    let defaulting = StoreCoder(store: store, configuration: configuration)
    try defaulting.decode(Order.self, from: Data(#"{"id": 7, "count": null}"#.utf8))
    #expect(!order.isKnown(\.note) && !order.isKnown(\.count))
    #expect(try coder.text(order) == #"{"id":7}"#)
  }

  @Test func `a rollback takes back what was given`() throws {
    struct Failure: Error {}
    let order = try order(#"{"id": 7}"#)
    #expect(throws: Failure.self) {
      try store.write {
        order.title = "a"
        order.tags.append("b")
        throw Failure()
      }
    }
    #expect(!order.isKnown(\.title) && !order.isKnown(\.tags))
  }

  @Test func `the successor of an embedded object has what its own payload gave`() throws {
    let order = try order(
      #"{"id": 7, "first": {"sku": "a", "count": 2}, "remarks": [{"text": "a", "stars": 1}]}"#)
    try self.order(#"{"id": 7, "first": {"sku": "b"}, "remarks": [{"text": "b"}]}"#)
    #expect(order.first?.unknownAttributes == ["count"])
    #expect(order.remarks.map(\.unknownAttributes) == [["stars"]])
    #expect(try coder.text(order) == #"{"id":7,"first":{"sku":"b"},"remarks":[{"text":"b"}]}"#)
    // A value that was missing before is another content.
    let version = store.version
    try self.order(#"{"id": 7, "first": {"sku": "b", "count": 1}}"#)
    #expect(order.first?.isWhole == true && store.version == version + 1)
  }

  @Test func `a copied embedded object lacks what its original lacks`() throws {
    let order = try order(#"{"id": 7, "first": {"sku": "a"}}"#)
    try store.write { order.lines.append(try #require(order.first)) }
    #expect(order.lines.map(\.unknownAttributes) == [["count"]])
  }

  // MARK: - Bodies

  @Test func `bodies leave out what is unknown at every depth`() throws {
    let text = #"{"id":7,"title":"a","first":{"sku":"x"},"customer":{"id":2},"meta":{"version":4}}"#
    let order = try order(text)
    #expect(try coder.text(order) == text)
    let all = String(decoding: try coder.encodeArray([order]), as: UTF8.self)
    #expect(all == "[\(text)]")
    #expect(String(decoding: try coder.encode(order.frozen()), as: UTF8.self) == text)
    #expect(
      String(decoding: try coder.encode(order, only: \.count, \.owner), as: UTF8.self)
        == #"{"id":7,"count":5,"meta":{"owner":null}}"#)
    #expect(
      String(decoding: try coder.encode(order, only: \.first), as: UTF8.self)
        == #"{"id":7,"first":{"sku":"x"}}"#)
    var configuration = coder.configuration
    configuration.encodesUnknown = true
    let full = try StoreCoder(store: store, configuration: configuration).encode(order)
    #expect(
      String(decoding: full, as: UTF8.self) == """
        {"id":7,"title":"a","count":5,"tags":[],"prices":{},"first":{"sku":"x","count":1},"lines":[],\
        "remarks":[],"customer":{"id":2,"name":"","isAdmin":false},"meta":{"version":4}}
        """)
  }

  @Test func `patches name only what is given`() throws {
    let order = try order(#"{"id": 7, "note": "a"}"#)
    let before = order.frozen()
    try store.write {
      order.note = nil
      order.count = 6
      order.owner = "b"
    }
    func patch(_ format: CodingConfiguration.BodyFormat) throws -> String? {
      try coder.patch(from: before, to: order, as: format).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(try patch(.changes) == #"{"id":7,"note":null,"count":6,"meta":{"owner":"b"}}"#)
    #expect(try patch(.mergePatch) == #"{"count":6,"meta":{"owner":"b"},"note":null}"#)
    #expect(
      try patch(.jsonPatch()) == """
        [{"op":"test","path":"/note","value":"a"},{"op":"remove","path":"/note"},\
        {"op":"add","path":"/count","value":6},{"op":"add","path":"/meta","value":{"owner":"b"}}]
        """)
  }

  // MARK: - Edits

  @Test func `assigning an unknown attribute is an edit, and reverting it makes it unknown again`()
    throws
  {
    let order = try order(#"{"id": 7, "title": "a"}"#)
    try store.write {
      order.count = 5
      order.first = Line()
    }
    #expect(order.editedAttributes == ["count", "first"])
    let edit = try #require(try store.takeEdit())
    #expect(edit.baseValue(of: "count") == nil)
    #expect(
      String(decoding: try coder.encode(edit), as: UTF8.self)
        == #"{"id":7,"count":5,"first":{"sku":"","count":1}}"#)
    #expect(
      String(decoding: try coder.encode(edit, as: .jsonPatch()), as: UTF8.self) == """
        [{"op":"add","path":"/count","value":5},{"op":"add","path":"/first","value":{"count":1,"sku":""}}]
        """)
    try store.settle(edit, .reverted)
    #expect(order.editState == .clean && order.first == nil && order.count == 5)
    #expect(!order.isKnown(\.count) && !order.isKnown(\.first))
    try store.write { order.count = 8 }
    try store.settle(try #require(try store.takeEdit()), .confirmed)
    #expect(order.editState == .clean && order.isKnown(\.count))
  }

  @Test func `the server's value of an edited attribute that was unknown becomes its base value`()
    throws
  {
    let order = try order(#"{"id": 7}"#)
    try store.write { order.count = 6 }
    try self.order(#"{"id": 7, "count": 9, "note": "n"}"#)
    #expect(order.count == 6 && order.note == "n")
    let edit = try #require(try store.pendingEdits().first)
    #expect(edit.baseValue(of: "count") == .int(9))
    try store.revertEdits(of: order)
    #expect(order.count == 9 && order.isKnown(\.count))
  }

  @Test func `a reverted deletion leaves unknown what was unknown`() throws {
    let order = try order(#"{"id": 7, "title": "a"}"#)
    let unknown = order.unknownAttributes
    try store.write { store.delete(order) }
    try store.revertDeletion(of: Order.self, key: 7)
    let again = try #require(store.object(ofType: Order.self, forPrimaryKey: 7))
    #expect(again.unknownAttributes == unknown)
  }

  @Test func `an object that the user refers to by its key is not created on the server`() throws {
    let order = try order(#"{"id": 7}"#)
    try store.update(Order.self, key: 7, \.customer <- .key(3))
    try store.write { try store.create(Order.self, value: ["id": 8, "customer": ["id": 4]]) }
    #expect(order.customer?.unknownAttributes == ["name", "isAdmin"])
    #expect(
      try store.pendingEdits().map { "\($0.kind) \($0.className) \($0.attributes.count)" }.sorted()
        == ["created Order 11", "edited Order 1"])
  }

  @Test func `an object that only the user has named is created once the user gives it a value`()
    async throws
  {
    try store.write { try store.create(Order.self, value: ["id": 8, "customer": ["id": -1]]) }
    try store.update(Customer.self, key: -1, \.name <- "N", missing: .orInsert)
    #expect(store.object(ofType: Customer.self, forPrimaryKey: -1)?.isWhole == true)
    var bodies: [String] = []
    try await coder.upload { edit in
      bodies.append("\(edit.kind) \(try coder.encode(edit).text)")
      return .confirmed(edit.className == "Order" ? nil : Data(#"{"id":5,"name":"N"}"#.utf8))
    }
    #expect(bodies[0] == #"created {"id":-1,"name":"N"}"#)
    #expect(
      bodies[1].hasPrefix(#"created {"id":8,"#) && bodies[1].contains(#""customer":{"id":5}"#))
    #expect(bodies.count == 2)
  }

  @Test(arguments: [#"{"id":3}"#, #"{"id":3,"name":""}"#])
  func `an object that the user and then the server name is edited`(_ text: String) throws {
    try order(#"{"id": 7}"#)
    try store.update(Order.self, key: 7, \.customer <- .key(3))
    if text == #"{"id":3}"# {
      try order(#"{"id": 9, "customer": {"id": 3}}"#)
    } else {
      try coder.decode(Customer.self, text)
    }
    try store.update(Customer.self, key: 3, \.name <- "N")
    #expect(
      try store.pendingEdits().map { "\($0.kind) \($0.className) \($0.attributes)" }
        == ["edited Order [\"customer\"]", "edited Customer [\"name\"]"])
  }

  @Test func `a complete list keeps an object that only the user has named`() throws {
    try store.write { try store.create(Order.self, value: ["id": 8, "customer": ["id": -1]]) }
    _ = try coder.read([Customer].self, from: Data(#"[{"id":1}]"#.utf8), complete: .all)
    let customer = store.object(ofType: Order.self, forPrimaryKey: 8)?.customer
    #expect(customer?.id == -1 && customer?.editState == .clean)
    #expect(store.objects(Customer.self).edited.isEmpty)
  }

  // MARK: - Queries and plans

  @Test func `conditions on known attributes find what payloads and code have given`() throws {
    try order(#"{"id": 1, "title": "a", "meta": {"version": 0}}"#)
    try order(#"{"id": 2, "note": null, "customer": {"id": 1, "name": ""}}"#)
    let orders = store.objects(Order.self)
    #expect(orders.where { $0.version.isKnown }.map(\.id) == [1])
    #expect(orders.where { $0.note.isKnown && $0.customer.name.isKnown }.map(\.id) == [2])
    #expect(orders.where { !$0.title.isKnown || !$0.isOpen.isKnown }.map(\.id) == [2])
    let unknown = orders.where { !$0.owner.isKnown }
    #expect(unknown.map(\.id) == [1, 2])
    try coder.decode(Order.self, from: Data(#"{"id": 1}"#.utf8), absent: .clear)
    #expect(unknown.map(\.id) == [2])
    try store.write { orders[1].owner = nil }
    #expect(unknown.isEmpty)
    try store.revertEdits(of: orders[1])
    #expect(unknown.map(\.id) == [2])
  }

  @Test func `a plan names the attributes that become known`() throws {
    try order(#"{"id": 7, "title": "a"}"#)
    try order(#"{"id": 8, "customer": {"id": 1}}"#)
    let payload = Data(
      #"""
      [{"id": 7, "title": "b", "note": null, "count": 6},
       {"id": 8, "tags": [], "customer": {"id": 1, "name": ""}},
       {"id": 9, "title": ""}]
      """#.utf8)
    let plan = try coder.plan([Order].self, from: payload)
    let expected: Set = [
      "= Customer 1: now known: name",
      #"~ Order 7: title "a" → "b", count 5 → 6; now known: note, count"#,
      "= Order 8: now known: tags", "+ Order 9",
    ]
    #expect(Set(plan.changes.map(\.description)) == expected)
    let orders = plan.changes.filter { $0.className == "Order" }
    #expect(orders.map(\.kind) == [.updated, .known, .inserted])
    #expect(orders.map(\.becameKnown) == [["note", "count"], ["tags"], []])
    #expect(orders.map(\.attributes.count) == [2, 0, 13])
    #expect((plan.changes.updated, plan.changes.inserted, plan.changes.deleted) == (1, 1, 0))
    #expect(
      orders[1].json.jsonText
        == #"{"attributes":{},"becameKnown":["tags"],"change":"known","class":"Order","key":8}"#)
    #expect(orders[2].json["becameKnown"] == nil)
    try plan.apply()
    #expect(try coder.plan([Order].self, from: payload).isEmpty)
  }

  @Test func `a plan is out of date if its attributes became known in the meantime`() throws {
    try order(#"{"id": 7}"#)
    let plan = try coder.plan(Order.self, from: Data(#"{"id": 7, "note": null, "tags": []}"#.utf8))
    #expect(plan.description == "= Order 7: now known: note, tags")
    try order(#"{"id": 7, "note": null}"#)
    #expect(throws: PlannedChanges.Stale.self) { try plan.apply() }
    #expect(plan.description == "= Order 7: now known: tags")
    try plan.apply()
    #expect(store.objects(Order.self).first?.isKnown(\.tags) == true)
  }

  @Test func `a plan of a complete payload names the attributes that it lacks`() throws {
    try order(#"{"id": 7, "title": "a", "first": {"sku": "s", "count": 1}}"#)
    let plan = try coder.plan(
      Order.self, from: Data(#"{"id": 7, "title": "a", "first": {"sku": "s", "count": 1}}"#.utf8),
      absent: .clear)
    #expect(
      plan.description
        == "= Order 7: now known: note, count, tags, prices, lines, remarks, customer, version, owner"
    )
  }

  @Test func `an attribute becomes known with an attribute of its embedded object`() throws {
    let order = try order(#"{"id": 7, "first": {"sku": "s"}}"#)
    let plan = try store.plan { order.first?.count = 1 }
    #expect(plan.description == #"~ Order 7: editState "clean" → "edited"; now known: first"#)
  }

  @Test
  func `a plan shows the replacement of an embedded object by an equal one that is better known`()
    throws
  {
    try order(#"{"id": 7, "first": {"sku": "s"}}"#)
    let payload = Data(#"{"id": 7, "first": {"sku": "s", "count": 1}}"#.utf8)
    let plan = try coder.plan(Order.self, from: payload)
    #expect(
      plan.description
        == #"~ Order 7: first {"count":1,"sku":"s"} → {"count":1,"sku":"s"}"#)
    try plan.apply()
    #expect(try coder.plan(Order.self, from: payload).isEmpty)
  }

  // MARK: - Files

  final class Position: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/geo/0") var x: Double?
    @Persisted(json: "/geo/1") var y = 3.5
    @Persisted(json: "/parts/0/a") var a = "a"
    @Persisted(json: "/parts/0/b") var b: String?
  }

  /// K3
  @Test func `a body with some attributes leaves out what is unknown of an array`() throws {
    let position = try coder.decode(Position.self, #"{"id":1}"#)
    try store.write { (position.x, position.b) = (7, "said") }
    #expect(try coder.encode(position, only: \.x).text == #"{"id":1,"geo":[7]}"#)
    #expect(try coder.encode(position, only: \.b).text == #"{"id":1,"parts":[{"b":"said"}]}"#)
    #expect(try coder.encode(position, only: \.x, \.y).text == #"{"id":1,"geo":[7,3.5]}"#)
    try store.write { position.y = 4 }
    #expect(try coder.encode(position, only: \.x).text == #"{"id":1,"geo":[7,4]}"#)
  }

  /// K6
  @Test func `an object is not whole because of a payload of a class that lacks attributes`() throws
  {
    let folder = try TemporaryFolder()
    let key = Property("id", .int, isPrimaryKey: true)
    let attributes = ["a", "b", "c"].map { Property($0, .int, isOptional: true) }
    func open(_ count: Int) throws -> StoreCoder {
      StoreCoder(
        store: try Store(
          configuration: .file(folder.file("whole.store")),
          schemas: [ObjectSchema("Thing", [key] + attributes.prefix(count))]))
    }
    func decode(_ coder: StoreCoder, _ text: String, _ absent: AbsentAttributes) throws {
      try coder.decode(
        DynamicObject.self, dynamic: "Thing", from: Data(text.utf8), absent: absent)
    }
    do {
      let coder = try open(3)
      try decode(coder, #"{"id":1,"a":1}"#, .keep)
      try decode(coder, #"{"id":2,"a":1}"#, .clear)
    }
    do {
      let coder = try open(2)
      for id in 1...3 { try decode(coder, #"{"id":\#(id),"a":2,"c":7}"#, .clear) }
      let things = try coder.store.objects(dynamic: "Thing")
      #expect(things.allSatisfy { $0.isWhole })
    }
    let coder = try open(3)
    let things = try coder.store.objects(dynamic: "Thing")
    #expect(things.map(\.isWhole) == [false, true, false])
    #expect(things.map(\.unknownAttributes) == [["b", "c"], [], ["b", "c"]])
  }

  /// K3
  @Test(arguments: [["id", "part"], []])
  func `a migration to another key makes the attributes of the key known`(_ parts: [String]) throws
  {
    let folder = try TemporaryFolder()
    func open(_ version: UInt64, key: String, _ compoundKey: [String]) throws -> StoreCoder {
      let names = ["key", "id", "part", "count"]
      let properties = names.map {
        Property($0, $0 == "key" ? .string : .int, isPrimaryKey: $0 == key)
      }
      return StoreCoder(
        store: try Store(
          configuration: .file(
            folder.file("key.store"), schemaVersion: version, migration: { _ in }),
          schemas: [ObjectSchema("Thing", properties, compoundKey: compoundKey)]))
    }
    do {
      let coder = try open(1, key: parts.isEmpty ? "id" : "key", [])
      try coder.decode(
        DynamicObject.self, dynamic: "Thing", from: Data(#"{"key":"x","id":3}"#.utf8))
    }
    for _ in 0..<2 {
      let coder = try open(2, key: parts.isEmpty ? "part" : "key", parts)
      let thing = try #require(try coder.store.objects(dynamic: "Thing").first)
      #expect(thing.unknownAttributes == ["count"])
      let body = try coder.text(thing)
      #expect(
        body == (parts.isEmpty ? #"{"key":"x","id":3,"part":0}"# : #"{"id":3,"part":0}"#))
      #expect(coder.store.damage == [])
    }
  }

  @Test func `a file keeps what is known, also if it is read only`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("known.store")
    var configuration = StoreConfiguration.file(url)
    let count = 600
    do {
      let coder = StoreCoder(store: try Store(configuration: configuration))
      let elements = (1...count).map {
        $0 % 3 == 0
          ? #"{"id":\#($0),"title":"a"}"# : #"{"id":\#($0),"count":2,"first":{"sku":"s"}}"#
      }
      try coder.decodeArray(Order.self, from: Data("[\(elements.joined(separator: ","))]".utf8))
    }
    func check() throws {
      let store = try Store(configuration: configuration)
      for order in store.objects(Order.self) {
        #expect(order.isKnown(\.title) == (order.id % 3 == 0))
        #expect(order.first.map(\.unknownAttributes) == (order.id % 3 == 0 ? nil : ["count"]))
      }
      #expect(store.objects(Order.self).count == count)
    }
    try check()
    configuration = .file(url, readOnly: true)
    try check()
  }
}
