/// What there is to tell of one thing that is observed; made anew for each observer.
class ChangeFinder<Change> {
  let handle: StoreHandle
  /// The version told last; nil before the first.
  final private var told: Version?
  /// Whether nothing can come any more.
  final var isOver = false

  /// - Parameter told: where changes count from; nil if the first thing to tell is how things are.
  init(_ handle: StoreHandle, from told: Version?) {
    if handle.isFrozen { misuse("a frozen view does not change: observe what is live") }
    self.handle = handle
    self.told = told
  }

  /// The rows that are looked at; nil where it is all of the store.
  var observed: ObservedRows? { nil }

  /// How things are; asked first where that is told.
  func initial() -> Change? { nil }

  /// What is different; nil if nothing is.
  func change(_ difference: VersionDifference) -> Change? { nil }

  /// What there is to tell though the version is that told last.
  func unchanged() -> Change? { nil }

  /// What there is to tell since this was asked last; nil for nothing.
  final func next(_ differences: HandleObservers.Differences) -> Change? {
    if isOver { return nil }
    guard let earlier = told else {
      told = differences.shown
      return initial()
    }
    if earlier === differences.shown { return unchanged() }
    told = differences.shown
    return change(differences.since(earlier))
  }
}

/// Calls a closure with what there is to tell.
final class ChangeCallback<Change>: HandleObservers.Observer {
  private let finder: ChangeFinder<Change>
  private let body: (Change) -> Void

  init(_ finder: ChangeFinder<Change>, _ body: @escaping (Change) -> Void) {
    self.finder = finder
    self.body = body
  }

  override func tell(_ differences: HandleObservers.Differences) {
    let change = finder.next(differences)
    if finder.isOver { state.cancel() }
    if let change { body(change) }
  }
}
