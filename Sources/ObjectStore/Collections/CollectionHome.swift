/// The row of an object that was added, for the boxes of its collections.
struct CollectionHome {
  let handle: StoreHandle
  let entry: ClassEntry
  let slot: Int
  let column: Int
}

/// A box whose element type is not known.
protocol FollowingBox: AnyObject {
  /// Its object shows the row from now on; with nil, not any more.
  func settle(in home: CollectionHome?)
}
