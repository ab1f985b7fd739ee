/// An object that a list of a user interface tells from others, as SwiftUI's `ForEach` wants it.
///
///     final class Note: Object, ObjectKeyIdentifiable {
///       @Persisted var text = ""
///     }
///
/// A class with an attribute `id` has that as its identity. Without one it is the object's row: unique in
/// its store, the same for every object that shows it, and another one once an object is added to a store.
public protocol ObjectKeyIdentifiable: Identifiable, ObjectProtocol {}

extension ObjectKeyIdentifiable where ID == UInt64 {
  /// The object's row; of an unmanaged object the instance.
  public var id: UInt64 {
    guard let storage else { return 1 << 63 | UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    return UInt64(storage.pointee.table) << 40 | UInt64(slot)
  }
}

extension Frozen: Identifiable where T: Identifiable {
  /// The object's identity in that version.
  public var id: T.ID { object.id }
}
