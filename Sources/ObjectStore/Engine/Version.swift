/// One state of the whole store: immutable, shared by every handle that shows it.
// Sendable: immutable.
final class Version: @unchecked Sendable {
  /// Counts commits that changed something, from 0.
  let number: UInt64
  /// By table, those that a commit touched. The others have none here, or lie beyond the end: they
  /// are as they were when the store was opened.
  let touchedTables: ContiguousArray<TableVersion?>
  /// Where it is entered while it lives; nil for a view into a write.
  private let pins: VersionRegistry?
  /// Of a view into a write: the version that the write began with, whose rows it may show.
  private let base: Version?

  init(
    number: UInt64, touchedTables: ContiguousArray<TableVersion?>, pins: VersionRegistry?,
    base: Version? = nil
  ) {
    self.number = number
    self.touchedTables = touchedTables
    self.pins = pins
    self.base = base
    pins?.pin(number)
  }

  deinit {
    pins?.unpin(number)
  }

  /// The table if a commit touched it; nil if it is as it was when the store was opened.
  @inline(__always)
  func touched(_ table: Int) -> TableVersion? {
    table < touchedTables.count ? touchedTables[table] : nil
  }

  /// Runs `body` with the table if a commit touched it, counting no reference; else nil.
  @inline(__always)
  func withTouched<R>(_ table: Int, _ body: (TableVersion) -> R) -> R? {
    guard table < touchedTables.count, let version = touchedTables[table] else { return nil }
    return Unmanaged.passUnretained(version)._withUnsafeGuaranteedRef(body)
  }

  /// The tables that commits touched since an earlier version, ascending.
  func tablesTouched(since earlier: Version) -> [Int] {
    touchedTables.indices.filter { touched($0) !== earlier.touched($0) }
  }

  /// Whether a commit made it.
  var isPublished: Bool { pins != nil }
}
