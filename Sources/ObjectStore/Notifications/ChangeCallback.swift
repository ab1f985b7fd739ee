/// Calls a closure with the changes of a finder.
final class ChangeCallback<Change>: HandleObservers.Observer {
  private let finder: ChangeFinder<Change>
  private let body: (Change) -> Void

  init(_ finder: ChangeFinder<Change>, _ body: @escaping (Change) -> Void) {
    self.finder = finder
    self.body = body
  }

  override func notify(_ differences: HandleObservers.Differences) {
    let change = finder.next(differences)
    if finder.isOver { state.cancel() }
    if let change { body(change) }
  }

  override func skip(_ differences: HandleObservers.Differences, since earlier: Version) {
    finder.skip(differences, since: earlier)
    if finder.isOver { state.cancel() }
  }
}
