import ObjectStore
import TestSupport
import Testing

private final class Herd: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var animals: List<Animal>
  @Persisted var known: MutableSet<Animal>
  @Persisted var tags: List<String>
  @Persisted var notes: List<String?>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Double>
  @Persisted var stalls: Map<String, Animal?>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

private func makeHerd() throws -> (Store, Herd) {
  let store = try Store()
  let herd = Herd(id: 1)
  try store.write {
    try store.add(herd)
    for id in 0..<4 { herd.animals.append(Animal(id: id, name: "animal \(id)")) }
    herd.known.insert(contentsOf: herd.animals)
    herd.tags.append(contentsOf: ["a", "b", "c"])
  }
  return (store, herd)
}

@Suite struct `Loops over changing collections` {
  @Test func `a loop over a list may delete its objects`() throws {
    let (store, herd) = try makeHerd()
    var seen: [Int] = []
    try store.write {
      for animal in herd.animals {
        seen.append(animal.id)
        store.delete(animal)
      }
    }
    #expect(seen == [0, 1, 2, 3] && herd.animals.isEmpty && store.objects(Animal.self).isEmpty)
  }

  @Test func `a loop visits objects deleted before it reaches them as invalidated objects`() throws
  {
    let (store, herd) = try makeHerd()
    var states: [Bool] = []
    try store.write {
      for animal in herd.animals {
        states.append(animal.isInvalidated)
        if states.count == 2 { store.deleteAll() }
      }
    }
    #expect(states == [false, false, true, true])
  }

  @Test func `closures of forEach and map over a list may delete its objects`() throws {
    let (store, herd) = try makeHerd()
    try store.write {
      herd.animals.forEach { if $0.id < 2 { store.delete($0) } }
      let names = herd.animals.map { animal in
        defer { store.delete(animal) }
        return animal.name
      }
      #expect(names == ["animal 2", "animal 3"])
    }
    #expect(herd.animals.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a loop over a list may remove, append, replace and sort its elements`(_ isManaged: Bool)
    throws
  {
    let store = try Store()
    let herd = Herd(id: 1)
    try store.write {
      if isManaged { try store.add(herd) }
      herd.tags.append(contentsOf: ["c", "b", "a"])
      var seen: [String] = []
      for tag in herd.tags {
        seen.append(tag)
        if let index = herd.tags.firstIndex(of: tag) { herd.tags.remove(at: index) }
      }
      #expect(seen == ["c", "b", "a"] && herd.tags.isEmpty)
      herd.tags = ["c", "b", "a"]
      seen = []
      for tag in herd.tags {
        herd.tags.append(tag + tag)
        herd.tags[0] = "z"
        herd.tags.sort()
        seen.append(tag)
      }
      #expect(seen == ["c", "b", "a"] && herd.tags.count == 6)
      seen = []
      for tag in herd.tags {
        if seen.isEmpty { herd.tags = [] }
        seen.append(tag)
      }
      #expect(seen.count == 6 && herd.tags.isEmpty)
    }
  }

  @Test func `a loop over a list does not visit appended elements`() throws {
    let (store, herd) = try makeHerd()
    try store.write {
      var (count, text) = (0, "")
      for tag in herd.tags {
        for number in 0..<2_000 { herd.tags.append("\(tag) \(number)") }
        herd.notes.append(contentsOf: [nil, tag])
        text += tag
        count += 1
      }
      #expect(count == 3 && text == "abc" && herd.tags.count == 6_003)
      #expect(herd.notes.map { $0 ?? "-" }.joined() == "-a-b-c")
    }
  }

  @Test func `a loop over a set, a map or a class may delete its elements`() throws {
    let (store, herd) = try makeHerd()
    try store.write {
      for animal in herd.animals { herd.stalls["stall \(animal.id)"] = animal }
      herd.words.insert(contentsOf: ["x", "y", "z"])
      herd.prices["milk"] = 1
      herd.prices["hay"] = 2
      var seen: [String] = []
      for word in herd.words {
        herd.words.remove(word)
        herd.words.insert("w" + word)
        seen.append(word)
      }
      for (key, price) in herd.prices {
        herd.prices[key] = nil
        herd.prices["new " + key] = price
        seen.append(key)
      }
      #expect(seen == ["x", "y", "z", "hay", "milk"])
      #expect(herd.words.count == 3 && herd.prices.keys == ["new hay", "new milk"])
      var ids: [Int] = []
      for animal in herd.known where animal.id < 2 {
        ids.append(animal.id)
        store.delete(animal)
      }
      for (_, animal) in herd.stalls {
        guard let animal, !animal.isInvalidated, animal.id == 2 else { continue }
        ids.append(animal.id)
        store.delete(animal)
      }
      #expect(ids == [0, 1, 2] && herd.known.count == 1 && herd.stalls.count == 4)
      for id in 10..<14 { try store.add(Animal(id: id)) }
      #expect(
        store.objects(Animal.self).map { animal in
          defer { store.deleteAll() }
          return animal.isInvalidated
        } == [false, true, true, true, true])
    }
  }

  @Test func `a loop over inverse links visits the linking objects that existed at its start`()
    throws
  {
    let store = try Store()
    let mother = Animal(id: 1)
    try store.write {
      try store.add(mother)
      for id in 2..<6 {
        let child = Animal(id: id)
        child.mother = mother
        try store.add(child)
      }
      var ids: [Int] = []
      for child in mother.children {
        ids.append(child.id)
        child.mother = nil
        if child.id == 3 { store.delete(child) }
      }
      #expect(ids == [2, 3, 4, 5] && mother.children.isEmpty)
    }
  }

  @Test func `a loop continues while another handle commits and its own handle advances`() throws {
    let (store, herd) = try makeHerd()
    let other = try Store(configuration: store.configuration)
    var seen: [String] = []
    for tag in herd.tags {
      try other.write {
        other.object(ofType: Herd.self, forPrimaryKey: 1)?.tags.removeAll()
        for id in 100..<1_000 where seen.isEmpty { try other.add(Animal(id: id)) }
      }
      store.refresh()
      seen.append(tag)
    }
    #expect(seen == ["a", "b", "c"] && herd.tags.isEmpty)
  }

  @Test func `a loop over a list continues after a rollback of the list`() throws {
    let (store, herd) = try makeHerd()
    try store.write { herd.tags.append(contentsOf: ["d", "e"]) }
    var seen: [String] = []
    try store.beginWrite()
    for number in 0..<3 { herd.tags.append("undone \(number)") }
    for tag in herd.tags {
      if seen.isEmpty {
        store.cancelWrite()
        try store.beginWrite()
        // These reuse the capacity that the rolled-back elements occupied.
        for number in 0..<3 { herd.tags.append("later \(number)") }
      }
      seen.append(tag)
    }
    try store.commitWrite()
    #expect(seen == ["a", "b", "c", "d", "e", "undone 0", "undone 1", "undone 2"])
    #expect(herd.tags.suffix(4).joined(separator: ",") == "e,later 0,later 1,later 2")
  }

  @Test func `a loop over the list of an object continues after its addition is rolled back`()
    throws
  {
    let store = try Store()
    let herd = Herd(id: 1)
    herd.animals.append(contentsOf: [Animal(id: 50), Animal(id: 51)])
    herd.numbers.append(contentsOf: [1, 2, 3])
    var (numbers, states): ([Int], [Bool]) = ([], [])
    try store.beginWrite()
    try store.add(herd)
    for number in herd.numbers {
      numbers.append(number)
      for animal in herd.animals where numbers.count == 1 {
        store.cancelWrite()
        states.append(animal.isInvalidated)
      }
    }
    #expect(numbers == [1, 2, 3] && states == [true, true])
    #expect(!herd.isManaged && herd.animals.map(\.id) == [50, 51])
  }

  @Test func `a loop does not copy the list`() throws {
    let store = try Store()
    let herd = Herd(id: 1)
    try store.write {
      try store.add(herd)
      herd.numbers = List(0..<100_000)
    }
    var sum = 0
    for _ in 0..<100_000 {
      for number in herd.numbers {
        sum += number + 1
        break
      }
    }
    #expect(sum == 100_000)
  }
}
