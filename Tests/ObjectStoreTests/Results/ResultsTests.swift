import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Results of a class` {
  @Test func `results are correct after an equal number of insertions and deletions in a write`()
    throws
  {
    let store = try Store()
    try store.write {
      for id in 0..<4 { try store.add(Animal(id: id)) }
      let animals = store.objects(Animal.self)
      store.delete(animals[1])
      #expect(animals.map(\.id) == [0, 2, 3] && animals[1].id == 2)
      store.delete(animals[1])
      try store.add(Animal(id: 9))
      #expect(animals.map(\.id) == [0, 3, 9] && animals[1].id == 3)
    }
  }

  private func store(_ ids: some Sequence<Int>) throws -> Store {
    let store = try Store()
    try store.write { for id in ids { try store.add(Animal(id: id, name: "\(id)")) } }
    return store
  }

  @Test func `results are in order of insertion`() throws {
    let store = try store([5, 1, 9])
    let results = store.objects(Animal.self)
    #expect(results.map(\.id) == [5, 1, 9])
    #expect(results.count == 3 && results[1].id == 1)
    #expect(results.first?.id == 5 && results.last?.id == 9)
    #expect(Array(results.reversed()).map(\.id) == [9, 1, 5])
    #expect(results.dropFirst().map(\.id) == [1, 9])
    #expect(results.firstIndex { $0.id == 9 } == 2)
    #expect(results.description == "Results<Animal>(3)")
  }

  // The numbers may come from a request.
  @Test func `negative and huge numbers in a limit are read as 0 and as no limit`() throws {
    let store = try Store()
    try store.write { for id in 0..<5 { try store.add(Animal(id: id)) } }
    let animals = store.objects(Animal.self)
    let sorted = animals.sorted(by: \.id, ascending: false)
    for results in [animals, sorted] {
      let all = results.map(\.id)
      for count in [-1, .min] { #expect(results.limit(count).isEmpty) }
      for offset in [-1, .min] {
        #expect(results.limit(2, offset: offset).map(\.id) == Array(all[..<2]))
        #expect(results.limit(-1, offset: offset).first == nil)
      }
      #expect(results.limit(.max, offset: 1).map(\.id) == Array(all[1...]))
      #expect(results.limit(.max, offset: .max).isEmpty)
      #expect(results.limit(2, offset: 9).isEmpty)
    }
  }

  @Test func `results of a class without objects are empty`() throws {
    let results = try Store().objects(Animal.self)
    #expect(results.isEmpty && results.first == nil && results.last == nil)
    #expect(Array(results).isEmpty)
  }

  @Test func `results reflect insertions, deletions and rollbacks`() throws {
    let store = try store([1])
    let results = store.objects(Animal.self)
    let first = results[0]
    try store.write {
      try store.add(Animal(id: 2))
      #expect(results.map(\.id) == [1, 2])
      store.delete(first)
      #expect(results.map(\.id) == [2] && results[0].id == 2)
    }
    #expect(results.count == 1)
    _ = try? store.write {
      try store.add(Animal(id: 3))
      store.delete(results[0])
      #expect(results.map(\.id) == [3])
      throw Undo()
    }
    #expect(results.map(\.id) == [2])
  }

  // R13
  @Test func `a loop over results visits the objects that existed when it began`() throws {
    let store = try store(1...3)
    try store.write {
      var seen = 0
      for animal in store.objects(Animal.self) {
        seen += 1
        try store.add(Animal(id: animal.id + 10))
      }
      #expect(seen == 3)
    }
    #expect(store.objects(Animal.self).count == 6)
  }

  @Test func `indices and count of results are correct after deletions`() throws {
    let store = try store(0..<600)
    let results = store.objects(Animal.self)
    var expected = Array(0..<600)
    for step in [2, 3, 7] {
      try store.write { for animal in results where animal.id % step == 0 { store.delete(animal) } }
      expected.removeAll { $0 % step == 0 }
      #expect(results.count == expected.count)
      #expect(results.indices.map { results[$0].id } == expected)
    }
  }

  @Test func `results and objects of a handle show the version of the handle`() throws {
    let store = try store([1])
    let other = try Store(configuration: store.configuration)
    let (results, animal) = (store.objects(Animal.self), store.objects(Animal.self)[0])
    try other.write {
      other.object(ofType: Animal.self, forPrimaryKey: 1)?.name = "new"
      try other.add(Animal(id: 2))
    }
    #expect(results.count == 1 && animal.name == "1")
    store.refresh()
    #expect(results.count == 2 && animal.name == "new")
  }
}
