import TestSupport

@testable import ObjectStore

/// An observer of a collection, whose changes are compared with the difference of all elements.
final class ElementWatch {
  /// The key of an element, or the element itself, and the value of the key.
  typealias Content = (identity: String, value: String)

  private let name: String
  private let isList: Bool
  private let read: () -> [Content]
  private var before: [Content] = []
  private var change: Change?
  private var token: ObservationToken?

  private struct Change: Equatable, CustomStringConvertible {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    var description: String { "-\(deletions) +\(insertions) ~\(modifications)" }
  }

  init<C: _BoxedCollection>(
    _ name: String, _ collection: C, isList: Bool = false, _ read: @escaping () -> [Content]
  ) {
    (self.name, self.isList, self.read) = (name, isList, read)
    before = read()
    token = collection.observe { [unowned self] in note($0) }
  }

  private func note<C>(_ change: CollectionChange<C>) {
    guard case .update(_, var deletions, var insertions, var modifications) = change else { return }
    if isList {
      // A deletion and an insertion at the same index are reported as a modification.
      deletions = (deletions + modifications).sorted()
      insertions = (insertions + change.newModifications).sorted()
      modifications = []
    }
    self.change = Change(
      deletions: deletions, insertions: insertions, modifications: modifications)
  }

  /// Returns the changes reported since the last call and the expected ones; nil if they are equal.
  func difference() -> String? {
    let after = read()
    defer { (before, change) = (after, nil) }
    let moved = SequenceDifference(before.map(\.identity), after.map(\.identity))
    let kept = moved.kept(before.count)
    let expected = Change(
      deletions: moved.deletions, insertions: moved.insertions,
      modifications: kept.filter { before[$0.earlier].value != after[$0.later].value }.map(
        \.earlier))
    let reported = change ?? Change()
    return reported == expected ? nil : "\(name): reported \(reported), not \(expected)"
  }
}
