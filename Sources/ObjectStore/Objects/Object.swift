/// The base class of models: `final class Animal: Object { @Persisted var legs = 4 }`.
///
/// Needs no registration and no initializer. Objects are confined to the isolation of the handle
/// they come from; ``Frozen`` and ``ObjectReference`` travel.
nonisolated open class Object: ObjectBase {
  /// Which objects of the class go when the store is kept small; nil, the default, for none.
  ///
  ///     override class var cachePolicy: CachePolicy? {
  ///       CachePolicy(maximumAge: .seconds(7 * 86_400), since: "lastUsed")
  ///     }
  ///
  /// Asked once, when the class enters its first store. See <doc:Eviction>.
  open class var cachePolicy: CachePolicy? { nil }
}

/// The base class of values that another object owns: no key, no life of their own.
///
/// An embedded object is stored with the one object that owns it, is deleted with it, and is
/// replaced whole. Assigning one that is owned already copies it.
nonisolated open class EmbeddedObject: ObjectBase {}

/// Members that name `Self`; a non-final class cannot declare them.
nonisolated public protocol ObjectProtocol: ObjectBase {}

extension ObjectBase: ObjectProtocol {}
