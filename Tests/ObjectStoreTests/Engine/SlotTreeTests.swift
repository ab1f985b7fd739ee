import Testing
import TestSupport

@testable import ObjectStore

/// A tree key that represents a number and preserves the order of numbers.
protocol CountingKey: SlotTreeKey {
  init(number: UInt64)

  var number: UInt64 { get }
}

extension UInt64: CountingKey {
  init(number: UInt64) { self = number }

  var number: UInt64 { self }
}

/// Each word holds four bits of the number.
extension CompoundIndexKey: CountingKey {
  init(number: UInt64) {
    self.init(repeating: 0)
    for place in 0..<4 { self[place] = number >> UInt64(12 - 4 * place) & 15 }
  }

  var number: UInt64 { (0..<4).reduce(0) { $0 << 4 | self[$1] } }
}

enum KeyWidth: CaseIterable {
  case oneWord, fourWords
}

// R8
@Suite struct `A slot tree` {
  private func contents<Key: CountingKey>(_ tree: SlotTree<Key>) -> [[UInt64]] {
    tree.pairs.map { [$0.key.number, UInt64($0.slot)] }
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

  private func slots<Key: CountingKey>(_ tree: SlotTree<Key>, _ key: UInt64) -> [Int] {
    var slots: [Int] = []
    tree.forEachSlot(of: Key(number: key)) { slots.append($0) }
    return slots
  }

  @Test func `a slot tree is correct after every short sequence of insertions and removals`() {
    let pairs: [[UInt64]] = [[0, 0], [0, 1], [1, 0], [1, 1]]
    // Every sequence of up to four steps, each an insertion or a removal of one of four pairs.
    func walk(_ tree: SlotTree<UInt64>, _ sorted: Sorted, depth: Int, editOwner: UInt64) {
      #expect(contents(tree) == sorted.pairs)
      #expect(tree.count == sorted.pairs.count)
      if depth == 0 { return }
      for pair in pairs {
        for isInsertion in [true, false] {
          var (next, nextSorted) = (tree, sorted)
          if isInsertion {
            next.insert(key: pair[0], slot: Int(pair[1]), editOwner: editOwner)
            nextSorted.insert(pair)
          } else {
            next.remove(key: pair[0], slot: Int(pair[1]), editOwner: editOwner)
            nextSorted.remove(pair)
          }
          walk(next, nextSorted, depth: depth - 1, editOwner: editOwner + 1)
        }
      }
    }
    walk(SlotTree(), Sorted(), depth: 4, editOwner: 1)
  }

  @Test(arguments: [0, 1, 127, 128, 129, 130, 255, 256, 257, 1000, 16_700], KeyWidth.allCases)
  func `a slot tree holds pairs inserted in any order until they are removed`(
    count: Int, width: KeyWidth
  ) {
    switch width {
    case .oneWord: putInAndTakeOut(count, UInt64.self)
    case .fourWords: putInAndTakeOut(count, CompoundIndexKey.self)
    }
  }

  private func putInAndTakeOut<Key: CountingKey>(_ count: Int, _ type: Key.Type) {
    // Trees of three levels are slow to build, so a single order is tested.
    let orders = count > 1000 ? ["ascending"] : ["ascending", "descending", "shuffled", "equal"]
    for order in orders {
      var keys = (0..<count).map { order == "equal" ? 7 : UInt64($0) }
      if order == "descending" { keys.reverse() }
      if order == "shuffled" {
        var random = SeededRandom(seed: UInt64(count))
        keys.shuffle(using: &random)
      }
      var tree = SlotTree<Key>()
      for key in keys { tree.insert(key: Key(number: key), slot: 3, editOwner: 1) }
      #expect(contents(tree).elementsEqual(keys.sorted().map { [$0, 3] }), "\(order)")
      #expect(tree.brokenInvariants() == [])
      for key in keys { tree.remove(key: Key(number: key), slot: 3, editOwner: 2) }
      #expect(tree.count == 0)
      #expect(contents(tree).isEmpty)
      #expect(tree.brokenInvariants() == [])
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64], KeyWidth.allCases)
  func `a slot tree agrees with a sorted array, and its older versions never change`(
    seed: UInt64, width: KeyWidth
  ) {
    switch width {
    case .oneWord: change(seed, UInt64.self)
    case .fourWords: change(seed, CompoundIndexKey.self)
    }
  }

  private func change<Key: CountingKey>(_ seed: UInt64, _ type: Key.Type) {
    var random = SeededRandom(seed: seed)
    var tree = SlotTree<Key>()
    var sorted = Sorted()
    var kept: [(SlotTree<Key>, [[UInt64]])] = []
    var editOwner: UInt64 = 1
    let keyRange = [3, 40, 400, 4000][Int(seed) - 1]
    for step in 0..<6000 {
      let isGrowing = (step / 1500).isMultiple(of: 2)
      let isInsertion = random.below(10) < (isGrowing ? 8 : 2)
      if !isInsertion, !sorted.pairs.isEmpty, !random.once(in: 10) {
        let pair = sorted.pairs[random.below(sorted.pairs.count)]
        tree.remove(key: Key(number: pair[0]), slot: Int(pair[1]), editOwner: editOwner)
        sorted.remove(pair)
      } else {
        let pair = [UInt64(random.below(keyRange)), UInt64(random.below(50))]
        if isInsertion {
          tree.insert(key: Key(number: pair[0]), slot: Int(pair[1]), editOwner: editOwner)
          sorted.insert(pair)
        } else {
          tree.remove(key: Key(number: pair[0]), slot: Int(pair[1]), editOwner: editOwner)
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
        editOwner += 1
      }
    }
    for (old, pairs) in kept { #expect(contents(old) == pairs) }
  }

  @Test(arguments: KeyWidth.allCases) func `a slot tree iterates over and counts ranges of keys`(
    _ width: KeyWidth
  ) {
    switch width {
    case .oneWord: walkRanges(UInt64.self, last: .max)
    case .fourWords: walkRanges(CompoundIndexKey.self, last: CompoundIndexKey(repeating: .max))
    }
  }

  private func walkRanges<Key: CountingKey>(_ type: Key.Type, last: Key) {
    var random = SeededRandom(seed: 5)
    var pairs = (0..<3_000).map { (key: Key(number: UInt64(random.below(700))), slot: $0) }
    pairs += [(last, 7), (last, 9), (Key(number: 0), 1)]
    let tree = SlotTree(pairs, editOwner: 1)
    pairs.sort { ($0.key, $0.slot) < ($1.key, $1.slot) }
    for step in 0..<300 {
      let ends = [0, 1].map { _ in
        random.once(in: 10) ? last : Key(number: UInt64(random.below(710)))
      }.sorted()
      let keys = ends[0]...(random.once(in: 5) ? ends[0] : ends[1])
      let expected = pairs.filter { keys.contains($0.key) }
      #expect(tree.count(in: keys) == expected.count, "step \(step)")
      let ofFirst = expected.filter { $0.key == ends[0] }.map(\.slot)
      #expect(tree.firstSlot(of: ends[0]) == ofFirst.first, "step \(step)")
      #expect(ofFirst.indices.map { tree.slot(of: ends[0], at: $0) } == ofFirst, "step \(step)")
      #expect(ofFirst.allSatisfy { tree.contains(key: ends[0], slot: $0) }, "step \(step)")
      let other = random.below(3_000)
      #expect(tree.contains(key: ends[0], slot: other) == ofFirst.contains(other), "step \(step)")
      let wanted = random.once(in: 2) ? Int.max : 1 + random.below(5)
      var found: [(key: Key, slot: Int)] = []
      tree.forEach(in: keys) {
        found.append(($0, $1))
        return found.count < wanted
      }
      #expect(found.elementsEqual(expected.prefix(wanted), by: ==), "step \(step)")
      found = []
      tree.forEachReversed(in: keys) {
        found.append(($0, $1))
        return found.count < wanted
      }
      #expect(found.elementsEqual(expected.reversed().prefix(wanted), by: ==), "step \(step)")
    }
  }

  @Test func `the successor of a four-word key carries over between words`() {
    var key = CompoundIndexKey(repeating: .max)
    #expect(key.next == nil)
    key[1] = 4
    var next = CompoundIndexKey(repeating: 0)
    next[0] = .max
    next[1] = 5
    #expect(key.next == next)
    #expect(next.next.map { $0 > next } == true)
    #expect(ClosedRange.all.contains(key) && UInt64.max.next == nil && UInt64(7).next == 8)
  }
}
