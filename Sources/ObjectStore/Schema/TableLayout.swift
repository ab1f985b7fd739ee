/// The engine's description of one class: plain data without objects or model classes, so that schemas created at run
/// time work in the same way.
///
/// The first columns belong to the engine:
///
///     0   live byte: 1 while the row exists
///     1 … missing: a bit per attribute, 64 per column, set while neither a payload nor code has given the attribute a
///         value; then the bit of a whole row, whose missing attributes are known nevertheless
///         (classes that track edits) as many columns as the base table, so that both have the same first attribute
///     …   (rows without a primary key) reference count: links, list elements … that point here;
///         (embedded rows) 1 while the row has an owner
///     …   (rows without a primary key) born nested: 1 if a replacement may delete the row
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
  static let missingColumn = 1

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

  /// The columns of the bits of missing attributes.
  let missingColumns: Range<Int>
  /// The column of the first attribute.
  let firstAttribute: Int
  private let attributeNames: [String]

  /// - Parameter bitCount: The number of attributes for which a row has bits; nil if that is the number of attributes.
  init(
    name: String, identity: Identity, attributes: [(name: String, column: ColumnLayout)],
    keyAttribute: Int?, compoundIndexes: [CompoundIndex], bitCount: Int? = nil
  ) {
    self.name = name
    self.identity = identity
    var columns = [ColumnLayout(kind: .byte)]
    missingColumns = Self.missingColumns(bitCount: bitCount ?? attributes.count)
    for _ in missingColumns { columns.append(ColumnLayout(kind: .word)) }
    if identity != .keyed {
      columns.append(ColumnLayout(kind: .word))
      columns.append(ColumnLayout(kind: .byte))
    }
    firstAttribute = columns.count
    let allColumns = columns + attributes.map(\.column)
    self.columns = allColumns
    indexedColumns = allColumns.indices.filter { allColumns[$0].index != nil }
    searchableColumns = allColumns.indices.filter { allColumns[$0].isSearchable }
    self.compoundIndexes = compoundIndexes
    indexCount = indexedColumns.count + searchableColumns.count + compoundIndexes.count
    attributeNames = attributes.map(\.name)
    keyColumn = keyAttribute.map { $0 + columns.count }
  }

  private static func missingColumns(bitCount: Int) -> Range<Int> {
    missingColumn..<missingColumn + bitCount / 64 + 1
  }

  static func firstAttribute(isKeyed: Bool, bitCount: Int) -> Int {
    missingColumns(bitCount: bitCount).upperBound + (isKeyed ? 0 : 2)
  }

  var attributeCount: Int { columns.count - firstAttribute }

  /// The column of the reference count. The row must have no primary key.
  var referencesColumn: Int { firstAttribute - 2 }

  /// The column of the flag that a row was born nested. The row must have no primary key.
  var bornNestedColumn: Int { firstAttribute - 1 }

  /// Returns the name of the attribute with its table, for messages: `Animal.name`.
  func attributeName(_ column: Int) -> String { "\(name).\(shortName(column))" }

  /// Returns the name of the attribute without its table.
  func shortName(_ column: Int) -> String { attributeNames[column - firstAttribute] }
}
