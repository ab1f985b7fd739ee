import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Partial sorting` {
  private struct Element: Equatable {
    let key: Int
    let position: Int
  }

  @Test(arguments: [0, 1, 2, 31, 63, 64, 65, 300])
  func `a partial sort returns the first elements of a full stable sort`(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    for distinct in [1, 3, 1_000] {
      let elements = (0..<count).map { Element(key: random.below(distinct), position: $0) }
      let sorted = elements.sorted { ($0.key, $0.position) < ($1.key, $1.position) }
      for limit in [-1, 0, 1, 2, 5, 31, 32, 33, 64, count / 2, count - 1, count, count + 1, .max] {
        #expect(
          elements.sorted(first: limit) { $0.key < $1.key } == Array(sorted.prefix(max(limit, 0))),
          "\(limit) of \(count) with \(distinct) keys")
      }
    }
  }

  private func comparisons(_ keys: [Int], limit: Int) -> Int {
    var count = 0
    _ = keys.sorted(first: limit) {
      count += 1
      return $0 < $1
    }
    return count
  }

  @Test
  func `a partial sort of shuffled elements takes fewer than three comparisons per element`() {
    var keys = Array(0..<10_000)
    var random = SeededRandom(seed: 1)
    keys.shuffle(using: &random)
    #expect(comparisons(keys, limit: 10) < 13_000)
    #expect(comparisons(keys, limit: 100) < 25_000)
    #expect(comparisons(keys, limit: keys.count) > 100_000)
  }

  @Test(arguments: [1, 10, 1_000])
  func `a partial sort takes at most twelve comparisons per element in any order`(limit: Int) {
    #expect(comparisons((0..<10_000).reversed(), limit: limit) < 120_000)
    #expect(comparisons(Array(0..<10_000), limit: limit) < 20_000)
  }
}
