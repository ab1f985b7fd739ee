public import Foundation

// Compiler advice for Realm Swift calls that this library spells differently. Nothing in this file can be called;
// the tests check the messages.

// MARK: - Types

@available(*, unavailable, renamed: "Store")
public typealias Realm = Store

@available(*, unavailable, renamed: "ObservationToken")
public typealias NotificationToken = ObservationToken

@available(*, unavailable, renamed: "ObjectReference")
public typealias ThreadSafeReference = ObjectReference

extension ObjectReference {
  @available(*, unavailable, message: "use object.reference")
  public init(to object: T) { self = object.reference }
}

extension ObservationToken {
  @available(*, unavailable, renamed: "cancel()")
  public func invalidate() {}
}

// MARK: - Objects

extension ObjectBase {
  @available(
    *, unavailable, message: "an object does not expose its store: pass the store as a parameter"
  )
  public final var realm: Store? { misuse("unavailable") }

  @available(*, unavailable, message: "managed objects are always live; frozen() returns a Frozen")
  public final var isFrozen: Bool { misuse("unavailable") }

  @available(*, unavailable, message: "compare objects with ==")
  public final func isSameObject(as other: ObjectBase?) -> Bool { misuse("unavailable") }

  @available(*, unavailable, message: "read an attribute by name: object[\"name\"]")
  public final func value(forKey name: String) -> Any? { misuse("unavailable") }
}

extension ObjectProtocol {
  @available(*, unavailable, renamed: "frozen()")
  public func freeze() -> Frozen<Self> { misuse("unavailable") }

  @available(
    *, unavailable, message: "objects are always live; for a Frozen, use store.resolve(frozen)"
  )
  public func thaw() -> Self? { misuse("unavailable") }

  @available(*, unavailable, message: "pass key paths: observe(keyPaths: [\\.name])")
  @_disfavoredOverload
  public func observe(
    keyPaths: [some StringProtocol], _ body: @escaping (ObjectChange) -> Void
  ) -> ObservationToken { misuse("unavailable") }
}

extension Frozen {
  @available(*, unavailable, message: "use store.resolve(frozen)")
  public func thaw() -> T? { misuse("unavailable") }
}

extension FrozenResults {
  @available(*, unavailable, message: "query the store again: store.objects(_:)")
  public func thaw() -> Results<T>? { misuse("unavailable") }
}

// MARK: - Results and collections

/// Results, and collections of objects that can be queried like results.
public protocol _QueryableObjects: Sequence where Element: ObjectBase {}

extension Results: _QueryableObjects {}
extension List: _QueryableObjects where Element: ObjectBase {}
extension MutableSet: _QueryableObjects where Element: ObjectBase {}
extension LinkingObjects: _QueryableObjects {}

extension _QueryableObjects {
  @available(
    *, unavailable, message: "call frozen() on results, or on the object that has the collection"
  )
  public func freeze() -> FrozenResults<Element> { misuse("unavailable") }

  @available(
    *, unavailable, message: "results are always live; for FrozenResults, query the store again"
  )
  public func thaw() -> Results<Element>? { misuse("unavailable") }

  @available(
    *, unavailable, message: "results are always live; frozen() returns FrozenResults"
  )
  public var isFrozen: Bool { misuse("unavailable") }

  @available(
    *, unavailable, message: "results do not expose their store: pass the store as a parameter"
  )
  public var realm: Store? { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "use sorted(by: \\.name), or sorted(by: [StoreSortDescriptor(\"owner.name\")])"
  )
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    misuse("unavailable")
  }

  @available(*, unavailable, message: "pass key paths: distinct(by: [\\.name])")
  @_disfavoredOverload
  public func distinct(by keyPaths: [some StringProtocol]) -> Results<Element> {
    misuse("unavailable")
  }

  #if !canImport(ObjectiveC)
    @available(
      *, unavailable,
      message: "use where { $0.age > 3 }, filter(\"age > %@\", 3) or filter(#Predicate { … })"
    )
    public func filter(_ predicate: NSPredicate) -> Results<Element> { misuse("unavailable") }
  #endif

  @available(*, unavailable, message: "pass a key path: min(of: \\.age)")
  public func min<Value>(ofProperty name: String) -> Value? { misuse("unavailable") }

  @available(*, unavailable, message: "pass a key path: max(of: \\.age)")
  public func max<Value>(ofProperty name: String) -> Value? { misuse("unavailable") }

  @available(*, unavailable, message: "pass a key path: sum(of: \\.age)")
  public func sum<Value>(ofProperty name: String) -> Value { misuse("unavailable") }

  @available(*, unavailable, message: "pass a key path: average(of: \\.age)")
  public func average<Value>(ofProperty name: String) -> Value? { misuse("unavailable") }

  @available(*, unavailable, message: "use map: map(\\.name)")
  public func value(forKey name: String) -> Any? { misuse("unavailable") }

  @available(*, unavailable, message: "pass key paths: observe(keyPaths: [\\.name])")
  @_disfavoredOverload
  public func observe(
    keyPaths: [some StringProtocol], _ body: @escaping (CollectionChange<Self>) -> Void
  ) -> ObservationToken { misuse("unavailable") }
}

extension Results {
  @available(*, unavailable, renamed: "frozen()")
  public func freeze() -> FrozenResults<Element> { misuse("unavailable") }
}

extension List {
  @available(*, unavailable, renamed: "append(contentsOf:)")
  public func append(objectsIn objects: some Sequence<Element>) {}

  @available(*, unavailable, message: "use removeAll { $0 == object }, or remove(at:)")
  public func remove(_ element: Element) {}
}

extension MutableSet {
  @available(*, unavailable, renamed: "insert(contentsOf:)")
  public func insert(objectsIn objects: some Sequence<Element>) {}

  @available(*, unavailable, renamed: "insert(contentsOf:)")
  public func formUnion(_ elements: some Sequence<Element>) {}

  @available(*, unavailable, message: "convert to a Set: Set(set).union(other)")
  public func union(_ elements: some Sequence<Element>) -> Set<Element> { misuse("unavailable") }

  @available(*, unavailable, message: "convert to a Set: Set(set).intersection(other)")
  public func intersection(_ elements: some Sequence<Element>) -> Set<Element> {
    misuse("unavailable")
  }

  @available(*, unavailable, message: "convert to a Set: Set(set).subtracting(other)")
  public func subtracting(_ elements: some Sequence<Element>) -> Set<Element> {
    misuse("unavailable")
  }

  @available(*, unavailable, message: "use !isDisjoint(with:)")
  public func intersects(_ elements: some Sequence<Element>) -> Bool { misuse("unavailable") }
}

extension Map {
  @available(*, unavailable, renamed: "removeValue(forKey:)")
  public func removeObject(for key: Key) {}

  @available(*, unavailable, message: "assign by key: map[key] = value")
  public func setValue(_ value: Any?, forKey key: Key) {}

  @available(*, unavailable, message: "read by key: map[key]")
  public func object(forKey key: Key) -> Value? { misuse("unavailable") }

  @available(*, unavailable, message: "read by key: map[key]")
  public func value(forKey key: Key) -> Value? { misuse("unavailable") }
}

// MARK: - Stores

extension Store {
  @available(*, unavailable, renamed: "objects(dynamic:)")
  public func dynamicObjects(_ className: String) -> Results<DynamicObject> {
    misuse("unavailable")
  }

  @available(
    *, unavailable,
    message:
      "write in the background: try await store.inBackground { store in try store.write { … } }"
  )
  public func writeAsync(
    _ body: @escaping () -> Void, onComplete: (((any Error)?) -> Void)? = nil
  ) { misuse("unavailable") }

  @available(*, unavailable, message: "pass the stored value of the key: key.persistableValue")
  public func object<T: Object, Key: CustomPersistable>(
    ofType type: T.Type, forPrimaryKey key: Key
  ) -> T? { misuse("unavailable") }

  @available(*, unavailable, message: "pass the raw value of the key: key.rawValue")
  public func object<T: Object, Key: PersistableEnum>(
    ofType type: T.Type, forPrimaryKey key: Key
  ) -> T? { misuse("unavailable") }

  @available(*, unavailable, message: "pass the stored value of the key: key.persistableValue")
  public func update<T: Object, Key: CustomPersistable>(
    _ type: T.Type, key: Key, _ assignments: Assignment<T>..., missing: MissingObject = .ignore
  ) throws -> UpdateOutcome { misuse("unavailable") }
}
