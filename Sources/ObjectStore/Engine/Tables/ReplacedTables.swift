/// Tables whose initial rows were replaced by commits and will soon be unused.
struct ReplacedTables {
  private var waiting: [(table: Table, version: UInt64)] = []

  /// Records that the given version and all later ones have their own rows of the table.
  mutating func note(_ table: Table, from version: UInt64) {
    waiting.append((table, version))
  }

  /// Releases the initial rows that no version shows.
  mutating func sweep(_ registry: VersionRegistry) {
    if waiting.isEmpty { return }
    let oldest = registry.oldest
    waiting.removeAll { table, version in
      guard version <= oldest else { return false }
      table.initialRows?.end()
      return true
    }
  }
}
