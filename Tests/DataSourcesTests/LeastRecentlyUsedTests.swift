import TestSupport
import Testing

@testable import DataSources

@Suite struct `The least recently used cache` {
  /// A naive model: a list in order of use.
  private struct Model {
    var limit: Int
    var entries: [(key: Int, value: Int, cost: Int)] = []

    mutating func take(_ key: Int) -> Int? {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: index))
      return entries.last?.value
    }

    mutating func insert(_ value: Int, _ key: Int, _ cost: Int) {
      entries.removeAll { $0.key == key }
      guard cost <= limit else { return }
      entries.append((key, value, cost))
      while entries.reduce(0, { $0 + $1.cost }) > limit { entries.removeFirst() }
    }
  }

  @Test(arguments: 1...20)
  func `the cache agrees with a naive list ordered by last use`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let limit = random.below(12)
    var kept = LeastRecentlyUsed<Int, Int>(limit: limit)
    var model = Model(limit: limit)
    for step in 0..<500 {
      let key = random.below(10)
      switch random.below(5) {
      case 0: #expect(kept[key] == model.take(key))
      case 1:
        kept.remove(key)
        model.entries.removeAll { $0.key == key }
      case 2:
        kept.updateAll { $0 += key }
        for index in model.entries.indices { model.entries[index].value += key }
      default:
        let cost = random.below(5)
        kept.insert(step, for: key, cost: cost)
        model.insert(step, key, cost)
      }
      #expect(kept.count == model.entries.count)
    }
    for key in 0..<10 { #expect(kept[key] == model.take(key)) }
  }

  /// Eviction must not visit all entries.
  @Test func `eviction does not take time proportional to the size of the cache`() {
    func time(_ limit: Int) -> Double {
      var kept = LeastRecentlyUsed<Int, Int>(limit: limit)
      for key in 0..<limit { kept.insert(key, for: key) }
      var next = limit
      return threadSeconds {
        for key in next..<next + 500 { kept.insert(key, for: key) }
        next += 500
      }
    }
    let (small, large) = (time(100), time(50_000))
    #expect(large < small * 20)
  }
}
