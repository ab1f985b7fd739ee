/// The changes of a phase.
final class PhaseChanges {
  private unowned let transaction: Transaction
  /// The state at the beginning of the phase.
  let start: Version
  private lazy var all: VersionDifference = {
    // Base rows that are written later must not change the state that is compared.
    transaction.seal()
    return VersionDifference(
      start, transaction.workingVersion(), transaction.engine, isOfPhase: true)
  }()

  init(_ transaction: Transaction, since start: Version) {
    self.transaction = transaction
    self.start = start
  }

  /// The changes of a tracked class. A change of an embedded object, or of one without a key, is one of each object that
  /// links to it.
  func rows(of table: Table) -> TableDifference {
    // An object may have changed while its owner did not.
    if !table.contentColumns.isEmpty { return all[table.index] }
    let former = transaction.rows(table.index, in: start)
    return TableDifference(
      former, transaction.touchedVersion(table.index) ?? former, table.layout,
      includesMissing: true)
  }

  /// The changes of any table, without those of embedded objects.
  func allRows(of table: Int) -> TableDifference { all.rows(table) }

  /// A table at the beginning of the phase.
  func former(_ table: Int) -> TableVersion { all.earlier(table) }
}
