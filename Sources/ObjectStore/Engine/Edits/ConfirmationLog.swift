/// The edits that were confirmed since the oldest live version, by which a late response is recognized.
struct ConfirmationLog {
  /// A confirmed edit.
  enum Entry {
    case change(table: Int, key: Key, attributes: [Int])
    case deletion(table: Int, key: Key)
  }

  /// A primary key as it is stored.
  enum Key: Hashable {
    case word(UInt64)
    case bytes([UInt8])

    init(_ cell: BatchCell, isBytes: Bool) {
      self = isBytes ? .bytes(Array(cell.bytes)) : .word(cell.bits)
    }
  }

  /// The entries of commits, in their order. Those before `head` are forgotten.
  private var commits: [(version: UInt64, entries: [Entry])] = []
  private var head = 0

  /// Records the confirmations of a commit, and forgets those that every live version shows.
  ///
  /// - Complexity: O(1), amortized.
  mutating func add(_ entries: [Entry], of version: UInt64, _ registry: VersionRegistry) {
    if commits.isEmpty, entries.isEmpty { return }
    let oldest = registry.oldest
    while head < commits.count, commits[head].version <= oldest {
      commits[head].entries = []
      head += 1
    }
    if head * 2 > commits.count {
      commits.removeFirst(head)
      head = 0
    }
    if !entries.isEmpty { commits.append((version, entries)) }
  }

  /// Returns the entries of the commits after a version.
  ///
  /// - Complexity: O(entries returned + log(entries)).
  func entries(after version: UInt64) -> [Entry] {
    let first = (head..<commits.count).partitionPoint { commits[$0].version <= version }
    return commits[first...].flatMap(\.entries)
  }
}
