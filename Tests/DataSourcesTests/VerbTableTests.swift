import DataSources
import Foundation
import ObjectStore
import Testing

/// All combinations of queries, verbs and sources.
@Suite struct `Verbs and queries` {
  static let queries: [(String, any Query)] = [
    ("void", VoidQuery()), ("all", AllObjectsQuery()), ("id", IdQuery("a")),
    ("other id", IdQuery("z")), ("ids", IdsQuery(["a", "z"])),
    ("object", ObjectQuery(ItemEntity(id: "a"))), ("objects", ObjectsQuery([ItemEntity(id: "a")])),
    ("page", PaginationOffsetLimitQuery(offset: 0, limit: 1)),
    ("predicate", StorePredicate(Item.self) { $0.text == "apple" }),
    ("search", SearchTextQuery(text: "apple")), ("unheard", UnheardQuery()),
  ]

  /// Each cell is `+` and the text or the number of the returned values, `0` for notFound, `-` for queryNotSupported,
  /// or `!` for illegalArgument.
  private func table<S: DataSource>(
    _ make: () async throws -> S
  ) async throws -> String where S.Value == ItemEntity {
    var lines: [String] = []
    for (name, query) in Self.queries {
      var cells: [String] = []
      for verb in 0..<6 {
        let source = try await make()
        do {
          switch verb {
          case 0: cells.append("+\(try await source.get(query).text)")
          case 1: cells.append("+\(try await source.getAll(query).count)")
          case 2:
            cells.append(
              "+\(try await source.put(ItemEntity(id: "a", text: "new"), in: query).text)")
          case 3:
            let values = [ItemEntity(id: "a", text: "n"), ItemEntity(id: "z", text: "m")]
            cells.append("+\(try await source.putAll(values, in: query).count)")
          case 4:
            try await source.delete(query)
            cells.append("+")
          default:
            try await source.deleteAll(query)
            cells.append("+")
          }
        } catch DataSourceError.notFound {
          cells.append("0")
        } catch DataSourceError.queryNotSupported {
          cells.append("-")
        } catch DataSourceError.illegalArgument {
          cells.append("!")
        }
      }
      lines.append("\(name): " + cells.joined(separator: " "))
    }
    return lines.joined(separator: "\n")
  }

  @Test func `a store supports ids, predicates, pages and puts by primary key`() async throws {
    let table = try await table {
      let source = itemSource()
      try await source.putAll([ItemEntity(id: "a", text: "apple"), ItemEntity(id: "b", text: "b")])
      return source
    }
    #expect(
      table == """
        void: - - +new +2 - -
        all: - +2 +new +2 + +
        id: +apple - +new - + +
        other id: 0 - ! - + +
        ids: - +1 - +2 + +
        object: - - +new +2 + +
        objects: - - +new +2 + +
        page: - +1 +new +2 + +
        predicate: +apple +1 +new +2 + +
        search: +apple +1 +new +2 + +
        unheard: - - +new +2 - -
        """)
  }

  @Test func `an in-memory source supports keyed queries`() async throws {
    let table = try await table {
      let source = InMemoryDataSource<ItemEntity>()
      try await source.put(ItemEntity(id: "a", text: "apple"), forId: "a")
      try await source.putAll([ItemEntity(id: "b"), ItemEntity(id: "c")], forId: "list")
      return source
    }
    #expect(
      table == """
        void: - - - - - -
        all: - +3 - +2 + +
        id: +apple 0 +new +2 + +
        other id: 0 0 +new +2 + +
        ids: - +1 - +2 + +
        object: 0 0 +new +2 - -
        objects: - - - - - -
        page: 0 0 +new +2 + +
        predicate: - - - - - -
        search: - - - - - -
        unheard: - - - - - -
        """)
  }

  @Test func `a network source supports queries with a route`() async throws {
    let table = try await table {
      NetworkDataSource<ItemEntity>(
        base: try nowhere(),
        transport: ScriptedTransport { request, _ in
          switch (request.method, request.url.path) {
          case (.get, "/api/items"): .init(200, #"[{"text":"apple","serverId":1}]"#)
          case (.get, "/api/items/a"): .init(200, #"{"text":"apple","serverId":1}"#)
          case (.put, _), (.post, _), (.delete, "/api/items/a"): .init(204)
          default: .init(404)
          }
        },
        routes: [
          .get(IdQuery<String>.self) { "items/\($0.id)" },
          .getAll(AllObjectsQuery.self) { _ in "items" },
          .put(IdQuery<String>.self) { "items/\($0.id)" },
          .put(VoidQuery.self, by: .post) { _ in "items" },
          .putAll(AllObjectsQuery.self) { _ in "items" },
          .delete(IdQuery<String>.self) { "items/\($0.id)" },
          .deleteAll(SearchTextQuery.self) { "items?text=\($0.text)" },
        ], coding: .json())
    }
    #expect(
      table == """
        void: - - +new - - -
        all: - +1 - +2 - -
        id: +apple - +new - + -
        other id: 0 - +new - + -
        ids: - - - - - -
        object: - - - - - -
        objects: - - - - - -
        page: - - - - - -
        predicate: - - - - - -
        search: - - - - - +
        unheard: - - - - - -
        """)
  }

  @Test func `the error for an unsupported query names the query, the verb and the source`() async {
    let store = itemSource()
    #expect(
      await text { _ = try await store.getAll(UnheardQuery()) }
        == "StoreDataSource<ItemEntity, Item> does not support 'getAll' with UnheardQuery")
    let memory = InMemoryDataSource<Int>()
    #expect(
      await text { try await memory.put(1) }
        == "InMemoryDataSource<Int> does not support 'put' with VoidQuery")
    #expect(
      await text { try await memory.delete(UnheardQuery()) }
        == "InMemoryDataSource<Int> does not support 'delete' with UnheardQuery")
  }
}
