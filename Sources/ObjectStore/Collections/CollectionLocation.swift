/// The row and column of a collection whose object was added to a store.
struct CollectionLocation {
  let handle: StoreHandle
  let entry: ClassEntry
  let slot: Int
  let column: Int
}

/// A collection box, independent of its element type.
protocol AttachableBox: AnyObject {
  /// Makes the box read and write the row.
  func attach(to location: CollectionLocation)
  /// Undoes ``attach(to:)`` after the row was rolled back.
  func detach()
}
