/// An attribute to sort by, and the sort direction.
public struct StoreSortDescriptor: Sendable, Hashable {
  /// The name of the attribute, or a path over links such as `owner.name`. An attribute whose own name contains a dot
  /// cannot be given here: sort by its key path instead.
  public let keyPath: String
  /// A Boolean value that indicates whether values are sorted in ascending order. Null is less than any value.
  public let ascending: Bool

  /// The names of the links and the attribute.
  let names: [String]

  /// Creates a descriptor that sorts by the attribute.
  public init(_ keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
    names = keyPath.split(separator: ".").map(String.init)
  }

  /// Creates a descriptor that sorts by an attribute, reached over links. The names may contain dots.
  package init(names: [String], ascending: Bool) {
    self.names = names
    keyPath = names.joined(separator: ".")
    self.ascending = ascending
  }

  /// Creates a descriptor that sorts by an attribute, or by one reached over links: `StoreSortDescriptor(\Animal.owner?.name)`.
  /// A key path to anything but an attribute is misuse.
  public init<T: ObjectBase>(_ keyPath: PartialKeyPath<T>, ascending: Bool = true) {
    names = T.attributeNames(for: keyPath)
    self.keyPath = names.joined(separator: ".")
    self.ascending = ascending
  }
}
