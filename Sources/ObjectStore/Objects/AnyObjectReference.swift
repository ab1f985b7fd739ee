/// The identity of an object, without the type of its class.
public struct _AnyObjectReference: Sendable, Hashable, CustomStringConvertible {
  let core: StoreCore
  let table: Int
  let slot: Int
  /// The version that contains the object, which inside a write is the next one. A handle at an older version advances
  /// before it resolves (R23).
  let version: UInt64

  /// Returns nil for an object that is unmanaged or frozen.
  init?(_ object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle, !handle.isFrozen else {
      return nil
    }
    core = handle.core
    table = storage.pointee.table
    slot = object.slot
    version = handle.version.number + (handle.isWriting ? 1 : 0)
  }

  /// The class and the row, for messages.
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
