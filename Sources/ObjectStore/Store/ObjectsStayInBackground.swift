/// What `inBackground` gives for work that ends with objects: nothing that could be used.
///
/// Objects stay in the isolation of the store that the work was given. To see them here, end the work
/// with a reference, which ``Store/resolve(_:)`` finds again, with `frozen()` objects or with keys.
///
///     let references = try await store.inBackground { store in
///       try StoreCoder(store: store).decodeArray(Animal.self, from: data).map(\.reference)
///     }
@dynamicMemberLookup
public struct _ObjectsStayInBackground: Sendable {
  init() {}

  @available(
    *, unavailable, message: "objects stay in the background: return references, frozen() or keys"
  )
  public subscript(dynamicMember name: String) -> _ObjectsStayInBackground { self }

  @available(
    *, unavailable, message: "objects stay in the background: return references, frozen() or keys"
  )
  public subscript<Value>(dynamicMember name: String) -> Value { misuse("unavailable") }

  @available(
    *, unavailable, message: "objects stay in the background: return references, frozen() or keys"
  )
  public subscript(index: Int) -> _ObjectsStayInBackground { self }
}
