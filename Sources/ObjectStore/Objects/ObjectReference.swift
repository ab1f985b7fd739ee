/// The identity of an object, which can cross isolation domains and be resolved there.
///
///     let reference = user.reference
///     try await store.inBackground { store in store.resolve(reference)?.rank }
///
/// A reference does not retain the object, which may have been deleted when the reference is resolved.
public struct ObjectReference<T: Object>: Sendable, Hashable {
  let reference: _AnyObjectReference
}

extension ObjectProtocol where Self: Object {
  /// The object's identity.
  ///
  /// - Precondition: The object is managed.
  public var reference: ObjectReference<Self> {
    guard let reference = _AnyObjectReference(self) else {
      misuse("\(Self.self).reference: the object is not managed by a store")
    }
    return ObjectReference(reference: reference)
  }
}
