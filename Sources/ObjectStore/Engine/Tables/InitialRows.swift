/// The rows of a table at the time its store is opened. Implemented by the loader of a file.
protocol RowSource: AnyObject, Sendable {
  /// The first slot that was never assigned.
  var firstFreeSlot: Int { get }
  /// The first version that has the rows that are loaded now. Earlier ones show no rows.
  var firstVersion: UInt64 { get }

  /// Loads the rows. Called once, on any thread. A table that cannot be read is empty.
  func load(_ table: Table) -> TableVersion
}

extension RowSource {
  var firstVersion: UInt64 { 0 }
}

/// The initial rows of a table, loaded on first use. Versions show them until a commit touches the table.
// Sendable: `lock` guards all mutable properties.
final class InitialRows: @unchecked Sendable {
  let source: any RowSource
  private let lock = Lock()
  private var rows: TableVersion?
  private var firstVersion: UInt64 = 0
  private var isOver = false

  init(_ source: any RowSource) {
    self.source = source
  }

  /// Returns the rows as a version shows them, or nil once no version shows them.
  func load(_ table: Table, for version: UInt64) -> TableVersion? {
    lock.withLock {
      if rows == nil, !isOver {
        rows = source.load(table)
        firstVersion = source.firstVersion
      }
      return version < firstVersion ? nil : rows
    }
  }

  /// Returns the rows as a version shows them if they are loaded.
  func loaded(for version: UInt64) -> TableVersion? {
    lock.withLock { version < firstVersion ? nil : rows }
  }

  /// Releases the rows, since every live version has its own.
  func end() {
    let released = lock.withLock {
      isOver = true
      defer { rows = nil }
      return rows
    }
    withExtendedLifetime(released) {}
  }
}

extension Version {
  /// A table, whose rows are loaded if necessary.
  subscript(table: Table) -> TableVersion {
    touched(table.index) ?? table.initialRows?.load(table, for: number) ?? table.emptyVersion
  }

  /// Returns a table; nil if its rows are not loaded.
  func loaded(_ table: Table) -> TableVersion? {
    if let touched = touched(table.index) { return touched }
    guard let rows = table.initialRows else { return table.emptyVersion }
    return rows.loaded(for: number)
  }
}

extension Table {
  /// The first slot that was never assigned, ignoring writes since the store was opened.
  var firstFreeSlot: Int { initialRows?.source.firstFreeSlot ?? 0 }
}
