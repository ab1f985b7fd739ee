import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Classes with an attribute of every kind, and a store of them whose columns are mapped.
enum Mapped {
  final class Part: EmbeddedObject {
    @Persisted var size = 0
    @Persisted var note: String?
  }

  final class Remark: Object {
    @Persisted var text = ""
    @Persisted var stars = 5
  }

  final class Shelf: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var items: List<Item>
  }

  /// A class without an index, whose chunks are not read when it is loaded.
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(indexed: true) var rank = 0
    @Persisted var price = 0.0
    @Persisted var born: Date?
    @Persisted var isNew: Bool?
    @Persisted var token: UUID?
    @Persisted var image: Data?
    @Persisted var total: Decimal?
    @Persisted var extra: JSONValue = .null
    @Persisted var tags: List<String>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var scores: Map<String, Double?>
    @Persisted var shelf: Shelf?
    @Persisted var related: List<Item>
    @Persisted var part: Part?
    @Persisted var parts: List<Part>
    @Persisted var remark: Remark?
    @Persisted(originProperty: "items") var shelves: LinkingObjects<Shelf>
  }

  /// A later declaration of the class of items, with fewer attributes and a new one.
  final class ChangedItem: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var added = "default"
    override class var tableName: String { "Item" }
  }

  /// A configuration in which each class with more than one row has a column file.
  static func configuration(_ url: URL, _ durability: StoreConfiguration.Durability = .normal)
    -> StoreConfiguration
  {
    var configuration = StoreConfiguration.file(url, durability: durability)
    configuration.file.columnFileRows = 1
    return configuration
  }

  /// The values of an item as text.
  static func text(of item: Item) -> String {
    let values: [Any?] = [
      item.id, item.name, item.rank, item.price, item.born?.timeIntervalSince1970, item.isNew,
      item.token, item.image?.base64EncodedString(), item.total, item.extra.jsonText,
      Array(item.tags), Array(item.numbers), item.scores.map { "\($0.key) \($0.value ?? -1)" },
      item.shelf?.name, item.related.map(\.id), item.part?.size, item.part?.note,
      item.parts.map(\.size), item.remark?.text, item.remark?.stars,
      item.shelves.map(\.name).sorted(), item.unknownAttributes, item.part?.unknownAttributes,
      item.parts.map(\.unknownAttributes), item.remark?.unknownAttributes,
    ]
    return values.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " | ")
  }

  /// All rows of a store, by class, as text.
  static func content(of store: ObjectStore.Store) -> [String: [String]] {
    return [
      "items": store.objects(Item.self).map(text(of:)),
      "shelves": store.objects(Shelf.self).map { "\($0.name) \($0.items.map(\.id))" },
      "notes": store.objects(Note.self).map { "\($0.id) \($0.text)" },
      "remarks": store.objects(Remark.self).map { "\($0.text) \($0.stars)" },
    ]
  }

  /// The names of the classes whose rows a store has mapped.
  static func mappedClasses(_ store: ObjectStore.Store) -> [String] {
    store.handle.core.file?.mappedClasses ?? []
  }

  /// Makes random changes in one transaction of the user or the server, whose new objects have unknown attributes.
  static func change(_ store: ObjectStore.Store, _ random: inout SeededRandom, count: Int) throws {
    try store.write(as: random.once(in: 2) ? .server : .user) {
      for _ in 0..<count {
        let id = random.below(1200)
        switch random.below(20) {
        case 0:
          if let item = store.object(ofType: Item.self, forPrimaryKey: id) { store.delete(item) }
        case 1:
          let new = 1200 + random.below(1000)
          if store.object(ofType: Item.self, forPrimaryKey: id) != nil,
            store.object(ofType: Item.self, forPrimaryKey: new) == nil
          {
            try store.rekey(Item.self, from: id, to: new)
          }
        case 2:
          let name = "shelf \(random.below(600)) with a long name"
          let shelf = try store.create(
            Shelf.self, value: ["name": .string(name)], update: .modified)
          if let item = store.object(ofType: Item.self, forPrimaryKey: id) {
            shelf.items.append(item)
          }
        case 3:
          if let shelf = store.objects(Shelf.self).first, random.once(in: 30) {
            store.delete(shelf)
          }
        case 4:
          let note = try store.create(
            Note.self, value: ["id": .int(Int64(random.below(1500)))], update: .modified)
          note.text = String(repeating: "note \(id) ", count: random.below(4))
        case 5:
          if random.once(in: 40) {
            store.delete(
              store.objects(Note.self).limit(random.below(600), offset: random.below(300)))
          }
        default:
          let item =
            try store.object(ofType: Item.self, forPrimaryKey: id)
            ?? store.create(Item.self, value: ["id": .int(Int64(id))])
          try change(item, store, &random)
        }
      }
    }
  }

  private static func change(
    _ item: Item, _ store: ObjectStore.Store, _ random: inout SeededRandom
  ) throws {
    let number = random.below(1000)
    let text = String(repeating: "é\(number) ", count: random.below(6))
    switch random.below(16) {
    case 0: item.name = random.once(in: 4) ? nil : text
    case 1: item.rank = number
    case 2: item.price = Double(number) / 8
    case 3: item.born = random.once(in: 4) ? nil : Date(timeIntervalSince1970: Double(number))
    case 4: item.isNew = random.once(in: 3) ? nil : random.once(in: 2)
    case 5:
      item.token = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      item.image = Data(text.utf8)
    case 6: item.total = random.once(in: 4) ? nil : Decimal(number) / 100
    case 7: item.extra = .object(["a": .int(Int64(number)), "b": .array([.string(text)])])
    case 8:
      if random.once(in: 2) { item.tags.append(text) } else { item.tags.removeAll() }
    case 9: item.numbers.insert(number)
    case 10: item.scores["k\(number % 5)"] = random.once(in: 3) ? .some(nil) : Double(number)
    case 11: item.shelf = store.objects(Shelf.self).first
    case 12:
      if let other = store.object(ofType: Item.self, forPrimaryKey: number) {
        item.related.append(other)
      }
    case 13:
      let part = Part()
      part.size = number
      part.note = text
      item.part = random.once(in: 3) ? nil : part
    case 14:
      let part = Part()
      part.size = number
      item.parts.append(part)
    default:
      let remark = Remark()
      remark.text = text
      item.remark = remark
    }
  }
}
