/// What the commits between two versions did to a store, class by class.
///
/// Objects are told by their keys. One whose key changed is told as deleted and inserted. What was made and
/// deleted in between is not told, nor what was changed back.
public struct StoreChanges: Sendable, Hashable {
  /// Number of the earlier version.
  public let since: UInt64
  /// Number of the later version.
  public let version: UInt64
  /// The classes with changes, in the order in which the store met them. Embedded objects are told by the
  /// attributes of the objects they belong to.
  public let classes: [ClassChanges]

  /// What happened to the objects of one class.
  public struct ClassChanges: Sendable, Hashable {
    /// The name of the class.
    public let className: String
    /// Tells classes of one name apart; nil for one that no source declares.
    let type: ObjectIdentifier?
    /// The keys of objects that came, in order of insertion; null for each of a class without a key.
    public let inserted: [UpdateValue]
    /// Objects that are different, in order of insertion.
    public let modified: [Modification]
    /// The keys of objects that went, in order of insertion; null for each of a class without a key.
    public let deleted: [UpdateValue]
  }

  /// An object that is different.
  public struct Modification: Sendable, Hashable {
    /// Its key; null where its class has none.
    public let key: UpdateValue
    /// The attributes that differ, in declared order.
    public let attributes: [String]
  }

  /// The changes of the class with this name; nil if it has none.
  public subscript(className: String) -> ClassChanges? {
    classes.first { $0.className == className }
  }

  /// The changes of a class; nil if it has none.
  public subscript(type: (some Object).Type) -> ClassChanges? {
    classes.first { $0.type.map { $0 == ObjectIdentifier(type) } ?? ($0.className == "\(type)") }
  }
}

extension StoreChanges {
  /// - Complexity: O(what the commits touched).
  init(_ difference: VersionDifference, _ handle: StoreHandle) {
    since = difference.earlier.number
    version = difference.later.number
    classes = difference.tables.compactMap { table in
      let entry = handle.entry(ofTable: table)
      return entry.schema.isEmbedded ? nil : ClassChanges(difference, entry)
    }
  }
}

extension StoreChanges.ClassChanges {
  /// Nil where nothing is different.
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
      return StoreChanges.Modification(
        key: entry.key(of: slot, in: later),
        attributes: attributes.all.map { entry.name(ofAttribute: $0) })
    }
  }
}

/// Tells of everything.
final class StoreChangeFinder: ChangeFinder<StoreChanges> {
  override func change(_ difference: VersionDifference) -> StoreChanges? {
    let changes = StoreChanges(difference, handle)
    return changes.classes.isEmpty ? nil : changes
  }
}
