/// One immutable state of the whole store, shared by every handle that shows it.
// Sendable: immutable.
final class Version: @unchecked Sendable {
  /// The number of commits with changes up to this version.
  let number: UInt64
  /// The tables that commits have touched, by index. A missing or nil entry is a table unchanged since the store was
  /// opened.
  let touchedTables: ContiguousArray<TableVersion?>
  /// The registry that lists the version while it lives; nil for a version that is not published, such as a view into a
  /// write.
  private let registry: VersionRegistry?
  /// In a view into a write, the version from which the write began; nil in others. It is retained because the view may
  /// show its rows.
  private let base: Version?

  init(
    number: UInt64, touchedTables: ContiguousArray<TableVersion?>, registry: VersionRegistry?,
    base: Version? = nil
  ) {
    self.number = number
    self.touchedTables = touchedTables
    self.registry = registry
    self.base = base
    registry?.register(number)
  }

  deinit {
    registry?.unregister(number)
  }

  /// Returns the table if a commit touched it; nil if it is unchanged since the store was opened. See ``subscript(_:)``.
  @inline(__always)
  func touched(_ table: Int) -> TableVersion? {
    table < touchedTables.count ? touchedTables[table] : nil
  }

  /// Calls `body` with the table, without retaining it, if a commit touched it; else returns nil.
  @inline(__always)
  func withTouched<R>(_ table: Int, _ body: (TableVersion) -> R) -> R? {
    guard table < touchedTables.count, let version = touchedTables[table] else { return nil }
    return Unmanaged.passUnretained(version)._withUnsafeGuaranteedRef(body)
  }

  /// Returns the tables that commits have touched since an earlier version, ascending.
  func tablesTouched(since earlier: Version) -> [Int] {
    touchedTables.indices.filter { touched($0) !== earlier.touched($0) }
  }

  /// True if the version is published; false, for example, for a view into a write.
  var isPublished: Bool { registry != nil }
}
