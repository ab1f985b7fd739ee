/// The rows that one observation covers, in any handle of the store. Used on any thread.
protocol ObservedContent: AnyObject, Sendable {
  /// True after the observation ended.
  var isOver: Bool { get }

  /// The observed rows as a value, if several observations may share them. Contents with equal scopes are enumerated
  /// once and do not receive ``didKeepRows()``.
  var scope: ObservedScope? { get }

  /// Calls `body` with the observed rows in the handle's version. Some may be deleted.
  func forEachRow(_ handle: StoreHandle, _ body: (_ table: Int, _ slot: Int) -> Void)

  /// Called if an eviction kept rows only because they are in this content. If its observers may no longer exist, the
  /// content should invalidate its reads, so that any remaining observers read the rows again.
  func didKeepRows()
}

extension ObservedContent {
  var scope: ObservedScope? { nil }

  func didKeepRows() {}
}

/// Rows that several observers may share.
enum ObservedScope: Hashable, Sendable {
  /// All rows of a table.
  case table(Int)
  /// The results of one query, in a table or in a collection.
  case query(ObjectIdentifier, table: Int?)
}

/// The observed contents of a store. Eviction keeps their rows.
// Sendable: guarded by `lock`.
final class ObservedContents: @unchecked Sendable {
  private let lock = Lock()
  private var contents: [any ObservedContent] = []
  /// The number of contents at which ended ones are removed.
  private var limit = 64

  /// - Complexity: O(1) on average.
  func add(_ content: any ObservedContent) {
    // Removed contents are released outside the lock.
    let ended = lock.withLock {
      let ended = contents.count >= limit ? takeEnded() : []
      if !ended.isEmpty || contents.count >= limit { limit = max(64, contents.count * 2) }
      contents.append(content)
      return ended
    }
    withExtendedLifetime(ended) {}
  }

  /// The contents whose observation has not ended.
  var all: [any ObservedContent] {
    let (all, ended) = lock.withLock {
      let ended = takeEnded()
      return (contents, ended)
    }
    withExtendedLifetime(ended) {}
    return all
  }

  private func takeEnded() -> [any ObservedContent] {
    let ended = contents.filter { $0.isOver }
    if !ended.isEmpty { contents.removeAll { $0.isOver } }
    return ended
  }
}
