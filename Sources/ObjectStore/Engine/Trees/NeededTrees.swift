/// The late trees of a table that readers have needed in any version, and the backlinks of declared inverse links.
// Sendable: the lock protects the numbers.
final class NeededTrees: @unchecked Sendable {
  /// The keys of ``IndexTrees``.
  struct Numbers {
    var columns: Set<Int> = []
    var compounds: Set<Int> = []
    var words: Set<Int> = []
    var backlinks: Set<Int> = []
  }

  private let lock = Lock()
  private var numbers = Numbers()

  var backlinks: Set<Int> { lock.withLock { numbers.backlinks } }

  func contains(_ kind: KeyPath<Numbers, Set<Int>>, _ number: Int) -> Bool {
    lock.withLock { numbers[keyPath: kind].contains(number) }
  }

  func insert(_ kind: WritableKeyPath<Numbers, Set<Int>>, _ number: Int) {
    lock.withLock { _ = numbers[keyPath: kind].insert(number) }
  }
}
