/// Holds a version of a store, so that the changes since then can be told: see
/// ``Store/changes(since:)-(StoreVersion)``.
///
/// As long as it lives, what later commits replace and delete stays in memory.
public final class StoreVersion: Sendable {
  /// The version's number: it counts the commits that changed something.
  public let number: UInt64
  let version: Version
  private let core: StoreCore

  init(_ handle: StoreHandle) {
    version = handle.version
    number = version.number
    core = handle.core
    core.hold(version)
  }

  deinit {
    core.release(version)
  }

  func isOf(_ handle: StoreHandle) -> Bool { core === handle.core }
}
