import DataSources
import Foundation
import ObjectStore
import TestSupport
import Testing
import ValueModels

@Suite struct `Store data sources` {
  enum Keeping: CaseIterable {
    case inMemory, inFile
  }

  /// Returns a configuration and the temporary folder of its file, if it has one.
  private func place(_ keeping: Keeping) throws -> (StoreConfiguration, TemporaryFolder?) {
    switch keeping {
    case .inMemory: return (.inMemory(), nil)
    case .inFile:
      let folder = try TemporaryFolder()
      return (.file(folder.file("items.store")), folder)
    }
  }

  @Test func `values with an invalid mapping are refused`() async throws {
    struct Place: MappedPersistable {
      var name = ""
      typealias ManagedObject = PlaceObject
      static let mapping: Fields = [.field(\.name, \.name)]
    }
    let source = StoreDataSource(Place.self, configuration: .inMemory())
    let mistake = "Place.mapping: PlaceObject.code is the primary key, but no .key pairs it"
    #expect(await text { try await source.put(Place()) } == mistake)
    #expect(await text { _ = try await source.getAll(AllObjectsQuery()) } == mistake)
  }

  @Test(arguments: Keeping.allCases)
  func `values are put, read, replaced and deleted in a store`(keeping: Keeping) async throws {
    let (configuration, folder) = try place(keeping)
    let source = itemSource(configuration)
    let apple = ItemEntity(id: "a", serverId: 1, text: "apple")
    #expect(try await source.put(apple) == apple)
    try await source.putAll([
      ItemEntity(id: "b", serverId: 2, text: "bread"),
      ItemEntity(id: "a", serverId: 1, text: "egg"),
    ])
    #expect(try await source.getAll(AllObjectsQuery()).map(\.text) == ["egg", "bread"])
    #expect(try await source.put(apple) == apple)
    #expect(try await source.get("a") == apple)
    #expect(try await source.getAll(["b", "z", "a"]).map(\.text) == ["bread", "apple"])

    try await source.delete(IdsQuery(["a", "z", "a"]))
    try await source.delete("a")
    #expect(await text { _ = try await source.get("a") } == "nothing was found for IdQuery(a)")
    try await source.delete(ObjectQuery(ItemEntity(id: "b", text: "whatever else")))
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
    withExtendedLifetime(folder) {}
  }

  final class MemberObject: Object {
    @Persisted(primaryKey: true) var code: Int
    @Persisted var name = ""
    @Persisted(.placeholder) var isPlaceholder = false
  }

  struct Member: MappedPersistable, Equatable {
    var code = 0
    var name = ""
    typealias ManagedObject = MemberObject
    static let mapping: Fields = [.key(\.code, \.code), .field(\.name, \.name)]
  }

  @Test func `a placeholder is not found until a value is put`() async throws {
    let store = try Store()
    try store.write(as: .server) {
      for code in 1...2 { try store.create(MemberObject.self, value: ["code": code]) }
    }
    let source = StoreDataSource(Member.self, store: store)
    #expect(await text { _ = try await source.get(1) } == "nothing was found for IdQuery(1)")
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
    let first = Member(code: 1, name: "A")
    #expect(try await source.put(first) == first)
    #expect(try await source.get(1) == first)
    #expect(try await source.getAll([1, 2]) == [first])
    try await source.deleteAll(AllObjectsQuery())
    store.refresh()
    #expect(store.objects(MemberObject.self).isEmpty)
  }

  @Test func `observing excludes placeholders`() async throws {
    let store = try Store()
    try store.write(as: .server) { try store.create(MemberObject.self, value: ["code": 1]) }
    let source = StoreDataSource(Member.self, store: store)
    for try await values in source.observe(AllObjectsQuery()) {
      #expect(values.isEmpty)
      break
    }
  }

  @Test func `deleting a page deletes the objects that reading it returns`() async throws {
    let store = try Store()
    try store.write(as: .server) {
      try store.create(MemberObject.self, value: ["code": 1])
      for code in [2, 3] {
        try store.create(MemberObject.self, value: ["code": .init(code), "name": ""])
      }
    }
    let source = StoreDataSource(Member.self, store: store)
    let page = PaginationOffsetLimitQuery(offset: 0, limit: 1)
    #expect(try await source.getAll(page).map(\.code) == [2])
    try await source.deleteAll(page)
    store.refresh()
    #expect(store.objects(MemberObject.self).map(\.code) == [1, 3])
  }

  @Test func `a value without an id is found by another attribute or receives an id`() async throws
  {
    let source = itemSource()
    let kept = try await source.put(ItemEntity(serverId: 42, text: "apple"))
    let id = try #require(kept.id)
    #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
    let again = try await source.put(ItemEntity(serverId: 42, text: "pear"))
    #expect(again.id == id)
    let other = try await source.put(ItemEntity(serverId: 43))
    #expect(other.id != id)
    #expect(try await source.getAll(AllObjectsQuery()).count == 2)
    try await source.deleteAll(ObjectsQuery([ItemEntity(serverId: 42), ItemEntity(serverId: 44)]))
    #expect(try await source.getAll(AllObjectsQuery()).map(\.serverId) == [43])
  }

  @Test(arguments: Keeping.allCases)
  func `a put with an id that differs from the value's writes nothing`(
    keeping: Keeping
  ) async throws {
    let (configuration, folder) = try place(keeping)
    let store = try Store(configuration: configuration)
    let source = itemSource(configuration)
    #expect(
      await text { try await source.put(ItemEntity(id: "a"), forId: "b") }
        == "the Item has the key a, but the query has the key b")
    #expect(
      await text {
        try await source.putAll([ItemEntity(id: "a"), ItemEntity(id: "x")], forIds: ["a", "b"])
      } == "the Item has the key x, but the query has the key b")
    #expect(
      await text { try await source.putAll([ItemEntity(id: "a")], forIds: ["a", "b"]) }
        == "1 values were passed for 2 ids")
    store.refresh()
    #expect(store.objects(Item.self).isEmpty)
    #expect(store.version == 0)
    #expect(try await source.put(ItemEntity(id: "a"), forId: "a").id == "a")
    withExtendedLifetime(folder) {}
  }

  @Test func `ids that do not fit the primary key are refused`() async throws {
    let source = itemSource()
    #expect(
      await text { _ = try await source.get(7) }
        == "Item.id is a key of type string, but the id has the type Int")
    #expect(
      await text { _ = try await source.getAll(IdsQuery([1.5])) }
        == "Item.id is a key of type string, but the id has the type Double")
    #expect(
      await text { try await source.delete(UUID()) }
        == "Item.id is a key of type string, but the id has the type UUID")
    let places = StoreDataSource(Place.self, configuration: .inMemory())
    #expect(
      await text { _ = try await places.get("7") }
        == "PlaceObject.code is a key of type int, but the id has the type String")
    let notes = StoreDataSource(Note.self, configuration: .inMemory())
    #expect(
      await text { _ = try await notes.get("7") }
        == "NoteObject: the class has no primary key, which is needed to find and update objects")
    #expect(
      await text { try await notes.delete(ObjectQuery(Note())) }
        == "NoteObject: the class has no primary key, which is needed to find and update objects")
  }

  @Test func `persistable values need no mappers`() async throws {
    let store = try Store()
    let source = PersistableDataSource<Place>(store: store)
    try await source.putAll([Place(code: 7, name: "Barn"), Place(code: 8, name: "Mill")])
    store.refresh()
    try store.update(PlaceObject.self, key: 7, \.note <- "mine")
    try await source.put(Place(code: 7, name: "Old barn"), forId: PlaceCode(rawValue: 7))
    store.refresh()
    #expect(store.object(ofType: PlaceObject.self, forPrimaryKey: 7)?.note == "mine")
    #expect(try await source.get(Int8(7)).name == "Old barn")
    #expect(try await source.get(PlaceCode(rawValue: 8)).name == "Mill")
    try await source.delete(ObjectQuery(Place(code: 8)))
    #expect(try await source.getAll(AllObjectsQuery()) == [Place(code: 7, name: "Old barn")])

    let tags = StoreDataSource(Tag.self, store: store)
    let tag = try await tags.put(Tag(name: "new"))
    #expect(try await tags.get(tag.id) == tag)
    let notes = StoreDataSource(Note.self, store: store)
    try await notes.putAll([Note(text: "x"), Note(text: "x")])
    #expect(try await notes.getAll(AllObjectsQuery()).count == 2)
  }

  /// A page of the values that satisfy a predicate.
  struct LongTexts: StoreQuery, PaginationQuery {
    var offset = 0
    var limit = 10
    var predicate: StorePredicate { StorePredicate(Item.self) { $0.serverId > 2 } }
    var sortDescriptors: [StoreSortDescriptor] {
      [StoreSortDescriptor("serverId", ascending: false)]
    }
  }

  @Test func `predicates, orders and pages select values`() async throws {
    let source = itemSource()
    try await source.putAll((1...9).map { ItemEntity(id: "i\($0)", serverId: $0, text: "t") })
    func ids(_ query: some Query) async throws -> [Int] {
      try await source.getAll(query).map(\.serverId)
    }
    #expect(try await ids(LongTexts()) == [9, 8, 7, 6, 5, 4, 3])
    #expect(try await ids(LongTexts(offset: 5)) == [4, 3])
    #expect(try await ids(PaginationOffsetLimitQuery(offset: 2, limit: 3)) == [3, 4, 5])
    #expect(
      try await ids(
        PaginationOffsetLimitQuery(
          offset: 0, limit: 2, order: [StoreSortDescriptor("serverId", ascending: false)]))
        == [9, 8])
    #expect(try await ids(PaginationOffsetLimitQuery(offset: 20, limit: 3)) == [])
    #expect(try await ids(try StorePredicate("serverId BETWEEN {2, 4}")) == [2, 3, 4])
    #expect(try await source.get(LongTexts()).serverId == 9)
    #expect(
      await text { _ = try await ids(PaginationOffsetLimitQuery(offset: -1, limit: 2)) }
        == "a page's offset and limit must be 0 or more (were -1 and 2)")
    #expect(
      await text { _ = try await ids(try StorePredicate("wings > 2")) }
        == "Item: 'wings' is not an attribute")
    try await source.deleteAll(LongTexts(limit: 6))
    #expect(try await ids(AllObjectsQuery()) == [1, 2, 3])
    try await source.deleteAll(AllObjectsQuery())
    #expect(try await ids(AllObjectsQuery()) == [])
  }

  @Test(arguments: Keeping.allCases)
  func `a mapper error rolls back the write`(keeping: Keeping) async throws {
    let (configuration, folder) = try place(keeping)
    let store = try Store(configuration: configuration)
    let source = ItemSource(
      configuration: configuration, toEntityMapper: ItemToEntityMapper(),
      toObjectMapper: StoreMapper { value, store in
        if value.text == "bad" { throw TestError() }
        // The mapper's own changes of the store are rolled back, too.
        try store.create(PlaceObject.self, value: ["code": .init(value.serverId)])
        return try EntityToItemMapper().map(value, in: store)
      })
    await #expect(throws: TestError()) {
      try await source.putAll([
        ItemEntity(id: "a", serverId: 1), ItemEntity(id: "b", serverId: 2, text: "bad"),
      ])
    }
    store.refresh()
    #expect(store.version == 0)
    try await source.put(ItemEntity(id: "a", serverId: 1))
    // A deletion uses the mapper only for the key.
    try await source.delete(ObjectQuery(ItemEntity(id: "a", serverId: 2)))
    store.refresh()
    #expect(store.objects(Item.self).isEmpty)
    #expect(store.objects(PlaceObject.self).map(\.code) == [1])

    let unreadable = ItemSource(
      store: store, toEntityMapper: Mapper { _ in throw TestError() },
      toObjectMapper: EntityToItemMapper())
    await #expect(throws: TestError()) { try await unreadable.put(ItemEntity(id: "x")) }
    store.refresh()
    #expect(store.objects(Item.self).isEmpty)
    withExtendedLifetime(folder) {}
  }

  @Test func `a store mapper needs an implementation, which may return a managed object`()
    async throws
  {
    let source = ItemSource(
      configuration: .inMemory(), toEntityMapper: ItemToEntityMapper(),
      toObjectMapper: StoreMapper { value, store in
        try store.create(
          Item.self, value: ["id": .init(value.id ?? "?"), "text": .init(value.text)],
          update: .modified)
      })
    try await source.put(ItemEntity(id: "a", text: "apple"), forId: "a")
    try await source.put(ItemEntity(id: "a", text: "pear"))
    #expect(try await source.getAll(AllObjectsQuery()) == [ItemEntity(id: "a", text: "pear")])
    try await source.delete(ObjectQuery(ItemEntity(id: "a")))
    try await source.delete(ObjectQuery(ItemEntity(id: "a")))
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)

    let empty = ItemSource(
      configuration: .inMemory(), toEntityMapper: Mapper(), toObjectMapper: StoreMapper())
    #expect(
      await text { try await empty.put(ItemEntity()) }
        == "StoreMapper<ItemEntity, Item> has no closure and does not override `map`")
  }

  @Test func `every call throws the error from opening the store`() async throws {
    let folder = try TemporaryFolder()
    try Data("no store at all, but a text".utf8).write(to: folder.file("x"))
    let source = itemSource(.file(folder.file("x")))
    for _ in 1...2 {
      #expect(
        await text { _ = try await source.getAll(AllObjectsQuery()) }
          == "\(folder.file("x").path(percentEncoded: false)): "
          + "the file is not a store; it was left unchanged")
    }
  }

  @Test func `a cancelled task neither reads nor writes the store`() async throws {
    let source = itemSource()
    try await source.put(ItemEntity(id: "a"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var errors: [String] = []
      errors.append(await text { try await source.put(ItemEntity(id: "b")) })
      errors.append(await text { try await source.delete("a") })
      errors.append(await text { _ = try await source.getAll(AllObjectsQuery()) })
      return errors
    }
    #expect(
      await task.value == ["CancellationError()", "CancellationError()", "CancellationError()"])
    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == ["a"])
  }

  @Test func `a task cancelled while it waits for the writer lock writes nothing`() async throws {
    let store = try Store()
    let source = StoreDataSource(Place.self, store: store)
    try store.beginWrite()
    let task = Task { try await source.put(Place(code: 1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try store.commitWrite()
    #expect(try await source.getAll(AllObjectsQuery()).isEmpty)
  }

  // MARK: - Observing

  @Test(arguments: Keeping.allCases)
  func `observers receive the values initially and after a change by any handle`(
    keeping: Keeping
  ) async throws {
    let (configuration, folder) = try place(keeping)
    let store = try Store(configuration: configuration)
    let source = itemSource(configuration)
    try await source.put(ItemEntity(id: "a", text: "apple"))
    var all = source.observe(AllObjectsQuery()).makeAsyncIterator()
    var one = source.observe(IdQuery("b")).makeAsyncIterator()
    var found = source.observe(SearchTextQuery(text: "pear")).makeAsyncIterator()
    #expect(try await all.next()?.map(\.text) == ["apple"])
    #expect(try await one.next()?.map(\.text) == [])
    #expect(try await found.next()?.map(\.text) == [])

    try await source.put(ItemEntity(id: "b", text: "pear"))
    #expect(try await all.next()?.map(\.text) == ["apple", "pear"])
    #expect(try await one.next()?.map(\.text) == ["pear"])
    #expect(try await found.next()?.map(\.text) == ["pear"])

    store.refresh()
    try store.write { store.objects(Item.self).first?.text = "plum" }
    #expect(try await all.next()?.map(\.text) == ["plum", "pear"])

    try await source.delete("b")
    #expect(try await all.next()?.map(\.text) == ["plum"])
    #expect(try await one.next()?.map(\.text) == [])
    withExtendedLifetime(folder) {}
  }

  @Test func `an observation ends when its task is cancelled or a read fails`() async throws {
    let source = itemSource()
    let task = Task {
      var counts: [Int] = []
      for try await items in source.observe(AllObjectsQuery()) {
        counts.append(items.count)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return counts
    }
    #expect(try await task.value == [0])
    #expect(
      await text { for try await _ in source.observe(UnheardQuery()) {} }
        == "StoreDataSource<ItemEntity, Item> does not support 'observe' with UnheardQuery")
    #expect(
      await text { for try await _ in source.observe(IdQuery(7)) {} }
        == "Item.id is a key of type string, but the id has the type Int")
    let unreadable = ItemSource(
      configuration: source.configuration, toEntityMapper: Mapper { _ in throw TestError() },
      toObjectMapper: EntityToItemMapper())
    try await source.put(ItemEntity(id: "a"))
    await #expect(throws: TestError()) {
      for try await _ in unreadable.observe(AllObjectsQuery()) {}
    }
  }

  @Test func `concurrent tasks lose no writes`() async throws {
    let source = itemSource()
    try await withThrowingTaskGroup { group in
      for index in 0..<200 {
        group.addTask {
          try await source.put(ItemEntity(id: "i\(index % 50)", serverId: index))
          _ = try await source.get("i\(index % 50)")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await source.getAll(AllObjectsQuery()).count == 50)
  }
}
