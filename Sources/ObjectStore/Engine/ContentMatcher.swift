/// Finds the rows of a set that hold the content of an update already, each row for one element.
///
/// Content and a row may be equal in two ways at each attribute: by value, or because both were left
/// to the default, whatever that was by then (see ``Transaction/holds(_:_:)``). So three looks are
/// taken, each at what the ones before left:
///
///     1  the rows in their order, which is how the same payload comes again
///     2  by a hash, rows that were left to the same defaults as the content
///     3  by a hash, any row: what both were left to counts as equal, the rest goes by value
///
/// - Complexity: O(n) comparisons for a set and an update of n elements, unless rows differ only in
///   what ``ContentHash`` leaves out.
final class ContentMatcher {
  private let transaction: Transaction
  private let writer: TableWriter
  /// Target slot + 1 of each element of the set; 0 where an element took the row.
  private var words: [UInt64]
  private let hash: ContentHash
  /// The rows by what they were left to, most often all to the same.
  private var groups: [(defaults: AttributeBits, places: [Int])] = []
  private var indexes: [IndexKey: Index] = [:]

  /// Rows with so many different sets of defaults are told apart; others are taken for new.
  private static let groupLimit = 64

  private struct IndexKey: Hashable {
    let group: Int
    let leftOut: AttributeBits
  }

  /// The places of one hash as a chain.
  private struct Index {
    var first: [UInt64: Int] = [:]
    var following: [Int: Int] = [:]
  }

  /// - Parameter taken: the rows that elements refer to by themselves.
  init(_ transaction: Transaction, _ table: Int, _ words: [UInt64], taken: Set<UInt64>) {
    self.transaction = transaction
    writer = transaction.writer(table)
    self.words = taken.isEmpty ? words : words.map { taken.contains($0) ? 0 : $0 }
    hash = ContentHash(transaction)
  }

  /// For each content the row that holds it, as a link's word; nil for one that is new.
  func rows(of contents: [BatchRow]) -> [UInt64?] {
    var rows = inOrder(contents)
    guard rows.contains(nil), words.contains(where: { $0 != 0 }) else { return rows }
    groupRows()
    for index in contents.indices where rows[index] == nil { hash.note(contents[index]) }
    for word in words where word != 0 { hash.note(writer, Int(word) - 1) }
    for isExact in [true, false] {
      for index in contents.indices where rows[index] == nil {
        rows[index] = find(contents[index], isExact: isExact)
      }
    }
    return rows
  }

  private func inOrder(_ contents: [BatchRow]) -> [UInt64?] {
    var next = 0
    return contents.map { content in
      while next < words.count, words[next] == 0 { next += 1 }
      guard next < words.count, content.defaults == writer.defaults(of: Int(words[next]) - 1),
        transaction.holds(content, Int(words[next]) - 1)
      else { return nil }
      return take(next)
    }
  }

  private func take(_ place: Int) -> UInt64 {
    defer { words[place] = 0 }
    return words[place]
  }

  // MARK: - Defaults

  private func groupRows() {
    var groups: [AttributeBits: Int] = [:]
    for place in words.indices where words[place] != 0 {
      let defaults = writer.defaults(of: Int(words[place]) - 1)
      if let group = groups[defaults] {
        self.groups[group].places.append(place)
      } else if groups.count < Self.groupLimit {
        groups[defaults] = self.groups.count
        self.groups.append((defaults, [place]))
      }
    }
  }

  // MARK: - By hash

  private func find(_ content: BatchRow, isExact: Bool) -> UInt64? {
    let defaults = content.defaults
    if !isExact { transaction.fillDefaults(writer, content) }
    for group in groups.indices where (groups[group].defaults == defaults) == isExact {
      let leftOut = defaults.intersection(groups[group].defaults)
      if let place = place(of: content, IndexKey(group: group, leftOut: leftOut)) {
        return take(place)
      }
    }
    return nil
  }

  private func place(of content: BatchRow, _ key: IndexKey) -> Int? {
    var index = indexes.removeValue(forKey: key) ?? makeIndex(key)
    defer { indexes[key] = index }
    let hash = hash.of(content, leavingOut: key.leftOut)
    var previous: Int?
    var next = index.first[hash]
    while let place = next {
      next = index.following[place]
      if words[place] == 0 {
        // Another element took it: it leaves the chain.
        if let previous { index.following[previous] = next } else { index.first[hash] = next }
      } else if transaction.holds(content, Int(words[place]) - 1) {
        return place
      } else {
        previous = place
      }
    }
    return nil
  }

  private func makeIndex(_ key: IndexKey) -> Index {
    var index = Index()
    for place in groups[key.group].places.reversed() where words[place] != 0 {
      let hash = hash.of(writer, Int(words[place]) - 1, leavingOut: key.leftOut)
      if let other = index.first.updateValue(place, forKey: hash) {
        index.following[place] = other
      }
    }
    return index
  }
}
