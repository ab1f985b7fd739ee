import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The code in the DataSources article.
@Suite struct `The DataSources article` {
  struct ItemEntity: Codable, Hashable, Sendable {
    var id: String?
    var serverId: Int
    var text: String
  }

  final class Item: IdentifiedObject {
    @Persisted(indexed: true) var serverId = 0
    @Persisted var text = ""
  }

  final class ItemToEntityMapper: Mapper<Item, ItemEntity> {
    override func map(_ from: Item) throws -> ItemEntity {
      ItemEntity(id: from.id, serverId: from.serverId, text: from.text)
    }
  }

  final class EntityToItemMapper: StoreMapper<ItemEntity, Item> {
    override func map(_ from: ItemEntity, in store: Store) throws -> Item {
      let id = from.id ?? Item.findId(key: "serverId", value: from.serverId, in: store)
      let item = Item(id)
      item.serverId = from.serverId
      item.text = from.text
      return item
    }
  }

  struct SearchTextQuery: StoreQuery, Hashable {
    let text: String

    var predicate: StorePredicate {
      StorePredicate(Item.self) { $0.text.contains(text, options: .caseInsensitive) }
    }
  }

  @Test func `the code about values in a store works`() async throws {
    let store = try Store()
    let storage = StoreDataSource(
      store: store, toEntityMapper: ItemToEntityMapper(), toObjectMapper: EntityToItemMapper())

    let milk = try await storage.put(ItemEntity(serverId: 42, text: "milk"))
    try await storage.put(ItemEntity(serverId: 42, text: "oat milk"))  // the same item
    let found = try await storage.get(milk.id)
    let all = try await storage.getAll(AllObjectsQuery())
    let page = try await storage.getAll(PaginationOffsetLimitQuery(offset: 0, limit: 20))
    try await storage.delete(ObjectQuery(milk))

    #expect(found.text == "oat milk")
    #expect(all == [found] && page == all)
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)

    try await storage.put(milk)
    let drinks = try await storage.getAll(SearchTextQuery(text: "MILK"))
    #expect(drinks == [milk])

    let shown = SeenCount()
    let watching = Task {
      @Sendable func show(_ items: [ItemEntity]) {
        if items == [milk] { shown.next() }
      }
      for try await items in storage.observe(SearchTextQuery(text: "milk")) {
        show(items)
      }
    }
    await waitUntil { shown.value >= 1 }
    watching.cancel()
    try await watching.value
  }

  @Test func `the code about caching a server in a store works`() async throws {
    let server = try LoopbackServer { request in
      request.url.path == "/api/items"
        ? .init(200, #"[{"id":"a","serverId":42,"text":"milk"}]"#) : .init(404)
    }
    let url = server.url
    let network = NetworkDataSource<ItemEntity>(
      base: url,
      routes: [
        .get(IdQuery<String>.self) { "items/\($0.id)" },
        .getAll(AllObjectsQuery.self) { _ in "items" },
        .getAll(SearchTextQuery.self) { "items?text=\($0.text)" },
        .put(VoidQuery.self, by: .post) { _ in "items" },
        .delete(IdQuery<String>.self) { "items/\($0.id)" },
      ],
      coding: .json())
    let storage = StoreDataSource(
      configuration: .inMemory(), toEntityMapper: ItemToEntityMapper(),
      toObjectMapper: EntityToItemMapper())

    let repository = CacheRepository(
      main: network, cache: storage, validator: AgeValidator(.seconds(600)))

    let items = try await repository.getAll(AllObjectsQuery())
    let again = try await repository.getAll(AllObjectsQuery())  // of the store
    let newest = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    let offline = try await repository.getAll(
      AllObjectsQuery(), operation: .cacheSync(fallback: true))
    let quick = try await repository.getAll(AllObjectsQuery(), operation: .staleWhileRevalidate)

    #expect(items == [ItemEntity(id: "a", serverId: 42, text: "milk")])
    #expect([again, newest, offline, quick].allSatisfy { $0 == items })
    #expect(server.requests.count == 2)
  }

  @Test func `the code about a put of changes works`() async throws {
    let server = try LoopbackServer { _ in .init(204) }
    let url = server.url
    let item = ItemEntity(id: "a", serverId: 42, text: "milk")

    let network = NetworkDataSource<ItemEntity>(
      base: url,
      routes: [
        .put(ChangesQuery<String, ItemEntity>.self, by: .patch) { "items/\($0.id)" }
      ],
      coding: .json())

    var changed = item
    changed.text = "oat milk"
    try await network.put(changed, in: ChangesQuery("a", since: item))

    #expect(server.requests.map(\.body) == [Data(#"{"text":"oat milk"}"#.utf8)])
  }

  @Test func `the code about values that the server has deleted works`() async throws {
    let store = try Store()
    let milk = #"{"id":"a","serverId":1,"text":"milk"}"#
    let responses = [#"[\#(milk),{"id":"b","serverId":2,"text":"tea"}]"#, "[\(milk)]", "[]"]
    let seen = SeenCount()
    let server = try LoopbackServer { _ in .init(200, responses[seen.next() - 1]) }
    let network = NetworkDataSource<ItemEntity>(
      base: server.url, routes: [.getAll(AllObjectsQuery.self) { _ in "items" }], coding: .json())

    let storage = StoreDataSource(
      store: store, toEntityMapper: ItemToEntityMapper(), toObjectMapper: EntityToItemMapper(),
      pruning: ListGuard())
    let repository = CacheRepository(main: network, cache: storage)

    let items = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)

    #expect(items.map(\.id) == ["a", "b"])
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.id) == ["a"])
    #expect(
      await text { _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync) }
        == "the response to AllObjectsQuery may be incomplete: it is empty; it would remove Item a")
  }

  @Test func `the code about the reason for a refusal works`() async throws {
    struct Refusal: Decodable {
      let message: String
    }
    let source = NetworkDataSource<ItemEntity>(
      base: try nowhere(),
      transport: ScriptedTransport { _, _ in .init(422, #"{"message":"text is too long"}"#) },
      routes: [.put(IdQuery<String>.self) { "items/\($0.id)" }], coding: .json())
    let item = ItemEntity(id: "a", serverId: 42, text: "milk")
    var problem = ""

    do {
      try await source.put(item, forId: "a")
    } catch DataSourceError.badStatus(422, _, let body) {
      problem = try JSONDecoder().decode(Refusal.self, from: body).message
    }

    #expect(problem == "text is too long")
    let coder = StoreCoder(store: try Store(isolation: nil))

    do {
      try await source.put(item, forId: "a")
    } catch DataSourceError.badStatus(422, _, let body) {
      let rejection = coder.rejection(of: Item.self, in: body)
      problem = (rejection[\Item.text] + rejection.general).joined(separator: "\n")
    }

    #expect(problem == "text is too long")
  }

  @Test func `the code about decoding responses into a store works`() async throws {
    let store = try Store()
    let configuration = store.configuration
    let coding = NetworkDataSource<ItemEntity>.Coding(
      decode: { data in
        let coder = StoreCoder(store: try Store(configuration: configuration, isolation: nil))
        return try ItemToEntityMapper().map(coder.decode(Item.self, from: data))
      },
      decodeAll: { data in
        let coder = StoreCoder(store: try Store(configuration: configuration, isolation: nil))
        return try ItemToEntityMapper().map(coder.decodeArray(Item.self, from: data))
      })
    let network = NetworkDataSource<ItemEntity>(
      base: try nowhere(),
      transport: ScriptedTransport { request, _ in
        request.url.path == "/api/items"
          ? .init(200, #"[{"id":"a","serverId":42,"text":"milk"}]"#)
          : .init(200, #"{"id":"a","text":"oat milk"}"#)
      },
      routes: [
        .get(IdQuery<String>.self) { "items/\($0.id)" },
        .getAll(AllObjectsQuery.self) { _ in "items" },
      ], coding: coding)
    #expect(try await network.getAll(AllObjectsQuery()).map(\.text) == ["milk"])
    // Attributes that a payload omits keep their values.
    #expect(
      try await network.get("a") == ItemEntity(id: "a", serverId: 42, text: "oat milk"))
    store.refresh()
    #expect(store.objects(Item.self).map(\.text) == ["oat milk"])
  }

  @Test func `the code about large responses works`() async throws {
    let store = try Store(isolation: nil)
    let items = (0..<2_500).map { #"{"id":"\#($0)","serverId":\#($0),"text":"milk"}"# }
    let server = try LoopbackServer { _ in .init(200, "[\(items.joined(separator: ","))]") }
    let network = NetworkDataSource<ItemEntity>(
      base: server.url, routes: [.getAll(AllObjectsQuery.self) { _ in "items" }], coding: .json())
    var count = 0
    var progress: Double?

    let response = try await network.stream(AllObjectsQuery())
    let coder = StoreCoder(store: store)
    for try await batch in coder.batches(of: Item.self, from: response.chunks) {
      count += batch.objects.count
      progress = response.byteCount.map { Double(batch.byteCount) / Double($0) }
    }

    #expect(count == 2_500)
    #expect(progress == 1)
    #expect(store.objects(Item.self).count == 2_500)
  }
}
