import Testing
import TestSupport

@testable import ObjectStore

/// A frozen view taken inside a write never changes, whatever happens to the write.
@Suite struct `A frozen view taken inside a write` {
  let store: Store

  init() throws {
    store = try Store()
    try store.write {
      let animal = try store.create(
        EngineAnimal.self, value: ["id": 1, "name": "first", "tags": ["a"]])
      // Leaves spare capacity after the elements, so that later ones are appended in place.
      animal.tags.append("b")
      animal.doses.append(1)
    }
  }

  private func frozen() throws -> Frozen<EngineAnimal> { try store.animal(1).frozen() }

  // R5
  @Test func `a frozen view shows neither later writes nor the rollback`() throws {
    var views: [Frozen<EngineAnimal>] = []
    store.undone {
      let animal = try store.animal(1)
      animal.name = "second"
      animal.tags.append("c")
      views.append(try frozen())
      animal.name = "third"
      animal.tags.append("d")
      views.append(try frozen())
    }
    try store.write {
      let animal = try store.animal(1)
      animal.tags.append("x")
      animal.tags.append("y")
      animal.name = "fourth"
    }
    #expect(views.map(\.name) == ["second", "third"])
    #expect(views.map(\.tags) == [["a", "b", "c"], ["a", "b", "c", "d"]])
    #expect(Array(try store.animal(1).tags) == ["a", "b", "x", "y"])
  }

  @Test func `a frozen view keeps rows that a rollback removed`() throws {
    var view: FrozenResults<EngineAnimal>?
    store.undone {
      for id in 2..<400 {
        try store.create(EngineAnimal.self, value: ["id": .int(Int64(id)), "name": "new"])
      }
      view = store.objects(EngineAnimal.self).frozen()
    }
    try store.write {
      for id in 1000..<1800 {
        try store.create(EngineAnimal.self, value: ["id": .int(Int64(id)), "name": "newer"])
      }
    }
    let rows = try #require(view)
    #expect(rows.map(\.id) == [1] + Array(2..<400))
    #expect(rows.dropFirst().allSatisfy { $0.name == "new" })
    store.checkInvariants()
  }

  @Test func `a frozen view keeps list elements when only a savepoint is rolled back`() throws {
    var view: Frozen<EngineAnimal>?
    try store.write {
      let animal = try store.animal(1)
      animal.tags.append("c")
      store.undone {
        animal.tags.append("d")
        view = try frozen()
      }
      animal.tags.append("e")
      #expect(Array(animal.tags) == ["a", "b", "c", "e"])
    }
    #expect(view?.tags == ["a", "b", "c", "d"])
  }

  @Test func `a frozen view keeps list elements of a row inserted by the same write`() throws {
    var view: Frozen<EngineAnimal>?
    try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 2])
      animal.tags.append("a")
      store.undone {
        animal.tags.append("b")
        view = animal.frozen()
      }
      animal.tags.append("c")
      #expect(Array(animal.tags) == ["a", "c"])
    }
    #expect(view?.tags == ["a", "b"])
  }

  @Test func `a frozen view keeps list elements when an outer savepoint is rolled back too`() throws
  {
    var view: Frozen<EngineAnimal>?
    try store.write {
      try store.create(EngineAnimal.self, value: ["id": 2])
      store.undone {
        // Copies the column, so that the two savepoints have separate cells.
        try store.animal(2).tags.append("other")
        store.undone {
          try store.animal(1).tags.append("c")
          view = try frozen()
        }
      }
      try store.animal(1).tags.append("d")
    }
    #expect(view?.tags == ["a", "b", "c"])
    #expect(Array(try store.animal(1).tags) == ["a", "b", "d"])
  }

  @Test func `a frozen view keeps list elements when the whole write is rolled back`() throws {
    var view: Frozen<EngineAnimal>?
    store.undone {
      try store.create(EngineAnimal.self, value: ["id": 2]).tags.append("other")
      store.undone {
        try store.animal(1).tags.append("c")
        view = try frozen()
      }
    }
    try store.write { try store.animal(1).tags.append("d") }
    #expect(view?.tags == ["a", "b", "c"])
    #expect(Array(try store.animal(1).tags) == ["a", "b", "d"])
  }

  // R5
  @Test func `writes and deletions after a frozen view leave its rows unchanged`() throws {
    try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 9, "name": "sealed"])
      let view = animal.frozen()
      animal.name = "changed"
      animal.legs = 3
      store.delete(try store.animal(1))
      #expect(view.name == "sealed")
      #expect(view.legs == 4)
      let table = view.handle.tableVersion(try store.handle.entry(EngineAnimal.self).table)
      #expect(table.isLive(0))
    }
  }
}
