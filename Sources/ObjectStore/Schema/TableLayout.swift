/// The engine's description of one class: plain data without objects or model classes, so that schemas created at run
/// time work in the same way.
///
/// The first columns belong to the engine:
///
///     0   live byte: 1 while the row exists
///     1   (rows without a primary key) reference count: links, list elements … that point here;
///         (embedded rows) 1 while the row has an owner
///     2   (rows without a primary key) born nested: 1 if a replacement may delete the row
///     3 … (rows without a primary key) defaults: a bit per attribute, 64 per column, set while
///         the attribute has the default it was given when the row was created
///     …   the attributes, in declared order
///
/// A class, so that passing it in a loop retains one reference instead of one for each array.
final class TableLayout: Sendable {
  /// The way in which rows are identified.
  enum Identity: Sendable {
    /// By a primary key.
    case keyed
    /// By no key: each nested object of a payload has its own row.
    case keyless
    /// By the attribute of the owning row that holds the row.
    case embedded
  }

  static let liveColumn = 0
  static let referencesColumn = 1
  static let bornNestedColumn = 2
  static let defaultsColumn = 3

  let name: String
  let identity: Identity
  let columns: [ColumnLayout]
  /// The column of the primary key; nil without one.
  let keyColumn: Int?
  /// The indexed columns, ascending.
  let indexedColumns: [Int]
  /// The columns with a word index, ascending.
  let searchableColumns: [Int]
  let compoundIndexes: [CompoundIndex]
  /// The number of all indexes.
  let indexCount: Int

  /// The column of the first attribute.
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
    indexCount = indexedColumns.count + searchableColumns.count + compoundIndexes.count
    attributeNames = attributes.map(\.name)
    keyColumn = keyAttribute.map { $0 + columns.count }
  }

  static func firstAttribute(isKeyed: Bool, attributeCount: Int) -> Int {
    isKeyed ? liveColumn + 1 : defaultsColumn + (attributeCount + 63) / 64
  }

  /// Returns the name of the attribute with its table, for messages: `Animal.name`.
  func attributeName(_ column: Int) -> String { "\(name).\(shortName(column))" }

  /// Returns the name of the attribute without its table.
  func shortName(_ column: Int) -> String { attributeNames[column - firstAttribute] }
}
