import TestSupport
import Testing

@testable import ObjectStore

/// Random strings and searches, between and inside random writes, compared with a naive implementation. R8.
///
/// The number of rounds per seed is a tenth of `STORE_RANDOM_STEPS`. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random text search` {
  private typealias Animal = Searched.Animal

  private static let steps = SeededRandom.steps(100)
  private static let seeds = SeededRandom.seeds(1...3)

  private struct Run: QueryRun {
    static let words = [
      "cof", "Coffee", "coffeehouse", "coffeehouses", "coffeeho", "bea", "BEAN", "Bär", "bar",
      "tea",
      "straße", "STRASSE", "日本", "日本語", "x1", "1", "12", "e\u{301}te", "ﬁn", "fine", "हिन्दी", "İ", "i",
    ]
    static let gaps = [
      " ", " ", " ", ", ", "-", "'", "_", "😀", "\n", " - ", "*", " *", "\u{301} ", "\u{A0}", " -",
    ]

    let store: Store
    var random: SeededRandom
    var plans: [String: Int] = [:]
    var kept: [(FrozenResults<Animal>, [Int])] = []

    init(seed: UInt64, count: Int) throws {
      random = SeededRandom(seed: seed)
      store = try Store()
      try store.write { for id in 0..<count { try insert(id) } }
    }

    var animals: Results<Animal> { store.objects(Animal.self) }

    mutating func one<T>(_ values: [T]) -> T { values[random.below(values.count)] }

    mutating func text(_ count: Int) -> String {
      var text = random.once(in: 6) ? one(Self.gaps) : ""
      for place in 0..<random.below(count + 1) {
        text += (place > 0 ? one(Self.gaps) : "") + one(Self.words)
      }
      return text + (random.once(in: 6) ? one(Self.gaps) : "")
    }

    mutating func search() -> String {
      var parts: [String] = []
      for _ in 0...random.below(3) {
        var word = one(Self.words)
        if random.once(in: 4) { word = String(word.prefix(1 + random.below(4))) + "*" }
        if random.once(in: 4) { word = "-" + word }
        parts.append(word)
      }
      return random.once(in: 8)
        ? parts.joined(separator: one(Self.gaps)) : parts.joined(separator: " ")
    }

    mutating func insert(_ id: Int) throws {
      let animal = try store.create(Animal.self, value: ["id": .init(id)])
      animal.name = text(6)
      animal.note = random.once(in: 3) ? nil : text(4)
      animal.legs = random.below(20)
    }

    /// Updates, inserts and deletes `count` objects.
    mutating func change(_ count: Int) throws {
      for _ in 0..<count {
        let animal = one(Array(animals))
        let id = 1_000 + random.below(100_000)
        let isFree = store.object(ofType: Animal.self, forPrimaryKey: id) == nil
        switch random.below(8) {
        case 0: if animals.count > 20 { store.delete(animal) }
        case 1, 2: if isFree { try insert(id) }
        case 3: if isFree { try store.rekey(animal, to: id) }
        case 4: animal.note = random.once(in: 2) ? nil : text(4)
        case 5: animal.legs = random.below(20)
        default: animal.name = text(6)
        }
      }
    }

    mutating func ask(times: Int) throws {
      for _ in 0..<times {
        let (first, second, legs) = (search(), search(), random.below(20))
        try ask("name TEXT %@", [first]) { NaiveSearch.holds(first, $0.name) }
        try ask("note TEXT %@", [first]) { NaiveSearch.holds(first, $0.note) }
        try ask("NOT note TEXT %@", [first]) { !NaiveSearch.holds(first, $0.note) }
        try ask("name TEXT %@ AND name TEXT %@", [first, second]) {
          NaiveSearch.holds(first, $0.name) && NaiveSearch.holds(second, $0.name)
        }
        try ask("name TEXT %@ OR note TEXT %@", [first, second]) {
          NaiveSearch.holds(first, $0.name) || NaiveSearch.holds(second, $0.note)
        }
        try ask("name TEXT %@ AND legs == %@", [first, legs]) {
          NaiveSearch.holds(first, $0.name) && $0.legs == legs
        }
      }
    }

    private mutating func ask(
      _ format: String, _ arguments: [Any?], _ holds: (Animal) -> Bool
    ) throws {
      let predicate = try StorePredicate(format, arguments: arguments)
      let results = try animals.filter(predicate)
      let expected = Array(animals).filter(holds).map(\.id)
      let plan = results.explainQuery()
      #expect(results.map(\.id) == expected, "\(plan)")
      #expect(results.first?.id == expected.first && results.isEmpty == expected.isEmpty, "\(plan)")
      for kind in ["words of", "index on", "every row", " or words of", "the write changed"]
      where plan.split(separator: "\n")[0].contains(kind) { plans[kind, default: 0] += 1 }
      if random.once(in: 6) { kept.append((results.frozen(), expected)) }
    }
  }

  @Test(arguments: Self.seeds) func `text searches equal a naive search, between and inside writes`(
    _ seed: UInt64
  ) throws {
    var run = try Run(seed: seed, count: 150)
    for round in 0..<max(1, Self.steps / 10) {
      try run.ask(times: 2)
      try run.store.write {
        try run.askInsideWrite(changing: run.random.once(in: 4) ? 80 : 4)
      }
      run.askInsideUndoneWrite()
      run.store.checkInvariants("seed \(seed), round \(round)")
    }
    for (frozen, ids) in run.kept { #expect(frozen.map(\.id) == ids) }
    for kind in ["words of", "index on", "every row", " or words of", "the write changed"] {
      #expect(run.plans[kind, default: 0] > 0, "no query plan contains '\(kind)'")
    }
  }

  /// Enough rows for candidates to be tested chunk by chunk and for those of several words to be intersected.
  @Test func `text searches of 3,000 rows equal a naive search`() throws {
    var run = try Run(seed: 4, count: 3_000)
    try run.ask(times: 5)
    try run.store.write {
      try run.change(50)
      try run.ask(times: 3)
    }
    try run.ask(times: 5)
    run.store.checkInvariants()
    #expect(run.plans["words of", default: 0] > 20)
  }
}
