/// A cache of the attribute names along key paths of a class. Following a key path is most of the cost of
/// creating a small query. Only performance depends on the cache.
// Sendable: guarded by `lock`.
final class AttributeNameCache: @unchecked Sendable {
  private let lock = Lock()
  private var names: [AnyKeyPath: [String]] = [:]
  /// The maximum number of entries; a program may create many key paths at run time.
  private static let limit = 1_024

  func names(_ keyPath: AnyKeyPath) -> [String]? { lock.withLock { names[keyPath] } }

  func insert(_ found: [String], for keyPath: AnyKeyPath) {
    lock.withLock {
      if names.count >= Self.limit { names.removeAll() }
      names[keyPath] = found
    }
  }
}
