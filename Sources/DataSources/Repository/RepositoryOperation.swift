/// The sources that a ``CacheRepository`` uses for a call, and their order.
///
///     try await repository.get("x7", operation: .mainSync)
///     try await repository.getAll(AllObjectsQuery(), operation: .cacheSync(fallback: true))
public struct RepositoryOperation: Sendable {
  enum Kind: Sendable {
    case standard, main, mainSync, staleWhileRevalidate
    case cache(ignoresValidation: Bool)
    case cacheSync(fallback: @Sendable (any Error) -> Bool)
  }

  let kind: Kind

  /// ``cacheSync`` for reading, ``mainSync`` for putting and deleting.
  public static let `default` = RepositoryOperation(kind: .standard)

  /// Only the main source.
  public static let main = RepositoryOperation(kind: .main)

  /// The main source first; then its response is stored in the cache. Concurrent reads with equal queries share one
  /// request.
  public static let mainSync = RepositoryOperation(kind: .mainSync)

  /// Only the cache. Throws ``DataSourceError/notValid(query:)`` if the cached value is not valid.
  public static let cache = cache(ignoreValidation: false)

  /// Only the cache.
  /// - Parameter ignoreValidation: True to return values that are not valid as well.
  public static func cache(ignoreValidation: Bool) -> RepositoryOperation {
    RepositoryOperation(kind: .cache(ignoresValidation: ignoreValidation))
  }

  /// Reading: the cached value if it is valid, otherwise ``mainSync``. Putting and deleting: the cache first and then
  /// the main source.
  public static let cacheSync = cacheSync(fallback: false)

  /// ``cacheSync`` that, if `fallback` is true, returns the cached value, valid or not, when the main source fails.
  public static func cacheSync(fallback: Bool) -> RepositoryOperation {
    cacheSync { _ in fallback }
  }

  /// ``cacheSync`` that returns the cached value, valid or not, when the main source fails with an error for which
  /// `fallback` returns true.
  public static func cacheSync(
    fallback: @escaping @Sendable (any Error) -> Bool
  ) -> RepositoryOperation {
    RepositoryOperation(kind: .cacheSync(fallback: fallback))
  }

  /// Reading: returns the cached value immediately, valid or not. If it is not valid, the main source is called in
  /// the background and its response is stored in the cache, for later callers and observers. Putting, deleting, and
  /// reading what the cache does not have: ``mainSync``.
  public static let staleWhileRevalidate = RepositoryOperation(kind: .staleWhileRevalidate)
}
