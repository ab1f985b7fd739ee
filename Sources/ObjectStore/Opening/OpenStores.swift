import Synchronization

/// The open stores of the process by where they are, so that handles of one share it.
// Sendable: guarded by `lock`.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let lock = Lock()
  private var cores: [StoreConfiguration.Location: Known] = [:]
  /// Those that somebody opens just now, and who waits for it.
  private var opening: [StoreConfiguration.Location: Opening] = [:]

  private struct Opening {
    let thread = Lock.currentThread
    var waiters: [Condition] = []
  }

  /// A store that is open, or that just ends: it takes itself out then.
  ///
  /// A class: Swift 6.3 mistakes an optional struct of a weak reference and an identifier for a value
  /// where it is nil, in dictionaries of debug builds.
  private final class Known {
    weak var core: StoreCore?
    let id: ObjectIdentifier

    init(_ core: StoreCore) {
      self.core = core
      id = ObjectIdentifier(core)
    }
  }

  /// The open store of the configuration, or a new one.
  ///
  /// Who waits while somebody else opens it in vain tries it then.
  /// - Parameter schemas: Classes that a migration knows, beside those of the configuration.
  /// - Throws: `otherConfiguration`, and what opening a file throws.
  func core(
    _ configuration: StoreConfiguration, _ schemas: [ObjectSchema]
  ) throws -> StoreCore {
    if let open = try find(configuration) { return open }
    defer { end(configuration.location) }
    // Not under the lock: it may take long, and others are elsewhere.
    let core = try StoreCore(configuration, schemas)
    lock.withLock {
      cores[configuration.location] = Known(core)
    }
    return core
  }

  /// A store ends. Nobody looks at those of others to find that out: who does holds them meanwhile, and
  /// would close them in their last handle's place, later.
  func remove(_ core: StoreCore) {
    let id = ObjectIdentifier(core)
    lock.withLock {
      if cores[core.configuration.location]?.id == id { cores[core.configuration.location] = nil }
    }
  }

  /// The store of a file if somebody has it open.
  func open(path: String) -> StoreCore? { open(.file(path)) }

  /// Not let go of under the lock: it may be the last to hold it, and a store that ends takes the lock.
  private func open(_ location: StoreConfiguration.Location) -> StoreCore? {
    lock.withLock { cores[location]?.core }
  }

  /// Whether somebody has the store of a configuration open.
  func isOpen(_ configuration: StoreConfiguration) -> Bool {
    open(configuration.location) != nil
  }

  /// The open store of the configuration; nil if the caller is to open it.
  private func find(_ configuration: StoreConfiguration) throws(StoreError) -> StoreCore? {
    let location = configuration.location
    let open = lock.withLock { () -> StoreCore? in
      while let known = opening[location] {
        if known.thread == Lock.currentThread {
          misuse("\(configuration.path ?? ""): a store is opened inside its own migration")
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

  private func end(_ location: StoreConfiguration.Location) {
    lock.withLock {
      for waiter in opening.removeValue(forKey: location)?.waiters ?? [] { waiter.signal() }
    }
  }
}
