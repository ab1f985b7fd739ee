public import ObjectStore

/// An attribute of a mapped value in the closure of a query: `container.values(Character.self).where {
/// $0.publisher.name == "Marvel" }`.
///
/// It refers to the attribute with which the mapping pairs it. `Part` is the value itself or a struct in it.
/// - Precondition: The mapping has a field for each attribute that is used.
@dynamicMemberLookup
public struct ValuePath<Value: MappedPersistable, Part> {
  private let root: _QueryRoot
  /// The attribute names from the root to the object of the value.
  private let names: [String]
  private let part: KeyPath<Value, Part>

  private init(_ root: _QueryRoot, _ names: [String], _ part: KeyPath<Value, Part>) {
    self.root = root
    self.names = names
    self.part = part
  }

  private func names<Attribute>(_ keyPath: KeyPath<Part, Attribute>) -> [String] {
    names + Value.names(part.appending(path: keyPath))
  }

  private func path<Attribute, Stored>(
    _ keyPath: KeyPath<Part, Attribute>
  ) -> QueryPath<Stored> { QueryPath(root, names: names(keyPath)) }

  /// An attribute.
  public subscript<Attribute: PersistableValue>(
    dynamicMember keyPath: KeyPath<Part, Attribute>
  ) -> QueryPath<Attribute> { path(keyPath) }

  /// The elements of an array.
  public subscript<Element: CollectionElement>(
    dynamicMember keyPath: KeyPath<Part, [Element]>
  ) -> QueryPath<List<Element>> { path(keyPath) }

  /// The elements of a set.
  public subscript<Element: ScalarValue>(
    dynamicMember keyPath: KeyPath<Part, Set<Element>>
  ) -> QueryPath<MutableSet<Element>> { path(keyPath) }

  /// The values of a dictionary.
  public subscript<Element: ScalarValue>(
    dynamicMember keyPath: KeyPath<Part, [String: Element]>
  ) -> QueryPath<Map<String, Element>> { path(keyPath) }

  /// A nested value. If it is nil, each of its attributes is null.
  public subscript<Nested: MappedPersistable>(
    dynamicMember keyPath: KeyPath<Part, Nested?>
  ) -> ValuePath<Nested, Nested> { ValuePath<Nested, Nested>(root, names(keyPath), \.self) }

  /// A nested value, by the attributes of its managed object.
  @_disfavoredOverload
  public subscript<Nested: Persistable>(
    dynamicMember keyPath: KeyPath<Part, Nested?>
  ) -> QueryPath<Nested.ManagedObject?> { path(keyPath) }

  /// Nested values, by the attributes of their managed objects.
  public subscript<Nested: Persistable>(
    dynamicMember keyPath: KeyPath<Part, [Nested]>
  ) -> QueryPath<List<Nested.ManagedObject>> { path(keyPath) }

  /// A struct in the value whose attributes are mapped: `$0.address.city`.
  @_disfavoredOverload
  public subscript<Inner>(
    dynamicMember keyPath: KeyPath<Part, Inner>
  ) -> ValuePath<Value, Inner> {
    ValuePath<Value, Inner>(root, names, part.appending(path: keyPath))
  }
}

extension ValuePath where Part == Value {
  init(_ root: _QueryRoot) {
    self.init(root, [], \.self)
  }
}

extension FetchedResults where Value: MappedPersistable {
  /// Returns a live collection of the values whose attributes satisfy a condition.
  public func `where`(
    _ condition: (ValuePath<Value, Value>) -> some _QueryCondition
  ) -> FetchedResults {
    FetchedResults(
      objects.where { (path: QueryPath<Value.ManagedObject>) in condition(ValuePath(path._root)) })
  }

  /// Returns a live collection sorted by an attribute. See `Results.sorted`.
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
