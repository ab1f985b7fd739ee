/// What happened to an observed collection.
///
/// Of an update, `deletions` and `modifications` are indices in the collection as it was, `insertions` indices
/// in it as it is, all ascending: so that a table view's batch update takes them as they are. An element that
/// moved is a deletion and an insertion.
public enum CollectionChange<C> {
  /// How the collection is; comes once, first.
  case initial(C)
  /// Elements came, went or are different.
  case update(C, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Nothing more is delivered. A store in memory never sends it.
  case error(any Error)

  /// The indices of the modified elements in the collection as it is.
  ///
  /// - Complexity: O(the indices).
  public var newModifications: [Int] {
    guard case .update(_, let deletions, let insertions, let modifications) = self else {
      return []
    }
    var deletedCount = 0
    var insertedCount = 0
    return modifications.map { index in
      while deletedCount < deletions.count, deletions[deletedCount] < index { deletedCount += 1 }
      // Those that stayed keep their order: the place among them, and what came before it.
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
