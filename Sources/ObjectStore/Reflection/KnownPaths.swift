/// The key paths of a class that were followed before: following them is most of what making a small
/// query costs. Nothing depends on it but speed.
// Sendable: guarded by `lock`.
final class KnownPaths: @unchecked Sendable {
  private let lock = Lock()
  private var names: [AnyKeyPath: [String]] = [:]
  /// Key paths made at run time may be many.
  private static let limit = 1_024

  func names(_ keyPath: AnyKeyPath) -> [String]? { lock.withLock { names[keyPath] } }

  func remember(_ keyPath: AnyKeyPath, _ found: [String]) {
    lock.withLock {
      if names.count >= Self.limit { names.removeAll() }
      names[keyPath] = found
    }
  }
}
