import ObjectStore
import TestSupport
import Testing

/// The methods of sets and maps that Swift's `Set` and `Dictionary` have.
@Suite struct `Sets and maps` {
  private final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var tags: MutableSet<String>
    @Persisted var friends: MutableSet<Box>
    @Persisted var scores: Map<String, Int>
    @Persisted var places: Map<String, Box>
    @Persisted var guests: Map<String, Box?>
  }

  /// Runs `body` with an unmanaged and with a managed object.
  private func withBoth(_ body: (Box) throws -> Void) throws {
    try body(Box())
    let store = try Store()
    try store.write { try body(try store.create(Box.self, value: ["id": 1])) }
  }

  private static let sets: [([String], [String])] = [
    ([], []), (["a", "b"], []), ([], ["a"]), (["a", "b", "c"], ["b", "c", "d"]),
    (["a", "b"], ["a", "b"]), (["a"], ["a", "b", "b"]), (["a", "b"], ["c", "d"]),
  ]

  @Test(arguments: sets)
  func `a set is compared and combined with others as Swift's Set is`(
    _ elements: [String], _ other: [String]
  ) throws {
    try withBoth { box in
      let model = Set(elements)
      box.tags = MutableSet(elements)
      #expect(box.tags.isSubset(of: other) == model.isSubset(of: other))
      #expect(box.tags.isSuperset(of: other) == model.isSuperset(of: other))
      #expect(box.tags.isDisjoint(with: other) == model.isDisjoint(with: other))
      #expect(box.tags.first == elements.first)
      box.tags.subtract(other)
      #expect(Set(box.tags) == model.subtracting(other))
      box.tags = MutableSet(elements)
      box.tags.formIntersection(other)
      #expect(Set(box.tags) == model.intersection(other))
    }
  }

  @Test func `sets tell canonically equivalent strings apart`() throws {
    try withBoth { box in
      box.tags = ["\u{E9}", "e\u{301}"]
      box.tags.subtract(["\u{E9}"])
      #expect(box.tags.map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
      #expect(!box.tags.isSubset(of: ["\u{E9}"]))
    }
  }

  @Test func `elements of a set have indices in the stored order`() throws {
    let store = try Store()
    try store.write {
      let boxes = try (1...3).map { try store.create(Box.self, value: ["id": .int($0)]) }
      boxes[0].friends.insert(contentsOf: boxes.reversed())
      #expect((0..<3).map { boxes[0].friends[$0].id } == [1, 2, 3])
      #expect(boxes[0].friends.first?.id == 1)
      boxes[0].friends.subtract([boxes[0], boxes[2]])
      #expect(boxes[0].friends.map(\.id) == [2])
    }
  }

  @Test func `a change of a set without a difference makes no version`() throws {
    let store = try Store()
    let box = try store.write { try store.create(Box.self, value: ["id": 1, "tags": ["a"]]) }
    let version = store.version
    try store.write {
      box.tags.subtract(["b"])
      box.tags.formIntersection(["a", "b"])
    }
    #expect(store.version == version)
  }

  @Test func `values of a map are updated, removed and merged as those of a dictionary`() throws {
    try withBoth { box in
      let scores = box.scores
      #expect(scores.updateValue(1, forKey: "a") == nil)
      #expect(scores.updateValue(2, forKey: "a") == 1)
      scores["b", default: 10] += 5
      scores["b", default: 10] += 5
      #expect(scores.dictionary == ["a": 2, "b": 20])
      scores.merge(["a": 3, "c": 4]) { $0 * 100 + $1 }
      #expect(scores.dictionary == ["a": 203, "b": 20, "c": 4])
      #expect(scores.removeValue(forKey: "a") == 203)
      #expect(scores.removeValue(forKey: "a") == nil)
      #expect(scores.dictionary == ["b": 20, "c": 4])
    }
  }

  @Test func `a merge whose closure throws keeps the pairs before it`() throws {
    struct Failure: Error {}
    try withBoth { box in
      box.scores["b"] = 1
      #expect(throws: Failure.self) {
        try box.scores.merge(["a": 7, "b": 8, "c": 9]) { _, _ in throw Failure() }
      }
      #expect(box.scores.dictionary == ["a": 7, "b": 1])
    }
  }

  @Test func `the objects of a map are live results in the order of the keys`() throws {
    let store = try Store()
    let box = try store.write {
      let boxes = try (1...4).map { try store.create(Box.self, value: ["id": .int($0)]) }
      boxes[0].places.merge(["b": boxes[1], "a": boxes[2], "c": boxes[1]]) { $1 }
      boxes[0].guests.merge(["x": boxes[3], "y": nil, "z": boxes[1]]) { $1 }
      return boxes[0]
    }
    let places = box.places.objects()
    let guests = box.guests.objects()
    #expect(places.map(\.id) == [3, 2, 2])
    #expect(guests.map(\.id) == [4, 2])
    #expect(places.where { $0.id == 2 }.count == 2)
    #expect(guests.sorted(by: \.id).map(\.id) == [2, 4])
    try store.write { store.delete(try #require(store.object(Box.self, key: 2))) }
    #expect(places.map(\.id) == [3] && guests.map(\.id) == [4])
  }
}
