import Foundation
@testable import ObjectStore
import TestSupport
import Testing

private final class Sieve: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var words: MutableSet<String?>
}

@Suite struct `Frozen objects and results` {
  @Test func `a frozen object does not change`() async throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.address = Address(street: "S")
    farm.animals = [Animal(id: 1, name: "Bella"), Animal(id: 2)]
    farm.animals[0].owner = Owner(id: 1, name: "Ann")
    farm.animals[0].tags = ["t"]
    farm.prices = ["milk": 1]
    farm.colours = ["red"]
    try store.write { try store.add(farm) }
    let frozen = farm.frozen()
    try store.write { store.deleteAll() }
    let texts = await Task.detached {
      let first = frozen.animals[0]
      var texts: [String] = [frozen.name, frozen.address?.street ?? "", first.name]
      texts.append(frozen.animals.map(\.id).description)
      texts.append(first.owner?.name ?? "")
      texts.append(first.tags.description)
      texts.append(frozen.prices.description)
      texts.append(frozen.colours.description)
      texts.append(first.farms.map(\.name).description)
      return texts
    }.value
    #expect(
      texts == [
        "A", "S", "Bella", "[1, 2]", "Ann", "[\"t\"]", "[\"milk\": 1.0]", "[\"red\"]", "[\"A\"]",
      ])
  }

  final class Deck: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var cards: List<Card>
    @Persisted var kept: MutableSet<Card>
  }

  final class Card: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  @Test func `all frozen values of one version share one view`() throws {
    let store = try Store()
    try store.write {
      for id in 1...3 { try store.create(Owner.self, value: ["id": .init(id)]) }
    }
    let views = store.objects(Owner.self).map { $0.frozen() }
    #expect(views.allSatisfy { $0.handle === views[0].handle })
    #expect(store.objects(Owner.self).frozen().handle === views[0].handle)
    try store.write { store.objects(Owner.self)[0].name = "x" }
    let later = store.objects(Owner.self)[0].frozen()
    #expect(later.handle !== views[0].handle && views[0].name == "" && later.name == "x")
    // A class that the store first uses later is read through a view that includes it.
    try store.write { try store.create(Card.self, value: ["id": 1]) }
    let owner = store.objects(Owner.self)[0].frozen()
    _ = store.objects(Deck.self)
    let card = store.objects(Card.self)[0].frozen()
    #expect(card.id == 1 && owner.name == "x")
  }

  @Test func `a class of the file that the store first uses after a freeze can be frozen`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("cards.store"))
    do {
      let store = try ObjectStore.Store(configuration: configuration)
      try store.write {
        try store.create(Owner.self, value: ["id": 1, "name": "o"])
        try store.create(Card.self, value: ["id": 7])
      }
    }
    let store = try ObjectStore.Store(configuration: configuration)
    let owner = store.objects(Owner.self)[0].frozen()
    // Reading the class from the file does not change the version, so the view of the owner lacks the class.
    let card = store.objects(Card.self)[0].frozen()
    #expect(card.id == 7 && owner.name == "o")
    #expect(card.handle !== owner.handle)
  }

  @Test func `a frozen view without values is released with its version`() throws {
    let store = try Store()
    let owner = try store.write { try store.create(Owner.self, value: ["id": 1]) }
    weak let view = owner.frozen().handle
    #expect(view != nil)
    try store.write { owner.name = "x" }
    #expect(view == nil)
    #expect(owner.frozen().name == "x")
  }

  @Test func `a frozen view is released with its last value and its store`() throws {
    weak var view: StoreHandle?
    do {
      let store = try Store()
      let owner = try store.write { try store.create(Owner.self, value: ["id": 1]) }
      view = owner.frozen().handle
    }
    #expect(view == nil)
  }

  @Test func `the objects of a frozen list or set are not copied`() throws {
    let store = try Store()
    let deck = try store.write {
      let deck = try store.create(Deck.self, value: ["id": 1])
      let cards = try (0..<100).map { try store.create(Card.self, value: ["id": .init($0)]) }
      deck.cards = List(cards.reversed())
      deck.kept = MutableSet(cards)
      return deck
    }
    let frozen = deck.frozen()
    for case let slots in [frozen.cards.slots, frozen.kept.slots] {
      guard case .targets = slots else {
        Issue.record("the slots were copied")
        continue
      }
    }
    try store.write {
      deck.cards.removeFirst(50)
      store.delete(store.objects(Card.self).where { $0.id < 10 })
    }
    #expect(frozen.cards.map(\.id) == (0..<100).reversed())
    #expect(frozen.cards[99].id == 0 && frozen.kept.map(\.id) == Array(0..<100))
    #expect(deck.frozen().cards.count == 40)
  }

  @Test func `every kind of collection can be read in a frozen object`() throws {
    let store = try Store()
    let object = AllTypes()
    object.optStrings = ["a", nil]
    object.optStringMap = ["a": "x", "b": nil]
    object.objectSet = [object]
    object.objectMap = ["a": object, "b": nil]
    try store.write {
      try store.add(object)
      object.optSpotMap = ["a": Spot(label: "S")]
    }
    let frozen = object.frozen()
    #expect(frozen.optStrings == ["a", nil])
    #expect(frozen.optStringMap == ["a": "x", "b": nil])
    #expect(frozen.objectSet.count == 1)
    #expect(frozen.objectMap["a"]??.int == 0 && frozen.objectMap.keys.sorted() == ["a", "b"])
    #expect(frozen.optSpotMap["a"]??.label == "S")
  }

  @Test func `a set with null can be read in a frozen object`() throws {
    let sieve = Sieve()
    sieve.words = ["a", nil]
    let store = try Store()
    try store.write { try store.add(sieve) }
    #expect(sieve.frozen().words == ["a", nil])
  }

  @Test func `frozen results do not change`() async throws {
    let store = try Store()
    try store.write { for id in 0..<3 { try store.add(Animal(id: id)) } }
    let frozen = store.objects(Animal.self).frozen()
    try store.write { store.delete(store.objects(Animal.self)[1]) }
    let ids = await Task.detached { frozen.map(\.id) }.value
    #expect(ids == [0, 1, 2])
    #expect(store.objects(Animal.self).frozen().map(\.id) == [0, 2])
  }

  @Test func `freezing inside a write includes the changes made so far`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    let frozen = try store.write {
      try store.add(animal)
      let frozen = animal.frozen()
      animal.legs = 3
      return frozen
    }
    #expect(frozen.legs == 4 && animal.legs == 3)
  }

  // R22
  @Test func `frozen values can be read from eight tasks at once`() async throws {
    let store = try Store()
    try store.write {
      for id in 0..<200 {
        let animal = Animal(id: id, name: "\(id)")
        animal.owner = Owner(id: id, name: "o\(id)")
        try store.add(animal)
      }
    }
    let frozen = store.objects(Animal.self).frozen()
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { frozen.reduce(0) { $0 + $1.id + ($1.owner?.name.count ?? 0) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(sums).count == 1 && sums.count == 8)
  }

  @Test func `interleaved reads of several objects and versions return their own values`() throws {
    let store = try parcels()
    let old = store.objects(Parcel.self).frozen()
    try store.write {
      let parcels = store.objects(Parcel.self)
      parcels[0].name = "new"
      parcels[1].next = parcels[0]
    }
    let new = store.objects(Parcel.self).frozen()
    for _ in 0..<3 {
      #expect(old.map(\.name) == ["a", "b"] && new.map(\.name) == ["new", "b"])
      #expect(old.map(\.route) == ["a", "b"] && new.map(\.route) == ["new", "bnew"])
    }
  }

  @Test func `frozen objects do not share stored properties that are not attributes`() throws {
    let frozen = try parcels().objects(StampedParcel.self).frozen()
    #expect(frozen.map(\.stamp) == ["#7", "#8"])
    #expect(frozen.map(\.stamp) == ["#7", "#8"])
  }

  @Test func `an object that escapes from a getter continues to show its row`() throws {
    let frozen = try parcels().objects(Parcel.self).frozen()
    let first = frozen[0].itself
    #expect(frozen[1].name == "b" && frozen[1].itself.object.name == "b")
    #expect(first.object.name == "a" && first.object.isManaged)
  }

  @Test func `a subclass can be read frozen as its superclass and as itself`() throws {
    let store = try parcels()
    let parcel = store.objects(StampedParcel.self)[0]
    let frozen = (parcel as Parcel).frozen()
    for _ in 0..<2 {
      #expect(frozen.name == "c" && parcel.frozen().name == "c" && parcel.frozen().stamp == "#7")
    }
  }

  @Test func `a read of a frozen object does not retain its version`() throws {
    let store = try parcels()
    var frozen: Frozen<Parcel>? = store.objects(Parcel.self)[0].frozen()
    #expect(frozen?.name == "a")
    weak let handle = frozen?.handle
    try store.write { store.objects(Parcel.self)[0].name = "b" }
    #expect(handle != nil)
    frozen = nil
    #expect(handle == nil)
  }

  private func parcels() throws -> Store {
    let store = try Store()
    try store.write {
      for (id, name) in [(1, "a"), (2, "b")] { try store.add(Parcel(id: id, name: name)) }
      for (id, name) in [(7, "c"), (8, "d")] { try store.add(StampedParcel(id: id, name: name)) }
    }
    return store
  }
}

private class Parcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var next: Parcel?

  convenience init(id: Int, name: String) {
    self.init()
    self.id = id
    self.name = name
  }

  // Sendable: incorrect on purpose, so that the object can escape.
  struct Itself: @unchecked Sendable {
    let object: Parcel
  }

  var itself: Itself { Itself(object: self) }

  /// Reads other objects during the read of this one.
  var route: String { name + (next?.frozen().route ?? "") }
}

private final class StampedParcel: Parcel {
  lazy var stamp = "#\(id)"
}
