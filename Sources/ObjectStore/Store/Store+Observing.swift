extension Store {
  /// Calls `body` with what commits did, class by class: what a layer that uploads or indexes objects is
  /// built on.
  ///
  ///     token = store.observe { changes in
  ///       for key in changes[Animal.self]?.deleted ?? [] { … }
  ///     }
  ///
  /// Counted is from the version that is shown now, inside a write from the one it began with; several commits
  /// come as one, and nothing comes where nothing is different.
  /// `body` runs in the isolation of the store, never inside a write; see <doc:Notifications> for when.
  ///
  /// - Returns: The observation, which lasts as long as its token and the store do.
  /// - Complexity: a delivery O(what the commits touched).
  public func observe(_ body: @escaping (StoreChanges) -> Void) -> ObservationToken {
    HandleObservers.add(StoreChangeFinder(handle, from: handle.version), body)
  }

  /// What commits do from now on, as ``observe(_:)`` tells it.
  public var changes: ObservedChanges<StoreChanges> {
    ObservedChanges { [handle] in StoreChangeFinder(handle, from: handle.version) }
  }

  /// Holds the version that is shown, so that the changes since then can be told; inside a write the one
  /// that it began with.
  public func holdVersion() -> StoreVersion { StoreVersion(handle) }

  /// What is different between a version held before and the one shown; inside a write what it began with.
  ///
  ///     let before = store.holdVersion()
  ///     try await download()
  ///     upload(try store.changes(since: before))
  ///
  /// - Throws: `objectOfAnotherStore` for a version of another store.
  /// - Complexity: O(what the commits touched).
  public func changes(since version: StoreVersion) throws -> StoreChanges {
    guard version.isOf(handle) else {
      throw StoreError(.objectOfAnotherStore(className: "StoreVersion"))
    }
    return changes(since: version.version)
  }

  /// What is different between the version with this number and the one shown; nil if nobody holds that
  /// version any more: ``holdVersion()`` does.
  ///
  /// - Throws: nothing for a store in memory.
  /// - Complexity: O(what the commits touched).
  public func changes(since number: UInt64) throws -> StoreChanges? {
    handle.core.heldVersion(number).map(changes)
  }

  private func changes(since version: Version) -> StoreChanges {
    // R23. Another handle may be further on, and hold what it shows.
    if version.number > handle.version.number { handle.advance() }
    return StoreChanges(VersionDifference(version, handle.version, handle.engine), handle)
  }
}
