import DataSources
import Foundation
import ObjectStore
import ValueModels

/// An item as a value.
struct ItemEntity: Codable, Hashable, Sendable {
  var id: String?
  var serverId = 0
  var text = ""
  var lastUpdate: Date?
}

/// The object that stores an item.
final class Item: IdentifiedObject {
  @Persisted(indexed: true) var serverId = 0
  @Persisted var text = ""
  @Persisted var lastUpdate: Date?
}

class ItemToEntityMapper: Mapper<Item, ItemEntity> {
  override func map(_ from: Item) throws -> ItemEntity {
    ItemEntity(id: from.id, serverId: from.serverId, text: from.text, lastUpdate: from.lastUpdate)
  }
}

class EntityToItemMapper: StoreMapper<ItemEntity, Item> {
  override func map(_ from: ItemEntity, in store: Store) throws -> Item {
    let id = from.id ?? Item.findId(key: "serverId", value: from.serverId, in: store)
    let item = Item(id)
    item.serverId = from.serverId
    item.text = from.text
    item.lastUpdate = from.lastUpdate
    return item
  }
}

struct SearchTextQuery: Query, Hashable {
  let text: String
}

extension SearchTextQuery: StoreQuery {
  var predicate: StorePredicate { StorePredicate(Item.self) { $0.text == text } }
}

/// A query that no source supports.
struct UnheardQuery: Query {}

typealias ItemSource = StoreDataSource<ItemEntity, Item>

func itemSource(
  _ configuration: StoreConfiguration = .inMemory(), pruning: ListGuard? = nil
) -> ItemSource {
  StoreDataSource(
    configuration: configuration, toEntityMapper: ItemToEntityMapper(),
    toObjectMapper: EntityToItemMapper(), pruning: pruning)
}

// MARK: - Values without mappers

final class PlaceObject: Object {
  @Persisted(primaryKey: true) var code: Int
  @Persisted var name = ""
  /// Not mapped.
  @Persisted var note = ""
}

struct Place: MappedPersistable, Hashable, Codable {
  var code = 0
  var name = ""

  typealias ManagedObject = PlaceObject
  static let mapping: Fields = [.key(\.code, \.code), .field(\.name, \.name)]
}

final class TagObject: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name = ""
}

struct Tag: MappedPersistable, Hashable {
  var id = UUID()
  var name = ""

  typealias ManagedObject = TagObject
  static let mapping: Fields = [.key(\.id, \.id), .field(\.name, \.name)]
}

final class NoteObject: Object {
  @Persisted var text = ""
}

struct Note: MappedPersistable, Hashable {
  var text = ""

  typealias ManagedObject = NoteObject
  static let mapping: Fields = [.field(\.text, \.text)]
}

/// A custom id type.
struct PlaceCode: RawRepresentable, Hashable {
  let rawValue: Int
}

struct TestError: Error, Hashable {
  var text = "no"
}

/// The description of the error that `body` throws, or a text that no test expects.
nonisolated(nonsending) func text(_ body: nonisolated(nonsending) () async throws -> Void) async
  -> String
{
  do {
    try await body()
    return "nothing was thrown"
  } catch {
    return "\(error)"
  }
}
