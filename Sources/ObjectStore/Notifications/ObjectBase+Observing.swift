extension ObjectBase {
  /// Calls `body` when attributes of the object differ from what was told last, and when it is deleted.
  ///
  ///     token = animal.observe { change in
  ///       if case .change(let names) = change { print(names) }   // ["legs"]
  ///     }
  ///
  /// An attribute that holds an embedded object differs when that does. Changes between two deliveries
  /// come as one; what was changed back is no change. `body` runs in the isolation of the object's handle,
  /// never inside a write; see <doc:Notifications> for when. An object that is not managed, and one of a
  /// frozen view, cannot be observed: misuse.
  ///
  /// - Returns: The observation, which lasts as long as its token and the ``Store`` do.
  public final func observe(_ body: @escaping (ObjectChange) -> Void) -> ObservationToken {
    observe(paths: nil, body)
  }

  fileprivate final func observe(
    paths: [[String]]?, _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(paths), body)
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
  /// Calls `body` when what these key paths lead to differs: attributes of the object, or of objects behind
  /// its links: `observe(keyPaths: [\.name, \.owner?.name])`. Told are the object's own attributes, `owner`
  /// for the latter. A key path to what is no attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken {
    observe(paths: Self.paths(keyPaths), body)
  }

  /// What happens to the object from now on, as ``ObjectBase/observe(_:)`` tells it:
  ///
  ///     for await change in animal.changes { … }
  ///
  /// It ends behind `.deleted`, when the ``Store`` goes, and when the task is cancelled.
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

  /// It may have been gone when it was observed.
  override func unchanged() -> ObjectChange? {
    if handle.tableVersion(entry.table).isLive(slot) { return nil }
    isOver = true
    return .deleted
  }

  override func change(_ difference: VersionDifference) -> ObjectChange? {
    if let deleted = unchanged() { return deleted }
    return watched.changed(difference)[slot].map {
      .change($0.all.map { entry.name(ofAttribute: $0) })
    }
  }
}
