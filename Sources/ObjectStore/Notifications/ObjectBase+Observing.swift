extension ObjectBase {
  /// Calls `body` when attributes of the object have changed since the last call, and when it is deleted.
  ///
  ///     token = animal.observe { change in
  ///       if case .change(let names) = change { print(names) }   // ["legs"]
  ///     }
  ///
  /// An attribute that holds an embedded object changes when that object changes. Changes between two deliveries are
  /// merged into one, and a change that was reverted is not reported. `body` runs in the isolation of the object's
  /// handle, never inside a write; <doc:Notifications> describes when. Observing an unmanaged object or an object of
  /// a frozen view is misuse.
  ///
  /// A store that follows no actor follows `isolation`, the caller's actor, from now on.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  public final func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(nil), on: isolation, body)
  }

  fileprivate final func changeFinder(_ paths: [[String]]?) -> ObjectChangeFinder {
    guard let storage, let handle else {
      misuse("\(className): only a managed object can be observed")
    }
    do {
      let entry = handle.entry(ofTable: storage.pointee.table)
      return ObjectChangeFinder(
        handle, slot, entry, try WatchedAttributes(paths, handle, table: entry.table))
    } catch {
      misuse("\(className): \(error)")
    }
  }
}

extension ObjectProtocol {
  /// Calls `body` when one of these attributes of the object, or of objects behind its links, changes:
  /// `observe(keyPaths: [\.name, \.owner?.name])`.
  ///
  /// The change has the names of the object's own attributes, so `owner` for a change behind that link. A key path to
  /// anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(Self.paths(keyPaths)), on: isolation, body)
  }

  /// The changes that ``ObjectBase/observe(isolation:_:)`` would deliver, as an asynchronous sequence:
  ///
  ///     for await change in animal.changes { … }
  ///
  /// The sequence ends after `.deleted`, with the ``Store``, and when the task is cancelled.
  public var changes: ObservedChanges<ObjectChange> { ObservedChanges { self.changeFinder(nil) } }

  static func paths(_ keyPaths: [PartialKeyPath<Self>]) -> [[String]] {
    keyPaths.map {
      do {
        return try _KeyPathRecorder.names($0)
      } catch {
        misuse("\(Self.self): \(error)")
      }
    }
  }
}

private final class ObjectChangeFinder: ChangeFinder<ObjectChange> {
  private let slot: Int
  private let entry: ClassEntry
  private let watched: WatchedAttributes

  init(
    _ handle: StoreHandle, _ slot: Int, _ entry: ClassEntry, _ watched: WatchedAttributes
  ) {
    self.slot = slot
    self.entry = entry
    self.watched = watched
    super.init(handle, from: handle.version)
  }

  override var observed: ObservedRows? { .row(table: entry.table, slot: slot) }

  /// Reports an object that was deleted before the observation began.
  override func unchanged() -> ObjectChange? {
    if handle.tableVersion(entry.table).isLive(slot) { return nil }
    isOver = true
    return .deleted
  }

  override func change(_ difference: VersionDifference) -> ObjectChange? {
    if let deleted = unchanged() { return deleted }
    return watched.changed(slot, difference).map {
      .change($0.all.map { entry.name(ofAttribute: $0) })
    }
  }
}
