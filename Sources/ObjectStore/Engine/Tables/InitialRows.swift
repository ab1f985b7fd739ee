/// The rows of a table at the time its store is opened. Implemented by the loader of a file.
protocol RowSource: AnyObject, Sendable {
  /// The first slot that was never assigned.
  var firstFreeSlot: Int { get }

  /// Loads the rows. Called once, on any thread. A table that cannot be read is empty.
  func load(_ table: Table) -> TableVersion
}

/// The initial rows of a table, loaded on first use. Versions show them until a commit touches the table.
// Sendable: `version` and `isOver` are guarded by `lock`.
final class InitialRows: @unchecked Sendable {
  let source: any RowSource
  private let lock = Lock()
  private var version: TableVersion?
  private var isOver = false

  init(_ source: any RowSource) {
    self.source = source
  }

  /// Returns the rows, or nil once no version shows them.
  func load(_ table: Table) -> TableVersion? {
    lock.withLock {
      if version == nil, !isOver { version = source.load(table) }
      return version
    }
  }

  /// The rows if they are loaded.
  var loaded: TableVersion? { lock.withLock { version } }

  /// Releases the rows, since every live version has its own.
  func end() {
    let released = lock.withLock {
      isOver = true
      defer { version = nil }
      return version
    }
    withExtendedLifetime(released) {}
  }
}

extension Version {
  /// A table, whose rows are loaded if necessary.
  subscript(table: Table) -> TableVersion {
    touched(table.index) ?? table.initialRows?.load(table) ?? table.emptyVersion
  }

  /// Returns a table; nil if its rows are not loaded.
  func loaded(_ table: Table) -> TableVersion? {
    if let touched = touched(table.index) { return touched }
    guard let rows = table.initialRows else { return table.emptyVersion }
    return rows.loaded
  }
}

extension Table {
  /// The first slot that was never assigned, ignoring writes since the store was opened.
  var firstFreeSlot: Int { initialRows?.source.firstFreeSlot ?? 0 }
}
