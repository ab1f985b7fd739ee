import Foundation

/// Where a store keeps its objects.
///
/// Handles of equal configurations of one process share the store.
public struct StoreConfiguration: Sendable, Hashable {
  enum Location: Hashable, Sendable {
    case anonymous(UUID)
    case memory(String)
  }

  let location: Location

  /// In memory, shared by name within the process; gone with its last handle.
  public static func inMemory(identifier: String) -> StoreConfiguration {
    StoreConfiguration(location: .memory(identifier))
  }

  /// In memory, shared with nobody but handles of this very value.
  public static func inMemory() -> StoreConfiguration {
    StoreConfiguration(location: .anonymous(UUID()))
  }
}
