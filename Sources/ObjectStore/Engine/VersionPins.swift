/// Which versions somebody still shows: each is entered when it is published and leaves when its
/// last reference goes.
///
///     numbers   3   ·   7   8   ·   9        ascending; · for a version that is gone
///               └ head
///
/// Entering and leaving cost O(1) and O(log n); no commit looks at all of them (R28).
// Sendable: everything is guarded by `lock`.
final class VersionPins: @unchecked Sendable {
  private let lock = Lock()
  private var entries: ContiguousArray<Entry> = []
  private var head = 0
  private var goneCount = 0
  private var watched: Set<UInt64> = []
  private var released: [UInt64] = []

  private struct Entry {
    let number: UInt64
    var isPinned = true
  }

  /// Enters a version; its number is higher than all before.
  func pin(_ number: UInt64) {
    lock.withLock { entries.append(Entry(number: number)) }
  }

  /// Takes a version out. May be called on any thread (R22).
  func unpin(_ number: UInt64) {
    lock.withLock {
      let place = firstEntry(from: number)
      guard place < entries.count, entries[place].number == number else { return }
      entries[place].isPinned = false
      goneCount += 1
      while head < entries.count, !entries[head].isPinned { head += 1 }
      if goneCount * 2 > entries.count + 32 {
        entries.removeAll { !$0.isPinned }
        head = 0
        goneCount = 0
      }
      if watched.remove(number) != nil { released.append(number) }
    }
  }

  /// The newest version shown among those with the numbers, which is watched from now on; nil if
  /// none is shown.
  func watch(newestIn numbers: Range<UInt64>) -> UInt64? {
    lock.withLock {
      var place = firstEntry(from: numbers.upperBound) - 1
      while place >= head, entries[place].number >= numbers.lowerBound {
        if entries[place].isPinned {
          watched.insert(entries[place].number)
          return entries[place].number
        }
        place -= 1
      }
      return nil
    }
  }

  /// The watched versions that went since this was asked last.
  func takeReleased() -> [UInt64] {
    lock.withLock {
      if released.isEmpty { return [] }
      defer { released = [] }
      return released
    }
  }

  /// How many versions are shown.
  var count: Int { lock.withLock { entries.count - goneCount } }

  /// The first entry that is not below `number`.
  private func firstEntry(from number: UInt64) -> Int {
    var low = head
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
