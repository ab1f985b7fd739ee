/// The instances that `add` made managed in the open write; a rollback makes them unmanaged again.
struct Promotions {
  private var objects: [ObjectBase] = []
  /// The boxes of their collections.
  private var boxes: [any FollowingBox] = []
  private var savepoints: [(objectCount: Int, boxCount: Int)] = []

  mutating func note(_ object: ObjectBase) { objects.append(object) }

  mutating func note(_ box: any FollowingBox) { boxes.append(box) }

  mutating func beginSavepoint() { savepoints.append((objects.count, boxes.count)) }

  mutating func releaseSavepoint() { savepoints.removeLast() }

  mutating func rollBackSavepoint() { rollBack(to: savepoints.removeLast()) }

  mutating func rollBack() { rollBack(to: (0, 0)) }

  /// What came since is unmanaged again; its wrappers still hold the values.
  private mutating func rollBack(to savepoint: (objectCount: Int, boxCount: Int)) {
    for box in boxes[savepoint.boxCount...] { box.settle(in: nil) }
    boxes.removeSubrange(savepoint.boxCount...)
    for object in objects[savepoint.objectCount...] {
      object.storage = nil
      object.owner = nil
    }
    objects.removeSubrange(savepoint.objectCount...)
  }

  /// Nothing is rolled back any more.
  /// - Returns: the objects.
  mutating func removeAll() -> [ObjectBase] {
    defer { self = Promotions() }
    return objects
  }
}
