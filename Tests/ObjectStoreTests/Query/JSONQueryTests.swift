import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Queries of JSON attributes` {
  /// A custom type stored as JSON.
  struct Label: CustomPersistable, Hashable {
    let text: String
    init(_ text: String) { self.text = text }
    init(persistedValue: JSONValue) { text = persistedValue.stringValue ?? "" }
    var persistableValue: JSONValue { .string(text) }
  }

  final class Barn: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var extra: JSONValue
    @Persisted var maybe: JSONValue?
    @Persisted var label = Label("")
    @Persisted var history: List<JSONValue>
    @Persisted var next: Barn?
  }

  /// Three barns, each linked to the previous one. The first has only default values.
  private func makeStore(inFile url: URL? = nil) throws -> Store {
    let configuration = url.map { StoreConfiguration.file($0) } ?? .inMemory()
    let store = try ObjectStore.Store(configuration: configuration)
    try store.write {
      let first = try store.create(Barn.self, value: ["id": 1])
      let second = try store.create(Barn.self, value: ["id": 2])
      second.extra = ["color": "red", "doors": [1, 2.5]]
      (second.maybe, second.label, second.next) = (.null, Label("old"), first)
      second.history = [1, "one"]
      let third = try store.create(Barn.self, value: ["id": 3])
      (third.extra, third.maybe, third.label, third.next) = (1, "one", Label("new"), second)
      third.history = [[1, 2], nil]
    }
    return store
  }

  @Test(arguments: [false, true])
  func `the closure form compares whole JSON values`(inFile: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = try makeStore(inFile: inFile ? folder.file("barns.store") : nil)
    func ids(_ condition: (QueryPath<Barn>) -> some _QueryCondition) -> [Int] {
      store.objects(Barn.self).where(condition).map(\.id)
    }
    #expect(ids { $0.extra == ["doors": [1, 2.5], "color": "red"] } == [2])
    #expect(ids { $0.extra != ["doors": [1, 2.5], "color": "red"] } == [1, 3])
    #expect(ids { $0.extra == ["color": "red"] } == [])
    #expect(ids { $0.extra == 1 } == [3])
    #expect(ids { $0.extra == 1.0 } == [])
    #expect(ids { $0.extra == .null } == [1])
    #expect(ids { $0.extra == nil } == [1])
    #expect(ids { $0.maybe == nil } == [1])
    #expect(ids { $0.maybe == .null } == [2])
    #expect(ids { $0.maybe != "one" } == [1, 2])
    #expect(ids { $0.extra.in([1, .null]) } == [1, 3])
    #expect(ids { $0.maybe.in([nil, "one"]) } == [2, 3])
    let values: [JSONValue?] = [nil, "one"]
    #expect(ids { $0.maybe.in(values) } == [1, 3])
    #expect(ids { $0.label == Label("old") } == [2])
    #expect(ids { $0.label != Label("old") } == [1, 3])
    #expect(ids { $0.next.extra == 1 || $0.next.label == Label("old") } == [3])
    #expect(ids { $0.next.extra == nil } == [2])
    #expect(ids { $0.history.contains([1, 2]) } == [3])
    #expect(ids { $0.history.any { $0 == "one" } } == [2])
    #expect(ids { $0.history.all { $0 != "one" } } == [1, 3])
    #expect(ids { barn in barn.next.history.any { $0 == barn.extra } } == [3])
    #expect(ids { $0.extra == $0.maybe } == [])
  }

  @Test(arguments: [false, true])
  func `the format form compares with JSON values and plain values`(inFile: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = try makeStore(inFile: inFile ? folder.file("barns.store") : nil)
    func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
      try store.objects(Barn.self).filter(StorePredicate(format, arguments: arguments))
        .map(\.id)
    }
    let value: JSONValue = ["color": "red", "doors": [1, 2.5]]
    #expect(try ids("extra == %@", value) == [2])
    #expect(try ids("extra == CAST('{\"doors\": [1, 2.5], \"color\": \"red\"}', 'JSON')") == [2])
    #expect(try ids("extra == 1") == [3])
    #expect(try ids("extra != %@", Decimal(1)) == [1, 2])
    #expect(try ids("extra == nil") == [1])
    #expect(try ids("maybe == nil") == [1])
    #expect(try ids("maybe == CAST('null', 'JSON') OR maybe == 'one'") == [2, 3])
    #expect(try ids("extra IN {1, nil}") == [1, 3])
    #expect(try ids("label == 'old'") == [2])
    #expect(try ids("'one' IN history") == [2])
    #expect(try ids("NONE history == nil") == [1, 2, 3])
    #expect(try ids("ANY history == CAST('null', 'JSON')") == [3])
    #expect(store.objects(Barn.self).index(matching: { $0.extra == 1 }) == 2)
  }

  @Test(arguments: [false, true])
  func `numbers of whole JSON values match in any notation`(inFile: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = try Store(
      configuration: inFile ? .file(folder.file("barns.store")) : .inMemory())
    try store.write {
      let barn = try store.create(Barn.self, value: ["id": 1])
      (barn.extra, barn.maybe) = (["a": .number("2.50"), "b": [.number("1e2")]], .number("0.40"))
      let other = try store.create(Barn.self, value: ["id": 2])
      (other.extra, other.maybe, other.next) = (["a": 2, "b": [100.0]], 0.4, barn)
    }
    func ids(_ condition: (QueryPath<Barn>) -> some _QueryCondition) -> [Int] {
      store.objects(Barn.self).where(condition).map(\.id)
    }
    func ids(_ format: String) throws -> [Int] {
      try store.objects(Barn.self).filter(format).map(\.id)
    }
    let value: JSONValue = ["a": 2.5, "b": [100.0]]
    #expect(ids { $0.extra == value } == [1])
    #expect(ids { $0.extra == ["a": .number("25e-1"), "b": [.number("1E+2")]] } == [1])
    #expect(ids { $0.extra != value } == [2])
    #expect(ids { $0.extra.in([value, 1]) } == [1])
    #expect(ids { $0.extra.in([["a": 2.5], 1]) } == [])
    #expect(ids { $0.maybe == 0.4 } == [1, 2])
    #expect(ids { $0.maybe.in([0.4, nil]) } == [1, 2])
    #expect(ids { $0.next.maybe == $0.maybe } == [2])
    #expect(ids { $0.extra["b"] == [100.0] } == [1, 2])
    #expect(ids { $0.extra["b"].in([[100.0], [1]]) } == [1, 2])
    #expect(ids { $0.extra["a"] == 2.5 } == [1])
    #expect(try ids("extra == CAST('{\"b\": [1e+2], \"a\": 2.500}', 'JSON')") == [1])
    #expect(try ids("maybe IN {4e-1, 7}") == [1, 2])
  }

  @Test func `each JSON value matches only itself`() throws {
    let store = try ObjectStore.Store(
      configuration: .inMemory(), schemas: [JSONDocuments.schema])
    try store.write { try JSONDocuments.write(store) }
    let documents = try store.objects(dynamic: "Document")
    for (id, value) in JSONDocuments.values.enumerated() {
      let predicate = try StorePredicate("json == %@ AND ANY map == %@", value, value)
      #expect(try documents.filter(predicate).map { $0["id"] as? Int } == [id], "\(predicate)")
      #expect(try StorePredicate(predicate.description) == predicate)
      let data = try JSONEncoder().encode([predicate])
      #expect(try JSONDecoder().decode([StorePredicate].self, from: data) == [predicate])
    }
  }

  @Test func `JSON comparisons joined by OR find each matching object`() throws {
    let store = try makeStore()
    let barns = store.objects(Barn.self).where { barn in
      (1..<20).map { barn.extra == .int($0) }.reduce(barn.id == 1) { $0 || $1 }
    }
    #expect(barns.map(\.id) == [1, 3])
  }

  @Test func `explainQuery shows JSON values as text`() throws {
    let store = try makeStore()
    let barns = store.objects(Barn.self).where { $0.extra == ["a": [1, "b"]] }
    #expect(
      barns.explainQuery() == """
        Barn: every row: 3 candidates
          where extra == CAST("{\\"a\\":[1,\\"b\\"]}", "JSON"): 0 found
        """)
  }

  @Test func `a predicate with a JSON number that is not finite cannot be encoded`() throws {
    let predicate = try StorePredicate("extra == %@", JSONValue.double(.infinity))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([predicate]) }
  }

  @Test(arguments: [
    ("extra < 1", "Barn.extra is JSON, which does not support <"),
    ("extra CONTAINS 'x'", "Barn.extra is JSON, which does not support CONTAINS"),
    ("extra ==[c] 'x'", "Barn.extra is JSON: [c] applies only to strings"),
    (
      "extra.color == 'red'",
      "Barn.extra is JSONValue, which has no attribute 'color'; a member is written extra['color']"
    ),
    ("history.@max == 1", "history is JSON, which does not support @max"),
    ("id == CAST('[1]', 'JSON')", "Barn.id: expected a number, found a JSON value"),
    (
      "extra == CAST('{', 'JSON')",
      "the query \"extra == CAST('{', 'JSON')\": expected JSON text at column 15"
    ),
  ])
  func `unsupported operations on JSON throw an error in the format form`(
    _ format: String, _ message: String
  ) throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(Barn.self).filter(format)
    }
    #expect(error?.description == message)
  }

  @Test func `sorting by a JSON attribute throws an error`() throws {
    let error = #expect(throws: StoreError.self) {
      try Store().objects(Barn.self).sorted(by: [StoreSortDescriptor("extra")])
    }
    #expect(error?.description == "Barn.extra is JSON, which cannot be sorted or sectioned")
  }
}
