/// A retained version of a store, to compare later versions with. See ``Store/changes(since:)-(StoreVersion)``.
///
/// While it exists, data that later commits replace or delete stays in memory.
public final class StoreVersion: Sendable {
  /// The number of the version. Each commit with changes increments it.
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

  /// - Throws: `objectOfAnotherStore`.
  func check(isOf handle: StoreHandle) throws {
    guard isOf(handle) else {
      throw StoreError(.objectOfAnotherStore(className: "StoreVersion"))
    }
  }
}
