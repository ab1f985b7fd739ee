import TestSupport
import Testing

@testable import ObjectStore

/// What results remember of their rows.
@Suite struct `Remembered rows` {
  /// Holds for the last rows, and counts those that it is asked about.
  private final class CountingTest: RowFilter {
    let first: Int
    private(set) var count = 0

    init(from first: Int) { self.first = first }

    override func matches(_ frame: EvaluationContext) -> Bool {
      count += 1
      return frame.slot >= first
    }
  }

  @Test(arguments: [(290, 290), (300, nil)])
  func `the first one is looked for once for each change, and so is that there is none`(
    from: Int, first: Int?
  ) throws {
    let store = try Store()
    try store.write { for id in 0..<300 { try store.add(Animal(id: id)) } }
    let handle = store.handle
    let table = try handle.entry(Animal.self).table
    let test = CountingTest(from: from)
    let query = ResultsQuery([.filter(test, .constant(true))])
    let cache = SlotCache()
    for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
    #expect(test.count == 300)
    try store.write {
      for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
      #expect(test.count == 600)
      try #require(store.objects(Animal.self).first).name = "other"
      for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
      #expect(test.count == 900)
    }
    for _ in 0..<3 { #expect(cache.first(handle, query, table) == first) }
    #expect(test.count == 1_200)
    // The first one does not tell the others, but those tell the first one.
    for _ in 0..<3 { #expect(cache.slots(handle, query, table).count == 300 - from) }
    #expect(cache.first(handle, query, table) == first)
    #expect(test.count == 1_500)
  }
}
