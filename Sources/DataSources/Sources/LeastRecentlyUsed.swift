/// A dictionary with a limit: what was asked for longest ago makes room.
///
/// - Complexity: O(1), and O(entries) to make room.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value> {
  private var entries: [Key: (value: Value, cost: Int, time: Int)] = [:]
  private let limit: Int
  private var totalCost = 0
  private var time = 0

  /// - Parameter limit: the sum of costs that is kept.
  init(limit: Int) {
    self.limit = limit
  }

  /// The value; asking for it makes it young again.
  subscript(key: Key) -> Value? {
    mutating get {
      time += 1
      entries[key]?.time = time
      return entries[key]?.value
    }
  }

  /// Keeps a value, unless it costs more than there may be in all.
  mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    remove(key)
    guard cost <= limit else { return }
    time += 1
    entries[key] = (value, cost, time)
    totalCost += cost
    while totalCost > limit, let oldest = entries.min(by: { $0.value.time < $1.value.time }) {
      remove(oldest.key)
    }
  }

  mutating func remove(_ key: Key) {
    guard let old = entries.removeValue(forKey: key) else { return }
    totalCost -= old.cost
  }
}
