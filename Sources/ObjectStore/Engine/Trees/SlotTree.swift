/// A sorted multiset of pairs (key, slot): a B+tree whose nodes are copied on write.
///
/// It stores backlinks (R8: the key is the target's slot, the slot is the source's) and indexes (the key is made from
/// one or several values, the slot is that of their row). A source that links to the same target twice is stored twice;
/// ``forEachSlot(of:_:)`` reports it once. A node with the writer's edit owner is changed in place; any other node is
/// copied first, so a version that retains a root is unaffected.
///
/// - Complexity: insert, remove O(log n); the slots of a key O(log n + matches).
struct SlotTree<Key: SlotTreeKey> {
  private var root = Node(editOwner: 0, isLeaf: true)

  /// The maximum number of pairs in a leaf, and of children of an inner node.
  private static var capacity: Int { 128 }

  /// A leaf holds pairs. An inner node holds, for each child, its first pair and the number of pairs below it.
  private final class Node {
    let editOwner: UInt64
    let isLeaf: Bool
    var pairs: ContiguousArray<Pair> = []
    var children: ContiguousArray<Node> = []
    var counts: ContiguousArray<Int> = []
    /// The number of pairs below the node.
    var total = 0

    init(editOwner: UInt64, isLeaf: Bool) {
      self.editOwner = editOwner
      self.isLeaf = isLeaf
    }

    init(copying other: Node, editOwner: UInt64) {
      self.editOwner = editOwner
      isLeaf = other.isLeaf
      pairs = other.pairs
      children = other.children
      counts = other.counts
      total = other.total
    }
  }

  struct Pair: BitwiseCopyable {
    var key: Key
    var slot: UInt32

    @inline(__always)
    init(_ key: Key, _ slot: Int) {
      self.key = key
      self.slot = UInt32(truncatingIfNeeded: slot)
    }

    @inline(__always)
    static func < (a: Pair, b: Pair) -> Bool { a.key != b.key ? a.key < b.key : a.slot < b.slot }
  }

  private(set) var count = 0

  init() {}

  /// Creates a tree of pairs in any order.
  ///
  /// - Complexity: O(n log n), a third of the cost of n insertions.
  init(_ unsorted: [(key: Key, slot: Int)], editOwner: UInt64) {
    var pairs = ContiguousArray(unsorted.map { Pair($0.key, $0.slot) })
    pairs.sort(by: <)
    self.init(sorted: pairs, editOwner: editOwner)
  }

  /// Creates a tree of pairs whose slots ascend.
  ///
  /// - Complexity: O(n): a radix sort by the bytes of the keys, few of which usually differ.
  init(bySlot pairs: consuming ContiguousArray<Pair>, editOwner: UInt64) {
    Self.sortByKey(&pairs)
    self.init(sorted: pairs, editOwner: editOwner)
  }

  /// Creates a tree of pairs in order, and of pairs whose slots ascend.
  ///
  /// - Complexity: O(n).
  init(
    sorted: consuming ContiguousArray<Pair>, bySlot added: consuming ContiguousArray<Pair>,
    editOwner: UInt64
  ) {
    if added.isEmpty {
      self.init(sorted: sorted, editOwner: editOwner)
      return
    }
    Self.sortByKey(&added)
    var merged = ContiguousArray<Pair>()
    merged.reserveCapacity(sorted.count + added.count)
    var next = 0
    for pair in sorted {
      while next < added.count, added[next] < pair {
        merged.append(added[next])
        next += 1
      }
      merged.append(pair)
    }
    merged.append(contentsOf: added[next...])
    self.init(sorted: merged, editOwner: editOwner)
  }

  private init(sorted pairs: ContiguousArray<Pair>, editOwner: UInt64) {
    count = pairs.count
    var level: [Node] = stride(from: 0, to: pairs.count, by: Self.capacity).map { first in
      let leaf = Node(editOwner: editOwner, isLeaf: true)
      leaf.pairs = ContiguousArray(pairs[first..<min(pairs.count, first + Self.capacity)])
      leaf.total = leaf.pairs.count
      return leaf
    }
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: Self.capacity).map { first in
        let node = Node(editOwner: editOwner, isLeaf: false)
        node.children = ContiguousArray(level[first..<min(level.count, first + Self.capacity)])
        node.pairs = ContiguousArray(node.children.map { $0.pairs[0] })
        node.counts = ContiguousArray(node.children.map(\.total))
        node.total = node.counts.reduce(0, +)
        return node
      }
    }
    root = level.first ?? Node(editOwner: editOwner, isLeaf: true)
  }

  mutating func insert(key: Key, slot: Int, editOwner: UInt64) {
    let pair = Pair(key, slot)
    if root.editOwner != editOwner { root = Node(copying: root, editOwner: editOwner) }
    if let right = Self.insert(pair, into: root, editOwner: editOwner) {
      let top = Node(editOwner: editOwner, isLeaf: false)
      top.pairs = [root.pairs[0], right.pairs[0]]
      top.children = [root, right]
      top.counts = [root.total, right.total]
      top.total = root.total + right.total
      root = top
    }
    count += 1
  }

  /// Removes one occurrence of the pair, if any.
  mutating func remove(key: Key, slot: Int, editOwner: UInt64) {
    let pair = Pair(key, slot)
    if root.editOwner != editOwner { root = Node(copying: root, editOwner: editOwner) }
    if Self.remove(pair, from: root, editOwner: editOwner) { count -= 1 }
    while !root.isLeaf && root.children.count == 1 { root = root.children[0] }
    if !root.isLeaf && root.children.isEmpty { root = Node(editOwner: editOwner, isLeaf: true) }
  }

  /// True if the tree has this pair.
  ///
  /// - Complexity: O(log n).
  func contains(key: Key, slot: Int) -> Bool {
    let pair = Pair(key, slot)
    var node = root
    while !node.isLeaf {
      if node.children.isEmpty { return false }
      node = node.children[Self.childIndex(node, pair)]
    }
    let index = Self.lowerBound(node.pairs, pair)
    return index < node.pairs.count && !(pair < node.pairs[index])
  }

  /// Calls `body` with each distinct slot of `key`, in ascending order.
  func forEachSlot(of key: Key, _ body: (Int) -> Void) {
    var last: UInt32?
    Self.visit(root, key) { slot in
      if slot != last { body(Int(slot)) }
      last = slot
    }
  }

  #if DEBUG || STORE_INVARIANTS
    /// All pairs in ascending order.
    var pairs: [(key: Key, slot: Int)] {
      func collect(_ node: Node, _ pairs: inout [(key: Key, slot: Int)]) {
        if node.isLeaf {
          for pair in node.pairs { pairs.append((pair.key, Int(pair.slot))) }
        } else {
          for child in node.children { collect(child, &pairs) }
        }
      }
      var pairs: [(key: Key, slot: Int)] = []
      collect(root, &pairs)
      return pairs
    }

    /// Returns descriptions of the broken invariants; empty for a valid tree.
    func brokenInvariants() -> [String] {
      var broken: [String] = []
      var leafDepth: Int?
      func check(_ node: Node, depth: Int) {
        if node.pairs.count > Self.capacity {
          broken.append("node has \(node.pairs.count) pairs, more than its capacity")
        }
        if depth > 0 && node.pairs.isEmpty { broken.append("node is empty") }
        for (a, b) in zip(node.pairs, node.pairs.dropFirst()) where b < a {
          broken.append("pairs out of order")
        }
        let total = node.isLeaf ? node.pairs.count : node.counts.reduce(0, +)
        if node.total != total {
          broken.append("node has \(total) pairs, but its total is \(node.total)")
        }
        guard !node.isLeaf else {
          if leafDepth ?? depth != depth { broken.append("leaves differ in depth") }
          leafDepth = depth
          return
        }
        if node.children.count != node.pairs.count {
          broken.append(
            "node has \(node.children.count) children, but \(node.pairs.count) first pairs")
        }
        if node.counts.count != node.children.count
          || zip(node.children, node.counts).contains(where: { $0.total != $1 })
        {
          broken.append("counts of children are wrong")
        }
        for (child, first) in zip(node.children, node.pairs) {
          if let own = child.pairs.first, own < first || first < own {
            broken.append("first pair of a child is wrong")
          }
          check(child, depth: depth + 1)
        }
      }
      check(root, depth: 0)
      if pairs.count != count {
        broken.append("tree has \(pairs.count) pairs, but its count is \(count)")
      }
      return broken
    }
  #endif

  // MARK: - Nodes

  /// Returns the first index whose pair is not less than `pair`.
  private static func lowerBound(_ pairs: ContiguousArray<Pair>, _ pair: Pair) -> Int {
    pairs.indices.partitionPoint { pairs[$0] < pair }
  }

  /// Returns the index of the child that may hold `pair`: the last one whose first pair is not greater.
  private static func childIndex(_ node: Node, _ pair: Pair) -> Int {
    let bound = lowerBound(node.pairs, pair)
    if bound < node.pairs.count, !(pair < node.pairs[bound]) { return bound }
    return max(0, bound - 1)
  }

  /// Inserts the pair below the node. Returns the node's new right sibling if the node was split.
  private static func insert(_ pair: Pair, into node: Node, editOwner: UInt64) -> Node? {
    if node.isLeaf {
      node.pairs.insert(pair, at: lowerBound(node.pairs, pair))
    } else {
      let index = childIndex(node, pair)
      if node.children[index].editOwner != editOwner {
        node.children[index] = Node(copying: node.children[index], editOwner: editOwner)
      }
      let child = node.children[index]
      let split = insert(pair, into: child, editOwner: editOwner)
      node.pairs[index] = child.pairs[0]
      node.counts[index] = child.total
      if let split {
        node.children.insert(split, at: index + 1)
        node.pairs.insert(split.pairs[0], at: index + 1)
        node.counts.insert(split.total, at: index + 1)
      }
    }
    node.total += 1
    guard node.pairs.count > capacity else { return nil }
    // Splitting at the end leaves full instead of half-full nodes if keys ascend, which is usual, since slots ascend.
    let isAppend = !(pair < node.pairs[node.pairs.count - 1])
    let middle = isAppend ? node.pairs.count - 1 : node.pairs.count / 2
    let right = Node(editOwner: editOwner, isLeaf: node.isLeaf)
    right.pairs = ContiguousArray(node.pairs[middle...])
    node.pairs.removeSubrange(middle...)
    if !node.isLeaf {
      right.children = ContiguousArray(node.children[middle...])
      node.children.removeSubrange(middle...)
      right.counts = ContiguousArray(node.counts[middle...])
      node.counts.removeSubrange(middle...)
    }
    right.total = right.isLeaf ? right.pairs.count : right.counts.reduce(0, +)
    node.total -= right.total
    return right
  }

  private static func remove(_ pair: Pair, from node: Node, editOwner: UInt64) -> Bool {
    if node.isLeaf {
      let index = lowerBound(node.pairs, pair)
      guard index < node.pairs.count, !(pair < node.pairs[index]) else { return false }
      node.pairs.remove(at: index)
      node.total -= 1
      return true
    }
    let index = childIndex(node, pair)
    if node.children[index].editOwner != editOwner {
      node.children[index] = Node(copying: node.children[index], editOwner: editOwner)
    }
    let child = node.children[index]
    let removed = remove(pair, from: child, editOwner: editOwner)
    if child.pairs.isEmpty {
      node.children.remove(at: index)
      node.pairs.remove(at: index)
      node.counts.remove(at: index)
    } else {
      node.pairs[index] = child.pairs[0]
      node.counts[index] = child.total
    }
    if removed { node.total -= 1 }
    return removed
  }

  private static func visit(_ node: Node, _ key: Key, _ body: (UInt32) -> Void) {
    let first = Pair(key, 0)
    if node.isLeaf {
      var index = lowerBound(node.pairs, first)
      while index < node.pairs.count, node.pairs[index].key == key {
        body(node.pairs[index].slot)
        index += 1
      }
      return
    }
    guard !node.children.isEmpty else { return }
    var index = childIndex(node, first)
    while index < node.children.count, node.pairs[index].key <= key {
      visit(node.children[index], key, body)
      index += 1
    }
  }

  // MARK: - Ranges of keys

  /// Returns the number of pairs whose key is in the range.
  ///
  /// - Complexity: O(log n).
  func count(in keys: ClosedRange<Key>) -> Int {
    guard let next = keys.upperBound.next else { return count - rank(keys.lowerBound) }
    return rank(next) - rank(keys.lowerBound)
  }

  /// Returns the number of pairs with a smaller key.
  private func rank(_ key: Key) -> Int {
    let pair = Pair(key, 0)
    var rank = 0
    var node = root
    while !node.isLeaf {
      if node.children.isEmpty { return rank }
      let index = Self.childIndex(node, pair)
      for before in 0..<index { rank += node.counts[before] }
      node = node.children[index]
    }
    return rank + Self.lowerBound(node.pairs, pair)
  }

  /// Returns the smallest slot of `key`, or nil.
  ///
  /// - Complexity: O(log n).
  func firstSlot(of key: Key) -> Int? {
    var first: Int?
    forEach(in: key...key) { _, slot in
      first = slot
      return false
    }
    return first
  }

  /// Returns the slot of the pair at `index` among those of `key`, which must have more than `index` pairs.
  ///
  /// - Complexity: O(log n).
  func slot(of key: Key, at index: Int) -> Int {
    var rest = rank(key) + index
    assert(index >= 0 && rest < count, "The tree has no pair \(index) of the key")
    var node = root
    while !node.isLeaf {
      var child = 0
      while rest >= node.counts[child] {
        rest -= node.counts[child]
        child += 1
      }
      node = node.children[child]
    }
    return Int(node.pairs[rest].slot)
  }

  /// Calls `body` with each pair whose key is in the range, in ascending order, until it returns false.
  ///
  /// - Complexity: O(log n + pairs).
  @inline(__always)
  func forEach(in keys: ClosedRange<Key>, _ body: (_ key: Key, _ slot: Int) -> Bool) {
    _ = Self.walk(root, keys, body)
  }

  /// Calls `body` with each pair whose key is in the range, in descending order, until it returns false.
  @inline(__always)
  func forEachReversed(
    in keys: ClosedRange<Key>, _ body: (_ key: Key, _ slot: Int) -> Bool
  ) {
    _ = Self.walkBack(root, keys, body)
  }

  private static func walk(
    _ node: Node, _ keys: ClosedRange<Key>, _ body: (Key, Int) -> Bool
  ) -> Bool {
    let first = Pair(keys.lowerBound, 0)
    if node.isLeaf {
      var index = lowerBound(node.pairs, first)
      while index < node.pairs.count, node.pairs[index].key <= keys.upperBound {
        if !body(node.pairs[index].key, Int(node.pairs[index].slot)) { return false }
        index += 1
      }
      return true
    }
    guard !node.children.isEmpty else { return true }
    var index = childIndex(node, first)
    while index < node.children.count, node.pairs[index].key <= keys.upperBound {
      if !walk(node.children[index], keys, body) { return false }
      index += 1
    }
    return true
  }

  private static func walkBack(
    _ node: Node, _ keys: ClosedRange<Key>, _ body: (Key, Int) -> Bool
  ) -> Bool {
    let last = Pair(keys.upperBound, Int(UInt32.max))
    if node.isLeaf {
      var index = lowerBound(node.pairs, last)
      if index < node.pairs.count, node.pairs[index].key <= keys.upperBound { index += 1 }
      while index > 0, node.pairs[index - 1].key >= keys.lowerBound {
        index -= 1
        if !body(node.pairs[index].key, Int(node.pairs[index].slot)) { return false }
      }
      return true
    }
    guard !node.children.isEmpty else { return true }
    var index = childIndex(node, last)
    while true {
      if !walkBack(node.children[index], keys, body) { return false }
      // All pairs before a child whose first key is below the range are below it, too.
      if index == 0 || node.pairs[index].key < keys.lowerBound { return true }
      index -= 1
    }
  }

  // MARK: - Sorting

  /// Sorts pairs by key and slot. The slots must ascend: the radix sort by the bytes of the keys, least significant
  /// first, is stable.
  private static func sortByKey(_ pairs: inout ContiguousArray<Pair>) {
    if pairs.count < 256 {
      pairs.sort(by: <)
      return
    }
    var counts = [Int](repeating: 0, count: Key.byteCount * 256)
    for pair in pairs {
      for byte in 0..<Key.byteCount { counts[byte << 8 + pair.key.byte(byte)] += 1 }
    }
    var sorted = pairs
    for byte in 0..<Key.byteCount {
      var offsets = Array(counts[byte << 8..<(byte + 1) << 8])
      // A byte that all keys share does not affect the order.
      if offsets.contains(pairs.count) { continue }
      var next = 0
      for value in 0..<256 { (offsets[value], next) = (next, next + offsets[value]) }
      sorted.withUnsafeMutableBufferPointer { sorted in
        for pair in pairs {
          let value = pair.key.byte(byte)
          sorted[offsets[value]] = pair
          offsets[value] += 1
        }
      }
      swap(&pairs, &sorted)
    }
  }
}
