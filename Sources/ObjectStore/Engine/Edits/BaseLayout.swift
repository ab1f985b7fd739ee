/// The arrangement of a base table: the table that stores, for each object with unconfirmed edits, what the server has.
///
///     Order        id | note        | total
///                  7  | "no onions" | 12.5
///
///     Order.base   id | note | total | note.edit | total.edit | .state | .serial | …
///                  7  | "a"  | null  | edited    | 0          | edited | 0
///
/// R30. A base row has the key of its object. Its value columns have the indexes of the class's columns. A value is
/// meaningful only if the marks of its attribute say that it is known. An object without edits has no base row; an object
/// that was deleted locally has only a base row (a *tombstone*).
// Sendable: immutable.
final class BaseLayout: Sendable {
  /// The index of the base table.
  let table: Int
  /// The indexes of the attributes whose changes are edits, ascending.
  let tracked: [Int]
  /// The columns of the marks, by attribute; -1 for an attribute that is not tracked.
  private let marksColumns: [Int]
  /// The columns of the row's own data.
  private let ownColumns: [Int]

  /// The data of a base row in addition to values and marks.
  enum Own: Int, CaseIterable {
    /// A ``BaseState``.
    case state
    /// The serial number of the edit that was taken last.
    case serial
    /// The serial number of the edit that was confirmed last.
    case confirmed
    /// The session in which an edit was taken and not settled; 0 if none is in flight.
    case session
    /// The position of the object's first change among those of all objects.
    case order
    /// The JSON of the server's rejection; null without one.
    case rejection
    /// The links to a deleted object, which return with it; see ``LostReference``.
    case references
  }

  /// The rejection of an edit of an object that the server does not have. Part of the file format.
  static let goneRejection: StaticString = #"{"gone":true}"#

  /// The number that stands for the edit state in sets of changed attributes. Inverse links precede it.
  let editStateAttribute: Int
  /// Returns the numbers that stand for a property of the edit state; nil for any other name.
  func attributes(ofState name: String) -> [Int]? {
    switch name {
    case "editState": [editStateAttribute]
    case "rejection": [rejectionAttribute]
    default: nil
    }
  }

  /// The number that stands for the rejection in sets of changed attributes.
  var rejectionAttribute: Int { editStateAttribute + 1 }

  /// - Parameters:
  ///   - table: The index of the base table.
  ///   - layout: Its layout, made by ``ObjectSchema/baseSchema(tracked:)``.
  ///   - attributeCount: The number of attributes of the class with columns.
  ///   - propertyCount: The number of all attributes of the class.
  ///   - tracked: The attributes whose changes are edits.
  init(
    table: Int, _ layout: TableLayout, attributeCount: Int, propertyCount: Int, tracked: [Int]
  ) {
    self.table = table
    self.tracked = tracked
    editStateAttribute = propertyCount
    let firstMarks = layout.firstAttribute + attributeCount
    var marks = [Int](repeating: -1, count: attributeCount)
    for (index, attribute) in tracked.enumerated() { marks[attribute] = firstMarks + index }
    marksColumns = marks
    ownColumns = Own.allCases.map { firstMarks + tracked.count + $0.rawValue }
  }

  /// Returns the column of an attribute's marks; nil for an attribute that is not tracked.
  func marksColumn(_ attribute: Int) -> Int? {
    let column = marksColumns[attribute]
    return column < 0 ? nil : column
  }

  func column(_ own: Own) -> Int { ownColumns[own.rawValue] }
}

extension TableVersion {
  /// Returns the marks of an attribute of a base row; empty for an attribute that is not tracked.
  func marks(_ slot: Int, _ base: BaseLayout, _ attribute: Int) -> EditMarks {
    base.marksColumn(attribute).map { EditMarks(rawValue: word(slot, $0)) } ?? []
  }

  func own(_ slot: Int, _ base: BaseLayout, _ own: BaseLayout.Own) -> UInt64 {
    word(slot, base.column(own))
  }

  func state(_ slot: Int, _ base: BaseLayout) -> BaseState {
    BaseState(rawValue: own(slot, base, .state)) ?? .edited
  }

  /// Returns true if a base row has edits. If not, its class has stopped tracking the attributes that were edited, or only a
  /// link of the user names its object.
  func hasEdits(_ slot: Int, _ base: BaseLayout) -> Bool {
    switch state(slot, base) {
    case .referenced: false
    case .edited: !editedAttributes(slot, base).isEmpty
    case .created, .deleted, .deletedCreation, .sentDeletion: true
    }
  }

  /// Returns the bytes of the row's rejection or references; nil if there are none.
  func ownBytes(_ slot: Int, _ base: BaseLayout, _ own: BaseLayout.Own) -> UnsafeRawBufferPointer? {
    let column = columns(slot)[base.column(own)]
    let row = slot & ChunkLayout.mask
    return column.isNull(row) ? nil : column.bytes(ofWord: column.word(row))
  }

  /// Returns true if the server rejected the last edit of the row's object.
  func isRejected(_ slot: Int, _ base: BaseLayout) -> Bool {
    ownBytes(slot, base, .rejection) != nil
  }

  /// Returns true if the server responded to the last edit of the row's object that it does not have the object.
  func isGone(_ slot: Int, _ base: BaseLayout) -> Bool {
    let gone = UnsafeRawBufferPointer(
      start: BaseLayout.goneRejection.utf8Start, count: BaseLayout.goneRejection.utf8CodeUnitCount)
    return ownBytes(slot, base, .rejection)?.elementsEqual(gone) ?? false
  }

  /// Returns the row with the key of a row of another table: a class and its base table have the same key.
  func find(keyOf slot: Int, in other: TableVersion, _ layout: TableLayout) -> Int? {
    find(key: other.columns(slot), slot & ChunkLayout.mask, layout)
  }

  /// Returns the row with the key of a row of another table, whose columns are those of a chunk.
  func find(
    key columns: UnsafeMutablePointer<StorageColumn>, _ row: Int, _ layout: TableLayout
  ) -> Int? {
    guard let keyColumn = layout.keyColumn else { return nil }
    let column = columns[keyColumn]
    let word = column.word(row)
    return layout.columns[keyColumn].kind == .bytes
      ? find(bytes: column.bytes(ofWord: word), keyColumn) : find(word: word, keyColumn)
  }

  /// Returns the attributes with unconfirmed edits.
  func editedAttributes(_ slot: Int, _ base: BaseLayout) -> [Int] {
    base.tracked.filter { marks(slot, base, $0).contains(.edited) }
  }
}
