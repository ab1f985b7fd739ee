/// A change of an observed collection.
///
/// In an update, `deletions` and `modifications` are indices in the old state of the collection, and `insertions`
/// indices in the new state, all ascending, as a batch update of a table view requires. An element that moved is a
/// deletion and an insertion.
public enum CollectionChange<C> {
  /// The initial state. Delivered once, first.
  case initial(C)
  /// Elements were inserted, deleted, moved or modified.
  case update(C, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The observation ended with an error; nothing more is delivered. No store reports this at present.
  case error(any Error)

  /// The indices of the modified elements in the new state of the collection.
  ///
  /// - Complexity: O(indices).
  public var newModifications: [Int] {
    guard case .update(_, let deletions, let insertions, let modifications) = self else {
      return []
    }
    var deletedCount = 0
    var insertedCount = 0
    return modifications.map { index in
      while deletedCount < deletions.count, deletions[deletedCount] < index { deletedCount += 1 }
      // Elements that did not move keep their order: subtract the deletions before an element, and add the insertions.
      var new = index - deletedCount + insertedCount
      while insertedCount < insertions.count, insertions[insertedCount] <= new {
        insertedCount += 1
        new += 1
      }
      return new
    }
  }
}

extension CollectionChange: Sendable where C: Sendable {}
