extension Store {
  /// Calls `body` with the changes of each commit, class by class. Use it to upload or index objects.
  ///
  ///     token = store.observe { changes in
  ///       for key in changes[Animal.self]?.deleted ?? [] { … }
  ///     }
  ///
  /// The first change is relative to the version shown now; inside a write, to the version that the write began with.
  /// Several commits may arrive as one change, and commits without a net change are not reported. `body` runs in the
  /// isolation of the store, never inside a write. <doc:Notifications> describes when.
  ///
  /// A store that follows no actor follows `isolation`, the caller's actor, from now on.
  ///
  /// - Returns: A token. The observation ends when the token or the store is released.
  /// - Complexity: A delivery is O(changes of the commits).
  public func observe(
    isolation: (any Actor)? = #isolation, _ body: @escaping (Changes) -> Void
  ) -> ObservationToken {
    HandleObservers.add(StoreChangeFinder(handle, from: handle.version), on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence. Each loop is an observation of its
  /// own.
  public var changes: ObservedChanges<Changes> {
    ObservedChanges { [handle] in StoreChangeFinder(handle, from: handle.version) }
  }

  /// Retains the version shown now, so that later changes can be compared with it. Inside a write it is the version
  /// that the write began with.
  public func holdVersion() -> StoreVersion { StoreVersion(handle) }

  /// Returns the changes between a retained version and the version shown now.
  ///
  /// Inside a write, the changes end with the version that the write began with.
  ///
  ///     let before = store.holdVersion()
  ///     try await download()
  ///     upload(try store.changes(since: before))
  ///
  /// - Throws: `objectOfAnotherStore` for a version of another store.
  /// - Complexity: O(changes of the commits).
  public func changes(since version: StoreVersion) throws -> Changes {
    try version.check(isOf: handle)
    return changes(since: version.version)
  }

  /// Returns the changes between the version with this number and the version shown now, or nil if that version is no
  /// longer retained. ``holdVersion()`` retains a version.
  ///
  /// - Throws: No error at present.
  /// - Complexity: O(changes of the commits).
  public func changes(since number: UInt64) throws -> Changes? {
    handle.core.heldVersion(number).map(changes)
  }

  private func changes(since version: Version) -> Changes {
    // R23. The version may come from a handle that has advanced further.
    if version.number > handle.version.number { handle.advance() }
    return Changes(VersionDifference(version, handle.version, handle.engine), handle)
  }
}
