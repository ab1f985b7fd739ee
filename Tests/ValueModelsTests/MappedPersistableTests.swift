import Foundation
import ObjectStore
import TestSupport
import Testing
import ValueModels

enum Size: String, PersistableEnum { case small, large }

final class MakerObject: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var name = ""
  @Persisted var country: String?
}

final class WareObject: Object {
  @Persisted(primaryKey: true) var identifier: Int
  @Persisted var name = ""
  @Persisted var price: Double?
  @Persisted var size: Size = .small
  @Persisted var added: Date?
  @Persisted var rank = 0
  @Persisted var tags: List<String>
  @Persisted var codes: MutableSet<Int>
  @Persisted var stock: Map<String, Int>
  @Persisted var maker: MakerObject?
  @Persisted var sellers: List<MakerObject>
  /// Not mapped.
  @Persisted var details = ""
}

struct Maker: MappedPersistable, Equatable {
  var code = ""
  var name = ""

  typealias ManagedObject = MakerObject
  static let mapping: Fields = [
    .key(\.code, \.code),
    .field(\.name, \.name),
  ]
}

struct Ware: MappedPersistable, Equatable {
  struct Stars: Equatable {
    var count = 0
  }

  var id = 0
  var title = ""
  var price: Double?
  var size = Size.small
  var added: Date?
  var stars = Stars()
  var tags: [String] = []
  var codes: Set<Int> = []
  var stock: [String: Int] = [:]
  var maker: Maker?
  var sellers: [Maker] = []

  typealias ManagedObject = WareObject
  static let mapping: Fields = [
    .key(\.id, \.identifier),
    .field(\.title, \.name),
    .field(\.price, \.price),
    .field(\.size, \.size),
    .field(\.added, \.added),
    .field(\.stars, \.rank, from: { Stars(count: $0) }, to: { $0.count }),
    .field(\.tags, \.tags),
    .field(\.codes, \.codes),
    .field(\.stock, \.stock),
    .field(\.maker, \.maker),
    .field(\.sellers, \.sellers),
  ]
}

private let chair = Ware(
  id: 7, title: "Chair", price: 12.5, size: .large, added: Date(timeIntervalSince1970: 1_000),
  stars: Ware.Stars(count: 4), tags: ["wood", "old"], codes: [3, 5],
  stock: ["here": 2, "there": 0],
  maker: Maker(code: "TH", name: "Thonet"),
  sellers: [Maker(code: "A", name: "Anna"), Maker(code: "TH", name: "Thonet")])

@Suite struct `Mapped values` {
  private func shop() throws -> Container {
    let container = try Container()
    try container.write { try $0.add(chair) }
    return container
  }

  @Test func `mapped values are read as they were added`() throws {
    let container = try shop()
    #expect(container.value(Ware.self, forKey: 7) == chair)
    #expect(Array(container.values(Ware.self)) == [chair])
    #expect(container.values(Ware.self).frozen()[0] == chair)
    #expect(container.values(Maker.self).sorted(by: \.code).map(\.name) == ["Anna", "Thonet"])
    // An unmanaged object is read in the same way.
    #expect(Ware(managedObject: chair.managedObject()) == chair)
    #expect(!chair.managedObject().isManaged)
  }

  @Test func `adding an equal mapped value writes nothing`() throws {
    let container = try shop()
    let version = container.store.version
    try container.write { try $0.add(chair) }
    #expect(container.store.version == version)
  }

  @Test func `attributes outside the mapping keep their values`() throws {
    let container = try shop()
    let ware = try #require(container.store.object(ofType: WareObject.self, forPrimaryKey: 7))
    let maker = try #require(ware.maker)
    try container.store.write {
      ware.details = "made in 1859"
      maker.country = "AT"
    }
    var changed = chair
    changed.title = "Chair 14"
    changed.price = nil
    changed.tags = []
    changed.maker?.name = "Gebrüder Thonet"
    changed.sellers = []
    try container.write { try $0.add(changed) }
    #expect(ware.details == "made in 1859")
    #expect(maker.country == "AT")
    #expect(maker.name == "Gebrüder Thonet")
    #expect(container.value(Ware.self, forKey: 7) == changed)
    #expect(container.values(Maker.self).count == 2)
  }

  @Test func `adding a mapped value with an existing key without update is refused`() throws {
    let container = try shop()
    try container.write { transaction in
      #expect(
        text { try transaction.add(chair, update: false) }
          == "MakerObject: an object with the primary key \"TH\" already exists")
      #expect(
        text { try transaction.add(Ware(id: 7), update: false) }
          == "WareObject: an object with the primary key 7 already exists")
      #expect(
        text { try transaction.add(Maker(code: "TH", name: ""), update: false) }
          == "MakerObject: an object with the primary key \"TH\" already exists")
    }
    #expect(container.value(Ware.self, forKey: 7) == chair)
  }

  @Test func `a partial update uses the value's own key paths`() throws {
    let container = try shop()
    try container.write {
      try $0.update(
        Ware.self,
        values: [
          .set(\.id, 7), .set(\.title, "Stool"), .set(\.price, nil), .set(\.tags, ["new"]),
          .set(\.maker, Maker(code: "B", name: "Bo")),
          .set(\.sellers, [Maker(code: "C", name: "Cy")]), .set(\.size, .small),
        ])
      try $0.update(Ware.self, key: 7, values: [.set(\.stock, ["here": 1])])
    }
    var expected = chair
    expected.title = "Stool"
    expected.price = nil
    expected.tags = ["new"]
    expected.maker = Maker(code: "B", name: "Bo")
    expected.sellers = [Maker(code: "C", name: "Cy")]
    expected.size = .small
    expected.stock = ["here": 1]
    #expect(container.value(Ware.self, forKey: 7) == expected)
  }

  @Test func `a nested value in an update keeps unmapped attributes`() throws {
    let container = try shop()
    let maker = try #require(container.store.object(ofType: MakerObject.self, forPrimaryKey: "TH"))
    try container.store.write { maker.country = "AT" }
    try container.write {
      try $0.update(
        Ware.self, values: [.set(\.id, 7), .set(\.maker, Maker(code: "TH", name: "Thonet 1"))])
    }
    #expect(maker.name == "Thonet 1" && maker.country == "AT")
    try container.write {
      try $0.update(
        Ware.self, key: 7, values: [.set(\.sellers, [Maker(code: "TH", name: "Thonet 2")])])
    }
    #expect(maker.name == "Thonet 2" && maker.country == "AT")
    try container.write {
      try $0.update(
        Offer.self, values: [.set(\.code, "X"), .set(\.ware, Ware(id: 7, title: "Stool"))])
    }
    let ware = try #require(container.store.object(ofType: WareObject.self, forPrimaryKey: 7))
    #expect(ware.name == "Stool" && ware.maker == nil && ware.sellers.isEmpty)
  }

  @Test func `a doubly nested value in an update keeps unmapped attributes`()
    throws
  {
    let container = try shop()
    let ware = try #require(container.store.object(ofType: WareObject.self, forPrimaryKey: 7))
    let maker = try #require(ware.maker)
    try container.store.write {
      ware.details = "made in 1859"
      maker.country = "AT"
    }
    try container.write {
      try $0.update(Offer.self, values: [.set(\.code, "X"), .set(\.ware, chair)])
    }
    #expect(ware.details == "made in 1859" && maker.country == "AT")
    #expect(container.value(Ware.self, forKey: 7) == chair)
    #expect(container.value(Offer.self, forKey: "X")?.ware == chair)
    try container.write {
      try $0.update(Offer.self, key: "X", values: [.set(\.ware, nil)])
    }
    #expect(container.value(Offer.self, forKey: "X") == Offer(code: "X"))
  }

  @Test func `mapped values are filtered by their own attributes`() throws {
    let container = try shop()
    try container.write {
      try $0.addAll([
        Ware(id: 1, title: "Table", price: 80), Ware(id: 2, title: "Lamp", tags: ["wood"]),
      ])
    }
    let wares = container.values(Ware.self)
    #expect(wares.where { $0.title == "Chair" }.map(\.id) == [7])
    #expect(wares.where { $0.id > 1 && $0.size == .large }.map(\.id) == [7])
    #expect(wares.where { $0.price == nil }.map(\.id) == [2])
    #expect(wares.where { $0.tags.contains("wood") }.map(\.id) == [7, 2])
    #expect(wares.where { $0.codes.count == 2 }.map(\.id) == [7])
    #expect(wares.where { $0.maker.name == "Thonet" }.map(\.id) == [7])
    #expect(wares.where { $0.sellers.any { $0.name == "Anna" } }.map(\.id) == [7])
    #expect(wares.sorted(by: \.title).map(\.id) == [7, 2, 1])
    #expect(wares.sorted(by: \.price, ascending: false).map(\.id) == [1, 7, 2])
    // A field with a conversion is queried by the attribute of the managed object.
    #expect(wares.where { $0.rank > 3 }.map(\.id) == [7])
  }

  @Test func `attributes of a nested struct are mapped, set, sorted and filtered`() throws {
    let container = try Container()
    try container.write {
      try $0.addAll([
        Parcel(id: 1, to: Parcel.Address(street: Parcel.Street(name: "B"), city: "Rome")),
        Parcel(id: 2, to: Parcel.Address(street: Parcel.Street(name: "A"), city: "Bern")),
      ])
      try $0.update(Parcel.self, key: 1, values: [.set(\.to.street.name, "C")])
    }
    let parcels = container.values(Parcel.self)
    #expect(parcels.map(\.to.street.name) == ["C", "A"])
    #expect(parcels.where { $0.to.city == "Bern" }.map(\.id) == [2])
    #expect(parcels.where { $0.to.street.name > "B" && $0.id == 1 }.map(\.id) == [1])
    #expect(parcels.sorted(by: \.to.street.name).map(\.id) == [2, 1])
  }

  @Test func `each added value of a class without a key is a new object`() throws {
    let container = try Container()
    try container.write {
      try $0.add(Remark(text: "a"))
      try $0.add(Remark(text: "a"))
    }
    #expect(container.values(Remark.self).map(\.text) == ["a", "a"])
  }

  @Test func `using an attribute outside the mapping stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = FieldValue<Remark>.set(\.length, 3)
    }
    result.says("Remark: the mapping has no field for \\Remark.length")
    let transformed = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = FieldValue<Ware>.set(\.stars, Ware.Stars(count: 3))
    }
    transformed.says(
      "Ware: \\Ware.stars has another type in the store; query by the attribute of the managed object"
    )
  }
}

final class ParcelObject: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var street = ""
  @Persisted var city = ""
}

struct Parcel: MappedPersistable, Equatable {
  struct Street: Equatable {
    var name = ""
  }

  struct Address: Equatable {
    var street = Street()
    var city = ""
  }

  var id = 0
  var to = Address()

  typealias ManagedObject = ParcelObject
  static let mapping: Fields = [
    .key(\.id, \.id), .field(\.to.street.name, \.street), .field(\.to.city, \.city),
  ]
}

final class OfferObject: Object {
  @Persisted(primaryKey: true) var code: String
  @Persisted var ware: WareObject?
}

struct Offer: MappedPersistable, Equatable {
  var code = ""
  var ware: Ware?

  typealias ManagedObject = OfferObject
  static let mapping: Fields = [.key(\.code, \.code), .field(\.ware, \.ware)]
}

final class RemarkObject: Object {
  @Persisted var text = ""
}

struct Remark: MappedPersistable {
  var text = ""
  var length = 0

  init() {}
  init(text: String) { self.text = text }

  typealias ManagedObject = RemarkObject
  static let mapping: Fields = [.field(\.text, \.text)]
}
