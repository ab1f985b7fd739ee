/// The base class of models: `final class Animal: Object { @Persisted var legs = 4 }`.
///
/// Model classes need no registration and no initializer. Objects are confined to the isolation of the handle
/// they come from; use ``Frozen`` or ``ObjectReference`` to cross isolation domains.
nonisolated open class Object: ObjectBase {
  /// The policy that decides which objects of the class are evicted from a cache; nil, the default, evicts none.
  ///
  ///     override class var cachePolicy: CachePolicy? {
  ///       CachePolicy(maximumAge: .seconds(7 * 86_400), since: "lastUsed")
  ///     }
  ///
  /// Read once, when the class first enters a store. See <doc:Eviction>.
  open class var cachePolicy: CachePolicy? { nil }

  /// A Boolean value that indicates whether the store keeps edits of the objects until the server confirms them.
  ///
  ///     final class Order: Object {
  ///       @Persisted(primaryKey: true) var id: Int
  ///       @Persisted var note: String?
  ///       override class var tracksEdits: Bool { true }
  ///     }
  ///
  /// An attribute that the user changed keeps its value when the server sends another one. The class needs a primary key.
  /// False by default. Read once, when the class first enters a store. See <doc:Edits>.
  open class var tracksEdits: Bool { false }
}
