import Observation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Counts the notifications of `withObservationTracking`.
final class Alarm: Sendable {
  private let calls = Atomic(0)

  /// The number of notifications since the last call.
  func take() -> Int { calls.exchange(0, ordering: .relaxed) }

  var count: Int { calls.load(ordering: .relaxed) }

  /// Adds a notification and returns the count.
  func add() -> Int { calls.add(1, ordering: .relaxed).newValue }

  func track<R>(_ read: () -> R) -> R {
    withObservationTracking(read) { _ = self.add() }
  }
}

/// Three animals. The first is part of a farm and has an owner and a collar.
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

  /// Reads the objects of an existing world through another handle.
  init(of store: Store) throws {
    self.store = store
    animals = Array(store.objects(Animal.self))
    owner = try #require(store.objects(Observed.Owner.self).first)
    farm = try #require(store.objects(Observed.Farm.self).first)
    readAll()
  }

  private func readAll() {
    // Reads values in advance, so that the columns are cached.
    for animal in animals { _ = animal.name }
    _ = (owner.name, farm.name)
  }

  func objects() -> Results<Animal> { store.objects(Animal.self) }
}

@MainActor @Suite struct `Tracked reads` {
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
    Case("an attribute by name", 1) {
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
    Case("a reverted change", 0) {
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
    Case("no read", 0) { _ in
    } change: {
      $0.animals[0].name = "x"
    },
    Case("an assignment", 0) { world in
      _ = try? world.store.write { world.animals[0].legs = 9 }
    } change: {
      $0.animals[0].legs = 3
    },
    Case("a deleted object", 1) {
      _ = $0.animals[0].name
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("the existence of an object", 1) {
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
    Case("a link to a deleted object", 1) {
      _ = $0.animals[0].owner?.name
    } change: {
      $0.store.delete($0.owner)
    },
    Case("another attribute behind a link", 0) {
      _ = $0.animals[0].owner?.name
    } change: {
      $0.owner.age = 9
    },
    Case("an attribute of an embedded object", 1) {
      _ = $0.animals[0].collar?.bell?.tone
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("an attribute of the object with an embedded object", 0) {
      _ = $0.animals[0].name
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("an object embedded in an embedded object", 0) {
      _ = $0.animals[0].collar?.colour
    } change: {
      $0.animals[0].collar?.bell?.tone = "high"
    },
    Case("the existence of an embedded object", 0) {
      _ = $0.animals[0].collar == nil
    } change: {
      $0.animals[0].collar?.colour = "blue"
    },
    Case("a replaced embedded object", 1) {
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
    Case("an element of a list", 1) {
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
    Case("a deleted object of a list", 1) {
      _ = $0.farm.animals.count
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("a query of a list", 1) {
      _ = $0.farm.animals.where { $0.legs > 3 }.count
    } change: {
      $0.farm.animals.append($0.animals[1])
    },
    Case("inverse links", 1) {
      _ = $0.animals[1].farms.count
    } change: {
      $0.farm.animals.append($0.animals[1])
    },
    Case("a query of inverse links", 1) {
      _ = $0.owner.animals.sorted(by: \.name).first
    } change: {
      $0.animals[1].owner = $0.owner
    },
    Case("an attribute of linking objects", 0) {
      _ = $0.owner.animals.count
    } change: {
      $0.animals[0].legs = 1
    },
  ]

  nonisolated static let results = [
    Case("the number of objects", 1) {
      _ = $0.objects().count
    } change: {
      try $0.store.create(World.Animal.self, value: ["id": 9])
    },
    Case("isEmpty of results", 1) {
      _ = $0.objects().isEmpty
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("the first object", 1) {
      _ = $0.objects().first
    } change: {
      $0.store.delete($0.animals[0])
    },
    Case("a loop", 1) {
      for _ in $0.objects() {}
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("an attribute that is not read", 0) {
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
    Case("an attribute outside the condition", 0) {
      _ = $0.objects().where { $0.legs > 3 }.count
    } change: {
      $0.animals[0].name = "x"
    },
    Case("a condition over links", 1) {
      _ = $0.objects().where { $0.owner.name == "Ann" }.count
    } change: {
      $0.owner.name = "Bob"
    },
    Case("a sort", 1) {
      _ = $0.objects().sorted(by: \.name).map(\.id)
    } change: {
      $0.animals[2].name = "a"
    },
    Case("a sum", 1) {
      _ = $0.objects().sum(of: \.legs)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("a sum of another attribute", 0) {
      _ = $0.objects().sum(of: \.id)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("sections", 1) {
      _ = $0.objects().sectioned(by: \.legs).map(\.key)
    } change: {
      $0.animals[0].legs = 1
    },
    Case("an existing key", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 2)
    } change: {
      $0.store.delete($0.animals[2])
    },
    Case("a missing key", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 9)
    } change: {
      try $0.store.create(World.Animal.self, value: ["id": 9])
    },
    Case("a changed key", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 2)
    } change: {
      try $0.store.rekey($0.animals[2], to: 22)
    },
    Case("a newly assigned key", 1) {
      _ = $0.store.object(ofType: World.Animal.self, forPrimaryKey: 22)
    } change: {
      try $0.store.rekey($0.animals[2], to: 22)
    },
    Case("the index of a match", 1) {
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
  func `a tracked read notifies its observer once, and only if its value changes`(_ it: Case) throws
  {
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
  func `a tracked read notifies its observer when its handle shows another's commit`(_ it: Case)
    throws
  {
    let world = try World(Store())
    let other = try World(of: Store(configuration: world.store.configuration))
    let alarm = Alarm()
    alarm.track { it.read(world) }
    try other.store.write { try it.change(other) }
    #expect(alarm.take() == 0)
    world.store.refresh()
    #expect(alarm.take() == it.count)
  }

  @Test func `a tracked read on the main actor notifies its observer asynchronously`() async throws
  {
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

  @Test func `a value is tracked again when it is read again`() throws {
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

  @Test func `a change notifies exactly the observers that read the changed value`() throws {
    let world = try World(Store())
    let alarms = [Alarm(), Alarm()]
    alarms[0].track { _ = (world.animals[0].legs, world.animals[1].legs) }
    alarms[1].track { _ = world.animals[0].legs }
    try world.store.write { world.animals[1].legs = 1 }
    #expect(alarms.map { $0.take() } == [1, 0])
    try world.store.write { world.animals[0].legs = 1 }
    #expect(alarms.map { $0.take() } == [0, 1])
  }

  @Test func `a tracked read inside a write notifies its observer when the write is rolled back`()
    throws
  {
    let world = try World(Store())
    let alarm = Alarm()
    world.store.undone {
      world.animals[0].legs = 9
      alarm.track { _ = world.animals[0].legs }
    }
    #expect(alarm.take() == 1)
    #expect(world.animals[0].legs == 4)
  }

  @Test func `a handle without tracked reads keeps no record of reads`() throws {
    let world = try World(Store())
    #expect(world.store.handle.tracker?.isWaiting == false)
    _ = world.objects().map(\.name)
    #expect(world.store.handle.tracker?.isWaiting == false)
    Alarm().track { _ = world.animals[0].legs }
    #expect(world.store.handle.tracker?.isWaiting == true)
    try world.store.write { world.animals[0].legs = 1 }
    #expect(world.store.handle.tracker?.isWaiting == false)
  }

  @Test func `an onChange closure may write`() throws {
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

  @Test func `all observers are notified when the tracked rows exceed the limit`() throws {
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

  @Test func `a tracked read inside a write notifies its observer when the write ends`() throws {
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
  func `random changes notify the observer of every tracked read whose value differs`(
    _ seed: UInt64
  ) throws {
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
    var counts = (changed: 0, unchanged: 0)
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
        let isNotified = alarms[index].take()
        let isOther = read.read() != before[index]
        if read.isExact {
          #expect(isNotified == (isOther ? 1 : 0), "step \(step), animal \(read.id)")
        } else if isOther {
          #expect(isNotified == 1, "step \(step), query \(before[index]) \(read.read())")
        }
        if isOther { counts.changed += 1 } else { counts.unchanged += 1 }
      }
    }
    #expect(counts.changed > 100 && counts.unchanged > 100)
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

  @Test func `a read of a frozen view never notifies its observer`() throws {
    let world = try World(Store())
    let frozen = world.objects().frozen()
    let alarm = Alarm()
    alarm.track { _ = frozen.map { $0.name } }
    try world.store.write { world.animals[0].name = "x" }
    #expect(alarm.take() == 0)
  }
}

@Suite struct `Handles start tracking` {
  @Test func `a query inside withObservationTracking starts tracking`() throws {
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

  @Test func `the first tracked read of a collection in a version starts tracking`() throws {
    let world = try World(Store())
    let scores = world.farm.scores
    _ = scores.count
    try world.store.write { world.animals[0].name = "x" }
    let alarm = Alarm()
    alarm.track { _ = scores.count }
    try world.store.write { scores.append(2) }
    #expect(alarm.take() == 1)
  }

  @Test func `the first tracked read of an object in a version starts tracking`() throws {
    let world = try World(Store())
    try world.store.write { world.animals[0].name = "x" }
    let alarm = Alarm()
    alarm.track { _ = world.animals[0].name }
    try world.store.write { world.animals[0].name = "y" }
    #expect(alarm.take() == 1)
  }

  @Test func `setting tracksReads starts and stops tracking`() throws {
    let world = try World(Store())
    let alarm = Alarm()
    world.store.tracksReads = true
    alarm.track { _ = world.animals[0].name }
    try world.store.write { world.animals[0].name = "y" }
    #expect(alarm.take() == 1)
    // Untracked again: cached columns are read without tracking.
    world.store.tracksReads = false
    _ = world.animals[0].legs
    alarm.track { _ = world.animals[0].legs }
    try world.store.write { world.animals[0].legs = 1 }
    #expect(alarm.take() == 0)
  }

  @Test func `a handle on the main actor tracks reads`() async throws {
    let tracks = try await MainActor.run { try Store().tracksReads }
    #expect(tracks)
  }
}
