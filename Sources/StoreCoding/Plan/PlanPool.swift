import ObjectStore

/// The mappings of coders that were deallocated, for new coders with equal settings: computing the mapping of a class takes
/// longer than decoding a small payload.
///
/// A plan belongs to one coder or to the pool, so two threads never use it at the same time. In the pool it retains the
/// description of its class in its last store, but not the store.
// Sendable: `lock` guards `sets`. A set that a coder takes is removed.
final class PlanPool: @unchecked Sendable {
  static let shared = PlanPool()

  /// The plans of one coder by schema, with everything that their links lead to.
  typealias Plans = [ObjectIdentifier: CodingPlan]

  /// The maximum number of plans in the pool; more only if one coder had more.
  private static var limit: Int { 512 }

  private let lock = Lock()
  /// The sets in the order in which they came.
  private var sets: [(settings: MappingSettings, plans: Plans)] = []

  /// Removes and returns the last plans with these settings that contain a class.
  func take(_ settings: MappingSettings, containing schema: ObjectIdentifier) -> Plans? {
    lock.withLock {
      let index = sets.lastIndex { $0.settings.isSame(as: settings) && $0.plans[schema] != nil }
      return index.map { sets.remove(at: $0).plans }
    }
  }

  /// Adds the plans of a coder that no longer uses them.
  func add(_ plans: Plans, _ settings: MappingSettings) {
    // Released outside the lock.
    var dropped: [Plans] = []
    lock.withLock {
      sets.append((settings, plans))
      var count = sets.reduce(0) { $0 + $1.plans.count }
      while count > Self.limit, sets.count > 1 {
        let oldest = sets.removeFirst().plans
        count -= oldest.count
        dropped.append(oldest)
      }
    }
    withExtendedLifetime(dropped) {}
  }
}
