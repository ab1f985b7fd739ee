/// The slots of rows of a table, in order.
enum SlotSequence {
  /// No row is deleted: the slot of row i is i.
  case dense(Int)
  case sparse([Int])
  /// The targets of a collection of links, all live.
  case targets(RetainedSlice)
  /// Slots that an observer maintains.
  case ordered(OrderedSlots)

  init(_ version: TableVersion) {
    if version.liveCount == version.count {
      self = .dense(version.count)
      return
    }
    var slots: [Int] = []
    slots.reserveCapacity(version.liveCount)
    version.forEachLive {
      slots.append($0)
      return true
    }
    self = .sparse(slots)
  }

  var count: Int {
    switch self {
    case .dense(let count): count
    case .sparse(let slots): slots.count
    case .targets(let slice): slice.count
    case .ordered(let slots): slots.count
    }
  }

  /// The slots as an array.
  var all: [Int] {
    if case .sparse(let slots) = self { return slots }
    return (0..<count).map { self[$0] }
  }

  subscript(index: Int) -> Int {
    assert((0..<count).contains(index), "Index \(index) is not below \(count)")
    return switch self {
    case .dense: index
    case .sparse(let slots): slots[index]
    case .targets(let slice): Int(slice.word(index)) - 1
    case .ordered(let slots): slots[index]
    }
  }
}
