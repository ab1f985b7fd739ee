/// Computes the changes of one observed object, collection or store for one observer.
class ChangeFinder<Change> {
  let handle: StoreHandle
  /// The version of the last report. Nil before the first report.
  final private var lastReported: Version?
  /// True if no further change can occur.
  final var isOver = false

  /// - Parameter version: The version that the first report is relative to. Nil if the first report is the initial
  ///   state.
  init(_ handle: StoreHandle, from version: Version?) {
    if handle.isFrozen {
      misuse("a frozen object cannot be observed, because it never changes; observe the live one")
    }
    self.handle = handle
    lastReported = version
  }

  /// The observed rows, or nil for the whole store.
  var observed: ObservedRows? { nil }

  /// The initial state, for observations that report it first.
  func initial() -> Change? { nil }

  /// The change between two versions, or nil if there is none.
  func change(_ difference: VersionDifference) -> Change? { nil }

  /// The change to report if the version has not changed since the last report.
  func unchanged() -> Change? { nil }

  /// The change since the last call, or nil if there is none. The first call may return the initial state.
  final func next(_ differences: HandleObservers.Differences) -> Change? {
    if isOver { return nil }
    guard let earlier = lastReported else {
      lastReported = differences.shown
      return initial()
    }
    if earlier === differences.shown { return unchanged() }
    lastReported = differences.shown
    return change(differences.since(earlier))
  }

  /// Notes the changes since a version without a report, if that version was reported.
  final func skip(_ differences: HandleObservers.Differences, since earlier: Version) {
    if lastReported === earlier { _ = next(differences) }
  }
}
