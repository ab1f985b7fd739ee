/// What is different between a collection as it was and as it is.
struct ChangedIndices {
  /// Indices in the earlier one of elements that went or moved, ascending.
  var deletions: [Int] = []
  /// Indices in the later one of elements that came or moved, ascending.
  var insertions: [Int] = []
  /// Indices in the earlier one of elements that stayed and differ, ascending.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// As an observer of `whole` is told; nil if nothing is different.
  func change<Whole>(of whole: Whole) -> CollectionChange<Whole>? {
    isEmpty
      ? nil
      : .update(
        whole, deletions: deletions, insertions: insertions, modifications: modifications)
  }
}

extension ChangedIndices {
  /// - Parameter changed: the rows that differ.
  init(_ earlier: [Int], _ later: [Int], _ changed: [Int: AttributeBits]) {
    let moved = SequenceDifference(earlier, later)
    deletions = moved.deletions
    insertions = moved.insertions
    if changed.isEmpty { return }
    let gone = Set(moved.deletions)
    modifications = earlier.indices.filter {
      changed[earlier[$0]] != nil && !gone.contains($0)
    }
  }
}
