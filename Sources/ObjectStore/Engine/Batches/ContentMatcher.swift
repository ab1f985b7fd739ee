/// Matches the content in an update of a set with the set's rows that already hold it. Each row matches at most one
/// element.
///
/// A repeated payload, or an object's own body, has equal elements in the order of the rows. Otherwise there are three
/// passes, each over the elements that the previous ones did not match:
///
///     1  the rows in their order, if they lack the same attributes
///     2  by hash, rows that lack the same attributes
///     3  rows with values that the payload leaves out: see ``Transaction/holds(_:_:)``
///
/// - Complexity: O(n) comparisons for a set and an update of n elements, and one hash of each nested row for each level
///   of nesting. Content that could be equal in too many ways to try is treated as new.
final class ContentMatcher {
  private let transaction: Transaction
  private let writer: TableWriter
  /// The target slot + 1 of each element of the set; 0 once an element of the update matches the row.
  private var words: [UInt64]

  /// The maximum number of rows, with the same hash or in the last pass, that are compared with the content of one element.
  private static let candidateLimit = 32
  /// The maximum number of groups of rows that lack the same attributes. Further rows are found only by the first two passes.
  private static let groupLimit = 64
  /// The number of consecutive contents that may differ from the next row before the first pass ends. There is no limit
  /// if the contents have no nested content, since comparing them is cheaper than hashing them.
  private static let missLimit = 16

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
    if let rows = equalRows(contents) { return rows }
    var rows = inOrder(contents)
    search(contents, &rows)
    compareWithFuller(contents, &rows)
    return rows
  }

  /// Returns the rows if the contents equal them, in their order.
  private func equalRows(_ contents: [BatchRow]) -> [UInt64?]? {
    guard contents.count == words.count else { return nil }
    for (content, word) in zip(contents, words)
    where word == 0 || !transaction.holds(content, Int(word) - 1) { return nil }
    return words
  }

  private func inOrder(_ contents: [BatchRow]) -> [UInt64?] {
    let missLimit = writer.contentColumns.isEmpty ? contents.count : Self.missLimit
    var rows = [UInt64?](repeating: nil, count: contents.count)
    var (next, misses) = (0, 0)
    for (index, content) in contents.enumerated() {
      while next < words.count, words[next] == 0 { next += 1 }
      guard next < words.count, misses <= missLimit else { break }
      let slot = Int(words[next]) - 1
      if transaction.missing(of: content) == writer.missing(slot), transaction.holds(content, slot)
      {
        rows[index] = take(next)
        misses = 0
      } else {
        misses += 1
      }
    }
    return rows
  }

  /// Compares contents with rows that have values which the contents leave out.
  private func compareWithFuller(_ contents: [BatchRow], _ rows: inout [UInt64?]) {
    guard rows.contains(nil), words.contains(where: { $0 != 0 }) else { return }
    var groups: [(missing: AttributeBits, positions: [Int])] = []
    var known: [AttributeBits: Int] = [:]
    for position in words.indices where words[position] != 0 {
      let missing = writer.missing(Int(words[position]) - 1)
      if let group = known[missing] {
        groups[group].positions.append(position)
      } else if groups.count < Self.groupLimit {
        known[missing] = groups.count
        groups.append((missing, [position]))
      }
    }
    // The rows with the fewest further values first.
    groups.sort { $0.missing.all.count > $1.missing.all.count }
    for (index, content) in contents.enumerated() where rows[index] == nil {
      let missing = transaction.missing(of: content)
      for group in groups.indices
      where groups[group].missing != missing
        && groups[group].missing.intersection(missing) == groups[group].missing
      {
        let found = groups[group].positions.prefix(Self.candidateLimit).firstIndex {
          transaction.holds(content, Int(words[$0]) - 1)
        }
        if let found {
          rows[index] = take(groups[group].positions.remove(at: found))
          break
        }
      }
    }
  }

  private func take(_ position: Int) -> UInt64 {
    defer { words[position] = 0 }
    return words[position]
  }

  // MARK: - Matching by hash

  /// Finds rows for the contents that have none yet.
  private func search(_ contents: [BatchRow], _ rows: inout [UInt64?]) {
    guard rows.contains(nil), words.contains(where: { $0 != 0 }) else { return }
    let unmatched = contents.indices.filter { rows[$0] == nil }
    let hash = ContentHash(transaction)
    for index in unmatched {
      transaction.fillDefaults(writer, contents[index])
      hash.note(contents[index])
    }
    for mode in hash.modes {
      var index = makeIndex(hash, mode)
      for content in unmatched where rows[content] == nil {
        let position = position(of: contents[content], hash.of(contents[content], mode), &index)
        rows[content] = position.map(take)
      }
    }
  }

  private func position(of content: BatchRow, _ hash: UInt64, _ index: inout Index) -> Int? {
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

  private func makeIndex(_ hash: ContentHash, _ mode: ContentHash.Mode) -> Index {
    var index = Index()
    for position in words.indices.reversed() where words[position] != 0 {
      guard let hash = hash.of(writer, Int(words[position]) - 1, mode) else { continue }
      if let other = index.first.updateValue(position, forKey: hash) {
        index.following[position] = other
      }
    }
    return index
  }
}
