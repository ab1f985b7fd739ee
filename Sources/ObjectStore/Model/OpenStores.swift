import Synchronization

/// The open stores of the process by configuration, so that handles of one share it.
// Sendable: guarded by `lock`.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let lock = Lock()
  private var cores: [StoreConfiguration: WeakCore] = [:]

  private struct WeakCore {
    weak var core: StoreCore?
  }

  /// The open store of the configuration, or a new one.
  func core(_ configuration: StoreConfiguration) -> StoreCore {
    lock.withLock {
      if let open = cores[configuration]?.core { return open }
      cores = cores.filter { $0.value.core != nil }
      let core = StoreCore(configuration)
      cores[configuration] = WeakCore(core: core)
      return core
    }
  }
}
