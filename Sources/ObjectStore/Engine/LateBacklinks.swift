import Synchronization

/// The backlinks of one version that a reader needed before a commit maintained them. Opening a file builds none, so the
/// first reader does. R8.
// Sendable: the lock protects the state.
final class LateBacklinks: @unchecked Sendable {
  private let lock = Lock()
  private var trees: [Int: SlotTree<UInt64>] = [:]

  /// The backlinks of a column; nil if no reader has built them.
  func known(_ column: Int) -> SlotTree<UInt64>? { lock.withLock { trees[column] } }

  /// Returns the backlinks of a column, made by `make` if they do not exist. Two threads may make them at the same time.
  func tree(_ column: Int, _ make: () -> SlotTree<UInt64>) -> SlotTree<UInt64> {
    if let known = known(column) { return known }
    // Without the lock: reading rows may wait for the file.
    let new = make()
    return lock.withLock {
      if let known = trees[column] { return known }
      trees[column] = new
      return new
    }
  }

  /// Forgets the backlinks of a column, because a link is about to change in the version, which the writer owns.
  func forget(_ column: Int) {
    lock.withLock { _ = trees.removeValue(forKey: column) }
  }
}

extension TableVersion {
  /// The backlinks that readers have built for this version; nil if there are none.
  var late: LateBacklinks? { lateBacklinks.load() }

  /// Returns the backlinks of a column: those that commits maintain, or those that readers of this version share.
  ///
  /// - Complexity: O(n log n) in the links, if commits do not maintain the backlinks and no reader has built them; otherwise
  ///   O(1).
  func backlinks(of column: Int, _ layout: ColumnLayout) -> SlotTree<UInt64> {
    if let tree = backlinks[column] { return tree }
    let late = late ?? lateBacklinks.storeIfNil(LateBacklinks())
    return late.tree(column) { makeBacklinks(of: column, layout, editOwner: 0) }
  }

  func makeBacklinks(
    of column: Int, _ layout: ColumnLayout, editOwner: UInt64
  ) -> SlotTree<UInt64> {
    var pairs: [(key: UInt64, slot: Int)] = []
    forEachLive { slot in
      forEachTarget(slot, column, layout) { pairs.append((UInt64($0), slot)) }
      return true
    }
    return SlotTree(pairs, editOwner: editOwner)
  }
}
