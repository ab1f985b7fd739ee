/// A type that can be the key of a ``Map``: `String`.
nonisolated public protocol _MapKey: Hashable, Sendable {
  /// The key in stored form.
  var _mapKey: String { get }
}

extension String: _MapKey {
  public var _mapKey: String { self }
}
