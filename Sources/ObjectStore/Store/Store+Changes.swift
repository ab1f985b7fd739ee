extension Store {
  /// The changes of a store between two versions, class by class.
  ///
  /// Objects are identified by their keys, which all calls that take a key accept, such as
  /// ``Store/object(ofType:forPrimaryKey:)``. An object whose key changed is reported as deleted and inserted. Objects
  /// that were both inserted and deleted between the versions, and changes that were reverted, are not reported.
  public struct Changes: Sendable, Hashable {
    /// The number of the earlier version.
    public let since: UInt64
    /// The number of the later version.
    public let version: UInt64
    /// The classes with changes, in the order in which the store first used them. A change of an embedded object is
    /// reported as a change of the attribute that holds it.
    public let classes: [ClassChanges]

    /// The changes of the objects of one class.
    public struct ClassChanges: Sendable, Hashable {
      /// The name of the class.
      public let className: String
      /// Distinguishes classes with the same name. Nil for a dynamic class.
      let type: ObjectIdentifier?
      /// The keys of the inserted objects, in order of insertion; null for each object of a class without a key.
      public let inserted: [UpdateValue]
      /// The modified objects, in order of insertion.
      public let modified: [Modification]
      /// The keys of the deleted objects, in order of insertion; null for each object of a class without a key.
      public let deleted: [UpdateValue]
    }

    /// A modified object.
    public struct Modification: Sendable, Hashable {
      /// The object's key, or null if its class has none.
      public let key: UpdateValue
      /// The names of the changed attributes, in declaration order.
      public let attributes: [String]
    }

    /// The changes of the class with this name, or nil if it has none.
    public subscript(className: String) -> ClassChanges? {
      classes.first { $0.className == className }
    }

    /// The changes of a class, or nil if it has none.
    public subscript(type: (some Object).Type) -> ClassChanges? {
      classes.first { $0.type.map { $0 == ObjectIdentifier(type) } ?? ($0.className == "\(type)") }
    }
  }
}

extension Store.Changes {
  /// - Complexity: O(changes of the commits).
  init(_ difference: VersionDifference, _ handle: StoreHandle) {
    since = difference.earlier.number
    version = difference.later.number
    let tables = Set(difference.tables).union(difference.tablesWithEditStates).sorted()
    classes = tables.compactMap { table in
      let entry = handle.entry(ofTable: table)
      return entry.schema.isEmbedded || entry.isBase ? nil : ClassChanges(difference, entry)
    }
  }
}

extension Store.Changes.ClassChanges {
  /// Creates the changes of a class, or nil if there are none.
  fileprivate init?(_ difference: VersionDifference, _ entry: ClassEntry) {
    let rows = difference[entry.table]
    if rows.isEmpty { return nil }
    let (earlier, later) = (difference.earlier(entry.table), difference.later(entry.table))
    let keyAttribute = entry.keyColumn - entry.layout.firstAttribute
    let rekeyed = entry.keyColumn < 0 ? [] : rows.changed.filter { $0.attributes.has(keyAttribute) }
    func keys(_ slots: [Int], _ version: TableVersion) -> [UpdateValue] {
      slots.map { entry.key(of: $0, in: version) }
    }
    className = entry.schema.className
    type = entry.model.isDynamic ? nil : ObjectIdentifier(entry.model.type)
    inserted = keys((rekeyed.map(\.slot) + rows.inserted), later)
    deleted = keys((rekeyed.map(\.slot) + rows.deleted).sorted(), earlier)
    modified = rows.changed.compactMap { slot, attributes in
      if entry.keyColumn >= 0, attributes.has(keyAttribute) { return nil }
      return Store.Changes.Modification(
        key: entry.key(of: slot, in: later),
        attributes: attributes.all.map { entry.name(ofAttribute: $0) })
    }
  }
}

/// Computes the changes of the whole store.
final class StoreChangeFinder: ChangeFinder<Store.Changes> {
  override func change(_ difference: VersionDifference) -> Store.Changes? {
    let changes = Store.Changes(difference, handle)
    return changes.classes.isEmpty ? nil : changes
  }
}
