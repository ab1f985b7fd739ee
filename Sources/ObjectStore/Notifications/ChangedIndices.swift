/// The changed indices between two states of a collection.
struct ChangedIndices {
  /// Indices in the earlier state of removed or moved elements, ascending.
  var deletions: [Int] = []
  /// Indices in the later state of inserted or moved elements, ascending.
  var insertions: [Int] = []
  /// Indices in the earlier state of modified elements that did not move, ascending.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// The change to report to an observer of `whole`, or nil if nothing changed.
  func change<Whole>(of whole: Whole) -> CollectionChange<Whole>? {
    isEmpty
      ? nil
      : .update(
        whole, deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

extension ChangedIndices {
  /// Creates the changes between two states of a collection.
  ///
  /// - Parameters:
  ///   - earlier: The slots of the rows in the earlier state, in order.
  ///   - later: The slots of the rows in the later state, in order.
  ///   - changed: The modified attributes of each row, by slot.
  init(_ earlier: [Int], _ later: [Int], _ changed: [Int: AttributeBits]) {
    let moved = SequenceDifference(earlier, later)
    deletions = moved.deletions
    insertions = moved.insertions
    if changed.isEmpty { return }
    let deleted = Set(moved.deletions)
    modifications = earlier.indices.filter {
      changed[earlier[$0]] != nil && !deleted.contains($0)
    }
  }
}
