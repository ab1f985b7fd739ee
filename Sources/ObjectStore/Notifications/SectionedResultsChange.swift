public import Foundation

/// A change of observed sections.
///
/// In an update, `deletions`, `modifications` and `sectionsToDelete` refer to the old state of the sections, and
/// `insertions` and `sectionsToInsert` to the new state, all ascending, as a batch update of a table view requires. An
/// index path consists of the index of a section and an index within that section. The objects of an inserted or
/// deleted section are not reported one by one. An object that moved, within its section or to another, is a deletion
/// and an insertion. So is a section that moved.
public enum SectionedResultsChange<C> {
  /// The initial state. Delivered once, first.
  case initial(C)
  /// Objects or sections were inserted, deleted, moved or modified.
  case update(
    C, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

extension SectionedResultsChange: Sendable where C: Sendable {}
