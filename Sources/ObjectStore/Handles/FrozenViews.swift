/// The frozen views of a store by version. All callers that freeze one version share a view.
// Sendable: guarded by `lock`.
final class FrozenViews: @unchecked Sendable {
  private let lock = Lock()
  private var views: [ObjectIdentifier: View] = [:]

  /// A weak reference to a view, which removes itself from the registry when it is deallocated.
  private final class View {
    weak var handle: StoreHandle?
    let id: ObjectIdentifier

    init(_ handle: StoreHandle) {
      self.handle = handle
      id = ObjectIdentifier(handle)
    }
  }

  /// The view of a version; nil if there is none.
  ///
  /// The caller releases the result outside the lock: it may be the last reference, and the deallocation of a view
  /// acquires the lock.
  func view(of version: Version) -> StoreHandle? {
    lock.withLock { views[ObjectIdentifier(version)]?.handle }
  }

  func add(_ handle: StoreHandle) {
    let view = View(handle)
    lock.withLock { views[ObjectIdentifier(handle.version)] = view }
  }

  func remove(_ handle: StoreHandle) {
    let version = ObjectIdentifier(handle.version)
    lock.withLock {
      if views[version]?.id == ObjectIdentifier(handle) { views[version] = nil }
    }
  }
}

extension StoreCore {
  /// The view of a version with all registered classes of the store.
  ///
  /// - Complexity: O(1) while a view of the version exists, else O(classes).
  func frozenView(of version: Version) -> StoreHandle {
    let entries = allEntries()
    if let view = frozenViews.view(of: version), view.classes.byTable.count == entries.count {
      return view
    }
    let view = StoreHandle(self, frozen: version, entries)
    frozenViews.add(view)
    return view
  }

  /// Called when a view is deallocated, on any thread (R22).
  func removeFrozenView(_ handle: StoreHandle) { frozenViews.remove(handle) }
}
