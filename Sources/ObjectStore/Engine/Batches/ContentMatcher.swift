/// Matches the content in an update of a set with the set's rows that already hold it. Each row matches at most one
/// element.
///
/// Content and a row may be equal at each attribute in two ways: by value, or because both were left to the default,
/// whatever its value at the time (see ``Transaction/holds(_:_:)``). There are three passes, each over the elements
/// that the previous ones did not match:
///
///     1  the rows in their order, which is how a repeated payload arrives
///     2  by hash, rows in which the same attributes were left to defaults as in the content
///     3  by hash, any row: attributes that both left to defaults count as equal, the others by value
///
/// The passes by hash compare nested rows in the modes of ``ContentHash``.
///
/// - Complexity: O(n) comparisons for a set and an update of n elements, and one hash of each nested row for each level
///   of nesting. Content that could be equal in too many ways to try is treated as new.
final class ContentMatcher {
  private let transaction: Transaction
  private let writer: TableWriter
  /// The target slot + 1 of each element of the set; 0 once an element of the update matches the row.
  private var words: [UInt64]
  private lazy var hash = ContentHash(transaction)
  /// The rows grouped by the attributes that were left to defaults; usually a single group.
  private var groups: [(defaults: AttributeBits, positions: [Int])] = []
  private var indexes: [IndexKey: Index] = [:]

  /// The maximum number of groups, and of pairs of group and excluded attributes, to try. Rows with further sets of
  /// defaults are found only by the first two passes.
  private static let groupLimit = 64
  private static let indexLimit = 128
  /// The maximum number of rows with the same hash that are compared with the content of one element.
  private static let candidateLimit = 32
  /// The number of consecutive contents that may differ from the next row before the first pass ends. There is no limit
  /// if the contents have no nested content, since comparing them is cheaper than hashing them.
  private static let missLimit = 16

  private struct IndexKey: Hashable {
    /// The index of a group of rows. Nil in the second pass, which searches all rows: the hash then includes the set of
    /// defaults.
    let group: Int?
    let excluded: AttributeBits
    let mode: ContentHash.Mode
  }

  /// For each hash, a linked list of the positions in `words` of the rows with this hash.
  private struct Index {
    var first: [UInt64: Int] = [:]
    var following: [Int: Int] = [:]
  }

  /// - Parameter taken: The rows that elements of the update reference by identity.
  init(_ transaction: Transaction, _ table: Int, _ words: [UInt64], taken: Set<UInt64>) {
    self.transaction = transaction
    writer = transaction.writer(table)
    self.words = taken.isEmpty ? words : words.map { taken.contains($0) ? 0 : $0 }
  }

  /// Returns, for each nested object, the slot + 1 of an equal row; nil for new content.
  func rows(of contents: [BatchRow]) -> [UInt64?] {
    var rows = inOrder(contents)
    search(contents, &rows, isExact: true)
    search(contents, &rows, isExact: false)
    return rows
  }

  private func inOrder(_ contents: [BatchRow]) -> [UInt64?] {
    let missLimit = writer.contentColumns.isEmpty ? contents.count : Self.missLimit
    var rows = [UInt64?](repeating: nil, count: contents.count)
    var (next, misses) = (0, 0)
    for (index, content) in contents.enumerated() {
      while next < words.count, words[next] == 0 { next += 1 }
      guard next < words.count, misses <= missLimit else { break }
      if content.defaults == writer.defaults(of: Int(words[next]) - 1),
        transaction.holds(content, Int(words[next]) - 1)
      {
        rows[index] = take(next)
        misses = 0
      } else {
        misses += 1
      }
    }
    return rows
  }

  private func take(_ position: Int) -> UInt64 {
    defer { words[position] = 0 }
    return words[position]
  }

  // MARK: - Matching by hash

  /// Finds rows for the contents that have none yet.
  private func search(_ contents: [BatchRow], _ rows: inout [UInt64?], isExact: Bool) {
    guard rows.contains(nil), words.contains(where: { $0 != 0 }) else { return }
    let missing = contents.indices.filter { rows[$0] == nil }
    if !isExact {
      groupRows()
      for index in missing { transaction.fillDefaults(writer, contents[index]) }
    }
    indexes = [:]
    hash = ContentHash(transaction)
    for index in missing { hash.note(contents[index]) }
    for word in words where word != 0 { hash.note(writer, Int(word) - 1) }
    for mode in isExact ? [.tagged] : hash.modes {
      for index in missing where rows[index] == nil {
        rows[index] =
          isExact
          ? findExact(contents[index]) : find(contents[index], mode)
      }
    }
  }

  private func findExact(_ content: BatchRow) -> UInt64? {
    position(of: content, IndexKey(group: nil, excluded: AttributeBits(), mode: .tagged)).map(take)
  }

  private func find(_ content: BatchRow, _ mode: ContentHash.Mode) -> UInt64? {
    let defaults = content.defaults
    for group in groups.indices
    where mode != .tagged || groups[group].defaults != defaults {
      let excluded = defaults.intersection(groups[group].defaults)
      if let position = position(
        of: content, IndexKey(group: group, excluded: excluded, mode: mode))
      {
        return take(position)
      }
    }
    return nil
  }

  private func groupRows() {
    var groups: [AttributeBits: Int] = [:]
    for position in words.indices where words[position] != 0 {
      let defaults = writer.defaults(of: Int(words[position]) - 1)
      if let group = groups[defaults] {
        self.groups[group].positions.append(position)
      } else if groups.count < Self.groupLimit {
        groups[defaults] = self.groups.count
        self.groups.append((defaults, [position]))
      }
    }
  }

  private func position(of content: BatchRow, _ key: IndexKey) -> Int? {
    if indexes[key] == nil, indexes.count == Self.indexLimit { return nil }
    var index = indexes.removeValue(forKey: key) ?? makeIndex(key)
    defer { indexes[key] = index }
    guard let hash = hash(of: content, key) else { return nil }
    var previous: Int?
    var next = index.first[hash]
    var misses = 0
    while let position = next, misses < Self.candidateLimit {
      next = index.following[position]
      if words[position] == 0 {
        // Another element matches the row: remove it from the list.
        if let previous { index.following[previous] = next } else { index.first[hash] = next }
      } else if transaction.holds(content, Int(words[position]) - 1) {
        return position
      } else {
        previous = position
        misses += 1
      }
    }
    return nil
  }

  private func makeIndex(_ key: IndexKey) -> Index {
    var index = Index()
    let positions = key.group.map { groups[$0].positions } ?? Array(words.indices)
    for position in positions.reversed() where words[position] != 0 {
      guard let hash = hash(of: Int(words[position]) - 1, key) else { continue }
      if let other = index.first.updateValue(position, forKey: hash) {
        index.following[position] = other
      }
    }
    return index
  }

  private func hash(of content: BatchRow, _ key: IndexKey) -> UInt64? {
    if key.group != nil { return hash.of(content, excluding: key.excluded, key.mode) }
    let defaults = content.defaults
    return hash.of(content, excluding: defaults, key.mode)
      .map { hash.adding(defaults, writer, to: $0) }
  }

  private func hash(of slot: Int, _ key: IndexKey) -> UInt64? {
    if key.group != nil { return hash.of(writer, slot, excluding: key.excluded, key.mode) }
    let defaults = writer.defaults(of: slot)
    return hash.of(writer, slot, excluding: defaults, key.mode)
      .map { hash.adding(defaults, writer, to: $0) }
  }
}
