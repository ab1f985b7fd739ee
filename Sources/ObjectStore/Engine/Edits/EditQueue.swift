/// The edits that a search has found and not returned, so that taking all edits one by one sorts them once.
struct EditQueue {
  /// A base row of one of several classes.
  struct Row: Hashable {
    /// The number of the class.
    let number: Int
    let slot: Int
  }

  /// The first change of an object.
  struct Change: Comparable {
    let row: Row
    let isDeletion: Bool
    let order: UInt64

    static func < (a: Self, b: Self) -> Bool {
      a.isDeletion == b.isDeletion ? a.order < b.order : b.isDeletion
    }
  }

  /// The base tables of the classes.
  let tables: [Int]
  /// The newest version when the queue was last valid, counting only versions that change base tables.
  var version: UInt64
  /// Latest first; nil if the edits were not sorted yet.
  private var changes: [Change]?

  init(tables: [Int], version: UInt64, changes: [Change]?) {
    self.tables = tables
    self.version = version
    self.changes = changes
  }

  /// Returns the edits and forgets them, so that they can be changed without a copy.
  mutating func takeChanges() -> [Change]? {
    defer { changes = nil }
    return changes
  }
}
