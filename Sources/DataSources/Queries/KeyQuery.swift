/// A query whose result is stored under a key, for example in an ``InMemoryDataSource``.
///
/// Equal queries have equal keys, in every process.
nonisolated public protocol KeyQuery: Query {
  /// The key of the result.
  var key: String { get }
}
