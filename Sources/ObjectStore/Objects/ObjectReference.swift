/// An object's identity, to take to another isolation and resolve there.
///
///     let reference = user.reference
///     try await store.inBackground { store in store.resolve(reference)?.rank }
///
/// It keeps nothing alive: the object may be gone when it is resolved.
public struct ObjectReference<T: Object>: Sendable, Hashable {
  let reference: _AnyObjectReference
}

/// An object's identity without its class's type.
public struct _AnyObjectReference: Sendable, Hashable, CustomStringConvertible {
  let core: StoreCore
  let table: Int
  let slot: Int
  /// The version in which the object was seen; a handle that is older advances before it looks (R23).
  let version: UInt64

  /// Nil for an object that is unmanaged or frozen.
  init?(_ object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle, !handle.isFrozen else {
      return nil
    }
    core = handle.core
    table = storage.pointee.table
    slot = object.slot
    version = handle.version.number + (handle.isWriting ? 1 : 0)
  }

  /// The class and the row: for messages.
  public var description: String {
    "\(core.engine.table(table).layout.name) at row \(slot)"
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.core === b.core && a.table == b.table && a.slot == b.slot
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(core))
    hasher.combine(table)
    hasher.combine(slot)
  }
}

extension ObjectProtocol where Self: Object {
  /// The object's identity. The object must be managed; misuse otherwise.
  public var reference: ObjectReference<Self> {
    guard let reference = _AnyObjectReference(self) else {
      misuse("\(Self.self).reference: the object is not managed by a store")
    }
    return ObjectReference(reference: reference)
  }
}
