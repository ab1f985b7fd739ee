import ObjectStore

/// Values as they were in one version of the store: immutable, `Sendable`, made when they are asked for.
///
/// It keeps its version of the store alive.
public struct FrozenValues<Value: Persistable & Sendable>: RandomAccessCollection, Sendable {
  private let objects: FrozenResults<Value.ManagedObject>

  init(_ objects: FrozenResults<Value.ManagedObject>) {
    self.objects = objects
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { objects.count }

  /// The value at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Value {
    objects[index].withObject { Value(managedObject: $0) }
  }
}

extension FetchedResults where Value: Sendable {
  /// The values as they are now, for any isolation.
  ///
  /// - Complexity: that of `count`; no value is made.
  public func frozen() -> FrozenValues<Value> { FrozenValues(objects.frozen()) }
}
