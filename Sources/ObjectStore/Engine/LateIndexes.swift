/// The indexes of loaded rows, each built when it is first used: by the query, for the version that it reads, and by the
/// next commit, for its own version. Opening a file therefore reads no rows for indexes. R8.
///
/// Each version has its own instance until it has all indexes.
// Sendable: the lock protects the state.
final class LateIndexes: @unchecked Sendable {
  /// The state shared by the versions of a table.
  private final class Use {
    let lock = Lock()
    /// The positions of the indexes that queries have used, by kind.
    var used: [PartialKeyPath<IndexTrees>: Set<Int>] = [:]
    let file: (any IndexFile)?

    init(_ file: (any IndexFile)?) { self.file = file }
  }

  private let use: Use
  /// The indexes that queries have built for this version.
  private var built = IndexTrees()

  /// - Parameter file: The file with the lazy chunks of the table; nil for none.
  init(_ file: (any IndexFile)?) { use = Use(file) }

  /// Creates the indexes of a version that follows another.
  init(after previous: LateIndexes) { use = previous.use }

  /// Returns an index, made by `make` if it does not exist. Two threads may make the same index at the same time.
  func tree<Key>(
    _ trees: IndexTrees.OfKind<Key>, _ number: Int, _ make: () -> SlotTree<Key>
  ) -> SlotTree<Key> {
    let known = use.lock.withLock {
      use.used[trees, default: []].insert(number)
      return built[keyPath: trees][number]
    }
    if let known { return known }
    // Without the lock: reading rows may wait for the file.
    let new = make()
    return use.lock.withLock {
      if let known = built[keyPath: trees][number] { return known }
      built[keyPath: trees][number] = new
      return new
    }
  }

  /// True if a query has used the index in any version.
  func isUsed<Key>(_ trees: IndexTrees.OfKind<Key>, _ number: Int) -> Bool {
    use.lock.withLock { use.used[trees]?.contains(number) ?? false }
  }

  /// Calls `body` with the pairs of an index for the rows of the column file; returns nil if the file does not have it, or if
  /// `body` does, because the pairs are not valid.
  func withMappedPairs<R>(_ columns: [Int], _ body: (UnsafeBufferPointer<UInt64>) -> R?) -> R? {
    use.file?.withPairs(columns, body)
  }

  /// Adds the indexes that queries have built for this version.
  func addBuilt(to trees: inout IndexTrees) {
    use.lock.withLock {
      trees.columns.merge(built.columns) { own, _ in own }
      trees.compounds.merge(built.compounds) { own, _ in own }
      trees.words.merge(built.words) { own, _ in own }
    }
  }
}

/// A file with the indexes of the rows that it had when it was written.
protocol IndexFile: Sendable {
  /// Calls `body` with the pairs of an index, ascending: the words of the key, then the slot. Returns nil if the file does
  /// not have the index, or if it is damaged, which `body` states by returning nil.
  func withPairs<R>(_ columns: [Int], _ body: (UnsafeBufferPointer<UInt64>) -> R?) -> R?
}
