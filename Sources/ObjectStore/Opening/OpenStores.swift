import Synchronization

/// The open stores of the process by location, so that handles of one location share the store.
// Sendable: guarded by `lock`.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let lock = Lock()
  private var cores: [StoreConfiguration.Location: Known] = [:]
  /// The locations that are being opened, each with its opening thread and the threads that wait for it.
  private var opening: [StoreConfiguration.Location: Opening] = [:]

  private struct Opening {
    let thread = Lock.currentThread
    var waiters: [Condition] = []
  }

  /// A store that is open or closing. A closing store removes itself.
  ///
  /// A class, because of a bug in debug builds of Swift 6.3: a dictionary mistakes a nil optional of a struct that has
  /// a weak reference and an identifier for a value.
  private final class Known {
    weak var core: StoreCore?
    let id: ObjectIdentifier

    init(_ core: StoreCore) {
      self.core = core
      id = ObjectIdentifier(core)
    }
  }

  /// Returns the open store of the configuration, or a new one.
  ///
  /// If opening fails, each thread that waited for it tries to open the store itself.
  /// - Parameter schemas: The classes that a migration knows in addition to those of the configuration.
  /// - Throws: `otherConfiguration`, and errors of opening a file.
  func core(
    _ configuration: StoreConfiguration, _ schemas: [ObjectSchema]
  ) throws -> StoreCore {
    if let open = try find(configuration) { return open }
    defer { finishOpening(configuration.location) }
    // Without the lock: opening may take a long time, and other threads may open other stores.
    let core = try StoreCore(configuration, schemas)
    lock.withLock {
      cores[configuration.location] = Known(core)
    }
    return core
  }

  /// Called when a store closes. Do not read the other entries' weak references here: that would retain their stores
  /// and postpone their closing.
  func remove(_ core: StoreCore) {
    let id = ObjectIdentifier(core)
    lock.withLock {
      if cores[core.configuration.location]?.id == id { cores[core.configuration.location] = nil }
    }
  }

  /// Returns the store of a file if it is open.
  func open(path: String) -> StoreCore? { open(.file(path)) }

  /// The caller must release the result outside the lock: it may be the last reference, and a closing store takes the
  /// lock.
  private func open(_ location: StoreConfiguration.Location) -> StoreCore? {
    lock.withLock { cores[location]?.core }
  }

  /// True if the store of a configuration is open.
  func isOpen(_ configuration: StoreConfiguration) -> Bool {
    open(configuration.location) != nil
  }

  /// Returns the open store of the configuration; nil if the caller must open it.
  private func find(_ configuration: StoreConfiguration) throws(StoreError) -> StoreCore? {
    let location = configuration.location
    let open = lock.withLock { () -> StoreCore? in
      while let known = opening[location] {
        if known.thread == Lock.currentThread {
          misuse(
            "\(configuration.path ?? ""): a store cannot be opened inside its own "
              + "migration; use the Migration passed to the block")
        }
        let condition = Condition()
        opening[location]?.waiters.append(condition)
        lock.wait(for: condition)
      }
      if let open = cores[location]?.core { return open }
      opening[location] = Opening()
      return nil
    }
    if let open, open.configuration.file != configuration.file {
      throw StoreError(.otherConfiguration(path: configuration.path ?? ""))
    }
    return open
  }

  private func finishOpening(_ location: StoreConfiguration.Location) {
    lock.withLock {
      for waiter in opening.removeValue(forKey: location)?.waiters ?? [] { waiter.signal() }
    }
  }
}
