/// The table that a query runs on, in the version being read.
struct QueryTable {
  let tables: QueryTables
  let number: Int
  let layout: TableLayout
  let version: TableVersion
  /// The version whose indexes are usable: the version being read or, if an open write has changed the table, the
  /// version before the write.
  private let indexed: TableVersion?
  /// The open write, if it has changed the table.
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

  /// The index of a column; nil if the column or the version has none.
  func index(of column: Int) -> SlotTree<UInt64>? { indexed?.index(of: column, layout) }

  /// The compound index at an offset in the layout; nil if the version has none.
  func compoundIndex(_ position: Int) -> SlotTree<CompoundIndexKey>? {
    indexed?.compoundIndex(position, layout)
  }

  /// True if the compound index at an offset in the layout exists and need not be built.
  func hasCompoundIndex(_ position: Int) -> Bool { indexed?.hasCompoundIndex(position) ?? false }

  /// The word index of a column; nil if the column or the version has none.
  func wordIndex(of column: Int) -> SlotTree<UInt64>? { indexed?.wordIndex(of: column, layout) }

  /// True if the indexes describe these rows, not the rows before a write.
  var areIndexesCurrent: Bool { version.areIndexesCurrent }

  /// Returns the rows that the open write inserted, or may have moved in the indexes of these columns.
  func changedRows(_ columns: [Int]) -> [Int] {
    columns.isEmpty ? [] : transaction?.changedRows(number, columns) ?? []
  }

  /// The number of rows that the write deleted. The indexes of the version before the write still contain them.
  var deletedCount: Int {
    transaction?.changeLayers(number).reduce(0) { $0 + $1.deleted.count } ?? 0
  }

  func context(_ slot: Int) -> EvaluationContext {
    EvaluationContext(tables: tables, columns: version.columns(slot), slot: slot)
  }
}
