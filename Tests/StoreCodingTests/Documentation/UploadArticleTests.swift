import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The code in the articles Encoding (bodies) and Complete lists.
@Suite struct `The articles about bodies and complete lists` {
  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Line: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted var total = 12.5
    @Persisted var version = 3
    @Persisted var customer: Customer?
    @Persisted var lines: List<Line>
    override class var codableAlwaysEncoded: [String] { ["version"] }
  }

  final class Shop: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.local) var isFavorite = false
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = StoreCoder(store: try Store()) }

  private func storedOrder() throws -> Order {
    try coder.decode(
      Order.self, from: Data(#"{"id": 7, "version": 3, "customer": {"id": 7}}"#.utf8))
  }

  @Test func `the code about bodies works`() throws {
    let order = try storedOrder()
    // {"id":7,"note":null,"total":12.5,"version":3}
    let body = try coder.encode(order, only: \.note, \.total)
    let named = try coder.encode(order, only: ["note"], includesKey: false)
    let several = try coder.encodeArray([order], only: \.note)
    #expect(body.text == #"{"id":7,"note":null,"total":12.5,"version":3}"#)
    #expect(named.text == #"{"note":null,"version":3}"#)
    #expect(several.text == #"[{"id":7,"note":null,"version":3}]"#)
  }

  @Test func `the code about changes works`() throws {
    let order = try storedOrder()
    let before = order.frozen()
    try store.write { order.note = "late" }
    let changes = try coder.patch(from: before, to: order)
    let merge = try coder.patch(from: before, to: order, as: .mergePatch)
    let patch = try coder.patch(from: before, to: order, as: .jsonPatch())
    let contentType = StoreCoder.BodyFormat.mergePatch.contentType
    #expect(changes?.text == #"{"id":7,"note":"late","version":3}"#)
    #expect(merge?.text == #"{"note":"late","version":3}"#)
    #expect(
      patch?.text
        == #"[{"op":"test","path":"/version","value":3},{"op":"add","path":"/note","value":"late"}]"#
    )
    #expect(contentType == "application/merge-patch+json")
  }

  @Test func `the code about complete lists works`() throws {
    let order = try storedOrder()
    let data = Data(#"[{"id": 7, "customer": {"id": 7}}]"#.utf8)
    let linesData = Data(#"[{"id": 1}, {"id": 2}]"#.utf8)
    let result = try coder.read([Order].self, from: data, complete: .all)
    print(result.inserted, result.updated, result.deleted)
    try coder.read([Order].self, from: data, complete: .where { $0.customer.id == 7 })
    try coder.read([Line].self, from: linesData, complete: .of(order, \.lines))
    #expect(order.lines.map(\.id) == [1, 2])
  }

  @Test func `the code about missing objects works`() throws {
    let shops = try coder.decodeArray(
      Shop.self, from: Data(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#.utf8))
    try store.write { for shop in shops.prefix(2) { shop.isFavorite = true } }
    let data = Data(#"[{"id": 1}]"#.utf8)
    try coder.read(
      [Shop].self, from: data, complete: .where { $0.isFavorite },
      missing: .update([\.isFavorite <- false]))
    #expect(shops.map(\.isFavorite) == [true, false, false])
  }

  @Test func `the code about pages works`() throws {
    _ = try storedOrder()
    let responses = [Data(#"[{"id": 1}]"#.utf8), Data(#"[{"id": 2}]"#.utf8)]
    let pages = try coder.pages(of: Order.self, complete: .all)
    for page in responses { try pages.read(page) }
    let removed = try pages.finish()
    #expect(removed == 1)
  }

  @Test func `the code about streams of pages works`() async throws {
    _ = try storedOrder()
    let chunks = CutBytes(#"[{"id": 1}, {"id": 2}]"#.utf8, every: 7)
    let pages = try coder.pages(of: Order.self, complete: .all)
    let summary = try await pages.readAll(from: chunks)
    let removed = try pages.finish()
    #expect((summary.inserted, removed) == (2, 1))
  }

  @Test func `the code about incomplete lists works`() throws {
    _ = try storedOrder()
    let data = Data(#"{"orders": [], "paging": {"next": null}}"#.utf8)
    try coder.read(
      [Order].self, from: data, at: "orders", complete: .all,
      guard: ListGuard(allowsEmpty: true, morePaths: ["paging.next"]))
    #expect(store.objects(Order.self).isEmpty)
  }
}
