/// A dictionary with a cost limit that evicts the least recently used entries.
///
/// Entries are stored in slots, which are linked in order of use:
///
///     newest ─▶ slot ─▶ slot ─▶ … ─▶ slot (oldest)      free ─▶ slot ─▶ …
///
/// A key that is not equal to itself, such as `Double.nan`, is not stored because it could never be found.
///
/// - Complexity: O(1) for each access, insertion or removal of an entry.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value> {
  private struct Slot {
    /// Nil in a free slot.
    var entry: (key: Key, value: Value, cost: Int)?
    var newer: Int?
    /// The next free slot, in a free slot.
    var older: Int?
  }

  private var slots: [Slot] = []
  private var indices: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  private var free: Int?
  private let limit: Int
  private var totalCost = 0

  /// - Parameter limit: The maximum sum of the costs of all entries.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of entries.
  var count: Int { indices.count }

  /// The value for a key. Reading it makes the entry the most recently used.
  subscript(key: Key) -> Value? {
    mutating get {
      guard let index = indices[key] else { return nil }
      unlink(index)
      link(index)
      return slots[index].entry?.value
    }
  }

  /// Inserts a value, unless its cost exceeds the limit.
  mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    remove(key)
    guard cost <= limit, key == key else { return }
    let index = takeSlot()
    slots[index].entry = (key, value, cost)
    indices[key] = index
    link(index)
    totalCost += cost
    while totalCost > limit, let oldest { remove(at: oldest) }
  }

  /// Changes all values without affecting the order of use.
  mutating func updateAll(_ body: (inout Value) -> Void) {
    for index in slots.indices {
      guard var entry = slots[index].entry else { continue }
      body(&entry.value)
      slots[index].entry = entry
    }
  }

  mutating func remove(_ key: Key) {
    if let index = indices[key] { remove(at: index) }
  }

  private mutating func remove(at index: Int) {
    guard let entry = slots[index].entry else { return }
    unlink(index)
    indices[entry.key] = nil
    totalCost -= entry.cost
    slots[index] = Slot(entry: nil, newer: nil, older: free)
    free = index
  }

  private mutating func takeSlot() -> Int {
    guard let index = free else {
      slots.append(Slot())
      return slots.count - 1
    }
    free = slots[index].older
    return index
  }

  private mutating func link(_ index: Int) {
    slots[index].newer = nil
    slots[index].older = newest
    if let newest { slots[newest].newer = index }
    newest = index
    if oldest == nil { oldest = index }
  }

  private mutating func unlink(_ index: Int) {
    let (newer, older) = (slots[index].newer, slots[index].older)
    if let newer { slots[newer].older = older } else { newest = older }
    if let older { slots[older].newer = newer } else { oldest = newer }
  }
}
