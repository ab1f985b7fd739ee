import ObjectStore
import TestSupport
import Testing

@Suite struct `Retained collections` {
  /// Adds a farm and retains only its collections.
  private func collectionsOfFarm(
    in store: Store, thenFail: Bool = false
  ) throws -> (List<Animal>, MutableSet<String>, Map<String, Double>, List<Address>) {
    let farm = Farm(name: "Hill Farm")
    farm.animals.append(Animal(id: 1))
    farm.colours.insert("red")
    farm.prices["milk"] = 1
    let kept = (farm.animals, farm.colours, farm.prices, farm.fields)
    do {
      try store.write {
        try store.add(farm)
        if thenFail { throw Undo() }
      }
    } catch is Undo {}
    return kept
  }

  @Test func `a collection that outlives its object still refers to the object's row`() throws {
    let store = try Store()
    let (animals, colours, prices, fields) = try collectionsOfFarm(in: store)
    let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "Hill Farm"))
    try store.write {
      animals.append(Animal(id: 2))
      colours.insert("blue")
      prices["hay"] = 2
      fields.append(Address(street: "North"))
    }
    #expect(farm.animals.map(\.id) == [1, 2] && Array(animals) == Array(farm.animals))
    #expect(Set(farm.colours) == ["red", "blue"] && Set(colours) == Set(farm.colours))
    #expect(farm.prices.keys == ["hay", "milk"] && prices["hay"] == 2)
    #expect(farm.fields.map(\.street) == ["North"] && fields.count == 1)
    try store.write { farm.animals.removeAll() }
    #expect(animals.isEmpty)
    try store.write { store.delete(farm) }
    #expect(animals.isEmpty && colours.isEmpty && prices.isEmpty && fields.isEmpty)
  }

  @Test func `collections of an object whose add was rolled back have their previous elements`()
    throws
  {
    let store = try Store()
    let (animals, colours, prices, _) = try collectionsOfFarm(in: store, thenFail: true)
    #expect(animals.map(\.id) == [1] && Array(colours) == ["red"] && prices["milk"] == 1)
    animals.append(Animal(id: 2))
    #expect(animals.count == 2 && store.objects(Animal.self).isEmpty)
  }

  @Test func `rolling back a savepoint detaches only lists of objects added in it`() throws {
    let store = try Store()
    let outer = Animal(id: 1)
    outer.tags.append("outer")
    let inner = Animal(id: 2)
    inner.tags.append("inner")
    let (outerTags, innerTags) = (outer.tags, inner.tags)
    try store.write {
      try store.add(outer)
      try? store.write {
        try store.add(inner)
        innerTags.append("undone")
        throw Undo()
      }
      outerTags.append("kept")
    }
    #expect(Array(outer.tags) == ["outer", "kept"] && Array(outerTags) == Array(outer.tags))
    #expect(Array(innerTags) == ["inner"] && Array(inner.tags) == ["inner"])
  }

  @Test func `removing all elements of a copied list variable empties the object's list`() throws {
    let store = try Store()
    let animal = Animal(id: 1)
    animal.tags = ["a", "b"]
    for keepsCapacity in [true, false] {
      let unmanaged = animal.tags
      unmanaged.removeAll(keepingCapacity: keepsCapacity)
      #expect(animal.tags.isEmpty)
      unmanaged.append("a")
      #expect(Array(animal.tags) == ["a"])
    }
    try store.write { try store.add(animal) }
    for keepsCapacity in [true, false] {
      var tags = animal.tags
      try store.write { tags.removeAll(keepingCapacity: keepsCapacity) }
      #expect(animal.tags.isEmpty && tags.isEmpty)
      try store.write {
        tags.append("q")
        tags.removeFirst()
        tags += ["r", "s"]
        tags.removeLast(1)
        tags.removeAll { $0 == "r" }
        tags.insert(contentsOf: ["t"], at: 0)
      }
      #expect(Array(animal.tags) == ["t"])
    }
  }

  @Test func `a list does not retain its object`() throws {
    weak var object: Animal?
    let store = try Store()
    func tags() throws -> List<String> {
      let animal = Animal(id: 1)
      object = animal
      let tags = animal.tags
      try store.write { try store.add(animal) }
      return tags
    }
    let kept = try tags()
    #expect(object == nil)
    try store.write { kept.append("a") }
    #expect(store.objects(Animal.self).first.map { Array($0.tags) } == ["a"])
  }
}
