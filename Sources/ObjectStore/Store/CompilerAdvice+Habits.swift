// Compiler advice for calls that other stores have and that this library spells differently. Nothing in this file can
// be called; the tests check the messages.

extension Store {
  @available(*, unavailable, renamed: "add(_:update:)")
  @_disfavoredOverload
  public func insert<T: Object>(_ object: T) {}

  @available(*, unavailable, renamed: "objects(_:)")
  public func fetch<T: Object>(_ type: T.Type) -> Results<T> { misuse("unavailable") }

  @available(
    *, unavailable,
    message:
      "look up the object: store.object(ofType: T.self, forPrimaryKey: key).map(store.delete)"
  )
  public func delete<T: Object>(_ type: T.Type, key: some ObjectKey) {}

  @available(*, unavailable, message: "delete the objects: store.delete(store.objects(T.self))")
  public func deleteAll<T: Object>(_ type: T.Type) {}
}

extension Object {
  @available(
    *, unavailable,
    message: "create the object in a write: store.create(T.self, value: [\"id\": 1])"
  )
  @_disfavoredOverload
  public convenience init(id: some ObjectKey) { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "create the object in a write: store.create(T.self, value: [\"id\": 1])"
  )
  @_disfavoredOverload
  public convenience init(value: some Any) { misuse("unavailable") }
}

extension _QueryableObjects {
  @available(
    *, unavailable,
    message: "use where { $0.age > 3 }, filter(\"age > %@\", 3) or filter(#Predicate { … })"
  )
  public func `where`(_ condition: String, _ arguments: Any...) -> Results<Element> {
    misuse("unavailable")
  }
}

extension Results {
  @available(
    *, unavailable,
    message: "sort by the least significant key path first: sorted(by: \\.b).sorted(by: \\.a)"
  )
  public func sorted<A, B>(
    by first: KeyPath<Element, A>, _ second: KeyPath<Element, B>
  ) -> Results { misuse("unavailable") }
}
