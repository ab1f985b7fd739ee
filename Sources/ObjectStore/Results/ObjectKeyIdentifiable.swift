/// An object with an identity for lists of a user interface, such as SwiftUI's `ForEach`.
///
///     final class Note: Object, ObjectKeyIdentifiable {
///       @Persisted var text = ""
///     }
///
/// An attribute `id` of the class is the identity. Without one, the identity is that of the row: it is unique in the
/// store, equal for all objects that show the row, and different from the identity that the object had before it was
/// added to a store.
public protocol ObjectKeyIdentifiable: Identifiable, ObjectProtocol {}

extension ObjectKeyIdentifiable where ID == UInt64 {
  /// The identity of the object's row, or of the instance for an unmanaged object.
  public var id: UInt64 {
    guard let storage else { return 1 << 63 | UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    return UInt64(storage.pointee.table) << 40 | UInt64(slot)
  }
}

extension Frozen: Identifiable where T: Identifiable {
  /// The object's identity in that version.
  public var id: T.ID { object.id }
}
