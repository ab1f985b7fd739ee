/// A condition on one column in a form that the primary key, an index or backlinks can evaluate.
enum IndexablePredicate {
  /// Cells of numbers, Booleans, dates or links with one of these words, which are unique.
  case words(column: Int, [UInt64], orNull: Bool = false)
  case bytes(column: Int, [UInt8])
  case byteSet(column: Int, ByteSet, orNull: Bool)
  /// Cells with an index key in this range.
  case keys(column: Int, ClosedRange<UInt64>)
  /// Cells that have a key in each of these ranges of a word index: one range per word.
  case search(column: Int, [ClosedRange<UInt64>])

  var column: Int {
    switch self {
    case .words(let column, _, _), .bytes(let column, _), .byteSet(let column, _, _),
      .keys(let column, _), .search(let column, _):
      column
    }
  }

  /// The maximum number of index keys to look up.
  var keyCount: Int {
    switch self {
    case .words(_, let words, let orNull): words.count + (orNull ? 1 : 0)
    case .byteSet(_, let set, let orNull): set.count + (orNull ? 1 : 0)
    case .bytes, .keys, .search: 1
    }
  }

  /// Returns the ranges of index keys of the values in ascending order; nil if the index has a different kind of key.
  func keys(_ key: IndexKey) -> [ClosedRange<UInt64>]? {
    switch self {
    case .words(_, let words, let orNull):
      return key == .bytes ? nil : Self.each(words.map { key.key(word: $0) }, orNull)
    case .bytes(_, let bytes):
      if key != .bytes { return nil }
      let key = bytes.withUnsafeBytes { IndexKey.key($0) }
      return [key...key]
    case .byteSet(_, let set, let orNull):
      if key != .bytes { return nil }
      var keys: [UInt64] = []
      set.forEach { keys.append(IndexKey.key($0)) }
      return Self.each(keys, orNull)
    case .keys(_, let keys): return [keys]
    case .search: return nil
    }
  }

  private static func each(_ keys: [UInt64], _ orNull: Bool) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = orNull ? [IndexKey.null...IndexKey.null] : []
    for key in keys.sorted() where ranges.last?.lowerBound != key { ranges.append(key...key) }
    return ranges
  }
}

extension [ClosedRange<UInt64>] {
  /// Returns the keys that both arrays contain. The ranges of each array are ascending and disjoint.
  ///
  /// - Complexity: O(m + n) in the numbers of ranges.
  func common(_ others: Self) -> Self {
    var common: Self = []
    var (own, other) = (startIndex, others.startIndex)
    while own < endIndex, other < others.endIndex {
      let (a, b) = (self[own], others[other])
      assert(own == 0 || self[own - 1].upperBound < a.lowerBound, "Ranges are not ascending")
      assert(other == 0 || others[other - 1].upperBound < b.lowerBound, "Ranges are not ascending")
      if a.overlaps(b) { common.append(a.clamped(to: b)) }
      if a.upperBound < b.upperBound { own += 1 } else { other += 1 }
    }
    return common
  }
}
