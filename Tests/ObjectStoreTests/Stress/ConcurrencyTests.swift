import Synchronization
import Testing
import TestSupport

@testable import ObjectStore

/// One writer and several readers that hold versions, intended for the thread sanitizer.
@Suite struct `Concurrent readers and a writer` {
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }

  /// Returns true if the sums over one version are equal, as the writer leaves them in every commit.
  private static func isConsistent(_ animals: FrozenResults<EngineAnimal>) -> Bool {
    var (legs, doses) = (0, 0)
    for animal in animals {
      legs += animal.legs
      doses += animal.withObject { $0.doses.count }
      _ = animal.name.utf8.count + animal.tags.reduce(0) { $0 + $1.utf8.count }
      if animal.id % 64 == 0 { _ = animal.owner?.animals.count }
      _ = animal.collar?.size
      _ = animal.friends.first?.name
    }
    return legs == doses
  }

  @Test func `readers see only whole commits during insertions, updates, deletions and queries`()
    async throws
  {
    let configuration = StoreConfiguration.inMemory()
    let first = try Store(configuration: configuration)
    try first.write {
      for id in 0..<200 {
        try first.create(
          EngineAnimal.self,
          value: ["id": .int(Int64(id)), "legs": 1, "doses": [1], "owner": ["id": "o"]],
          update: .modified)
      }
    }
    let done = Flag()
    let rounds = 60
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for reader in 0..<3 {
        group.addTask {
          let store = try Store(configuration: configuration)
          var random = SeededRandom(seed: UInt64(reader))
          var held: [FrozenResults<EngineAnimal>] = []
          repeat {
            store.refresh()
            let animals = store.objects(EngineAnimal.self)
            held.append(animals.frozen())
            if held.count > 3 { held.remove(at: random.below(3)) }
            guard held.allSatisfy({ Self.isConsistent($0) }) else { return false }
            for _ in 0..<50 {
              let id = random.below(400)
              if let found = store.object(ofType: EngineAnimal.self, forPrimaryKey: id) {
                guard found.id == id else { return false }
              }
            }
            // There may be fewer threads than tasks.
            await Task.yield()
          } while !done.isSet
          return true
        }
      }
      group.addTask {
        let store = try Store(configuration: configuration)
        var random = SeededRandom(seed: 99)
        for round in 0..<rounds {
          let undo = round % 7 == 3
          do {
            try store.write {
              for id in [200 + round * 3, 201 + round * 3] {
                try store.create(
                  EngineAnimal.self,
                  value: [
                    "id": .int(Int64(id)), "legs": 2, "doses": [1, nil], "name": "a new animal",
                    "collar": ["size": 1], "owner": ["id": "p"],
                  ], update: .modified)
              }
              for _ in 0..<10 {
                let animals = store.objects(EngineAnimal.self)
                let animal = animals[random.below(animals.count)]
                animal.legs += 1
                animal.doses.append(2)
                animal.name += "x"
                animal.tags.append("tag")
                animal.friends.append(animals[0])
                if animal.tags.count > 5 { animal.tags.removeAll() }
              }
              store.delete(store.objects(EngineAnimal.self)[random.below(50)])
              _ = store.objects(EngineAnimal.self).frozen()
              if undo { throw Undo() }
            }
          } catch is Undo {}
        }
        done.set()
        return true
      }
      for try await isSound in group { #expect(isSound) }
    }
    first.refresh()
    first.checkInvariants()
  }

  /// Caches a value of its own, which no two threads may initialize at the same time.
  final class Counted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    lazy var letters = name.utf8.map { Int($0) }
  }

  @Test func `eight tasks can read one frozen object concurrently`() async throws {
    let store = try Store()
    try store.write {
      let animal = try store.create(
        EngineAnimal.self,
        value: [
          "id": 1, "name": "Bella", "tags": ["a", "b"], "owner": ["id": "o", "name": "Ann"],
        ])
      animal.doses.append(2.5)
      try store.create(Counted.self, value: ["id": 1, "name": "abc"])
    }
    let animal = try store.animal(1).frozen()
    let counted = try #require(store.object(ofType: Counted.self, forPrimaryKey: 1)).frozen()
    try store.write { store.deleteAll() }
    let results = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var texts: Set<String> = []
          for _ in 0..<200 {
            texts.insert(
              "\(animal.name) \(animal.tags) \(animal.owner?.name ?? "") \(animal.doses.count)")
            texts.insert("\(counted.letters) \(counted.withObject { $0.letters.count })")
          }
          return texts.sorted()
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      results
        == Array(
          repeating: [#"Bella ["a", "b"] Ann 1"#, "[97, 98, 99] 3"], count: 8))
  }
}
