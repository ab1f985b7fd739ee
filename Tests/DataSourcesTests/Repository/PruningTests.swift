import DataSources
import ObjectStore
import TestSupport
import Testing
import ValueModels

/// Complete responses that delete what they lack from a store.
@Suite struct `Pruned caches` {
  private let server = ItemServer()
  private let clock = ManualClock()
  private let configuration = StoreConfiguration.inMemory()
  private let storage: ItemSource
  private let repository: CacheRepository<ItemServer, ItemSource>

  init() {
    storage = itemSource(configuration, pruning: ListGuard())
    repository = CacheRepository(
      main: server, cache: storage, validator: AgeValidator(.seconds(600)), clock: clock)
  }

  private func fill(_ ids: String...) async throws {
    await server.set(ids.map { ItemEntity(id: $0, text: "old") })
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    _ = await server.takeLog()
  }

  private var ids: [String] {
    get async throws { try await storage.getAll(AllObjectsQuery()).compactMap(\.id) }
  }

  private func list(_ query: some Query = AllObjectsQuery()) async throws -> [String] {
    try await repository.getAll(query, operation: .mainSync).compactMap(\.id)
  }

  // MARK: - Scopes

  @Test func `a value that the list of all values lacks is deleted from the cache`() async throws {
    try await fill("a", "b", "c")
    _ = try await repository.get("b")
    _ = try await repository.getAll(["a", "b"])
    await server.set(["c", "a"].map { ItemEntity(id: $0, text: "new") })
    #expect(try await list() == ["c", "a"])
    #expect(try await ids == ["a", "c"])
    #expect(
      await text { _ = try await repository.get("b", operation: .cache) }
        == "nothing was found for IdQuery(b)")
    #expect(
      await text {
        _ = try await repository.get("b", operation: .cache(ignoreValidation: true))
      } == "nothing was found for IdQuery(b)")
    #expect(
      await text { _ = try await repository.getAll(["a", "b"], operation: .cache) }
        == "the cached value for IdsQuery of 2 is no longer valid")
    _ = await server.takeLog()
    #expect(
      await text { _ = try await repository.get("b") } == "nothing was found for IdQuery(b)")
    #expect(await server.takeLog() == ["get b"])
    #expect(
      try await repository.getAll(AllObjectsQuery(), operation: .cache).map(\.id) == ["c", "a"])
  }

  @Test func `a response to several ids deletes only values with these ids`() async throws {
    try await fill("a", "b", "c", "d")
    await server.set(["a"].map { ItemEntity(id: $0) })
    #expect(try await list(IdsQuery(["b", "a", "x"])) == ["a"])
    #expect(try await ids == ["a", "c", "d"])
  }

  @Test func `a response to a search deletes only values that satisfy its predicate`() async throws
  {
    try await fill("a", "b", "c")
    try await storage.put(ItemEntity(id: "z", text: "other"))
    await server.set([ItemEntity(id: "b", text: "old")])
    #expect(try await list(SearchTextQuery(text: "old")) == ["b"])
    #expect(try await ids == ["b", "z"])
  }

  @Test func `a page deletes nothing`() async throws {
    try await fill("a", "b", "c")
    await server.set([ItemEntity(id: "a")])
    #expect(try await list(PaginationOffsetLimitQuery(offset: 0, limit: 9)) == ["a"])
    #expect(try await ids == ["a", "b", "c"])
  }

  @Test func `a source without a guard deletes nothing`() async throws {
    let plain = itemSource()
    let repository = CacheRepository(main: server, cache: plain)
    await server.set(["a", "b"].map { ItemEntity(id: $0) })
    _ = try await repository.getAll(AllObjectsQuery())
    await server.set([ItemEntity(id: "a")])
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    #expect(try await plain.getAll(AllObjectsQuery()).count == 2)
  }

  @Test func `a put deletes nothing, whatever its query`() async throws {
    try await fill("a", "b", "c")
    let values = [ItemEntity(id: "a", text: "new")]
    try await repository.putAll(values)
    try await repository.putAll(values, in: AllObjectsQuery())
    try await repository.putAll(values, in: AllObjectsQuery(), operation: .cache)
    try await repository.putAll(values, forIds: ["a"])
    try await repository.put(values[0])
    try await storage.putAll(values, in: AllObjectsQuery())
    try await storage.putAll(values, in: SearchTextQuery(text: "old"))
    _ = try await storage.keepAll(values, answering: AllObjectsQuery())
    #expect(try await ids == ["a", "b", "c"])
  }

  @Test func `mappers and retries around a source pass responses on to be pruned`() async throws {
    let source = DataSourceMapper(
      dataSource: RetryDataSource(storage, retry: .never),
      toInMapper: Mapper<ItemEntity, ItemEntity> { $0 },
      toOutMapper: Mapper<ItemEntity, ItemEntity> { $0 })
    let repository = CacheRepository(main: server, cache: source)
    await server.set(["a", "b"].map { ItemEntity(id: $0) })
    _ = try await repository.getAll(AllObjectsQuery())
    await server.set([ItemEntity(id: "b")])
    _ = try await repository.getAll(AllObjectsQuery(), operation: .mainSync)
    #expect(try await ids == ["b"])
  }

  @Test func `observers get one change for the response and the deletions`() async throws {
    let store = try Store(configuration: configuration, isolation: nil)
    try await fill("a", "b", "c")
    store.refresh()
    let before = store.version
    await server.set(["c", "d"].map { ItemEntity(id: $0) })
    _ = try await list()
    store.refresh()
    #expect(store.version == before + 1)
    #expect(store.objects(Item.self).map(\.id) == ["c", "d"])
  }

  // MARK: - Refused responses

  @Test func `an empty response is refused and not stored`() async throws {
    try await fill("a", "b")
    await server.set([])
    #expect(
      await text { _ = try await list() }
        == """
        the response to AllObjectsQuery may be incomplete: it is empty; it would remove Item a, \
        Item b
        """)
    #expect(try await ids == ["a", "b"])
    #expect(try await repository.getAll(AllObjectsQuery()) == [])
    #expect(
      await text { _ = try await repository.getAll(AllObjectsQuery(), operation: .cache) }
        == "the cached value for AllObjectsQuery is no longer valid")
  }

  @Test func `an empty response deletes all values if the guard allows it`() async throws {
    let storage = itemSource(pruning: ListGuard(allowsEmpty: true))
    let repository = CacheRepository(main: server, cache: storage)
    await server.set((1...30).map { ItemEntity(id: "\($0)") })
    _ = try await repository.getAll(AllObjectsQuery())
    await server.set([])
    #expect(try await repository.getAll(AllObjectsQuery(), operation: .mainSync) == [])
    #expect(try await storage.getAll(AllObjectsQuery()) == [])
    #expect(try await repository.getAll(AllObjectsQuery(), operation: .cache) == [])
  }

  @Test func `a response that lacks too many values is refused, and its values are not stored`()
    async throws
  {
    let all = (10..<30).map { ItemEntity(id: "\($0)", text: "old") }
    await server.set(all)
    _ = try await list()
    await server.set(all.prefix(8).map { ItemEntity(id: $0.id, text: "new") })
    #expect(
      await text { _ = try await list() }
        == """
        the response to AllObjectsQuery may be incomplete: it lacks 12 of 20 objects; it would \
        remove Item 18, Item 19, Item 20, Item 21, Item 22, Item 23, Item 24, Item 25, Item 26, \
        Item 27 and 2 more
        """)
    #expect(try await storage.getAll(AllObjectsQuery()) == all)
    #expect(
      try await repository.getAll(AllObjectsQuery()).map(\.text)
        == Array(repeating: "new", count: 8))
    await server.set(all.prefix(10).map { ItemEntity(id: $0.id, text: "new") })
    #expect(try await list().count == 10)
    #expect(try await ids.count == 10)
  }

  @Test func `a search whose response has a value outside it deletes nothing`() async throws {
    struct Fuzzy: GetDataSource {
      func get(_ query: some Query) async throws -> ItemEntity { ItemEntity(id: "a") }
      func getAll(_ query: some Query) async throws -> [ItemEntity] {
        [ItemEntity(id: "c", text: "Milk")]
      }
    }
    let repository = CacheRepository(main: Fuzzy(), cache: storage)
    let query = SearchTextQuery(text: "milk")
    // Nothing is at risk.
    _ = try await repository.getAll(query, operation: .mainSync)
    try await storage.put(ItemEntity(id: "b", text: "milk"))
    #expect(
      await text { _ = try await repository.getAll(query, operation: .mainSync) }
        == """
        the response to SearchTextQuery may be incomplete: Item c does not match the query; it \
        would remove Item b
        """)
    #expect(try await ids == ["c", "b"])
  }

  // MARK: - Changes during a request

  @Test func `a value that the repository puts during the request stays`() async throws {
    try await fill("a", "b")
    let gate = Gate()
    await server.holdNext(at: gate)
    let listing = await gate.firstRequest { try await list() }
    try await repository.put(ItemEntity(id: "c", text: "mine"), forId: "c")
    gate.open()
    #expect(try await listing.value == ["a", "b"])
    #expect(try await ids == ["a", "b", "c"])
    #expect(try await list() == ["a", "b", "c"])
  }

  @Test func `a value that is inserted or changed in the store during the request stays`()
    async throws
  {
    try await fill("a", "b", "c", "d")
    await server.set([ItemEntity(id: "a", text: "new")])
    let gate = Gate()
    await server.holdNext(at: gate)
    let listing = await gate.firstRequest { try await list() }
    try await storage.put(ItemEntity(id: "x", text: "mine"))
    try await storage.put(ItemEntity(id: "b", text: "mine"))
    // Writes the same values.
    try await storage.put(ItemEntity(id: "c", text: "old"))
    try await storage.delete("d")
    try await storage.put(ItemEntity(id: "d", text: "again"))
    gate.open()
    #expect(try await listing.value == ["a"])
    #expect(try await ids == ["a", "b", "x", "d"])
    // The next response was requested after these changes.
    #expect(try await list() == ["a"])
    #expect(try await ids == ["a"])
  }

  @Test func `a value that a later request has fetched stays when an older list arrives`()
    async throws
  {
    try await fill("a", "b")
    let gate = Gate()
    await server.holdNext(at: gate)
    let listing = await gate.firstRequest { try await list() }
    await server.set(["a", "b", "c"].map { ItemEntity(id: $0, text: "old") })
    _ = try await repository.get("c")
    gate.open()
    #expect(try await listing.value == ["a", "b"])
    #expect(try await repository.get("c", operation: .cache).id == "c")
  }

  @Test func `concurrent puts and lists lose no value`() async throws {
    try await fill("a", "b")
    for round in 1...20 {
      async let first = list()
      async let second = list(IdsQuery(["a", "b", "r\(round)"]))
      async let put = repository.put(ItemEntity(id: "r\(round)"), forId: "r\(round)")
      _ = try await (first, second, put)
      #expect(try await ids.contains("r\(round)"))
    }
    #expect(try await list() == ids)
    #expect(try await ids.count == 22)
  }
}

// MARK: - Nested objects

extension `Pruned caches` {
  final class Page: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var number = 0
    @Persisted var next: Page?
    @Persisted var book: Book?
    /// Not mapped.
    @Persisted var seen: Page?
    @Persisted var remark: Remark?
    @Persisted(.placeholder) var isPlaceholder = false
  }

  final class Remark: EmbeddedObject {
    @Persisted var page: Page?
    @Persisted var more: Remark?
  }

  final class Book: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var cover: Page?
    /// Not mapped.
    @Persisted var pages: List<Page>
  }

  struct BookValue: MappedPersistable, Hashable {
    var id = ""
    var cover: Leaf?
    typealias ManagedObject = Book
    static let mapping: Fields = [.key(\.id, \.id), .field(\.cover, \.cover)]
  }

  struct Leaf: MappedPersistable, Hashable {
    var id = ""
    var number = 0
    typealias ManagedObject = Page
    static let mapping: Fields = [.key(\.id, \.id), .field(\.number, \.number)]
  }

  struct PageValue: MappedPersistable, Hashable {
    var id = ""
    var number = 0
    var next: Leaf?
    var book: BookValue?
    typealias ManagedObject = Page
    static let mapping: Fields = [
      .key(\.id, \.id), .field(\.number, \.number), .field(\.next, \.next), .field(\.book, \.book),
    ]
  }

  /// Stores the pages p1 to p5, all in one book, and then the complete response `values`; returns the ids of the pages.
  private func pages<Value: Sendable>(
    _ store: Store, _ source: StoreDataSource<Value, Page>, after values: [Value]
  ) async throws -> [String] {
    try store.write {
      let book = try store.create(Book.self, value: ["id": "b"])
      for number in 1...5 {
        book.pages.append(
          try store.create(Page.self, value: ["id": "p\(number)", "isPlaceholder": false]))
      }
    }
    let state = await source.state(beforeRequesting: AllObjectsQuery())
    _ = try await source.keepAll(values, answering: AllObjectsQuery(), since: state)
    store.refresh()
    return store.objects(Page.self).map(\.id)
  }

  @Test func `a nested value stays, also if it is unchanged`() async throws {
    let store = try Store()
    let source = StoreDataSource(PageValue.self, store: store, pruning: ListGuard())
    let value = PageValue(
      id: "p1", next: Leaf(id: "p2"), book: BookValue(id: "b", cover: Leaf(id: "p4")))
    #expect(try await pages(store, source, after: [value]) == ["p1", "p2", "p4"])
  }

  @Test func `a nested object of a mapper stays, also if it is unchanged`() async throws {
    let store = try Store()
    let source = StoreDataSource(
      store: store, toEntityMapper: Mapper { (page: Page) in page.id },
      toObjectMapper: StoreMapper<String, Page> { id, store in
        let (page, next, cover, book) = (Page(), Page(), Page(), Book())
        page.id = id
        next.id = "p2"
        // Not linked by the page itself.
        next.seen = store.object(ofType: Page.self, forPrimaryKey: "p3")
        cover.id = "p4"
        book.id = "b"
        book.cover = cover
        page.next = next
        page.book = book
        return page
      }, pruning: ListGuard())
    #expect(try await pages(store, source, after: ["p1"]) == ["p1", "p2", "p3", "p4"])
  }

  @Test func `a mapper may return an object of the store with its links`() async throws {
    let store = try Store()
    try store.write {
      let other = try store.create(Page.self, value: ["id": "p0", "isPlaceholder": false])
      try store.create(
        Page.self, value: ["id": "p9", "seen": UpdateValue(other), "isPlaceholder": false])
    }
    let source = StoreDataSource(
      store: store, toEntityMapper: Mapper { (page: Page) in page.id },
      toObjectMapper: StoreMapper<String, Page> { id, store in
        let page = try #require(store.object(ofType: Page.self, forPrimaryKey: id))
        store.object(ofType: Page.self, forPrimaryKey: "p5")?.number += 1
        return page
      }, pruning: ListGuard())
    let left = try await pages(store, source, after: ["p9"])
    #expect(left == ["p0", "p9", "p5"])
  }

  @Test func `an object to which an embedded object of a value links stays`() async throws {
    let store = try Store()
    let source = StoreDataSource(
      store: store, toEntityMapper: Mapper { (page: Page) in page.id },
      toObjectMapper: StoreMapper<String, Page> { id, store in
        try #require(store.object(ofType: Page.self, forPrimaryKey: id))
      }, pruning: ListGuard())
    try store.write {
      for id in ["p8", "p9"] {
        try store.create(Page.self, value: ["id": .init(id), "isPlaceholder": false])
      }
      try store.create(
        Page.self,
        value: [
          "id": "p0", "isPlaceholder": false,
          "remark": ["page": ["id": "p8"], "more": ["page": ["id": "p9"]]],
        ], update: .modified)
    }
    #expect(try await pages(store, source, after: ["p0"]) == ["p8", "p9", "p0"])
  }

  @Test func `a placeholder is not deleted`() async throws {
    let store = try Store()
    try store.write { try store.create(Page.self, value: ["id": "p0", "isPlaceholder": true]) }
    let source = StoreDataSource(PageValue.self, store: store, pruning: ListGuard())
    #expect(try await pages(store, source, after: [PageValue(id: "p1")]) == ["p0", "p1"])
  }

  @Test func `a source of a class without a primary key deletes nothing`() async throws {
    let source = StoreDataSource(
      Note.self, configuration: .inMemory(), pruning: ListGuard(allowsEmpty: true))
    try await source.put(Note(text: "a"))
    let state = await source.state(beforeRequesting: AllObjectsQuery())
    _ = try await source.keepAll([], answering: AllObjectsQuery(), since: state)
    #expect(try await source.getAll(AllObjectsQuery()).count == 1)
  }

  @Test func `a state of another store is refused`() async throws {
    let state = await itemSource(pruning: ListGuard()).state(beforeRequesting: AllObjectsQuery())
    let message = await text {
      _ = try await storage.keepAll([], answering: AllObjectsQuery(), since: state)
    }
    #expect(message == "Item: the object is unmanaged or frozen, or belongs to another store")
  }
}
