/// A rule that decides whether cached values may still be used.
///
/// `age` is the time since the repository requested exactly this response from its main source, or sent it there. It
/// is nil if the repository has not done so since it was created, if the query is not `Hashable`, if the cache cannot
/// return exactly this response (see ``CacheDataSource``), and for the oldest responses when there are thousands.
nonisolated public protocol Validator<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Returns true if a value may still be used.
  func isValid(_ value: Value, age: Duration?) async -> Bool

  /// Returns true if a list may still be used. By default, an empty list may be used if its age is known, and any
  /// other list if each of its values may be used.
  func isValid(_ values: [Value], age: Duration?) async -> Bool

  /// Returns true if values that are possibly outdated may be used: because of a later put or deletion, or because
  /// the result is the cache's own page or lacks some of the requested values. Return true if no other values are
  /// available. The default is false.
  func allowsOutdated() async -> Bool
}

extension Validator {
  public func isValid(_ values: [Value], age: Duration?) async -> Bool {
    if values.isEmpty { return age != nil }
    for value in values {
      if await !isValid(value, age: age) { return false }
    }
    return true
  }

  public func allowsOutdated() async -> Bool { false }
}
