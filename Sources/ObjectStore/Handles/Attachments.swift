/// The instances that became managed in the open write. A rollback makes them unmanaged again.
///
/// Releasing an instance may run a `deinit` of the user's code, which may use the store. The methods therefore return
/// the instances that they remove, and the caller releases them after the write has ended.
struct Attachments {
  /// Objects and the boxes of their collections.
  struct Instances {
    fileprivate(set) var objects: [ObjectBase] = []
    fileprivate(set) var boxes: [any AttachableBox] = []
  }

  private var instances = Instances()
  private var savepoints: [(objectCount: Int, boxCount: Int)] = []

  mutating func note(_ object: ObjectBase) { instances.objects.append(object) }

  mutating func note(_ box: any AttachableBox) { instances.boxes.append(box) }

  mutating func beginSavepoint() {
    savepoints.append((instances.objects.count, instances.boxes.count))
  }

  mutating func releaseSavepoint() { savepoints.removeLast() }

  /// Removes and returns the instances noted since the innermost savepoint began.
  mutating func takeSavepoint() -> Instances {
    let (objectCount, boxCount) = savepoints.removeLast()
    var taken = Instances()
    taken.objects = Array(instances.objects[objectCount...])
    taken.boxes = Array(instances.boxes[boxCount...])
    instances.objects.removeSubrange(objectCount...)
    instances.boxes.removeSubrange(boxCount...)
    return taken
  }

  /// Removes and returns all instances.
  mutating func takeAll() -> Instances {
    let all = instances
    self = Attachments()
    return all
  }
}

extension Attachments.Instances {
  /// Makes the instances unmanaged again; their wrappers still hold the values.
  func detach() {
    for object in objects {
      object.storage = nil
      object.owner = nil
    }
    for box in boxes { box.detach() }
  }
}
