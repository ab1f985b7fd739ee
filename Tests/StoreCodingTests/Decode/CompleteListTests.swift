import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Shop {
  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var favorite: Order?
  }

  final class Line: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    @Persisted(.mismatch(.skipAttribute)) var total = 0
    @Persisted var customer: Customer?
    @Persisted var related: List<Order>
    @Persisted var lines: List<Line>
    @Persisted(.local) var isHidden = false
  }
}

@Suite struct `Complete lists` {
  private typealias Order = Shop.Order
  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  /// Stores orders with these keys, and a customer for each odd one.
  private func fill(_ ids: some Sequence<Int>) throws {
    let elements = ids.map {
      $0 % 2 == 1 ? #"{"id":\#($0),"customer":{"id":7}}"# : #"{"id":\#($0)}"#
    }
    try coder.decodeArray(Order.self, "[\(elements.joined(separator: ","))]")
  }

  private func list(_ ids: some Sequence<Int>) -> Data {
    Data("[\(ids.map { #"{"id":\#($0)}"# }.joined(separator: ","))]".utf8)
  }

  private var ids: [Int] { store.objects(Order.self).map(\.id) }

  @Test func `objects of the scope that the list lacks are deleted`() throws {
    try fill(1...6)
    let result = try coder.read([Order].self, from: list([1, 2, 4, 9]), complete: .all)
    #expect(ids == [1, 2, 4, 9])
    #expect((result.inserted, result.updated, result.unchanged, result.deleted) == (1, 0, 3, 3))
    #expect(try coder.read([Order].self, from: list([1]), complete: .all).deleted == 3)
    #expect(
      try coder.decodeArray(Order.self, from: list([1, 2]), complete: .all).map(\.id) == [1, 2])
  }

  @Test func `a list that lacks nothing makes no version`() throws {
    try fill(1...6)
    let version = store.version
    #expect(try coder.read([Order].self, from: list(1...6), complete: .all).deleted == 0)
    #expect(store.version == version)
  }

  @Test func `a list without the parameter deletes nothing`() throws {
    try fill(1...6)
    #expect(try coder.read([Order].self, from: list([1])).deleted == 0)
    #expect(ids == [1, 2, 3, 4, 5, 6])
  }

  @Test func `objects outside the scope stay`() throws {
    try fill(1...6)
    let data = Data(#"[{"id":1,"customer":{"id":7}}]"#.utf8)
    #expect(
      try coder.read([Order].self, from: data, complete: .where { $0.customer.id == 7 }).deleted
        == 2)
    #expect(ids == [1, 2, 4, 6])
    let other = Data(#"[{"id":2,"note":"x"}]"#.utf8)
    #expect(
      try coder.read([Order].self, from: other, complete: .filter("note == %@", "x")).deleted == 0)
    #expect(ids == [1, 2, 4, 6])
  }

  @Test func `an object that the payload names anywhere is not missing`() throws {
    try fill(1...4)
    let data = Data(
      #"[{"id":1,"related":[{"id":3}],"customer":{"id":7,"favorite":{"id":4}}}]"#.utf8)
    #expect(try coder.read([Order].self, from: data, complete: .all).deleted == 1)
    #expect(ids == [1, 3, 4])
  }

  @Test func `an object that the payload moves out of the scope stays`() throws {
    try fill([1, 3])
    let data = Data(#"[{"id":1,"customer":{"id":7,"name":"gone"}}]"#.utf8)
    try store.write { store.objects(Shop.Customer.self).first?.name = "here" }
    #expect(
      message {
        _ = try coder.read(
          [Order].self, from: data, complete: .where { $0.customer.name == "here" })
      } == "(Order): the list may be incomplete: Order 1 is outside the scope")
    #expect(ids == [1, 3])
    #expect(store.objects(Shop.Customer.self).first?.name == "here")
  }

  @Test func `missing objects may get other values instead`() throws {
    try fill(1...4)
    let result = try coder.read(
      [Order].self, from: list([1, 2]), complete: .all,
      missing: .update([\.isHidden <- true, \.note <- "gone"]))
    #expect(result.deleted == 2)
    #expect(store.objects(Order.self).map(\.isHidden) == [false, false, true, true])
    #expect(store.objects(Order.self).map(\.note) == [nil, nil, "gone", "gone"])
  }

  @Test func `observers get one change for the payload and the deletions`() throws {
    try fill(1...4)
    var changes: [String] = []
    let token = store.objects(Order.self).observe { change in
      if case .update(_, let deletions, let insertions, let modifications) = change {
        changes.append("-\(deletions) +\(insertions) ~\(modifications)")
      }
    }
    // A write delivers the changes before it.
    try store.write {}
    try coder.read([Order].self, from: list([1, 2, 3, 9]), complete: .all)
    try store.write {}
    withExtendedLifetime(token) {}
    #expect(changes == ["-[3] +[3] ~[]"])
  }

  // MARK: - Lists of an owner

  private func lines(_ ids: Int...) -> Data { list(ids) }

  @Test func `a list of an owner becomes what the payload says`() throws {
    let order = try coder.decode(
      Order.self, #"{"id":1,"lines":[{"id":1},{"id":2},{"id":3}]}"#)
    let other = try coder.decode(Order.self, #"{"id":2,"lines":[{"id":2}]}"#)
    let result = try coder.read(
      [Shop.Line].self, from: lines(4, 3), complete: .of(order, \.lines))
    #expect(order.lines.map(\.id) == [4, 3])
    #expect(other.lines.map(\.id) == [2], "an object that another one links to stays")
    #expect(store.objects(Shop.Line.self).map(\.id).sorted() == [2, 3, 4])
    #expect(result.deleted == 1)
    let version = store.version
    try coder.read([Shop.Line].self, from: lines(4, 3), complete: .of(order, \.lines))
    #expect(store.version == version)
  }

  @Test func `an empty list of an owner is refused or allowed`() throws {
    let order = try coder.decode(Order.self, #"{"id":1,"lines":[{"id":1},{"id":2}]}"#)
    #expect(
      message { _ = try coder.read([Shop.Line].self, from: lines(), complete: .of(order, \.lines)) }
        == "(Line): the list may be incomplete: it is empty; it would remove Line 1, Line 2")
    #expect(order.lines.map(\.id) == [1, 2])
    try coder.read(
      [Shop.Line].self, from: lines(), complete: .of(order, \.lines),
      guard: ListGuard(allowsEmpty: true))
    #expect(order.lines.isEmpty && store.objects(Shop.Line.self).isEmpty)
  }

  @Test func `an object that occurs several times in a list counts once`() throws {
    let ids = Array(repeating: 1, count: 30) + Array(2...12)
    let order = try coder.decode(
      Order.self, #"{"id":1,"lines":\#(list(ids).text)}"#)
    #expect(
      message {
        _ = try coder.read([Shop.Line].self, from: lines(1), complete: .of(order, \.lines))
      }
        == "(Line): the list may be incomplete: it lacks 11 of 12 objects; it would remove Line 2, "
        + "Line 3, Line 4, Line 5, Line 6, Line 7, Line 8, Line 9, Line 10, Line 11 and 1 more")
    #expect(order.lines.count == 41)
    let other = try coder.decode(Order.self, #"{"id":2,"lines":[{"id":21},{"id":21},{"id":22}]}"#)
    #expect(
      try coder.read([Shop.Line].self, from: lines(22), complete: .of(other, \.lines)).deleted == 1)
  }

  @Test func `objects that leave a list together do not keep each other`() throws {
    let json =
      #"{"id":1,"related":[{"id":2,"related":[{"id":2}]},{"id":3,"related":[{"id":4}]},"#
      + #"{"id":4,"related":[{"id":3},{"id":5}]},{"id":5},{"id":6,"related":[{"id":7}]},"#
      + #"{"id":7},{"id":8}]}"#
    let order = try coder.decode(Order.self, json)
    try coder.decode(Shop.Customer.self, #"{"id":1,"favorite":{"id":6}}"#)
    let result = try coder.read([Order].self, from: list([8]), complete: .of(order, \.related))
    #expect(ids.sorted() == [1, 6, 7, 8], "a favorite stays, with what it links to")
    #expect(result.deleted == 4)
  }

  @Test func `an owner of another handle is refused`() throws {
    let order = try coder.decode(Order.self, #"{"id":1,"lines":[{"id":1}]}"#)
    let other = StoreCoder(store: try Store(configuration: store.configuration))
    #expect(
      message {
        _ = try other.read([Shop.Line].self, from: lines(1), complete: .of(order, \.lines))
      }
        == message { throw StoreError(.objectOfAnotherStore(className: "Order")) })
  }

  // MARK: - The guard

  @Test func `an empty list is refused unless the scope is empty`() throws {
    #expect(try coder.read([Order].self, from: list([]), complete: .all).deleted == 0)
    try fill(1...2)
    #expect(
      message { _ = try coder.read([Order].self, from: list([]), complete: .all) }
        == "(Order): the list may be incomplete: it is empty; it would remove Order 1, Order 2")
    #expect(
      try coder.read(
        [Order].self, from: list([]), complete: .where { $0.id > 5 }
      ).deleted == 0)
    #expect(
      try coder.read(
        [Order].self, from: list([]), complete: .all, guard: ListGuard(allowsEmpty: true)
      ).deleted == 2)
  }

  @Test func `a list that lacks more than half of a large scope is refused`() throws {
    try fill(1...24)
    let version = store.version
    #expect(
      message { _ = try coder.read([Order].self, from: list([1, 99] + (14...24)), complete: .all) }
        == "no error")
    #expect(ids.count == 13)
    try fill(1...24)
    #expect(
      message { _ = try coder.read([Order].self, from: list([1, 99, 100]), complete: .all) }
        == "(Order): the list may be incomplete: it lacks 23 of 25 objects; it would remove "
        + "Order 14, Order 15, Order 16, Order 17, Order 18, Order 19, Order 20, Order 21, Order 22, "
        + "Order 23 and 13 more")
    #expect(store.objects(Order.self).where { $0.id == 100 }.isEmpty)
    #expect(store.version > version)
    #expect(
      try coder.read(
        [Order].self, from: list([1, 99]), complete: .all, guard: ListGuard(share: 1)
      ).deleted == 23)
    #expect(
      message {
        _ = try coder.read(
          [Order].self, from: list([1]), complete: .all, guard: ListGuard(count: 0, share: 0))
      } == "(Order): the list may be incomplete: it lacks 1 of 2 objects; it would remove Order 99")
  }

  @Test func `a share that is not a number allows nothing`() throws {
    try fill(1...24)
    #expect(
      kind {
        _ = try coder.read(
          [Order].self, from: list([1]), complete: .all, guard: ListGuard(share: .nan))
      } == .incompleteList)
  }

  @Test func `a list with an issue is refused and one with a repeated element is not`() throws {
    try fill(1...3)
    let data = Data(#"[{"id":1,"total":"x"},{"id":2}]"#.utf8)
    #expect(
      message { _ = try coder.read([Order].self, from: data, complete: .all) }
        == "(Order): the list may be incomplete: it has an issue: [0].total (Order.total, id 1): "
        + "expected Int, found string \"x\" at line 1, column 18; it would remove Order 3")
    #expect(ids == [1, 2, 3])
    let repeated = try coder.read([Order].self, from: list([1, 2, 1]), complete: .all)
    #expect((repeated.merged, repeated.deleted) == (1, 1))
  }

  @Test func `a skipped element is refused`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    try coder.decodeArray(Order.self, #"[{"id":1},{"id":2}]"#)
    #expect(
      kind {
        _ = try coder.read(
          [Order].self, from: Data(#"[{"id":1},{"id":"x"}]"#.utf8), complete: .all)
      } == .incompleteList)
    #expect(coder.store.objects(Order.self).count == 2)
  }

  @Test(
    arguments: [
      (#"null"#, nil), (#"false"#, nil), (#""""#, nil), (#"[]"#, nil), (#"{}"#, nil),
      (#""/orders?page=2""#, #""/orders?page=2""#), ("true", "true"), ("2", "2"), ("0", "0"),
    ] as [(String, String?)])
  func `a value that indicates more pages is refused`(value: String, shown: String?) throws {
    try fill(1...2)
    let data = Data(#"{"orders":[{"id":1}],"paging":{"next":\#(value)}}"#.utf8)
    #expect(
      message {
        _ = try coder.read(
          [Order].self, from: data, at: "orders", complete: .all,
          guard: ListGuard(morePaths: ["paging.next", "more"]))
      }
        == (shown.map {
          "(Order): the list may be incomplete: 'paging.next' is \($0); it would remove Order 2"
        } ?? "no error"))
    #expect(ids == (shown == nil ? [1] : [1, 2]))
  }

  @Test func `a refused list leaves an enclosing write as it was`() throws {
    try fill(1...2)
    try store.write {
      try store.create(Order.self, value: ["id": 3])
      #expect(
        kind { _ = try coder.read([Order].self, from: list([9]), complete: .where { $0.id < 5 }) }
          == .incompleteList)
      #expect(ids == [1, 2, 3])
      try coder.read([Order].self, from: list([1, 3]), complete: .where { $0.id < 5 })
    }
    #expect(ids == [1, 3])
  }

  @Test func `no prefix of a list removes an object`() throws {
    try fill(1...4)
    let data = list(1...4)
    for count in 0..<data.count {
      #expect(throws: StoreCodingError.self) {
        try coder.read([Order].self, from: data.prefix(count), complete: .all)
      }
    }
    #expect(ids == [1, 2, 3, 4])
  }

  @Test func `a mistake in the condition is reported`() throws {
    #expect(
      throws: StoreError.self
    ) { try coder.read([Order].self, from: list([1]), complete: .filter("nota == 1")) }
    #expect(ids.isEmpty)
  }

  // MARK: - Pages

  @Test func `the missing objects of pages are removed at the end`() throws {
    try fill(1...6)
    let pages = try coder.pages(of: Order.self, complete: .all)
    try pages.read(list([1, 2]))
    try store.write { try store.create(Order.self, value: ["id": 50]) }
    try pages.read(list([5, 7]))
    #expect(ids == [1, 2, 3, 4, 5, 6, 50, 7])
    #expect(try pages.finish() == 3)
    #expect(ids == [1, 2, 5, 50, 7], "an object that is inserted between pages stays")
    #expect(
      message { _ = try pages.finish() }
        == "the list may be incomplete: its pages were finished before")
  }

  @Test func `pages of a write that is rolled back remove nothing`() throws {
    try fill(1...6)
    struct Failure: Error {}
    let pages = try coder.pages(of: Order.self, complete: .all)
    try? store.write {
      try pages.read(list([7]))
      throw Failure()
    }
    #expect(
      message { _ = try pages.finish() }
        == "the list may be incomplete: the write with one of its pages was rolled back")
    let others = try coder.pages(of: Order.self, complete: .all)
    try store.write {
      try others.read(list([1, 2]))
      try? store.write {
        try others.read(list([3]))
        throw Failure()
      }
    }
    #expect(throws: StoreCodingError.self) { try others.finish() }
    #expect(ids == [1, 2, 3, 4, 5, 6])
    let kept = try coder.pages(of: Order.self, complete: .all)
    try store.write { try kept.read(list([1, 2])) }
    #expect(try kept.finish() == 4)
  }

  @Test func `a refused page removes nothing`() throws {
    try fill(1...4)
    let pages = try coder.pages(of: Order.self, complete: .all)
    try pages.read(list([1]))
    #expect(throws: StoreCodingError.self) { try pages.read(Data("[".utf8)) }
    #expect(
      message { try pages.read(list([1])) }
        == "the list may be incomplete: one of its pages was refused")
    #expect(
      message { _ = try pages.finish() }
        == "the list may be incomplete: one of its pages was refused")
    #expect(ids == [1, 2, 3, 4])
  }

  @Test func `pages may indicate more except the last`() throws {
    try fill(1...4)
    func page(_ ids: [Int], _ next: String) -> Data {
      Data(#"{"orders":\#(list(ids).text),"next":\#(next)}"#.utf8)
    }
    func pages(_ texts: Data...) throws -> Int {
      let pages = try coder.pages(
        of: Order.self, at: "orders", complete: .all, guard: ListGuard(morePaths: ["next"]))
      for text in texts { try pages.read(text) }
      return try pages.finish()
    }
    #expect(
      message { _ = try pages(page([1, 2], "2"), page([3], "3")) }
        == "(Order): the list may be incomplete: 'next' is 3; it would remove Order 4")
    #expect(ids == [1, 2, 3, 4])
    #expect(try pages(page([1, 2], "2"), page([3], "null")) == 1)
    #expect(message { _ = try pages() } == "the list may be incomplete: no page was read")
    #expect(
      message { _ = try pages(page([], "null")) }
        == "(Order): the list may be incomplete: it is empty; it would remove Order 1, Order 2, Order 3"
    )
    #expect(
      message {
        _ = try coder.pages(of: Order.self, complete: .all, guard: ListGuard(morePaths: ["a..b"]))
      } == "morePaths: 'a..b' is not a valid path")
  }

  /// Rows 1 to 5; the server deletes row 1 after the first page, so that row 4 moves to this page.
  @Test(
    arguments: [
      (
        #"{"items":[{"id":1},{"id":2},{"id":3}],"count":5}"#, #"{"items":[{"id":5}],"count":4}"#,
        "it has 4 of the 5 elements at 'count'"
      ),
      (
        #"{"items":[{"id":1},{"id":2},{"id":3}],"count":3}"#,
        #"{"items":[{"id":3},{"id":4}],"count":5}"#,
        "it has 4 of the 5 elements at 'count'"
      ),
      (
        #"{"items":[{"id":1}]}"#, #"{"items":[{"id":2},{"id":3},{"id":4}]}"#,
        "it states no total at 'count'"
      ),
      (
        #"{"items":[{"id":1},{"id":2}],"count":"4"}"#, #"{"items":[{"id":3},{"id":4}],"count":4}"#,
        #"'count' is "4", not a whole number of 0 or more"#
      ),
      (
        #"{"items":[{"id":1},{"id":2}],"count":4.5}"#, #"{"items":[{"id":3},{"id":4}]}"#,
        "'count' is 4.5, not a whole number of 0 or more"
      ),
      (
        #"{"items":[{"id":1},{"id":2}],"count":-1}"#, #"{"items":[{"id":3},{"id":4}]}"#,
        "'count' is -1, not a whole number of 0 or more"
      ),
      (#"{"items":[{"id":1},{"id":2}],"count":4}"#, #"{"items":[{"id":3},{"id":4}]}"#, nil),
      (
        #"{"items":[{"id":1},{"id":2}],"count":3}"#, #"{"items":[{"id":3},{"id":4}],"count":2}"#,
        nil
      ),
    ] as [(String, String, String?)])
  func `pages with fewer objects than a stated total remove nothing`(
    first: String, second: String, reason: String?
  ) throws {
    try fill(1...5)
    let limits = ListGuard(totalPath: "count")
    let pages = try coder.pages(of: Order.self, at: "items", complete: .all, guard: limits)
    try pages.read(Data(first.utf8))
    try pages.read(Data(second.utf8))
    guard let reason else {
      #expect(try pages.finish() == 1)
      return
    }
    let error = #expect(throws: StoreCodingError.self) { try pages.finish() }
    #expect(error.map { "\($0)" }?.contains("the list may be incomplete: \(reason)") == true)
    #expect(store.objects(Order.self).count == 5)
  }

  @Test func `keys in two normal forms count twice for a stated total`() throws {
    let list = Data("{\"total\":2,\"items\":[{\"id\":\"\u{e9}\"},{\"id\":\"e\u{301}\"}]}".utf8)
    let result = try coder.read(
      [EditTask].self, from: list, at: "items", complete: .all,
      guard: ListGuard(totalPath: "total"))
    #expect(result.elementCount == 2)
  }

  @Test func `elements that were deleted locally count for a stated total`() throws {
    let list = Data(#"{"total":3,"items":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#.utf8)
    let request = store.holdVersion()
    func read(asOf version: StoreVersion? = nil) throws -> ReadResult<EditTask> {
      try coder.read(
        [EditTask].self, from: list, at: "items", complete: .all,
        guard: ListGuard(totalPath: "total"), asOf: version)
    }
    _ = try read()
    try store.write { store.delete(store.objects(EditTask.self)) }
    #expect(try read().deletedLocally.count == 3)
    for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    #expect(try read(asOf: request).deletedLocally.count == 3)
  }

  @Test(arguments: ["deleted", "restored", "created again"])
  func `an element of two pages counts once for a stated total if it is deleted in between`(
    change: String
  ) throws {
    let all = Data(#"[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]"#.utf8)
    try coder.decodeArray(EditTask.self, from: all)
    func task() throws -> EditTask {
      try #require(store.object(ofType: EditTask.self, forPrimaryKey: "b"))
    }
    if change == "restored" { try store.write { store.delete(try task()) } }
    let pages = try coder.pages(
      of: EditTask.self, at: "items", complete: .all, guard: ListGuard(totalPath: "total"))
    try pages.read(Data(#"{"total":3,"items":[{"id":"a"},{"id":"b"}]}"#.utf8))
    if change == "restored" {
      try store.revertDeletion(of: EditTask.self, key: "b")
    } else {
      try store.write { store.delete(try task()) }
    }
    if change == "created again" {
      try store.write { try store.create(EditTask.self, value: ["id": "b"]) }
    }
    try pages.read(Data(#"{"total":3,"items":[{"id":"b"}]}"#.utf8))
    let error = #expect(throws: StoreCodingError.self) { try pages.finish() }
    #expect(error.map { "\($0)" }?.contains("it has 2 of the 3 elements at 'total'") == true)
    #expect(store.objects(EditTask.self).where { $0.id.in(["c", "d"]) }.count == 2)
  }

  @Test func `a repeated element that was deleted locally counts once for a stated total`() throws {
    let request = store.holdVersion()
    try store.write(as: .server) {
      for id in ["a", "b", "c"] { try store.create(EditTask.self, value: ["id": .string(id)]) }
    }
    let task = try #require(store.object(ofType: EditTask.self, forPrimaryKey: "a"))
    try store.write { store.delete(task) }
    for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    let list = Data(#"{"total":3,"items":[{"id":"a"},{"id":"b"},{"id":"a"}]}"#.utf8)
    let error = #expect(throws: StoreCodingError.self) {
      try coder.read(
        [EditTask].self, from: list, at: "items", complete: .all,
        guard: ListGuard(totalPath: "total"), asOf: request)
    }
    #expect(error.map { "\($0)" }?.contains("it has 2 of the 3 elements at 'total'") == true)
    #expect(store.objects(EditTask.self).count == 2)
  }

  @Test func `a page in batches states its total after its elements`() async throws {
    try fill(1...4)
    let text = #"{"items":[{"id":1},{"id":2},{"id":3}],"count":4}"#
    let pages = try coder.pages(
      of: Order.self, at: "items", complete: .all, guard: ListGuard(totalPath: "count"))
    try await pages.readAll(from: CutBytes(text.utf8, every: 5), size: 1)
    let error = #expect(throws: StoreCodingError.self) { try pages.finish() }
    #expect(error.map { "\($0)" }?.contains("it has 3 of the 4 elements at 'count'") == true)
  }

  @Test func `a path to a total must be a path`() {
    let error = #expect(throws: StoreCodingError.self) {
      try coder.pages(of: Order.self, complete: .all, guard: ListGuard(totalPath: "/a~2"))
    }
    #expect(error.map { "\($0)" }?.contains("totalPath: ") == true)
  }

  @Test func `the pages of an owner's list become the list at the end`() throws {
    let order = try coder.decode(Order.self, #"{"id":1,"lines":[{"id":1},{"id":2},{"id":3}]}"#)
    let pages = try coder.pages(of: Shop.Line.self, complete: .of(order, \.lines))
    try pages.read(lines(5))
    try pages.read(lines(1))
    #expect(order.lines.map(\.id) == [1, 2, 3])
    #expect(try pages.finish() == 2)
    #expect(order.lines.map(\.id) == [5, 1])
    let more = try coder.pages(of: Shop.Line.self, complete: .of(order, \.lines))
    try more.read(lines(5, 1, 9))
    try store.write { store.delete(order.lines[0]) }
    #expect(try more.finish() == 0)
    #expect(order.lines.map(\.id) == [1, 9], "an element that was deleted since is left out")
  }

  // MARK: - Against a model

  @Test(arguments: SeededRandom.seeds(1...10))
  func `random lists have the effect on a dictionary`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var model: [Int: String] = [:]
    for _ in 0..<60 {
      let named = (0..<random.below(12)).map { _ in 1 + random.below(12) }
      let group = ["a", "b"][random.below(2)]
      let stray = random.once(in: 8) ? "c" : group
      let elements = named.enumerated().map {
        #"{"id":\#($1),"note":"\#($0 == 0 ? stray : group)"}"#
      }
      let data = Data("[\(elements.joined(separator: ","))]".utf8)
      let isAll = random.once(in: 3)
      var next = model
      for (index, id) in named.enumerated() { next[id] = index == 0 ? stray : group }
      let outside = !isAll && named.contains { next[$0] != group }
      let scope = model.filter { isAll || $0.value == group }
      let missing = scope.keys.filter { !named.contains($0) }
      let isRefused =
        outside || named.isEmpty && !missing.isEmpty
        || missing.count > 2 && missing.count * 2 > scope.count
      do {
        let result = try coder.read(
          [Order].self, from: data, complete: isAll ? .all : .where { $0.note == group },
          guard: ListGuard(count: 2))
        #expect(!isRefused)
        #expect(result.deleted == missing.count)
        for id in missing { next[id] = nil }
        model = next
      } catch let error as StoreCodingError {
        #expect(isRefused && error.kind == .incompleteList, "\(error)")
      }
      let stored = store.objects(Order.self).map { ($0.id, $0.note ?? "") }
      #expect(Dictionary(uniqueKeysWithValues: stored) == model)
    }
  }
}
