import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Attributes that a complete payload lacks` {
  final class Spot: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var floor: Int?
    @Persisted var inner: Spot?
  }

  final class Remark: Object {
    @Persisted var text = ""
    @Persisted var stars = 3
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var age = 1
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = "untitled"
    @Persisted var note: String?
    @Persisted var count = 5
    @Persisted var tags: List<String>
    @Persisted var prices: Map<String, Int>
    @Persisted var spot: Spot?
    @Persisted var spots: List<Spot>
    @Persisted var remarks: MutableSet<Remark>
    @Persisted var owner: Owner?
    @Persisted(json: "meta.owner") var by: String?
    @Persisted(json: "grade", .aliases("rank")) var grade: Int?
    @Persisted(.null(.skip)) var kept: String?
    @Persisted(.mismatch(.skipAttribute)) var lenient: Int?
    @Persisted(.local) var isOpen = true
    @Persisted(.unread) var rest: JSONValue = [:]
    override class var tracksEdits: Bool { true }
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  @discardableResult
  private func item(_ text: String, _ absent: AbsentAttributes = .keep) throws -> Item {
    try coder.decode(Item.self, from: Data(text.utf8), absent: absent)
  }

  private static let full = """
    {"id":7,"title":"a","note":"n","count":2,"tags":["x"],"prices":{"p":1},"spot":{"name":"s","floor":2},\
    "spots":[{"name":"t"}],"remarks":[{"text":"r"}],"owner":{"id":1,"name":"o","age":2},"meta":{"owner":"m"},\
    "grade":1,"kept":"k","lenient":3,"other":{"x":1}}
    """

  // MARK: - Values

  @Test func `a summary keeps what it lacks`() throws {
    let item = try item(Self.full)
    try self.item(#"{"id":7,"title":"b"}"#)
    #expect(
      item.note == "n" && item.tags == ["x"] && item.spot?.floor == 2
        && item.rest == ["other": ["x": 1]])
    #expect(item.isKnown(\.note))
  }

  @Test func `a complete payload clears what it lacks, and the object is whole`() throws {
    let item = try item(Self.full)
    try store.write { item.isOpen = false }
    try self.item(#"{"id":7,"title":"b"}"#, .clear)
    #expect(item.title == "b" && item.note == nil && item.count == 5 && item.by == nil)
    #expect(item.tags.isEmpty && item.prices.isEmpty && item.spot == nil && item.spots.isEmpty)
    #expect(item.remarks.isEmpty && item.owner == nil && item.grade == nil)
    #expect(item.kept == nil && item.lenient == nil && item.rest == [:])
    #expect(!item.isOpen)
    #expect(item.isWhole && item.isKnown(\.note) && item.unknownAttributes == [])
    let frozen = item.frozen()
    #expect(frozen.isKnown(\.note) && frozen.unknownAttributes == [])
    #expect(store.objects(Owner.self).count == 1)
  }

  @Test func `the body of an object leaves out what its complete payload leaves out`() throws {
    try item(Self.full)
    let text =
      #"{"id":7,"title":"b","tags":["y"],"spot":{"name":"s"},"meta":{"owner":"z"},"new":1}"#
    let item = try item(text, .clear)
    #expect(try coder.text(item) == text)
    try store.write { item.note = "w" }
    #expect(
      try coder.text(item)
        == """
        {"id":7,"title":"b","note":"w","tags":["y"],"spot":{"name":"s"},"meta":{"owner":"z"},"new":1}
        """
    )
  }

  @Test func `values that a policy skips are not absent`() throws {
    let item = try item(Self.full)
    try self.item(#"{"id":7,"kept":null,"lenient":"many"}"#, .clear)
    #expect(item.kept == "k" && item.lenient == 3 && item.note == nil)
  }

  @Test func `an attribute is present at any of its paths`() throws {
    let item = try item(#"{"id":7,"rank":4}"#, .clear)
    #expect(item.grade == 4)
    try self.item(#"{"id":7}"#, .clear)
    #expect(item.grade == nil)
  }

  @Test func `a position that an array of a complete payload lacks is cleared`() throws {
    final class Point: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(json: "/at/0") var x: Double?
      @Persisted(json: "/at/1") var y: Double?
      @Persisted var label: String?
    }
    let point = try coder.decode(Point.self, #"{"id":1,"at":[1,2],"label":"l"}"#)
    try coder.decode(Point.self, from: Data(#"{"id":1,"at":[3]}"#.utf8), absent: .clear)
    #expect(point.x == 3 && point.y == nil && point.label == nil && point.isWhole)
    try coder.decode(Point.self, from: Data(#"{"id":1}"#.utf8), absent: .clear)
    #expect(point.x == nil && point.y == nil)
    #expect(try coder.text(point) == #"{"id":1}"#)
  }

  // MARK: - Nested objects

  @Test func `nested objects with a key stay partial, and those without one are whole`() throws {
    let item = try item(
      """
      {"id":7,"spot":{"name":"s","inner":{"name":"i"}},"spots":[{"name":"t"}],"remarks":[{"text":"r"}],
       "owner":{"id":1}}
      """, .clear)
    #expect(item.spot?.isWhole == true && item.spot?.inner?.isWhole == true)
    #expect(item.spots.first?.isWhole == true && item.remarks.allSatisfy { $0.isWhole })
    #expect(item.owner?.unknownAttributes == ["name", "age"])
  }

  @Test func `equal nested objects become whole without a change`() throws {
    let text = #"{"id":7,"spot":{"name":"s"},"spots":[{"name":"t"}],"remarks":[{"text":"r"}]}"#
    let item = try item(text)
    let spot = try #require(item.spot)
    let remark = try #require(Array(item.remarks).first)
    #expect(!spot.isWhole && !remark.isWhole)
    let result = try coder.read(Item.self, from: Data(text.utf8), absent: .clear)
    #expect(result.unchanged == 1 && result.updated == 0)
    #expect(spot.isWhole && remark.isWhole && item.spots.first?.isWhole == true)
    #expect(item.spot == spot && item.isWhole)
  }

  // MARK: - Versions and observers

  @Test func `a complete payload that is read again creates no version`() throws {
    let text = #"{"id":7,"title":"b","spot":{"name":"s"}}"#
    try item(text, .clear)
    let version = store.version
    try item(text, .clear)
    #expect(store.version == version)
    try item(#"{"id":7}"#, .clear)
    #expect(store.version != version)
  }

  @Test func `an object that becomes whole is reported to no observer`() throws {
    let item = try item(#"{"id":7,"title":"b"}"#)
    var count = 0
    let tokens = [
      item.observe { _ in count += 1 },
      store.objects(Item.self).observe { if case .update = $0 { count += 1 } },
    ]
    defer { for token in tokens { token.cancel() } }
    store.refresh()
    let result = try coder.read(
      Item.self, from: Data(#"{"id":7,"title":"b"}"#.utf8), absent: .clear)
    store.refresh()
    #expect(item.isWhole && count == 0 && result.unchanged == 1)
  }

  @Test func `a partial payload leaves a whole object whole`() throws {
    let item = try item(#"{"id":7,"title":"b"}"#, .clear)
    try self.item(#"{"id":7,"note":"n"}"#)
    #expect(item.isWhole && item.note == "n")
    #expect(try coder.text(item) == #"{"id":7,"title":"b","note":"n"}"#)
  }

  @Test func `elements of one list with the same key are applied in order`() throws {
    let items = try coder.decodeArray(
      Item.self, from: Data(#"[{"id":7,"note":"a"},{"id":7,"title":"b"}]"#.utf8), absent: .clear)
    #expect(items[0] == items[1] && items[0].note == nil && items[0].title == "b")
  }

  // MARK: - Calls

  private enum Call: CaseIterable {
    case decodeList, decodeArray, completeArray, read, readList, complete, pages, document, keyed
    case counts, plan, planOfList, completePlan, documentPlan, update, updates
  }

  @Test(arguments: Call.allCases)
  private func `each call that decodes takes the meaning of absent attributes`(_ call: Call) throws
  {
    let item = try item(Self.full)
    let object = Data(#"{"id":7}"#.utf8)
    let list = Data(#"[{"id":7}]"#.utf8)
    let document = Data(#"{"items":[{"id":7}]}"#.utf8)
    switch call {
    case .decodeList: try coder.decode([Item].self, from: list, absent: .clear)
    case .decodeArray: try coder.decodeArray(Item.self, from: list, absent: .clear)
    case .completeArray:
      try coder.decodeArray(Item.self, from: list, complete: .all, absent: .clear)
    case .read: _ = try coder.read(Item.self, from: object, absent: .clear)
    case .readList: _ = try coder.read([Item].self, from: list, absent: .clear)
    case .complete: try coder.read([Item].self, from: list, complete: .all, absent: .clear)
    case .pages:
      let pages = try coder.pages(of: Item.self, complete: .all, absent: .clear)
      try pages.read(list)
      _ = try pages.finish()
    case .document: _ = try coder.read(["items": .list(Item.self)], from: document, absent: .clear)
    case .keyed:
      _ = try coder.read(
        ["": .keyed(Item.self)], from: Data(#"{"7":{"id":7}}"#.utf8), absent: .clear)
    case .counts: try coder.readAll([Item].self, from: list, absent: .clear)
    case .plan: _ = try coder.plan(Item.self, from: object, absent: .clear).apply()
    case .planOfList: _ = try coder.plan([Item].self, from: list, absent: .clear).apply()
    case .completePlan:
      _ = try coder.plan([Item].self, from: list, complete: .all, absent: .clear).apply()
    case .documentPlan:
      _ = try coder.plan(["items": .list(Item.self)], from: document, absent: .clear).apply()
    case .update:
      let update = try coder.updateDictionary(for: Item.self, from: object, absent: .clear)
      try store.write(as: .server) {
        try store.create(Item.self, value: update, update: .modified)
      }
    case .updates:
      let updates = try coder.updateDictionaries(for: Item.self, from: list, absent: .clear)
      try store.write(as: .server) {
        try store.create(Item.self, value: updates[0], update: .modified)
      }
    }
    #expect(item.note == nil && item.count == 5 && item.tags.isEmpty && item.spot == nil)
    #expect(item.isWhole)
    #expect(try coder.text(item) == #"{"id":7}"#)
  }

  @Test(arguments: [#"[{"id":7},{"id":8}]"#, "{\"id\":7}\n{\"id\":8}\n"])
  func `streams take the meaning of absent attributes`(_ text: String) async throws {
    let item = try item(Self.full)
    let chunks = AsyncStream<[UInt8]> {
      $0.yield(Array(text.utf8))
      $0.finish()
    }
    for try await batch in coder.batches(of: Item.self, from: chunks, absent: .clear, size: 1) {
      #expect(batch.objects.allSatisfy { $0.isWhole })
    }
    #expect(item.note == nil && item.isWhole)
  }

  @Test func `an update dictionary of a complete payload in a write of the user gives the values`()
    throws
  {
    let item = try item(#"{"id":7,"note":"n","count":2}"#)
    let update = try coder.updateDictionary(
      for: Item.self, from: Data(#"{"id":7}"#.utf8), absent: .clear)
    #expect(update["note"] == .null && update["count"] == .int(5) && update["isOpen"] == nil)
    try store.write { try store.create(Item.self, value: update, update: .modified) }
    #expect(item.note == nil && item.count == 5 && item.isWhole)
    let edit = try #require(try store.pendingEdits().first)
    #expect(edit.attributes.contains("note") && edit.attributes.contains("count"))
  }

  @Test func `a complete payload of the user gives the values that absent attributes get`() throws {
    let item = try item(#"{"id":7,"note":"n","count":2}"#)
    var configuration = coder.configuration
    configuration.decodesAs = .user
    try StoreCoder(store: store, configuration: configuration)
      .decode(Item.self, from: Data(#"{"id":7}"#.utf8), absent: .clear)
    #expect(item.note == nil && item.count == 5 && item.isWhole)
    #expect(item.editedAttributes.contains("note"))
  }

  // MARK: - Edits

  @Test func `an edited attribute that a complete payload lacks is a conflict and keeps its value`()
    throws
  {
    let item = try item(Self.full)
    try store.write {
      item.note = "mine"
      item.count = 9
    }
    let result = try coder.read(Item.self, from: Data(#"{"id":7}"#.utf8), absent: .clear)
    #expect(item.note == "mine" && item.count == 9 && item.title == "untitled" && item.isWhole)
    #expect(
      result.conflicts.map { "\($0)" } == [
        #"Item 7: note is "mine", was "n" on the server, now null"#,
        "Item 7: count is 9, was 2 on the server, now 5",
      ])
    let again = try coder.read(Item.self, from: Data(#"{"id":7}"#.utf8), absent: .clear)
    #expect(again.conflicts.isEmpty)
    let edit = try #require(try store.takeEdit(of: item))
    #expect(try coder.encode(edit).text == #"{"id":7,"note":"mine","count":9}"#)
    let patch = try coder.encode(edit, as: .jsonPatch(tests: true)).text
    #expect(
      patch == """
        [{"op":"add","path":"/count","value":9},{"op":"add","path":"/note","value":"mine"}]
        """)
    try store.settle(edit, .reverted)
    #expect(item.note == nil && item.count == 5 && item.isWhole)
    #expect(try coder.text(item) == #"{"id":7}"#)
  }

  @Test func `an edit that is set back to what a complete payload lacks ends`() throws {
    let item = try item(Self.full)
    try store.write { item.note = "mine" }
    try self.item(#"{"id":7}"#, .clear)
    try store.write { item.note = "other" }
    try store.write { item.note = nil }
    #expect(try coder.text(item) == #"{"id":7}"#)
  }

  @Test func `an edit of an attribute that was unknown is no conflict with a complete payload`()
    throws
  {
    let item = try item(#"{"id":7}"#)
    try store.write {
      item.note = "mine"
      item.count = 9
    }
    let result = try coder.read(Item.self, from: Data(#"{"id":7}"#.utf8), absent: .clear)
    #expect(result.conflicts.isEmpty && item.note == "mine" && item.count == 9)
    try store.revertEdits(of: item)
    #expect(item.note == nil && item.count == 5)
    #expect(try coder.text(item) == #"{"id":7}"#)
  }

  @Test func `the response to an edit may be complete`() throws {
    let item = try item(Self.full)
    try store.write { item.note = "mine" }
    let edit = try #require(try store.takeEdit(of: item))
    try coder.settle(
      edit, .confirmed(Data(#"{"id":7,"note":"mine","title":"t"}"#.utf8)), absent: .clear)
    #expect(item.editState == .clean && item.note == "mine" && item.count == 5)
    #expect(try coder.text(item) == #"{"id":7,"title":"t","note":"mine"}"#)
  }

  @Test func `a reverted deletion brings back what a complete payload left`() throws {
    let item = try item(Self.full)
    try store.write { store.delete(item) }
    _ = try coder.read([Item].self, from: Data(#"[{"id":7,"title":"t"}]"#.utf8), absent: .clear)
    try store.revertDeletion(of: Item.self, key: 7)
    let again = try #require(store.object(ofType: Item.self, forPrimaryKey: 7))
    #expect(again.title == "t" && again.note == nil && again.count == 5 && again.tags.isEmpty)
    #expect(try coder.text(again) == #"{"id":7,"title":"t"}"#)
  }

  // MARK: - Files

  @Test func `a file keeps that objects are whole`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("whole.store")
    do {
      let coder = StoreCoder(store: try Store(configuration: .file(url)))
      try coder.decodeArray(
        Item.self, from: Data(#"[{"id":1,"spot":{"name":"s"}},{"id":2}]"#.utf8))
      try coder.decode(
        Item.self, from: Data(#"{"id":1,"spot":{"name":"s"}}"#.utf8), absent: .clear)
    }
    for configuration in [StoreConfiguration.file(url), .file(url, readOnly: true)] {
      let store = try Store(configuration: configuration)
      let items = store.objects(Item.self).sorted(by: \.id)
      #expect(items[0].isWhole && items[0].spot?.isWhole == true)
      #expect(!items[1].isWhole)
      let coder = StoreCoder(store: store)
      #expect(try coder.text(items[0]) == #"{"id":1,"spot":{"name":"s"}}"#)
    }
  }

  @Test func `an attribute that a migration adds is unknown unless the migration assigns it`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("migrated.store")
    let id = Property("id", .int, isPrimaryKey: true)
    let (title, note) = (Property("title", .string), Property("note", .string, isOptional: true))
    let count = Property("count", .int)
    do {
      let store = try Store(
        configuration: .file(url, schemaVersion: 1),
        schemas: [ObjectSchema("Order", [id, title, note])])
      let coder = StoreCoder(store: store)
      for text in [#"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b","note":"n"}"#] {
        try coder.decode(dynamic: "Order", from: Data(text.utf8), absent: .clear)
      }
      try coder.decode(dynamic: "Order", from: Data(#"{"id":3}"#.utf8))
      #expect(try store.objects(dynamic: "Order").map(\.isWhole) == [true, true, false])
    }
    let plain = try Store(
      configuration: .file(url, schemaVersion: 1),
      schemas: [ObjectSchema("Order", [id, title, note])])
    #expect(try plain.objects(dynamic: "Order").map(\.isWhole) == [true, true, false])
    let schema = ObjectSchema("Order", [id, title, note, count])
    func unknown(_ migration: @escaping @Sendable (Migration) throws -> Void) throws -> [[String]] {
      let copy = folder.file("\(UUID()).store")
      try FileManager.default.copyItem(at: url, to: copy)
      let configuration = StoreConfiguration.file(copy, schemaVersion: 2, migration: migration)
      for _ in 1...2 { _ = try Store(configuration: configuration, schemas: [schema]) }
      return try Store(configuration: configuration, schemas: [schema])
        .objects(dynamic: "Order").sorted(by: [StoreSortDescriptor("id")]).map(\.unknownAttributes)
    }
    #expect(try unknown { _ in } == [["note", "count"], ["count"], ["title", "note", "count"]])
    let assigned = try unknown { migration in
      try migration.enumerate("Order") { _, new in
        new["count"] = 4
        if new["id"] as? Int == 3 { new["title"] = "c" }
      }
    }
    #expect(assigned == [["note"], [], ["note"]])
  }

  // MARK: - Random payloads

  /// The members of the server's object that the store should know.
  private struct Model {
    var members: [String: String] = [:]
    var isWhole = false
  }

  @Test(arguments: SeededRandom.seeds(1...4))
  func `random partial and complete payloads leave what a naive model says`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let values: [(name: String, texts: [String])] = [
      ("title", [#""a""#, #""untitled""#]), ("note", ["null", #""n""#]), ("count", ["5", "6"]),
      ("tags", ["[]", #"["x"]"#]), ("spot", ["null", #"{"name":"s"}"#, #"{"floor":1}"#]),
      ("owner", ["null", #"{"id":1}"#, #"{"id":2}"#]),
    ]
    let empty = [
      "title": #""untitled""#, "note": "null", "count": "5", "tags": "[]", "spot": "null",
      "owner": "null",
    ]
    var model = Model()
    let item = try item(#"{"id":7}"#)
    for step in 0..<SeededRandom.steps(120) {
      let isWhole = random.once(in: 3)
      var payload: [String: String] = [:]
      for value in values where random.once(in: 2) {
        payload[value.name] = value.texts[random.below(value.texts.count)]
      }
      let text =
        values.compactMap { value in payload[value.name].map { #","\#(value.name)":\#($0)"# } }
        .joined()
      let result = try coder.read(
        Item.self, from: Data(#"{"id":7\#(text)}"#.utf8), absent: isWhole ? .clear : .keep)
      let before = model.members
      if isWhole { model = Model(isWhole: true) }
      model.members.merge(payload) { $1 }
      func shown(_ members: [String: String]) -> [String: String] {
        empty.merging(members) { $1 }
      }
      #expect((result.updated == 1) == (shown(before) != shown(model.members)), "step \(step)")
      let known = Set(model.members.keys)
      #expect(
        Set(item.unknownAttributes).isDisjoint(with: known)
          && item.isKnown(\.title)
            == (model.isWhole || known.contains("title")),
        "step \(step)")
      #expect(
        item.unknownAttributes.isEmpty == model.isWhole || known.count == values.count,
        "step \(step)")
      // Bodies contain nil only if it is an empty list.
      let body =
        values.compactMap { value -> String? in
          guard let text = model.members[value.name], text != "null" else { return nil }
          return #","\#(value.name)":\#(text)"#
        }.joined()
      #expect(try coder.text(item) == #"{"id":7\#(body)}"#, "step \(step)")
    }
  }
}
