import ObjectStore

/// An immutable, `Sendable` collection of the values in one version of a store. Values are created on access.
///
/// It retains its version of the store.
public struct FrozenValues<Value: Persistable & Sendable>: RandomAccessCollection, Sendable {
  private let objects: FrozenResults<Value.ManagedObject>

  init(_ objects: FrozenResults<Value.ManagedObject>) {
    self.objects = objects
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { objects.count }

  /// The value at an index.
  /// - Precondition: `index` is in `0..<count`.
  public subscript(index: Int) -> Value {
    objects[index].withObject { Value(managedObject: $0) }
  }
}

extension FetchedResults where Value: Sendable {
  /// Returns the current values as a collection for any isolation.
  ///
  /// - Complexity: The same as `count`. No values are created.
  public func frozen() -> FrozenValues<Value> { FrozenValues(objects.frozen()) }
}
