import Synchronization

/// The open stores of the process by where they are, so that handles of one share it.
// Sendable: guarded by `lock`.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let lock = Lock()
  private var cores: [StoreConfiguration.Location: WeakCore] = [:]

  private struct WeakCore {
    weak var core: StoreCore?
  }

  /// The open store of the configuration, or a new one.
  /// - Throws: `otherConfiguration`, and what opening a file throws.
  func core(_ configuration: StoreConfiguration) throws(StoreError) -> StoreCore {
    try lock.withLock { () throws(StoreError) in
      if let open = cores[configuration.location]?.core {
        guard open.configuration.file == configuration.file else {
          throw StoreError(.otherConfiguration(path: configuration.path ?? ""))
        }
        return open
      }
      cores = cores.filter { $0.value.core != nil }
      let core = try StoreCore(configuration)
      cores[configuration.location] = WeakCore(core: core)
      return core
    }
  }
}
