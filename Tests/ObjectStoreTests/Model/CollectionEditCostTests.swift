import TestSupport
import Testing

@testable import ObjectStore

private final class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var names: List<String>
  @Persisted var animals: List<Animal>
  @Persisted var places: List<Address>
  @Persisted var members: MutableSet<Int>
  @Persisted var prices: Map<String, Int>
}

/// Counts edits of attributes, and the words and string bytes that arenas allocate, instead of measuring
/// time.
@Suite struct `The cost of editing a collection` {
  private static let count = 10_000
  private let store: Store
  private let shelf = Shelf()

  init() throws {
    store = try Store()
    shelf.numbers = List(0..<Self.count)
    shelf.names = List((0..<Self.count).map { "name \($0)" })
    shelf.members = MutableSet(0..<Self.count)
    shelf.prices = Map(
      Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ("key \($0)", $0) }))
    try store.write { try store.add(shelf) }
  }

  /// The edits that `body` made, and the allocations in the arenas of an attribute.
  private func cost(
    _ attribute: String, _ body: () throws -> Void
  ) throws -> (edits: Int, words: Int, text: Int) {
    let column = try #require(ObjectSchema.of(Shelf.self)[attribute]).column
    let writer = try #require(store.handle.transaction)
      .writer(try store.handle.entry(Shelf.self).table)
    func used() -> (Int, Int) {
      writer.columns(shelf.slot)[column].block._withUnsafeGuaranteedRef {
        (($0.elements?.used ?? 0) / 8, $0.text?.used ?? 0)
      }
    }
    let (edits, (words, text)) = (writer.times.last, used())
    try body()
    return (writer.times.last - edits, used().0 - words, used().1 - text)
  }

  // R7
  @Test func `after the first edit of a list in a write, further edits copy nothing`() throws {
    try store.write {
      shelf.numbers.insert(-1, at: 0)
      let cost = try cost("numbers") {
        for number in 0..<500 {
          shelf.numbers.insert(-number, at: 0)
          shelf.numbers.remove(at: shelf.numbers.count / 2)
          shelf.numbers.move(from: shelf.numbers.count - 1, to: 0)
          shelf.numbers[number] = -number - 1_000
          shelf.numbers.swapAt(number, number + 1)
        }
      }
      #expect(cost == (2_500, 0, 0))
    }
  }

  @Test func `edits of a list store only new strings`() throws {
    try store.write {
      shelf.names.insert("first", at: 0)
      let cost = try cost("names") {
        shelf.names.insert("12345", at: 0)
        shelf.names.move(from: 5_000, to: 0)
        shelf.names.reverse()
        shelf.names[7] = "123"
        shelf.names.remove(at: 5_000)
      }
      #expect(cost == (5, 0, 8))
    }
  }

  @Test func `removing elements at the ends of a list copies nothing`() throws {
    try store.write {
      let cost = try cost("numbers") {
        for _ in 0..<100 {
          shelf.numbers.removeFirst()
          shelf.numbers.removeLast()
        }
      }
      #expect(cost == (200, 0, 0))
    }
    #expect(Array(shelf.numbers) == Array(100..<Self.count - 100))
  }

  @Test func `alternately appending and removing list elements copies nothing`() throws {
    try store.write {
      shelf.numbers.removeLast()
      shelf.numbers.append(-1)
      let cost = try cost("numbers") {
        for number in 0..<100 {
          shelf.numbers.removeLast()
          shelf.numbers.append(number)
          shelf.numbers.append(number)
        }
      }
      #expect(cost == (300, 0, 0))
    }
  }

  /// The number of words allocated in the arena of `numbers`.
  private func usedWords() throws -> Int {
    let version = try store.tableVersion(Shelf.self)
    let column = try #require(ObjectSchema.of(Shelf.self)["numbers"]).column
    return version.columns(shelf.slot)[column].block._withUnsafeGuaranteedRef {
      ($0.elements?.used ?? 0) / 8
    }
  }

  @Test func `using a list as a queue copies nothing across writes`() throws {
    try store.write { shelf.numbers.append(0) }
    let used = try usedWords()
    for number in 0..<300 {
      try store.write { shelf.numbers.append(number) }
      try store.write { _ = shelf.numbers.removeFirst() }
    }
    #expect(try usedWords() == used)
    #expect(Array(shelf.numbers) == Array(300..<Self.count) + [0] + Array(0..<300))
    store.checkInvariants()
  }

  /// The arena of the strings of an attribute.
  private func textArena(_ attribute: String) throws -> ObjectIdentifier {
    let version = try store.tableVersion(Shelf.self)
    let column = try #require(ObjectSchema.of(Shelf.self)[attribute]).column
    return try version.columns(shelf.slot)[column].block._withUnsafeGuaranteedRef {
      ObjectIdentifier(try #require($0.text))
    }
  }

  @Test func `writes that change one value of a map or list do not copy its strings`() throws {
    try store.write { shelf.names[0] = "new" }
    let arenas = [try textArena("prices"), try textArena("names")]
    for number in 0..<30 {
      try store.write { shelf.prices["key \(number)"] = -1 }
      try store.write { shelf.names[number * 7] = "new" }
      try store.write { shelf.names.remove(at: number * 3) }
    }
    #expect([try textArena("prices"), try textArena("names")] == arenas)
    #expect(shelf.prices.values.filter { $0 == -1 }.count == 30)
    store.checkInvariants()
  }

  @Test func `removing elements at the ends of a list records no replaced content`() throws {
    for _ in 0..<100 {
      try store.write {
        shelf.numbers.removeLast()
        shelf.names.removeLast()
        shelf.names.removeFirst()
        let writer = try #require(store.handle.transaction)
          .writer(try store.handle.entry(Shelf.self).table)
        #expect(writer.replacedContent.isEmpty)
      }
    }
    #expect(shelf.numbers.count == Self.count - 100 && shelf.names.count == Self.count - 200)
  }

  @Test func `alternating edits of two collections record the replaced content of each once`()
    throws
  {
    try store.write {
      for number in 0..<500 {
        shelf.numbers[number] = -1
        shelf.prices["key \(number)"] = -1
      }
      let writer = try #require(store.handle.transaction)
        .writer(try store.handle.entry(Shelf.self).table)
      #expect(writer.replacedContent.count == 2)
    }
  }

  @Test func `inserting into a set copies nothing`() throws {
    try store.write {
      shelf.members.insert(-1)
      let cost = try cost("members") {
        for number in 2..<300 {
          shelf.members.insert(-number)
          shelf.members.remove(number)
          shelf.members.insert(number + 1_000)
        }
      }
      #expect(cost == (2 * 298, 0, 0))
    }
  }

  @Test func `setting a value of a map copies nothing and does not store its key again`() throws {
    try store.write {
      shelf.prices["key 1"] = -1
      let cost = try cost("prices") {
        for number in 2..<300 { shelf.prices["key \(number)"] = -number }
        shelf.prices["key 5"] = -5
        shelf.prices["none"] = nil
      }
      #expect(cost == (298, 0, 0))
    }
  }

  @Test func `an operation on several elements of a list is one edit`() throws {
    let edits: [(inout List<Int>) -> Void] = [
      { $0.removeAll { $0 % 3 == 0 } }, { $0.reverse() }, { $0.sort() },
      { $0.append(contentsOf: 0..<1_000) }, { $0.replaceSubrange(5..<50, with: 0..<5) },
      { $0.removeSubrange(0..<10) }, { $0.insert(contentsOf: 0..<10, at: 5) }, { $0.removeLast(3) },
      { $0.move(from: 1, to: 700) }, { $0.swapAt(0, 9) }, { $0 += [1, 2] },
      { _ = $0.partition { $0 % 2 == 0 } }, { $0.removeAll() },
    ]
    try store.write {
      for (index, edit) in edits.enumerated() {
        let cost = try cost("numbers") { edit(&shelf.numbers) }
        #expect(cost.edits == 1, "edit \(index)")
      }
    }
  }

  @Test func `an edit that changes nothing creates no version`() throws {
    let version = store.version
    try store.write {
      shelf.numbers[3] = 3
      shelf.numbers.swapAt(4, 4)
      shelf.numbers.move(from: 5, to: 5)
      shelf.numbers.replaceSubrange(2..<5, with: 2..<5)
      shelf.numbers.append(contentsOf: [])
      shelf.numbers.removeAll { $0 < 0 }
      shelf.numbers.sort()
      shelf.places.reverse()
      shelf.members.insert(contentsOf: [1, 2])
      shelf.members.remove(-1)
      shelf.prices["key 7"] = 7
      shelf.prices["none"] = nil
    }
    #expect(store.version == version)
    try store.write { shelf.names = ["a", "b", "a"] }
    try store.write {
      shelf.names.reverse()
      shelf.names.swapAt(0, 2)
    }
    #expect(store.version == version + 1)
  }

  @Test func `an edit of a list of objects updates links of added and removed elements only`()
    throws
  {
    try store.write {
      shelf.animals.append(contentsOf: (0..<50).map { Animal(id: $0) })
      shelf.places.append(contentsOf: (0..<9).map { Address(street: "\($0)") })
    }
    let places = Array(shelf.places)
    try store.write {
      let transaction = try #require(store.handle.transaction)
      let before = transaction.changeTicks
      shelf.places.remove(at: 4)
      // One for the list, one for the deleted row.
      #expect(transaction.changeTicks - before == 2)
      shelf.places.reverse()
      shelf.places.move(from: 0, to: 6)
      shelf.places.swapAt(1, 2)
      shelf.animals.removeAll { $0.id % 2 == 0 }
    }
    #expect(places.filter(\.isInvalidated).count == 1)
    #expect(shelf.places.map(\.street) == ["7", "5", "6", "3", "2", "1", "8", "0"])
    #expect(Set(shelf.places) == Set(places.filter { !$0.isInvalidated }))
    #expect(shelf.animals.map(\.id) == stride(from: 1, to: 50, by: 2).map { $0 })
    store.checkInvariants()
  }

  @Test func `the predicate of removeAll may delete objects`() throws {
    try store.write { shelf.animals.append(contentsOf: (0..<6).map { Animal(id: $0) }) }
    try store.write {
      shelf.animals.removeAll { animal in
        if animal.id % 3 == 0 { store.delete(animal) }
        return animal.id == 1
      }
    }
    #expect(shelf.animals.map(\.id) == [2, 4, 5])
    store.checkInvariants()
  }
}
