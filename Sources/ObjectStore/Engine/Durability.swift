// What a store that outlives its process adds to the engine. The engine knows no file: the folder File
// stands behind these.

/// Makes commits durable.
protocol CommitLog: AnyObject, Sendable {
  /// Takes note of a commit before anybody sees it. Called by the writer.
  /// - Throws: why it cannot be; then the commit is undone.
  func write(_ earlier: Version, _ later: Version, _ engine: StoreEngine) throws(StoreError)

  /// The commit is seen from now on. Called by the writer.
  func didPublish(_ version: Version, _ engine: StoreEngine)
}

/// The rows that a table has when its store is opened.
protocol RowSource: AnyObject, Sendable {
  /// Slots from here on were never given out.
  var firstFreeSlot: Int { get }

  /// Reads the rows; called once, on any thread. What cannot be read is an empty table.
  func load(_ table: Table) -> TableVersion
}

/// The rows of a table that no commit touched: loaded when they are first looked at.
// Sendable: `version` and `isOver` are guarded by `lock`.
final class InitialRows: @unchecked Sendable {
  let source: any RowSource
  private let lock = Lock()
  private var version: TableVersion?
  private var isOver = false

  init(_ source: any RowSource) {
    self.source = source
  }

  /// The rows; nil once no version shows them any more.
  func load(_ table: Table) -> TableVersion? {
    lock.withLock {
      if version == nil, !isOver { version = source.load(table) }
      return version
    }
  }

  /// The rows if somebody looked at them.
  var loaded: TableVersion? { lock.withLock { version } }

  /// Lets the rows go: every version that is shown has its own.
  func end() {
    let gone = lock.withLock {
      isOver = true
      defer { version = nil }
      return version
    }
    withExtendedLifetime(gone) {}
  }
}

extension Table {
  /// The table in every version in which no commit touched it.
  var initialVersion: TableVersion { initialRows?.load(self) ?? emptyVersion }

  /// The same as far as it is known without reading anything.
  var loadedVersion: TableVersion { initialRows?.loaded ?? emptyVersion }

  /// Slots from here on were never given out, but by writes since the store was opened.
  var firstFreeSlot: Int { initialRows?.source.firstFreeSlot ?? 0 }
}

/// Tables whose initial rows nobody will need soon: commits replaced them.
struct ReplacedTables {
  private var waiting: [(table: Table, version: UInt64)] = []

  /// Notes that the table stands in the version and in all later ones.
  mutating func note(_ table: Table, from version: UInt64) {
    waiting.append((table, version))
  }

  /// Lets go of what no version shows any more.
  mutating func sweep(_ pins: VersionRegistry) {
    if waiting.isEmpty { return }
    let oldest = pins.oldest
    waiting.removeAll { table, version in
      guard version <= oldest else { return false }
      table.initialRows?.end()
      return true
    }
  }
}
