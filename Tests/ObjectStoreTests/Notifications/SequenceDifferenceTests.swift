import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Differences of sequences` {
  /// The result of applying a difference to the earlier sequence.
  private func applied<T>(_ difference: SequenceDifference, _ earlier: [T], _ later: [T]) -> [T] {
    var result = earlier
    for index in difference.deletions.reversed() { result.remove(at: index) }
    for index in difference.insertions { result.insert(later[index], at: index) }
    return result
  }

  /// All sequences of up to `count` elements from these letters.
  private func sequences(of letters: [Character], upTo count: Int) -> [[Character]] {
    var all: [[Character]] = [[]]
    var longest = all
    for _ in 0..<count {
      longest = longest.flatMap { start in letters.map { start + [$0] } }
      all += longest
    }
    return all
  }

  private func longestCommon(_ a: [Character], _ b: [Character]) -> Int {
    guard let first = a.first, !b.isEmpty else { return 0 }
    let rest = Array(a.dropFirst())
    let without = longestCommon(rest, b)
    guard let index = b.firstIndex(of: first) else { return without }
    return max(without, 1 + longestCommon(rest, Array(b[(index + 1)...])))
  }

  @Test func `differences of short sequences are correct, and minimal if elements are unique`() {
    let all = sequences(of: ["a", "b", "c"], upTo: 4)
    for earlier in all {
      for later in all {
        let difference = SequenceDifference(earlier, later)
        let isRight =
          applied(difference, earlier, later) == later
          && difference.deletions == difference.deletions.sorted()
          && difference.insertions == difference.insertions.sorted()
          && (earlier != later
            || difference.deletions.isEmpty && difference.insertions.isEmpty)
        if !isRight { #expect(isRight, "\(earlier) \(later) \(difference)") }
        guard Set(earlier).count == earlier.count, Set(later).count == later.count else { continue }
        let kept = earlier.count - difference.deletions.count
        if kept != longestCommon(earlier, later) {
          #expect(kept == longestCommon(earlier, later), "\(earlier) \(later)")
        }
      }
    }
  }
}

@Suite struct `Ordered slots` {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `ordered slots match an array after random edits`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var expected = (0..<random.below(3_000)).map { _ in random.below(1_000_000) }.sorted()
    var slots = OrderedSlots(expected)
    for step in 0..<6_000 {
      // Insertions become rarer, so that the sequence grows first and then shrinks.
      if expected.isEmpty || random.below(6_000) > step {
        let slot = random.below(1_000_000)
        let index = slots.partitionPoint { $0 < slot }
        #expect(index == expected.firstIndex { $0 >= slot } ?? expected.count)
        slots.insert(slot, at: index)
        expected.insert(slot, at: index)
      } else {
        let index = random.below(expected.count)
        slots.remove(at: index)
        expected.remove(at: index)
      }
      #expect(slots.count == expected.count)
      if step % 97 == 0 {
        #expect(expected.indices.allSatisfy { slots[$0] == expected[$0] })
        let first = random.below(expected.count + 1)
        let range = first..<first + random.below(expected.count - first + 1)
        #expect(slots[range] == Array(expected[range]))
      }
    }
  }

  @Test func `a copy of ordered slots does not change with the original`() {
    var slots = OrderedSlots(Array(0..<2_000))
    let copy = slots
    slots.remove(at: 700)
    slots.insert(9_999, at: 3)
    #expect(copy[0..<2_000] == Array(0..<2_000))
    #expect(slots[3] == 9_999)
    #expect(slots[701] == 701)
  }
}
