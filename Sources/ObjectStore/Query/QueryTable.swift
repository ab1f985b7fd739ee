/// The table a query is asked of, in the version that is looked at.
struct QueryTable {
  let tables: QueryTables
  let number: Int
  let layout: TableLayout
  let version: TableVersion
  /// The version whose indexes can be asked: inside a write the one that it began with.
  private let indexed: TableVersion?
  /// The write that changes the table.
  private let transaction: Transaction?

  init(_ number: Int, _ layout: TableLayout, _ tables: QueryTables, _ transaction: Transaction?) {
    self.tables = tables
    self.number = number
    self.layout = layout
    version = tables[number]
    if version.areIndexesCurrent {
      indexed = version
      self.transaction = nil
    } else {
      indexed = transaction?.baseVersion(number)
      self.transaction = transaction
    }
  }

  /// The index of a column; nil where there is none, or none for what is looked at.
  func index(of column: Int) -> SlotTree<UInt64>? { indexed?.indexes[column] }

  /// An index of several columns, by its place in the layout, likewise.
  func compoundIndex(_ place: Int) -> SlotTree<CompoundIndexKey>? {
    indexed?.compoundIndexes[place]
  }

  /// The word index of a column, likewise.
  func wordIndex(of column: Int) -> SlotTree<UInt64>? { indexed?.wordIndexes[column] }

  /// Whether the indexes are of these rows, and not of those before a write.
  var areIndexesCurrent: Bool { version.areIndexesCurrent }

  /// The rows that the write moved in the indexes of these columns, or may have.
  func rowsOfWrite(_ columns: [Int]) -> [Int] {
    columns.isEmpty ? [] : transaction?.changedRows(number, columns) ?? []
  }

  /// The rows that the write deleted, which are still in the indexes of the version before it.
  var deletedCount: Int {
    transaction?.changeLayers(number).reduce(0) { $0 + $1.deleted.count } ?? 0
  }

  func frame(_ slot: Int) -> EvaluationContext {
    EvaluationContext(tables: tables, columns: version.columns(slot), slot: slot)
  }
}
