/// The result of `inBackground` for work that returns objects. It has no usable members.
///
/// Objects cannot leave the isolation of the store that the work receives. To use them in the caller's isolation,
/// return references, which ``Store/resolve(_:)`` resolves, `frozen()` objects, or keys.
///
///     let references = try await store.inBackground { store in
///       try StoreCoder(store: store).decodeArray(Animal.self, from: data).map(\.reference)
///     }
@dynamicMemberLookup
public struct _ObjectsStayInBackground: Sendable {
  init() {}

  @available(
    *, unavailable,
    message: "objects cannot leave the background: return references, frozen() or keys"
  )
  public subscript(dynamicMember name: String) -> _ObjectsStayInBackground { self }

  @available(
    *, unavailable,
    message: "objects cannot leave the background: return references, frozen() or keys"
  )
  public subscript<Value>(dynamicMember name: String) -> Value { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "objects cannot leave the background: return references, frozen() or keys"
  )
  public subscript(index: Int) -> _ObjectsStayInBackground { self }
}
