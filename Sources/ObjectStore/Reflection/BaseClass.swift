/// The tracked attributes of a class and the class of its base table. They are found when the class first enters a store
/// and not during reflection, because they depend on the cache policy.
// Sendable: `known` is guarded by `lock`.
final class BaseClass: @unchecked Sendable {
  private let lock = Lock()
  private var known: (tracked: [Int], model: ModelClass)?

  func find(_ model: ModelClass) -> (tracked: [Int], model: ModelClass)? {
    guard model.schema.tracksEdits else { return nil }
    if let known = lock.withLock({ known }) { return known }
    // Outside the lock, because reading the policy calls user code.
    let tracked = model.payloadAttributes.filter { model.schema.isEncoded($0) }
    let new = (tracked, ModelClass(describedBy: model.schema.baseSchema(tracked: tracked)))
    return lock.withLock {
      if let known { return known }
      known = new
      return new
    }
  }
}

extension ModelClass {
  /// The class of the base table; nil if the class does not track edits.
  var baseModel: ModelClass? { baseClass.find(self)?.model }

  /// The attributes whose changes are edits; empty if the class does not track edits.
  var trackedAttributes: [Int] { baseClass.find(self)?.tracked ?? [] }
}
