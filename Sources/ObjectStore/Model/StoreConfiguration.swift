import Foundation

/// Where a store keeps its objects.
///
/// Handles of equal configurations of one process share the store.
public struct StoreConfiguration: Sendable, Hashable {
  enum Place: Hashable, Sendable {
    case anonymous(UUID)
    case memory(String)
  }

  let place: Place

  /// In memory, shared by name within the process; gone with its last handle.
  public static func inMemory(identifier: String) -> StoreConfiguration {
    StoreConfiguration(place: .memory(identifier))
  }

  /// In memory, shared with nobody but handles of this very value.
  public static func inMemory() -> StoreConfiguration {
    StoreConfiguration(place: .anonymous(UUID()))
  }
}

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
