import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `The slot cache of results` {
  /// Matches the last rows, and counts the rows tested.
  private final class CountingTest: RowFilter {
    let first: Int
    private(set) var count = 0

    init(from first: Int) { self.first = first }

    override func matches(_ frame: EvaluationContext) -> Bool {
      count += 1
      return frame.slot >= first
    }
  }

  /// A condition that reads the name.
  private static let readsName = QueryNode.comparison(
    .attribute(QueryAttribute(["name"])), QueryComparison(.equal), .value(.string("")))

  @Test(arguments: [(290, 290), (300, nil)])
  func `the slot cache searches for the first match only once per change of what the query reads`(
    from: Int, first: Int?
  ) throws {
    let store = try Store()
    try store.write { for id in 0..<300 { try store.add(Animal(id: id)) } }
    let handle = store.handle
    let table = try handle.entry(Animal.self).table
    let test = CountingTest(from: from)
    let query = ResultsQuery([.filter(test, Self.readsName)])
    let cache = SlotCache()
    for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
    #expect(test.count == 300)
    try store.write {
      for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
      #expect(test.count == 600)
      let animal = try #require(store.objects(Animal.self).first)
      animal.legs = 7
      for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
      #expect(test.count == 600)
      animal.name = "other"
      for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
      #expect(test.count == 900)
    }
    for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
    #expect(test.count == 1_200)
    // A cached first match does not provide all matches, but all matches provide the first.
    for _ in 0..<3 { #expect(cache.slots(handle, query, table).count == 300 - from) }
    #expect(cache.first(handle, query, table) == first)
    #expect(test.count == 1_500)
  }

  @Test func `a loop by index that changes other attributes runs the query once`() throws {
    let store = try Store()
    try store.write { for id in 0..<300 { try store.add(Animal(id: id)) } }
    let handle = store.handle
    let entry = try handle.entry(Animal.self)
    let test = CountingTest(from: 100)
    let results = Results<Animal>(handle, entry, ResultsQuery([.filter(test, Self.readsName)]))
    try store.write {
      for index in 0..<results.count { results[index].legs = 3 }
    }
    #expect(test.count == 300)
    #expect(store.objects(Animal.self).where { $0.legs == 3 }.count == 200)
  }
}
