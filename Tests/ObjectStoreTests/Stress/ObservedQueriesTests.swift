import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Ten observed queries of all kinds at once, and many small commits.
///
/// `STORE_RANDOM_STEPS` sets the number of commits per seed, `STORE_OBSERVED_ROWS` the number of rows, and
/// `STORE_OBSERVED_CHECKS` the number of commits between checks. With 100,000 rows, a commit and its notifications take
/// a third of a second in an optimized build.
@Suite struct `Ten observed queries` {
  final class Author: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(originProperty: "author") var books: LinkingObjects<Book>
  }

  final class Book: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(searchable: true) var title = ""
    @Persisted(indexed: true) var year = 0
    @Persisted var price: Double?
    @Persisted var author: Author?
  }

  private static func number(_ name: String, _ fallback: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? fallback
  }
  private static let steps = number("STORE_RANDOM_STEPS", 40)
  private static let rows = number("STORE_OBSERVED_ROWS", 300)
  private static let checks = number("STORE_OBSERVED_CHECKS", 1)
  private static let words = (0..<60).map { "word\($0)" }

  /// A query, and the rows that its observer has received.
  private final class Watch {
    private let results: Results<Book>
    private var token: ObservationToken?
    private var slots: [Int] = []
    private(set) var changeCount = 0

    init(_ results: Results<Book>) {
      self.results = results
      token = results.observe { [unowned self] in take($0) }
    }

    private func take(_ change: CollectionChange<Results<Book>>) {
      switch change {
      case .initial(let books): slots = books.map(\.slot)
      case .update(let books, let deletions, let insertions, _):
        changeCount += 1
        var gone = deletions[...]
        var next = 0
        var kept: [Int] = []
        kept.reserveCapacity(slots.count + insertions.count)
        for (place, slot) in slots.enumerated() {
          if gone.first == place {
            gone.removeFirst()
            continue
          }
          while next < insertions.count, insertions[next] == kept.count {
            kept.append(books[insertions[next]].slot)
            next += 1
          }
          kept.append(slot)
        }
        for place in insertions[next...] { kept.append(books[place].slot) }
        slots = kept
      case .error(let error): Issue.record(error)
      }
    }

    /// Returns true if the rows equal those of the same query without observers.
    func isRight() -> Bool {
      let again = Results<Book>(results.handle, results.entry, results.query)
      return slots == again.map(\.slot) && slots == results.map(\.slot)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `observed queries show the same rows as new queries after each commit`(_ seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let store = try Store()
    try store.write {
      for id in 0..<40 {
        try store.create(
          Author.self, value: ["id": .int(Int64(id)), "name": .string("A\(id % 17)")])
      }
      for id in 0..<Self.rows { try put(store, id, &random) }
    }
    let all = store.objects(Book.self)
    let watches = [
      all.where { $0.year > 1990 },
      all.sorted(by: \.title),
      try all.filter("price > 3.0").sorted(by: \.year, ascending: false),
      all.where { $0.author.name == "A7" },
      all.sorted(by: \.author?.name),
      all.where { $0.title.matches("word7* -word3") },
      all.where { $0.year < 2000 || $0.price == nil }.sorted(by: \.price).limit(50, offset: 10),
      all.distinct(by: \.year),
      all.where { $0.author.books.count > 3 }.sorted(by: \.title),
    ].map(Watch.init)
    let sections = all.where { $0.year > 1960 }.sectioned(by: \.year)
    var sectionChanges = 0
    var years: [Int] = []
    let token = sections.observe {
      sectionChanges += 1
      if case .update(let sections, _, _, _, let new, let old) = $0 {
        for section in old.reversed() { years.remove(at: section) }
        for section in new { years.insert(sections[section].key, at: section) }
      } else {
        years = sections.allKeys
      }
    }
    store.refresh()
    for step in 0..<Self.steps {
      try store.write {
        for _ in 0..<1 + random.below(3) { try change(store, &random) }
      }
      store.refresh()
      if step % Self.checks != 0 { continue }
      for (index, watch) in watches.enumerated() {
        #expect(watch.isRight(), "step \(step), query \(index)")
      }
      #expect(years == sections.allKeys, "step \(step)")
    }
    // With many rows, few commits affect queries with a limit or distinct values.
    if Self.rows < 1_000 { #expect(watches.allSatisfy { $0.changeCount > 0 }) }
    #expect(sectionChanges > 0)
    withExtendedLifetime(token) {}
  }

  private func put(_ store: Store, _ id: Int, _ random: inout SeededRandom) throws {
    let title = (0..<3).map { _ in Self.words[random.below(60)] }.joined(separator: " ")
    try store.create(
      Book.self,
      value: [
        "id": .int(Int64(id)), "title": .string(title),
        "year": .int(Int64(1950 + random.below(70))),
        "price": random.once(in: 9) ? nil : .double(Double(random.below(900)) / 100),
        "author": ["id": .int(Int64(random.below(40)))],
      ], update: .modified)
  }

  private func change(_ store: Store, _ random: inout SeededRandom) throws {
    func book() -> Book? {
      store.object(ofType: Book.self, forPrimaryKey: random.below(Self.rows))
    }
    switch random.below(8) {
    case 0: book().map(store.delete)
    case 1, 2: try put(store, random.below(Self.rows), &random)
    case 3: book()?.year = 1950 + random.below(70)
    case 4: book()?.price = random.once(in: 3) ? nil : Double(random.below(900)) / 100
    case 5: book()?.author = store.object(ofType: Author.self, forPrimaryKey: random.below(40))
    case 6:
      if random.once(in: 5) {
        store.object(ofType: Author.self, forPrimaryKey: random.below(40))?.name =
          "A\(random.below(17))"
      }
    default: book()?.title = "\(Self.words[random.below(60)]) \(Self.words[random.below(60)])"
    }
  }
}
