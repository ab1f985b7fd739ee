import DataSources
import Foundation
import ObjectStore
import TestSupport
import Testing

/// The code of Harmony's articles and examples ("RealmDataSource", "CacheRepository" and the mappers of its example
/// app). The only changes are `@Persisted`, `try`, `await`, our names, and closures for predicates.
@Suite struct `Articles of Harmony` {
  struct ItemEntity: Sendable, Equatable {
    var id: String?
    var name: String
    var price: Double
    var count: Int
    var imageURL: URL?
    var lastUpdate: Date?
  }

  class RealmItem: IdentifiedObject {
    @Persisted var name: String = ""
    @Persisted var price: Double = 0
    @Persisted var count: Int = 0
    @Persisted var lastUpdate: Date? = nil
    @Persisted var imageURL: String = ""
  }

  class RealmItemToItemEntityMapper: Mapper<RealmItem, ItemEntity> {
    override func map(_ from: RealmItem) -> ItemEntity {
      var item = ItemEntity(
        id: from.id,
        name: from.name,
        price: from.price,
        count: from.count,
        imageURL: URL(string: from.imageURL))
      item.lastUpdate = from.lastUpdate
      return item
    }
  }

  class ItemEntityToRealmItemMapper: StoreMapper<ItemEntity, RealmItem> {
    override func map(_ from: ItemEntity, in store: Store) -> RealmItem {
      let id =
        from.id != nil ? from.id : RealmItem.findId(key: "name", value: from.name, in: store)
      let object = RealmItem(id)
      object.name = from.name
      object.price = from.price
      object.count = from.count
      object.imageURL = from.imageURL!.absoluteString
      object.lastUpdate = from.lastUpdate
      return object
    }
  }

  struct SearchTextQuery: Query {
    let text: String
  }

  private static func milk(_ id: String? = nil) throws -> ItemEntity {
    let url = try #require(URL(string: "https://example.com/milk.png"))
    return ItemEntity(id: id, name: "milk", price: 1.5, count: 2, imageURL: url)
  }

  @Test func `the code of Harmony's data source works`() async throws {
    let dataSource = StoreDataSource(
      store: try Store(),
      toEntityMapper: RealmItemToItemEntityMapper(),
      toObjectMapper: ItemEntityToRealmItemMapper())
    try await dataSource.put(try Self.milk("aRealmObjectId"))

    var found: [ItemEntity] = []
    for id in ["aRealmObjectId", "another"] {
      do {
        let entity = try await dataSource.get(id)
        print("Entity found: \(entity)")
        found.append(entity)
      } catch {
        if case DataSourceError.notFound = error {
          print("Entity for given id not found")
        } else {
          throw error
        }
      }
    }
    #expect(found == [try Self.milk("aRealmObjectId")])

    let array = try await dataSource.getAll(SearchTextQuery(text: "milk"))
    print("Entities found: \(array)")
    #expect(array == found)
    #expect(try await dataSource.getAll(SearchTextQuery(text: "bread")).isEmpty)

    // The same item without its id is found by its name.
    try await dataSource.putAll([try Self.milk()])
    #expect(try await dataSource.getAll(AllObjectsQuery()) == found)
    try await dataSource.delete(ObjectQuery(try Self.milk()))
    #expect(try await dataSource.getAll(AllObjectsQuery()).isEmpty)
  }

  @Test func `the code of Harmony's cache repository works`() async throws {
    let networkDataSource = InMemoryDataSource<ItemEntity>()
    try await networkDataSource.put(try Self.milk("my-key"), forId: "my-key")
    let storageDataSource = StoreDataSource(
      configuration: .inMemory(), toEntityMapper: RealmItemToItemEntityMapper(),
      toObjectMapper: ItemEntityToRealmItemMapper())

    let repository = CacheRepository(main: networkDataSource, cache: storageDataSource)
    let item = try await repository.get(IdQuery("my-key"), operation: .mainSync)
    #expect(item == (try Self.milk("my-key")))
    #expect(try await repository.get("my-key", operation: .cache) == item)

    let vastra = StrategyValidator<ItemEntity>([
      .reachability { true }, .timestamp(.seconds(300)) { $0.lastUpdate },
    ])
    let validated = CacheRepository(
      main: networkDataSource, cache: storageDataSource, validator: vastra)
    #expect(
      await text { _ = try await validated.get("my-key", operation: .cache) }
        == "the cached value for IdQuery(my-key) is no longer valid")
    #expect(try await validated.get("my-key", operation: .cacheSync(fallback: true)) == item)
  }

  @Test func `an unknown query is reported by name`() async {
    struct StrangeQuery: Query {}
    let dataSource = InMemoryDataSource<ItemEntity>()
    #expect(
      await text { _ = try await dataSource.getAll(StrangeQuery()) }
        == "InMemoryDataSource<ItemEntity> does not support 'getAll' with StrangeQuery")
  }
}

extension `Articles of Harmony`.SearchTextQuery: StoreQuery {
  public var predicate: StorePredicate {
    return StorePredicate(`Articles of Harmony`.RealmItem.self) { $0.name == text }
  }
}
