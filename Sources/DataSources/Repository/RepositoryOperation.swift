/// Which of its two sources a ``CacheRepository`` asks, and in which order.
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

  /// ``cacheSync`` for getting, ``mainSync`` for putting and deleting.
  public static let `default` = RepositoryOperation(kind: .standard)

  /// The main source alone.
  public static let main = RepositoryOperation(kind: .main)

  /// The main source first, and then the cache takes the outcome. Those who get the same at the same time
  /// share one request.
  public static let mainSync = RepositoryOperation(kind: .mainSync)

  /// The cache alone; what is not valid is ``DataSourceError/notValid(query:)``.
  public static let cache = cache(ignoreValidation: false)

  /// The cache alone.
  /// - Parameter ignoreValidation: whether also what is not valid is given.
  public static func cache(ignoreValidation: Bool) -> RepositoryOperation {
    RepositoryOperation(kind: .cache(ignoresValidation: ignoreValidation))
  }

  /// Getting: what the cache has, if it is valid; else ``mainSync``. Putting and deleting: the cache first and
  /// then the main source.
  public static let cacheSync = cacheSync(fallback: false)

  /// ``cacheSync``, and where the main source fails, what the cache has, valid or not.
  public static func cacheSync(fallback: Bool) -> RepositoryOperation {
    cacheSync { _ in fallback }
  }

  /// ``cacheSync``, and where the main source fails with an error that `fallback` says true of, what the
  /// cache has, valid or not.
  public static func cacheSync(
    fallback: @escaping @Sendable (any Error) -> Bool
  ) -> RepositoryOperation {
    RepositoryOperation(kind: .cacheSync(fallback: fallback))
  }

  /// Getting: what the cache has, at once, valid or not; if it is not, the main source is asked meanwhile and
  /// the cache takes its answer, for the next who asks and for those who observe. Where the cache has
  /// nothing, and for putting and deleting: ``mainSync``.
  public static let staleWhileRevalidate = RepositoryOperation(kind: .staleWhileRevalidate)
}
