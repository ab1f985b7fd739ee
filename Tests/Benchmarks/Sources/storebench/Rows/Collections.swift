import ObjectStore

extension Benchmark {
  /// P25: reads and changes of one large collection of a stored object.
  static var collections: [Benchmark] {
    [
      edits(
        "insert", "list: insert at 0",
        ours: { shelf, turn in shelf.numbers.insert(turn, at: 0) },
        baselineName: "Array", plain: { $0.list.insert($1, at: 0) }),
      edits(
        "remove", "list: remove in the middle",
        ours: { shelf, _ in shelf.numbers.remove(at: shelf.numbers.count / 2) },
        baselineName: "Array", plain: { plain, _ in plain.list.remove(at: plain.list.count / 2) }),
      edits(
        "move", "list: move from the end to 0",
        ours: { shelf, _ in shelf.numbers.move(from: shelf.numbers.count - 1, to: 0) },
        baselineName: "Array",
        plain: { plain, _ in plain.list.insert(plain.list.removeLast(), at: 0) }),
      edits(
        "set", "list: assign one element",
        ours: { shelf, turn in shelf.numbers[turn] = -turn },
        baselineName: "Array", plain: { plain, turn in plain.list[turn] = -turn }),
      edits(
        "setInsert", "set: insert", ours: { shelf, turn in shelf.members.insert(-turn) },
        baselineName: "Set", plain: { $0.set.insert(-$1) }),
      edits(
        "mapAssign", "map: assign one value",
        ours: { shelf, turn in shelf.prices["key \(turn * 7)"] = turn },
        baselineName: "Dictionary", plain: { $0.map["key \($1 * 7)"] = $1 }),
      wholeEdit(
        "removeAll", "list: removeAll where, for each", ours: { $0.removeAll { $0 % 3 == 0 } },
        plain: { $0.removeAll { $0 % 3 == 0 } }),
      wholeEdit("reverse", "list: reverse, for each", ours: { $0.reverse() }) { $0.reverse() },
      wholeEdit("sort", "list: sort, for each", ours: { $0.sort() }) { $0.sort() },
      edits(
        "commit", "map: assign one value, each in a write of its own", isOneWrite: false,
        targets: [.atMost(500_000)],
        ours: { shelf, turn in shelf.prices["key \(turn * 7)"] = turn },
        baselineName: "Dictionary", plain: { $0.map["key \($1 * 7)"] = $1 }),
      reads(
        "index", "list: read by index, for each",
        ours: { list in
          var sum = 0
          for index in 0..<list.count { sum &+= list[index] }
          return sum
        },
        plain: { list in
          var sum = 0
          for index in 0..<list.count { sum &+= list[index] }
          return sum
        }),
      reads(
        "loop", "list: read in a loop, for each", ours: { $0.reduce(0, &+) },
        plain: { $0.reduce(0, &+) }),
    ]
  }

  /// The number of edits in a sample. All samples together have fewer edits than the smallest collection has elements.
  private static let editCount = 50

  /// A row for `editCount` edits; the edits are numbered consecutively.
  ///
  /// - Parameter isOneWrite: True if all edits are in one write.
  private static func edits(
    _ id: String, _ what: String, isOneWrite: Bool = true, targets: [Target] = [.atMost(20_000)],
    ours edit: @escaping (Shelf, Int) -> Void,
    baselineName: String, plain: @escaping (inout PlainShelf, Int) -> Void
  ) -> Benchmark {
    Benchmark(
      id: "P25." + id, what: what, targets: targets,
      ours: { workload in
        let store = try Store()
        let shelf = try Shelf.filled(with: shuffledNumbers(workload.sizes.collection), in: store)
        var turns = 0..<editCount
        return Side(operationCount: editCount) { watch in
          try watch.time {
            if isOneWrite {
              try store.write {
                for turn in turns { edit(shelf, turn) }
              }
            } else {
              for turn in turns { try store.write { edit(shelf, turn) } }
            }
          }
          turns = turns.upperBound..<turns.upperBound + editCount
          watch.check(shelf.digest)
        }
      },
      baselineName: baselineName,
      baseline: { workload in
        var shelf = PlainShelf(shuffledNumbers(workload.sizes.collection))
        var turns = 0..<editCount
        return Side(operationCount: editCount) { watch in
          watch.time {
            for turn in turns { plain(&shelf, turn) }
          }
          turns = turns.upperBound..<turns.upperBound + editCount
          watch.check(shelf.digest)
        }
      })
  }

  /// A row for one edit of a whole list; the cost is per element.
  ///
  /// A tenth of the elements suffices to detect quadratic growth, and does not take an hour if there is any.
  private static func wholeEdit(
    _ id: String, _ what: String, ours edit: @escaping (inout List<Int>) -> Void,
    plain: @escaping (inout [Int]) -> Void
  ) -> Benchmark {
    Benchmark(
      id: "P25." + id, what: what, targets: [.atMost(100)],
      ours: { workload in
        let numbers = shuffledNumbers(workload.sizes.collection / 10)
        let store = try Store()
        let shelf = try Shelf.filled(with: numbers, in: store)
        return Side(operationCount: numbers.count) { watch in
          try store.write { shelf.numbers = List(numbers) }
          try watch.time {
            try store.write { edit(&shelf.numbers) }
          }
          watch.check(shelf.digest)
        }
      },
      baselineName: "Array",
      baseline: { workload in
        let numbers = shuffledNumbers(workload.sizes.collection / 10)
        var shelf = PlainShelf(numbers)
        return Side(operationCount: numbers.count) { watch in
          // A separate array, so that the edit does not include a copy.
          shelf.list = numbers.map { $0 }
          watch.time { plain(&shelf.list) }
          watch.check(shelf.digest)
        }
      })
  }

  /// A row that adds up the numbers of a list.
  private static func reads(
    _ id: String, _ what: String, ours sum: @escaping (List<Int>) -> Int,
    plain: @escaping ([Int]) -> Int
  ) -> Benchmark {
    Benchmark(
      id: "P25." + id, what: what, targets: [.atMost(200)],
      ours: { workload in
        let numbers = shuffledNumbers(workload.sizes.collection)
        let shelf = try Shelf.filled(with: numbers, in: Store())
        let list = shelf.numbers
        return Side(operationCount: numbers.count) { watch in
          watch.check(watch.time { sum(list) })
        }
      },
      baselineName: "Array",
      baseline: { workload in
        let numbers = shuffledNumbers(workload.sizes.collection)
        return Side(operationCount: numbers.count) { watch in
          watch.check(watch.time { plain(numbers) })
        }
      })
  }

  private static func shuffledNumbers(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    var random = Random(seed: 25)
    random.shuffle(&numbers)
    return numbers
  }
}

final class Shelf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var numbers: List<Int>
  @Persisted var members: MutableSet<Int>
  @Persisted var prices: Map<String, Int>

  /// Creates the only shelf of a store, with these numbers in each collection; the keys of the map are `key 0` etc.
  static func filled(with numbers: [Int], in store: Store) throws -> Shelf {
    let shelf = Shelf()
    let plain = PlainShelf(numbers)
    shelf.numbers = List(plain.list)
    shelf.members = MutableSet(plain.set)
    shelf.prices = Map(plain.map)
    try store.write { try store.add(shelf) }
    return shelf
  }

  /// A checksum of all elements, and of their order in a list.
  fileprivate var digest: Int {
    digestOfList(numbers) &+ members.reduce(0, &+) &+ prices.reduce(0) { $0 &+ $1.value }
  }
}

private struct PlainShelf {
  var list: [Int]
  var set: Set<Int>
  var map: [String: Int]

  init(_ numbers: [Int]) {
    list = numbers
    set = Set(numbers)
    map = Dictionary(uniqueKeysWithValues: numbers.map { ("key \($0)", $0) })
  }

  var digest: Int {
    digestOfList(list) &+ set.reduce(0, &+) &+ map.values.reduce(0, &+)
  }
}

private func digestOfList(_ list: some Sequence<Int>) -> Int {
  list.reduce(0) { $0 &* 31 &+ $1 }
}
