/// A dictionary with a limit: what was asked for longest ago makes room.
///
/// The entries stand in slots, linked in the order of their use:
///
///     newest ─▶ slot ─▶ slot ─▶ … ─▶ slot (oldest)      free ─▶ slot ─▶ …
///
/// A key that is not equal to itself, as `Double.nan`, is not kept: it would never be found again.
///
/// - Complexity: O(1) for each entry that is asked for, kept or dropped.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value> {
  private struct Slot {
    /// Nil in a free slot.
    var entry: (key: Key, value: Value, cost: Int)?
    var newer: Int?
    /// In a free slot the next free one.
    var older: Int?
  }

  private var slots: [Slot] = []
  private var indices: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  private var free: Int?
  private let limit: Int
  private var totalCost = 0

  /// - Parameter limit: the sum of costs that is kept.
  init(limit: Int) {
    self.limit = limit
  }

  /// How many entries there are.
  var count: Int { indices.count }

  /// The value; asking for it makes it young again.
  subscript(key: Key) -> Value? {
    mutating get {
      guard let index = indices[key] else { return nil }
      unlink(index)
      link(index)
      return slots[index].entry?.value
    }
  }

  /// Keeps a value, unless it costs more than there may be in all.
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

  /// Changes values where they stand: none becomes young again.
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
