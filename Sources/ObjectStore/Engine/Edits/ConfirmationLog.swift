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

  /// The entries of commits, in their order.
  private var commits: [(version: UInt64, entries: [Entry])] = []

  /// Records the confirmations of a commit, and forgets those that every live version shows.
  mutating func add(_ entries: [Entry], of version: UInt64, _ registry: VersionRegistry) {
    if commits.isEmpty, entries.isEmpty { return }
    let oldest = registry.oldest
    commits.removeAll { $0.version <= oldest }
    if !entries.isEmpty { commits.append((version, entries)) }
  }

  /// Returns the entries of the commits after a version.
  ///
  /// - Complexity: O(entries).
  func entries(after version: UInt64) -> [Entry] {
    commits.filter { $0.version > version }.flatMap(\.entries)
  }
}
