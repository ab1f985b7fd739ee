public import ObjectStore

/// An attribute of a mapped value in a query's closure:
/// `container.values(Character.self).where { $0.publisher.name == "Marvel" }`.
///
/// It stands for the attribute that the mapping pairs it with. One that is in no field of the mapping is
/// misuse.
@dynamicMemberLookup
public struct ValuePath<Value: MappedPersistable> {
  private let root: _QueryRoot
  private let names: [String]

  init(_ root: _QueryRoot, _ names: [String] = []) {
    self.root = root
    self.names = names
  }

  private func path<Attribute>(_ keyPath: PartialKeyPath<Value>) -> QueryPath<Attribute> {
    QueryPath(root, names: names + Value.names(keyPath))
  }

  /// An attribute.
  public subscript<Attribute: PersistableValue>(
    dynamicMember keyPath: KeyPath<Value, Attribute>
  ) -> QueryPath<Attribute> { path(keyPath) }

  /// The elements of an array.
  public subscript<Element: CollectionElement>(
    dynamicMember keyPath: KeyPath<Value, [Element]>
  ) -> QueryPath<List<Element>> { path(keyPath) }

  /// The elements of a set.
  public subscript<Element: ScalarValue>(
    dynamicMember keyPath: KeyPath<Value, Set<Element>>
  ) -> QueryPath<MutableSet<Element>> { path(keyPath) }

  /// The values of a dictionary.
  public subscript<Element: ScalarValue>(
    dynamicMember keyPath: KeyPath<Value, [String: Element]>
  ) -> QueryPath<Map<String, Element>> { path(keyPath) }

  /// A value inside; where there is none, each of its attributes is null.
  public subscript<Nested: MappedPersistable>(
    dynamicMember keyPath: KeyPath<Value, Nested?>
  ) -> ValuePath<Nested> { ValuePath<Nested>(root, names + Value.names(keyPath)) }

  /// A value inside, by the attributes of its managed object.
  @_disfavoredOverload
  public subscript<Nested: Persistable>(
    dynamicMember keyPath: KeyPath<Value, Nested?>
  ) -> QueryPath<Nested.ManagedObject?> { path(keyPath) }

  /// Values inside, by the attributes of their managed objects.
  public subscript<Nested: Persistable>(
    dynamicMember keyPath: KeyPath<Value, [Nested]>
  ) -> QueryPath<List<Nested.ManagedObject>> { path(keyPath) }
}

extension FetchedResults where Value: MappedPersistable {
  /// Those for which a condition on their attributes holds; live.
  public func `where`(
    _ condition: (ValuePath<Value>) -> some _QueryCondition
  ) -> FetchedResults {
    FetchedResults(
      objects.where { (path: QueryPath<Value.ManagedObject>) in condition(ValuePath(path._root)) })
  }

  /// In the order of an attribute; live. See `Results.sorted`.
  public func sorted<Attribute>(
    by keyPath: KeyPath<Value, Attribute>, ascending: Bool = true
  ) -> FetchedResults {
    do {
      let name = Value.names(keyPath).joined(separator: ".")
      return FetchedResults(
        try objects.sorted(by: [StoreSortDescriptor(name, ascending: ascending)]))
    } catch {
      misuse("FetchedResults.sorted: \(error)")
    }
  }
}
