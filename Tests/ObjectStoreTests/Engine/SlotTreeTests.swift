import Testing
import TestSupport

@testable import ObjectStore

// R8
@Suite struct `A slot tree` {
  private func contents(_ tree: SlotTree) -> [[UInt64]] {
    tree.pairs.map { [$0.key, UInt64($0.slot)] }
  }

  /// A naive multiset.
  private struct Sorted {
    var pairs: [[UInt64]] = []

    mutating func insert(_ pair: [UInt64]) {
      let place = pairs.firstIndex { pair.lexicographicallyPrecedes($0) } ?? pairs.count
      pairs.insert(pair, at: place)
    }

    mutating func remove(_ pair: [UInt64]) {
      if let place = pairs.firstIndex(of: pair) { pairs.remove(at: place) }
    }

    func slots(_ key: UInt64) -> [Int] {
      var slots: [Int] = []
      for pair in pairs where pair[0] == key && slots.last != Int(pair[1]) {
        slots.append(Int(pair[1]))
      }
      return slots
    }
  }

  private func slots(_ tree: SlotTree, _ key: UInt64) -> [Int] {
    var slots: [Int] = []
    tree.forEachSlot(of: key) { slots.append($0) }
    return slots
  }

  @Test func `keeps every small sequence of insertions and removals`() {
    let pairs: [[UInt64]] = [[0, 0], [0, 1], [1, 0], [1, 1]]
    // Every sequence of up to four steps, each an insertion or a removal of one of four pairs.
    func walk(_ tree: SlotTree, _ sorted: Sorted, depth: Int, stamp: UInt64) {
      #expect(contents(tree) == sorted.pairs)
      #expect(tree.count == sorted.pairs.count)
      if depth == 0 { return }
      for pair in pairs {
        for isInsertion in [true, false] {
          var (next, nextSorted) = (tree, sorted)
          if isInsertion {
            next.insert(key: pair[0], slot: Int(pair[1]), stamp: stamp)
            nextSorted.insert(pair)
          } else {
            next.remove(key: pair[0], slot: Int(pair[1]), stamp: stamp)
            nextSorted.remove(pair)
          }
          walk(next, nextSorted, depth: depth - 1, stamp: stamp + 1)
        }
      }
    }
    walk(SlotTree(), Sorted(), depth: 4, stamp: 1)
  }

  @Test(arguments: [0, 1, 127, 128, 129, 130, 255, 256, 257, 1000, 16_700])
  func `holds as many pairs as are put in, in any order, and gives them up again`(count: Int) {
    // Three levels take a while; one order of them will do.
    let orders = count > 1000 ? ["ascending"] : ["ascending", "descending", "shuffled", "equal"]
    for order in orders {
      var keys = (0..<count).map { order == "equal" ? 7 : UInt64($0) }
      if order == "descending" { keys.reverse() }
      if order == "shuffled" {
        var random = SeededRandom(seed: UInt64(count))
        keys.shuffle(using: &random)
      }
      var tree = SlotTree()
      for key in keys { tree.insert(key: key, slot: 3, stamp: 1) }
      #expect(contents(tree).elementsEqual(keys.sorted().map { [$0, 3] }), "\(order)")
      #expect(tree.brokenInvariants() == [])
      for key in keys { tree.remove(key: key, slot: 3, stamp: 2) }
      #expect(tree.count == 0)
      #expect(contents(tree).isEmpty)
      #expect(tree.brokenInvariants() == [])
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `agrees with a sorted array, and its versions stay as they were`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var tree = SlotTree()
    var sorted = Sorted()
    var kept: [(SlotTree, [[UInt64]])] = []
    var stamp: UInt64 = 1
    let keyRange = [3, 40, 400, 4000][Int(seed) - 1]
    for step in 0..<6000 {
      let isGrowing = (step / 1500).isMultiple(of: 2)
      let isInsertion = random.below(10) < (isGrowing ? 8 : 2)
      if !isInsertion, !sorted.pairs.isEmpty, !random.once(in: 10) {
        let pair = sorted.pairs[random.below(sorted.pairs.count)]
        tree.remove(key: pair[0], slot: Int(pair[1]), stamp: stamp)
        sorted.remove(pair)
      } else {
        let pair = [UInt64(random.below(keyRange)), UInt64(random.below(50))]
        if isInsertion {
          tree.insert(key: pair[0], slot: Int(pair[1]), stamp: stamp)
          sorted.insert(pair)
        } else {
          tree.remove(key: pair[0], slot: Int(pair[1]), stamp: stamp)
          sorted.remove(pair)
        }
      }
      if random.once(in: 50) {
        let key = UInt64(random.below(keyRange))
        #expect(slots(tree, key) == sorted.slots(key), "seed \(seed), step \(step)")
      }
      if random.once(in: 300) {
        #expect(contents(tree) == sorted.pairs, "seed \(seed), step \(step)")
        #expect(tree.brokenInvariants() == [], "seed \(seed), step \(step)")
        kept.append((tree, sorted.pairs))
        stamp += 1
      }
    }
    for (old, pairs) in kept { #expect(contents(old) == pairs) }
  }
}
