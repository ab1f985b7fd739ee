import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import DataSources

/// The values found by ids of different types and collections.
@Suite struct `Ids of different types` {
  struct Named: Identifiable, Hashable, Sendable {
    var id: String
    var text = ""
  }

  /// A value that is not Equatable.
  struct Plain: Identifiable, Sendable {
    var id: Int
  }

  struct Draft: Identifiable, Hashable, Sendable {
    var id: Int?
  }

  private func memory(_ ids: [String]) async throws -> InMemoryDataSource<Named> {
    let source = InMemoryDataSource<Named>()
    try await source.putAll(ids.map { Named(id: $0) }, forIds: ids)
    return source
  }

  @Test func `the keys of edits and changes are ids`() async throws {
    let source = try await memory(["x7"])
    #expect(try await source.get(UpdateValue.string("x7")).id == "x7")
    #expect(IdQuery(UpdateValue.int(7)).key == IdQuery(7).key)
    #expect(try KeySearch.key(UpdateValue.int(7), of: PetObject.self) as? Int64 == 7)
  }

  // MARK: - Collections

  @Test func `values are found and deleted by ids in any collection`() async throws {
    let ids = ["a", "b", "c", "d", "e", "f"]
    let source = try await memory(ids)
    let repository = SingleDataSourceRepository(source)
    #expect(try await source.getAll(ids.prefix(2)).map(\.id) == ["a", "b"])
    #expect(try await source.getAll(Set(["c"])).map(\.id) == ["c"])
    #expect(try await repository.getAll(ids.suffix(2)).map(\.id) == ["e", "f"])
    #expect(try await repository.getAll(Set(["c"])).map(\.id) == ["c"])
    try await source.delete(ids.prefix(1))
    try await source.delete(Set(["b"]))
    try await repository.delete(ids[2..<3])
    try await repository.delete(Set(["d"]))
    try await repository.delete(ContiguousArray(["e"]))
    #expect(try await source.getAll(ContiguousArray(["e", "f"])).map(\.id) == ["f"])
    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == ["f"])
    let numbered = InMemoryDataSource<Plain>()
    try await numbered.putAll((1...5).map { Plain(id: $0) }, forIds: Array(1...5))
    try await numbered.delete(2...4)
    #expect(try await numbered.getAll(1..<5).map(\.id) == [1])
  }

  @Test func `a dictionary is refused as an id`() async throws {
    let source = try await memory(["a"])
    let repository = SingleDataSourceRepository(source)
    let ids = ["a": 1]
    let message =
      "'Dictionary<String, Int>' is a collection and not an id: pass the ids as an Array or a Set"
    #expect(await text { try await source.delete(ids) } == message)
    #expect(await text { try await repository.delete(ids) } == message)
    #expect(await text { _ = try await source.getAll(ids) } == message)
    #expect(await text { _ = try await repository.getAll(ids) } == message)
    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == ["a"])
  }

  @Test func `a string or Data is one id and not a collection of ids`() async throws {
    let source = try await memory(["a"])
    try await source.putAll([Named(id: "c")], forId: "list")
    #expect(try await source.getAll("list").map(\.id) == ["c"])
    #expect(try await SingleDataSourceRepository(source).getAll("list").map(\.id) == ["c"])
    try await source.delete("list")
    try await source.delete("a".prefix(1))
    try await source.putAll([Named(id: "b")], forId: Data([1]))
    try await source.delete(Data([1]))
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
  }

  private struct Tags: Query, Hashable, RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { 1 }
    subscript(index: Int) -> String { "a" }
  }

  @Test func `a query that is a collection of ids is a query`() async throws {
    func check<S: GetDataSource & DeleteDataSource>(_ source: S, _ verb: String) async {
      let message = "InMemoryDataSource<Named> does not support '\(verb)' with Tags"
      #expect(
        await text {
          if verb == "delete" {
            try await source.delete(Tags())
          } else {
            _ = try await source.getAll(Tags())
          }
        } == message)
    }
    let source = try await memory(["a"])
    for verb in ["delete", "getAll"] {
      await check(source, verb)
      await check(SingleDataSourceRepository(source), verb)
    }
    #expect(
      await text { _ = try await SingleDataSourceRepository(source).getAll(Tags()) }
        == "InMemoryDataSource<Named> does not support 'getAll' with Tags")
  }

  /// To the compiler, an optional array is one optional id.
  @Test func `an optional collection of ids is refused`() async throws {
    let source = try await memory(["a"])
    let repository = SingleDataSourceRepository(source)
    let array: [String]? = ["a"]
    let slice: ArraySlice<String>? = ["a"]
    let set: Set<String>? = ["a"]
    func message(_ type: Any.Type) -> String {
      "an optional '\(type)' is a collection and not an id: unwrap it"
    }
    let ofArray = message([String].self)
    #expect(await text { try await source.delete(array) } == ofArray)
    #expect(
      await text { try await source.delete(slice) } == message(ArraySlice<String>.self))
    #expect(await text { try await source.delete(set) } == message(Set<String>.self))
    #expect(await text { _ = try await source.getAll(array) } == ofArray)
    #expect(await text { try await repository.delete(array) } == ofArray)
    #expect(await text { _ = try await repository.getAll(array) } == ofArray)
    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == ["a"])
  }

  // MARK: - Optional

  @Test func `optional ids are accepted unless one is nil`() async throws {
    let ids: [String?] = ["a", "b"]
    let one: String? = "a"
    let transport = ScriptedTransport([.success(NetworkResponse(200, "[]"))])
    let network = NetworkDataSource<ItemEntity>(
      base: try nowhere(), transport: transport,
      routes: [
        .getAll(IdsQuery<String>.self) { "items?ids=\($0.ids.joined(separator: ","))" },
        .getAll(IdQuery<String>.self) { "lists/\($0.id)" },
        .putAll(IdsQuery<String>.self) { "items?ids=\($0.ids.joined(separator: ","))" },
        .putAll(IdQuery<String>.self) { "lists/\($0.id)" },
        .delete(IdsQuery<String>.self) { "items?ids=\($0.ids.joined(separator: ","))" },
      ], coding: .json())
    let repository = SingleDataSourceRepository(network)
    for _ in 1...2 {
      _ = try await network.getAll(ids)
      _ = try await network.getAll(one)
      try await network.putAll([ItemEntity(), ItemEntity()], forIds: ids)
      try await network.putAll([], forId: one)
      try await network.delete(ids)
    }
    let sent = transport.requests.map {
      "\($0.method.rawValue) \($0.url.relativeString.dropFirst(18))"
    }
    _ = try await repository.getAll(ids)
    _ = try await repository.getAll(one)
    try await repository.putAll([ItemEntity(), ItemEntity()], forIds: ids)
    try await repository.putAll([], forId: one)
    try await repository.delete(ids)
    let again = transport.requests.dropFirst(sent.count).map(\.url)
    #expect(again == transport.requests.prefix(5).map(\.url))
    #expect(
      sent.prefix(5) == [
        "GET items?ids=a%2Cb", "GET lists/a", "PUT items?ids=a%2Cb", "PUT lists/a",
        "DELETE items?ids=a%2Cb",
      ])
    let message = "the id is nil; expected a value of type String"
    #expect(await text { _ = try await network.getAll([one, nil]) } == message)
    #expect(await text { try await repository.delete([one, nil]) } == message)
    #expect(await text { _ = try await network.getAll(String?.none) } == message)
  }

  @Test func `the error for a missing route contains the type of the ids`() async throws {
    let network = NetworkDataSource<ItemEntity>(
      base: try nowhere(), routes: [.delete(IdsQuery<String>.self) { _ in "items" }],
      coding: .json())
    #expect(
      await text { try await network.delete([1, 2]) }
        == "NetworkDataSource<ItemEntity> does not support 'delete' with IdsQuery<Int> of 2")
  }

  // MARK: - Queries by value

  @Test func `queries by value use the ids of Identifiable values`() async throws {
    let source = try await memory(["a", "b", "c", "d"])
    try await source.delete(ObjectQuery(Named(id: "a", text: "another")))
    try await source.delete(ObjectsQuery([Named(id: "b"), Named(id: "c"), Named(id: "z")]))
    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == ["d"])
    let plain = InMemoryDataSource<Plain>()
    try await plain.put(Plain(id: 1), forId: 1)
    try await plain.put(Plain(id: 2), forId: 2)
    try await plain.delete(ObjectQuery(Plain(id: 1)))
    #expect(try await plain.getAll(AllObjectsQuery()).map(\.id) == [2])
    try await source.put(Named(id: "e"), in: ObjectQuery(Named(id: "e")))
    #expect(try await source.get("e") == Named(id: "e"))
  }

  @Test func `deleting by a value that has no id throws an error`() async throws {
    let source = InMemoryDataSource<ItemEntity>()
    let item = ItemEntity(id: "a")
    try await source.put(item, forId: "a")
    for verb in ["delete", "deleteAll"] {
      #expect(
        await text {
          if verb == "delete" {
            try await source.delete(ObjectQuery(item))
          } else {
            try await source.deleteAll(ObjectQuery(item))
          }
        }
          == "InMemoryDataSource<ItemEntity> does not support '\(verb)' with ObjectQuery<ItemEntity>"
      )
    }
    #expect(try await source.getAll(AllObjectsQuery()) == [item])
    let drafts = InMemoryDataSource<Draft>()
    #expect(
      await text { try await drafts.delete(ObjectQuery(Draft())) }
        == "InMemoryDataSource<Draft> does not support 'delete' with ObjectQuery<Draft>")
    let server = ItemServer(["a"])
    let repository = CacheRepository(main: server, cache: source)
    #expect(
      await text { try await repository.delete(ObjectQuery(item)) }
        == "InMemoryDataSource<ItemEntity> does not support 'delete' with ObjectQuery<ItemEntity>")
    #expect(await server.takeLog() == [])
  }

  // MARK: - Unicode

  /// Ids that are equal as Swift strings, but different for a store or a server.
  private static let forms = ["caf\u{e9}", "cafe\u{301}"]

  @Test func `canonically equivalent ids are different ids`() async throws {
    let items = Self.forms.map { ItemEntity(id: $0, text: "\($0.utf8.count)") }
    let server = InMemoryDataSource<ItemEntity>()
    for (id, item) in zip(Self.forms, items) { try await server.put(item, forId: id) }
    func check<Cache: GetDataSource & PutDataSource>(_ cache: Cache) async throws
    where Cache.Value == ItemEntity {
      let repository = CacheRepository(main: server, cache: cache)
      for _ in 1...2 {
        #expect(try await Self.texts { try await repository.get($0).text } == ["5", "6"])
        #expect(
          try await Self.texts { try await repository.getAll([$0]).map(\.text).joined() }
            == ["5", "6"])
      }
    }
    try await check(itemSource())
    try await check(InMemoryDataSource<ItemEntity>())
  }

  private static func texts(_ body: (String) async throws -> String) async throws -> [String] {
    var texts: [String] = []
    for form in forms { texts.append(try await body(form)) }
    return texts
  }
}
