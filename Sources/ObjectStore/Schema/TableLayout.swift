/// How the engine stores one class: plain data, without objects or model classes, so that a schema
/// found at run time works too.
///
/// The first columns are the engine's own:
///
///     0   live byte: 1 while the row exists
///     1   (rows without a primary key) references: how many links, list elements … point here;
///         (embedded rows) the owner: 1 while owned
///     2   (rows without a primary key) born nested: 1 if a replacement may delete the row
///     3 … (rows without a primary key) defaults: a bit for each attribute, 64 to a column, set while
///         it holds the default it was filled with when the row was made
///     …   the attributes, in declared order
///
/// A class, so that looking at it in a loop counts one reference and not three.
final class TableLayout: Sendable {
  /// How rows are told apart.
  enum Identity: Sendable {
    /// By a primary key; the row is found again by it.
    case keyed
    /// By nothing: a row of its own for each nested object of a payload.
    case keyless
    /// Owned by exactly one attribute of another row.
    case embedded
  }

  static let liveColumn = 0
  static let referencesColumn = 1
  static let bornNestedColumn = 2
  static let defaultsColumn = 3

  let name: String
  let identity: Identity
  let columns: [ColumnLayout]
  /// Column of the primary key; nil without one.
  let keyColumn: Int?
  /// The columns that have an index, ascending.
  let indexedColumns: [Int]
  /// The columns that have a word index, ascending.
  let searchableColumns: [Int]
  /// The indexes of several columns.
  let compoundIndexes: [CompoundIndex]
  /// Whether a commit has indexes to follow.
  let hasIndexes: Bool

  /// Index of the first attribute's column.
  let firstAttribute: Int
  private let attributeNames: [String]

  init(
    name: String, identity: Identity, attributes: [(name: String, column: ColumnLayout)],
    keyAttribute: Int?, compoundIndexes: [CompoundIndex]
  ) {
    self.name = name
    self.identity = identity
    var columns = [ColumnLayout(kind: .byte)]
    if identity != .keyed {
      columns.append(ColumnLayout(kind: .word))
      columns.append(ColumnLayout(kind: .byte))
    }
    firstAttribute = Self.firstAttribute(
      isKeyed: identity == .keyed, attributeCount: attributes.count)
    while columns.count < firstAttribute { columns.append(ColumnLayout(kind: .word)) }
    let allColumns = columns + attributes.map(\.column)
    self.columns = allColumns
    indexedColumns = allColumns.indices.filter { allColumns[$0].index != nil }
    searchableColumns = allColumns.indices.filter { allColumns[$0].isSearchable }
    self.compoundIndexes = compoundIndexes
    hasIndexes =
      !(indexedColumns.isEmpty && searchableColumns.isEmpty && compoundIndexes.isEmpty)
    attributeNames = attributes.map(\.name)
    keyColumn = keyAttribute.map { $0 + columns.count }
  }

  static func firstAttribute(isKeyed: Bool, attributeCount: Int) -> Int {
    isKeyed ? liveColumn + 1 : defaultsColumn + (attributeCount + 63) / 64
  }

  /// An attribute as messages show it: `Animal.name`.
  func attributeName(_ column: Int) -> String { "\(name).\(shortName(column))" }

  /// An attribute by its own name.
  func shortName(_ column: Int) -> String { attributeNames[column - firstAttribute] }
}
