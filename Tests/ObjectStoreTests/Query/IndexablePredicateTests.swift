import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Intersections of index key ranges` {
  private typealias Keys = [ClosedRange<UInt64>]

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `an intersection of key ranges contains exactly the keys in both operands`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func keys() -> Keys {
      var keys: Keys = []
      var next: UInt64 = 0
      for _ in 0..<random.below(8) {
        let lower = next + UInt64(random.below(4))
        let upper = lower + UInt64(random.below(3) * random.below(4))
        keys.append(lower...upper)
        next = upper + 1
      }
      return keys
    }
    let (a, b) = (keys(), keys())
    let common = a.common(b)
    #expect(
      common.flatMap { Array($0) }
        == a.flatMap { Array($0) }.filter { key in
          b.contains { $0.contains(key) }
        })
    #expect(b.common(a) == common)
  }

  @Test(.timeLimit(.minutes(10)))
  func `intersecting 200,000 key ranges does not take quadratic time`() {
    let even: Keys = (0..<200_000).map { 2 * $0...2 * $0 }
    let third: Keys = (0..<200_000).map { 3 * $0...3 * $0 }
    #expect(even.common(third).count == 66_667)
  }
}
