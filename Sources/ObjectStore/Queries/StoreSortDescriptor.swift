/// An attribute to sort by, and the sort direction.
public struct StoreSortDescriptor: Sendable, Hashable {
  /// The name of the attribute, or a path over links such as `owner.name`. An attribute whose own name contains a dot
  /// cannot be given here: sort by its key path instead.
  public let keyPath: String
  /// A Boolean value that indicates whether values are sorted in ascending order. Null is less than any value.
  public let ascending: Bool

  /// Creates a descriptor that sorts by the attribute.
  public init(_ keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }
}
