/// Something that is observed, in whichever handle; asked on any thread.
protocol ObservedContent: AnyObject, Sendable {
  /// Whether nobody observes it any more.
  var isOver: Bool { get }

  /// What it looks at, if others may look at the same; such ones are asked for their rows once, and are not told
  /// which stay.
  var scope: ObservedScope? { get }

  /// Calls `body` with its rows, as the handle shows them now; some may be gone.
  func forEachRow(_ handle: StoreHandle, _ body: (_ table: Int, _ slot: Int) -> Void)

  /// Some of its rows stay for its sake alone: who cannot tell whether he still looks at them looks again.
  func didKeepRows()
}

extension ObservedContent {
  var scope: ObservedScope? { nil }

  func didKeepRows() {}
}

/// Rows that several may look at.
enum ObservedScope: Hashable, Sendable {
  /// All rows of a table.
  case table(Int)
  /// Those that one query finds; in a table, or in a collection.
  case query(ObjectIdentifier, table: Int?)
}

/// What is observed of a store, so that nobody loses what he looks at.
// Sendable: guarded by `lock`.
final class ObservedContents: @unchecked Sendable {
  private let lock = Lock()
  private var contents: [any ObservedContent] = []
  /// From so many on it is looked for those that are over.
  private var limit = 64

  /// - Complexity: O(1) on average.
  func add(_ content: any ObservedContent) {
    // What is let go dies outside the lock.
    let gone = lock.withLock {
      let gone = contents.count >= limit ? takeOver() : []
      if !gone.isEmpty || contents.count >= limit { limit = max(64, contents.count * 2) }
      contents.append(content)
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Those that somebody observes.
  var all: [any ObservedContent] {
    let (all, gone) = lock.withLock {
      let gone = takeOver()
      return (contents, gone)
    }
    withExtendedLifetime(gone) {}
    return all
  }

  private func takeOver() -> [any ObservedContent] {
    let gone = contents.filter { $0.isOver }
    if !gone.isEmpty { contents.removeAll { $0.isOver } }
    return gone
  }
}
