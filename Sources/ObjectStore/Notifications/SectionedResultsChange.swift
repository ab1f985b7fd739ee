public import Foundation

/// What happened to observed sections.
///
/// Of an update, `deletions`, `modifications` and `sectionsToDelete` are places in the sections as they were,
/// `insertions` and `sectionsToInsert` places in them as they are, all ascending: so that a table view's batch
/// update takes them as they are. An index path is a section and a place in it. Objects of a section that came or
/// went are not told one by one. An object that moved, in its section or to another one, is a deletion and an
/// insertion; so is a section that moved.
public enum SectionedResultsChange<C> {
  /// How the sections are; comes once, first.
  case initial(C)
  /// Objects or sections came, went or are different.
  case update(
    C, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

extension SectionedResultsChange: Sendable where C: Sendable {}
