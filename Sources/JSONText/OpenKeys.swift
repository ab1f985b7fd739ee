/// The keys of the open objects, for detecting duplicates.
///
/// All keys share one hash table. Objects close in reverse order of opening, so keys are removed in reverse
/// order of insertion, and linear probing needs no tombstones.
@usableFromInline
final class OpenKeys {
  private struct Key {
    let hash: UInt64
    let start: UnsafePointer<UInt8>
    let count: Int
    /// True if the bytes are a copy owned by this entry.
    let isCopy: Bool
  }

  private struct Object {
    /// The nesting level of the object.
    let depth: Int
    /// The index of its first key, which is unique among open objects.
    let firstKey: Int
  }

  private var keys: ContiguousArray<Key> = []
  private var objects: ContiguousArray<Object> = []
  /// Indices into `keys` plus 1, or 0; open addressing. The size is a power of two, and at most half of the slots
  /// are used.
  private var slots: ContiguousArray<Int> = []

  /// Random per process, so that an attacker cannot craft colliding keys.
  private static let seed = (
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1
  )

  deinit {
    for key in keys where key.isCopy { key.start.deallocate() }
  }

  /// Adds a key to the object at nesting level `depth`, which becomes the innermost one if it is new.
  ///
  /// - Parameter isInPlace: True if the bytes outlive the entry; otherwise they are copied.
  /// - Returns: True if the object already has the key.
  func enter(_ bytes: UnsafeBufferPointer<UInt8>, isInPlace: Bool, depth: Int) -> Bool {
    if objects.last?.depth != depth {
      objects.append(Object(depth: depth, firstKey: keys.count))
    }
    guard let object = objects.last, let start = bytes.baseAddress else { return false }
    if 2 * (keys.count + 1) > slots.count { grow() }
    let hash = Self.hash(start, bytes.count, UInt64(object.firstKey))
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] > 0 {
      let index = slots[slot] - 1
      let key = keys[index]
      if key.hash == hash, index >= object.firstKey, key.count == bytes.count,
        UnsafeBufferPointer(start: key.start, count: key.count).elementsEqual(bytes)
      {
        return true
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    var kept = start
    if !isInPlace {
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
      copy.update(from: start, count: bytes.count)
      kept = UnsafePointer(copy)
    }
    keys.append(Key(hash: hash, start: kept, count: bytes.count, isCopy: !isInPlace))
    slots[slot] = keys.count
    return false
  }

  /// Removes the objects at nesting level `depth` or deeper.
  func close(downTo depth: Int) {
    while let object = objects.last, object.depth >= depth {
      while keys.count > object.firstKey { removeLastKey() }
      objects.removeLast()
    }
  }

  private func removeLastKey() {
    let index = keys.count
    let key = keys.removeLast()
    var slot = Int(truncatingIfNeeded: key.hash) & (slots.count - 1)
    while slots[slot] != index { slot = (slot + 1) & (slots.count - 1) }
    // All entries inserted after it have already been removed.
    slots[slot] = 0
    if key.isCopy { key.start.deallocate() }
  }

  private func grow() {
    slots = ContiguousArray(repeating: 0, count: max(64, 2 * slots.count))
    for (index, key) in keys.enumerated() {
      var slot = Int(truncatingIfNeeded: key.hash) & (slots.count - 1)
      while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = index + 1
    }
  }

  /// Hashes word by word with folded multiplication. `object` distinguishes equal keys of different objects.
  private static func hash(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ object: UInt64
  ) -> UInt64 {
    func mix(_ value: UInt64) -> UInt64 {
      let (high, low) = value.multipliedFullWidth(by: seed.1)
      return high ^ low
    }
    var hash = mix(seed.0 ^ object) ^ UInt64(truncatingIfNeeded: count)
    var index = 0
    while index + 8 <= count {
      hash = mix(hash ^ (start + index).word)
      index += 8
    }
    var tail: UInt64 = 0
    while index < count {
      tail = tail << 8 | UInt64(start[index])
      index += 1
    }
    return mix(hash ^ tail)
  }
}
