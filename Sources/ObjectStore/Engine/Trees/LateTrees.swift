// An index or backlinks that rows of a file lack are late: they are built when they are first needed, by the reader for the
// version that it reads, and by the next commit that touches the table for its own. Opening a file therefore reads no rows
// for them. R8.

/// The late trees that readers have built for one version.
// Sendable: the lock protects the trees.
final class LateTrees: @unchecked Sendable {
  private let lock = Lock()
  private var built = IndexTrees()

  /// Returns a tree; nil if no reader has built it.
  func known<Key>(_ trees: IndexTrees.OfKind<Key>, _ number: Int) -> SlotTree<Key>? {
    lock.withLock { built[keyPath: trees][number] }
  }

  /// Returns a tree, made by `make` if it does not exist. Two threads may make the same tree at the same time.
  func tree<Key>(
    _ trees: IndexTrees.OfKind<Key>, _ number: Int, _ make: () -> SlotTree<Key>
  ) -> SlotTree<Key> {
    if let known = known(trees, number) { return known }
    // Without the lock: reading rows may wait for the file.
    let new = make()
    return lock.withLock {
      if let known = built[keyPath: trees][number] { return known }
      built[keyPath: trees][number] = new
      return new
    }
  }

  /// Forgets the backlinks of a column, because a link is about to change in the version, which the writer owns.
  func forgetBacklinks(of column: Int) {
    lock.withLock { _ = built.backlinks.removeValue(forKey: column) }
  }

  /// Adds the indexes, without the backlinks.
  func addIndexes(to trees: inout IndexTrees) {
    lock.withLock {
      trees.columns.merge(built.columns) { own, _ in own }
      trees.compounds.merge(built.compounds) { own, _ in own }
      trees.words.merge(built.words) { own, _ in own }
    }
  }
}
