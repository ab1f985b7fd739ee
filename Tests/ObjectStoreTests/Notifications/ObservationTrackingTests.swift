import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Counts how often `withObservationTracking` says that something is different.
private final class Alarm: Sendable {
  private let calls = Atomic(0)

  /// How often since this was asked last.
  func take() -> Int { calls.exchange(0, ordering: .relaxed) }

  var count: Int { calls.load(ordering: .relaxed) }

  /// One more; returns how many there are.
  func add() -> Int { calls.add(1, ordering: .relaxed).newValue }

  func track<R>(_ read: () -> R) -> R {
    withObservationTracking(read) { _ = self.add() }
  }
}

/// Three animals, the first of a farm and with an owner and a collar.
private struct World {
  typealias Animal = Observed.Animal
  let store: Store
  let animals: [Animal]
  let owner: Observed.Owner
  let farm: Observed.Farm

  init(_ store: Store) throws {
    self.store = store
    (animals, owner, farm) = try store.write {
      let animals = try (0..<3).map {
        try store.create(Animal.self, value: ["id": .int($0), "name": .string("a\($0)")])
      }
      try store.create(
        Animal.self,
        value: [
          "id": 0, "owner": ["id": 1, "name": "Ann"],
          "collar": ["colour": "red", "bell": ["tone": "deep"]],
        ], update: .modified)
      let farm = try store.create(
        Observed.Farm.self,
        value: ["id": 1, "animals": [["id": 0]], "scores": [1], "prices": ["hay": 3]],
        update: .modified)
      guard let owner = store.object(ofType: Observed.Owner.self, forPrimaryKey: 1) else {
        throw StoreError(.notWriting)
      }
      return (animals, owner, farm)
    }
    readAll()
  }

  /// Another handle's view of one.
  init(of store: Store) throws {
    self.store = store
    animals = Array(store.objects(Animal.self))
    owner = try #require(store.objects(Observed.Owner.self).first)
    farm = try #require(store.objects(Observed.Farm.self).first)
    readAll()
  }

  private func readAll() {
    // Read before, so that their columns are known.
    for animal in animals { _ = animal.name }
    _ = (owner.name, farm.name)
  }

  func objects() -> Results<Animal> { store.objects(Animal.self) }
}

@MainActor @Suite struct `What is read while it is tracked` {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let read: @Sendable (World) -> Void
    fileprivate let change: @Sendable (World) throws -> Void
    let count: Int

    fileprivate init(
      _ name: String, _ count: Int, read: @Sendable @escaping (World) -> Void,
      change: @Sendable @escaping (World) throws -> Void
    ) {
      testDescription = name
      self.count = count
      self.read = read
      self.change = change
    }
  }

  nonisolated static let objects = [
    Case("an attribute", 1) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].name = "x"
    },
    Case("by name", 1) {
      _ = $0.animals[0]["name"]
    } change: {
      $0.animals[0].name = "x"
    },
    Case("another attribute", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].legs = 3
    },
    Case("another object", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[1].name = "x"
    },
    Case("an equal value", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].name = "a0"
    },
    Case("changed back", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].name = "x"
      $0.animals[0].name = "a0"
    },
    Case("several attributes", 1) {
      _ = ($0.animals[0].name, $0.animals[0].legs)
    } change: {
      $0.animals[0].name = "x"
      $0.animals[0].legs = 3
    },
    Case("nothing read", 0) { _ in
    } change: {
      $0.animals[0].name = "x"
    },
    Case("assigned only", 0) { world in
      _ = try? world.store.write { world.animals[0].legs = 9 }
    } change: {
      $0.animals[0].legs = 3
    },
    Case("deleted", 1) {
      _ = $0.animals[0].name
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("whether it is there", 1) {
      _ = $0.animals[0].isInvalidated
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("a link", 1) {
      _ = $0.animals[0].owner
    } change: {
      $0.animals[0].owner = nil
    },
    Case("the object behind a link", 1) {
      _ = $0.animals[0].owner?.name
    } change: {
      $0.owner.name = "Bob"
    },
    Case("a link to one that goes", 1) {
      _ = $0.animals[0].owner?.name
    } change: {
      $0.store.delete($0.owner)
    },
    Case("something else behind it", 0) {
      _ = $0.animals[0].owner?.name
    } change: {
      $0.owner.age = 9
    },
    Case("in an embedded object", 1) {
      _ = $0.animals[0].collar?.bell?.tone
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("beside it", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("deeper in what is embedded", 0) {
      _ = $0.animals[0].collar?.colour
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("whether something is embedded", 0) {
      _ = $0.animals[0].collar == nil
    } change: {
      $0.animals[0].collar?.colour = "blue"
    },
    Case("something else embedded", 1) {
      _ = $0.animals[0].collar?.colour
    } change: {
      $0.animals[0].collar = Observed.Collar()
    },
    Case("a description", 1) {
      _ = $0.animals[0].description
    } change: {
      $0.animals[0].legs = 3
    },
  ]

  nonisolated static let collections = [
    Case("a list", 1) {
      _ = $0.farm.scores.count
    } change: {
      $0.farm.scores.append(2)
    },
    Case("an element", 1) {
      _ = $0.farm.scores[0]
    } change: {
      $0.farm.scores[0] = 7
    },
    Case("a set", 1) {
      _ = $0.farm.places.contains("b")
    } change: {
      $0.farm.places.insert("b")
    },
    Case("a map", 1) {
      _ = $0.farm.prices["hay"]
    } change: {
      $0.farm.prices["hay"] = 4
    },
    Case("another list", 0) {
      _ = $0.farm.scores.count
    } change: {
      $0.farm.animals.append($0.animals[1])
    },
    Case("an object of a list", 1) {
      for animal in $0.farm.animals { _ = animal.legs }
    } change: {
      $0.animals[0].legs = 3
    },
    Case("an object that goes from a list", 1) {
      _ = $0.farm.animals.count
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("an asked list", 1) {
      _ = $0.farm.animals.where { $0.legs > 3 }.count
    } change: {
      $0.farm.animals.append($0.animals[1])
    },
    Case("inverse links", 1) {
      _ = $0.animals[1].farms.count
    } change: {
      $0.farm.animals.append($0.animals[1])
    },
    Case("asked inverse links", 1) {
      _ = $0.owner.animals.sorted(by: \.name).first
    } change: {
      $0.animals[1].owner = $0.owner
    },
    Case("attributes beside inverse links", 0) {
      _ = $0.owner.animals.count
    } change: {
      $0.animals[0].legs = 1
    },
  ]

  nonisolated static let results = [
    Case("how many there are", 1) {
      _ = $0.objects().count
    } change: {
      try $0.store.create(World.Animal.self, value: ["id": 9])
    },
    Case("whether there are any", 1) {
      _ = $0.objects().isEmpty
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("the first", 1) {
      _ = $0.objects().first
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("a loop", 1) {
      for _ in $0.objects() {}
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("attributes of others", 0) {
      _ = $0.objects().count
    } change: {
      $0.animals[0].legs = 1
    },
    Case("an attribute in a loop", 1) {
      for animal in $0.objects() { _ = animal.legs }
    } change: {
      $0.animals[0].legs = 1
    },
    Case("objects of another class", 0) {
      _ = $0.objects().count
    } change: {
      try $0.store.create(Observed.Owner.self, value: ["id": 9])
    },
    Case("a condition", 1) {
      _ = $0.objects().where { $0.legs > 3 }.count
    } change: {
      $0.animals[0].legs = 1
    },
    Case("what no condition reads", 0) {
      _ = $0.objects().where { $0.legs > 3 }.count
    } change: {
      $0.animals[0].name = "x"
    },
    Case("a condition over links", 1) {
      _ = $0.objects().where { $0.owner.name == "Ann" }.count
    } change: {
      $0.owner.name = "Bob"
    },
    Case("an order", 1) {
      _ = $0.objects().sorted(by: \.name).map(\.id)
    } change: {
      $0.animals[2].name = "a"
    },
    Case("a sum", 1) {
      _ = $0.objects().sum(of: \.legs)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("a sum of something else", 0) {
      _ = $0.objects().sum(of: \.id)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("sections", 1) {
      _ = $0.objects().sectioned(by: \.legs).map(\.key)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("a key that is there", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 2)
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("a key that is not", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 9)
    } change: {
      try $0.store.create(World.Animal.self, value: ["id": 9])
    },
    Case("a key that is changed", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 2)
    } change: {
      try $0.store.rekey($0.animals[2], to: 22)
    },
    Case("a key that one gets", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 22)
    } change: {
      try $0.store.rekey($0.animals[2], to: 22)
    },
    Case("where one stands", 1) {
      _ = $0.objects().index(matching: { $0.name == "x" })
    } change: {
      $0.animals[2].name = "x"
    },
    Case("frozen objects", 1) {
      _ = $0.objects().frozen().count
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("a reference", 1) { world in
      _ = world.store.resolve(world.animals[2].reference)
    } change: {
      $0.store.delete($0.animals[2])
    },
  ]

  @Test(arguments: objects + collections + results)
  func `is told once when it differs, and not else`(_ it: Case) throws {
    let world = try World(Store())
    let alarm = Alarm()
    alarm.track { it.read(world) }
    #expect(alarm.take() == 0)
    try world.store.write { try it.change(world) }
    #expect(alarm.take() == it.count)
    try world.store.write { try world.store.create(World.Animal.self, value: ["id": 77]) }
    if it.count == 1 { #expect(alarm.take() == 0) }
  }

  @Test(arguments: objects + collections + results)
  func `is told by commits of others when the handle shows them`(_ it: Case) throws {
    let world = try World(Store())
    let other = try World(of: Store(configuration: world.store.configuration))
    let alarm = Alarm()
    alarm.track { it.read(world) }
    try other.store.write { try it.change(other) }
    #expect(alarm.take() == 0)
    world.store.refresh()
    #expect(alarm.take() == it.count)
  }

  @Test func `is told in a later turn of the main actor`() async throws {
    let world = try World(Store())
    let alarm = Alarm()
    alarm.track { _ = world.animals[0].legs }
    try await Self.write(world.store.configuration)
    var count = 0
    await waitUntil {
      count += alarm.take()
      return count > 0
    }
    #expect(count == 1)
    #expect(world.animals[0].legs == 1)
  }

  @concurrent private static func write(_ configuration: StoreConfiguration) async throws {
    let store = try Store(configuration: configuration)
    try store.write {
      store.object(ofType: Observed.Animal.self, forPrimaryKey: 0)?.legs = 1
    }
  }

  @Test func `is tracked again by reading it again`() throws {
    let world = try World(Store())
    let alarm = Alarm()
    for legs in 5..<8 {
      alarm.track { _ = world.animals[0].legs }
      try world.store.write { world.animals[0].legs = legs }
      #expect(alarm.take() == 1)
      try world.store.write { world.animals[0].legs = 2 }
      #expect(alarm.take() == 0)
    }
  }

  @Test func `is told to all who read it`() throws {
    let world = try World(Store())
    let alarms = [Alarm(), Alarm()]
    alarms[0].track { _ = (world.animals[0].legs, world.animals[1].legs) }
    alarms[1].track { _ = world.animals[0].legs }
    try world.store.write { world.animals[1].legs = 1 }
    #expect(alarms.map { $0.take() } == [1, 0])
    try world.store.write { world.animals[0].legs = 1 }
    #expect(alarms.map { $0.take() } == [0, 1])
  }

  @Test func `inside a write is told when that is undone`() throws {
    let world = try World(Store())
    let alarm = Alarm()
    world.store.undone {
      world.animals[0].legs = 9
      alarm.track { _ = world.animals[0].legs }
    }
    #expect(alarm.take() == 1)
    #expect(world.animals[0].legs == 4)
  }

  @Test func `is not remembered by a handle that nobody tracks`() throws {
    let world = try World(Store())
    #expect(world.store.handle.tracker?.isWaiting == false)
    _ = world.objects().map(\.name)
    #expect(world.store.handle.tracker?.isWaiting == false)
    Alarm().track { _ = world.animals[0].legs }
    #expect(world.store.handle.tracker?.isWaiting == true)
    try world.store.write { world.animals[0].legs = 1 }
    #expect(world.store.handle.tracker?.isWaiting == false)
  }

  @Test func `may be told to who writes then`() throws {
    let world = try World(Store())
    let configuration = world.store.configuration
    withObservationTracking {
      _ = world.animals[0].legs
    } onChange: {
      do {
        let store = try Store(configuration: configuration)
        try store.write {
          store.object(ofType: Observed.Animal.self, forPrimaryKey: 1)?.legs += 10
        }
      } catch {
        Issue.record(error)
      }
    }
    for legs in 5..<8 { try world.store.write { world.animals[0].legs = legs } }
    world.store.refresh()
    #expect(world.animals[1].legs == 14)
  }

  @Test func `is told to all when too much is remembered`() throws {
    let store = try Store()
    store.handle.tracker = TrackedReads(store.handle, limit: 3)
    let world = try World(store)
    let alarms = (0..<4).map { _ in Alarm() }
    for (animal, alarm) in zip(world.animals, alarms) { alarm.track { _ = animal.name } }
    try world.store.write { world.animals[1].legs = 1 }
    #expect(alarms.map { $0.take() } == [0, 0, 0, 0])
    alarms[3].track { _ = world.owner.name }
    try world.store.write { world.animals[1].legs = 2 }
    #expect(alarms.map { $0.take() } == [1, 1, 1, 1])
    #expect(world.store.handle.tracker?.isWaiting == false)
  }

  @Test func `inside a write is told alone when that ends`() throws {
    let world = try World(Store())
    let (before, inside) = (Alarm(), Alarm())
    before.track { _ = world.animals[0].name }
    try world.store.write {
      world.animals[2].legs = 1
      inside.track { _ = world.animals[1].name }
    }
    #expect([before.take(), inside.take()] == [0, 1])
    try world.store.write { world.animals[0].name = "x" }
    #expect([before.take(), inside.take()] == [1, 0])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `is told as often as it reads otherwise`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let world = try World(Store())
    let other = try Store(configuration: world.store.configuration)
    let attributes: [(World.Animal) -> String] = [
      { $0.name }, { "\($0.legs)" }, { "\($0.owner.map { $0.id } ?? -1)" },
      { $0.collar.map { "\($0.slot) \($0.colour)" } ?? "-" },
    ]
    let queries: [(Results<World.Animal>) -> String] = [
      { "\($0.count)" }, { "\($0.where { $0.legs > 3 }.map(\.id))" },
      { "\($0.sorted(by: \.name).map(\.id))" }, { "\($0.where { $0.owner.name == "x" }.count)" },
      { "\($0.sum(of: \.legs))" }, { "\($0.sectioned(by: \.legs).map(\.count))" },
    ]
    var counts = (told: 0, untold: 0)
    for step in 0..<150 {
      let animals = Array(world.objects())
      let reads: [(id: Int, read: () -> String, isExact: Bool)] =
        (0..<4).map { _ in
          let animal = animals.randomElement(using: &random)!
          let read = attributes.randomElement(using: &random)!
          return (animal.id, { animal.isInvalidated ? "gone" : read(animal) }, true)
        }
        + (0..<2).map { _ in
          let query = queries.randomElement(using: &random)!
          return (0, { query(world.objects()) }, false)
        }
      let alarms = reads.map { _ in Alarm() }
      let before = zip(reads, alarms).map { read, alarm in alarm.track(read.read) }
      let store = random.once(in: 3) ? other : world.store
      try? store.write {
        for _ in 0..<1 + random.below(3) { try change(store, &random, step) }
        if random.once(in: 5) { throw CancellationError() }
      }
      world.store.refresh()
      for (index, read) in reads.enumerated() {
        let isTold = alarms[index].take()
        let isOther = read.read() != before[index]
        if read.isExact {
          #expect(isTold == (isOther ? 1 : 0), "step \(step), animal \(read.id)")
        } else if isOther {
          #expect(isTold == 1, "step \(step), query \(before[index]) \(read.read())")
        }
        if isOther { counts.told += 1 } else { counts.untold += 1 }
      }
    }
    #expect(counts.told > 100 && counts.untold > 100)
  }

  private func change(_ store: Store, _ random: inout SeededRandom, _ step: Int) throws {
    let animals = Array(store.objects(World.Animal.self))
    let animal = animals.randomElement(using: &random)!
    let names = ["x", "y", "z"]
    switch random.below(8) {
    case 0:
      try store.create(
        World.Animal.self,
        value: [
          "id": .int(Int64(100 + step)), "name": .string(names.randomElement(using: &random)!),
        ],
        update: .modified)
    case 1: if animals.count > 2 { store.delete(animal) }
    case 2: animal.name = names.randomElement(using: &random)!
    case 3: animal.legs = Int(random.below(6))
    case 4: animal.owner = random.once(in: 2) ? nil : store.objects(Observed.Owner.self).first
    case 5: store.objects(Observed.Owner.self).first?.name = names.randomElement(using: &random)!
    case 6:
      let collar = Observed.Collar()
      collar.colour = names.randomElement(using: &random)!
      animal.collar = collar
    default: animal.collar?.colour = names.randomElement(using: &random)!
    }
  }

  @Test func `of a frozen view never differs`() throws {
    let world = try World(Store())
    let frozen = world.objects().frozen()
    let alarm = Alarm()
    alarm.track { _ = frozen.map { $0.name } }
    try world.store.write { world.animals[0].name = "x" }
    #expect(alarm.take() == 0)
  }
}

/// Not on the main actor.
@Suite struct `Handles become tracked` {
  @Test func `by looking for objects`() throws {
    let world = try World(Store())
    #expect(!world.store.tracksReads)
    let alarm = Alarm()
    alarm.track { _ = world.objects()[0].name }
    #expect(world.store.tracksReads)
    try world.store.write { world.animals[0].name = "x" }
    #expect(alarm.take() == 1)
    alarm.track { _ = world.animals[1].name }
    try world.store.write { world.animals[1].name = "x" }
    #expect(alarm.take() == 1)
  }

  @Test func `by a collection that is read for the first time in a version`() throws {
    let world = try World(Store())
    let scores = world.farm.scores
    _ = scores.count
    try world.store.write { world.animals[0].name = "x" }
    let alarm = Alarm()
    alarm.track { _ = scores.count }
    try world.store.write { scores.append(2) }
    #expect(alarm.take() == 1)
  }

  @Test func `by reading an object for the first time in a version`() throws {
    let world = try World(Store())
    try world.store.write { world.animals[0].name = "x" }
    let alarm = Alarm()
    alarm.track { _ = world.animals[0].name }
    try world.store.write { world.animals[0].name = "y" }
    #expect(alarm.take() == 1)
  }

  @Test func `by saying so`() throws {
    let world = try World(Store())
    let alarm = Alarm()
    world.store.tracksReads = true
    alarm.track { _ = world.animals[0].name }
    try world.store.write { world.animals[0].name = "y" }
    #expect(alarm.take() == 1)
    // No more: what was read before is read as fast as it can be.
    world.store.tracksReads = false
    _ = world.animals[0].legs
    alarm.track { _ = world.animals[0].legs }
    try world.store.write { world.animals[0].legs = 1 }
    #expect(alarm.take() == 0)
  }

  @Test func `by the main actor`() async throws {
    let tracks = try await MainActor.run { try Store().tracksReads }
    #expect(tracks)
  }
}
