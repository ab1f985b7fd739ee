/// Which versions somebody still shows: each is entered when it is published and leaves when its
/// last reference goes.
///
///     numbers   3   ·   7   8   ·   9        ascending; · for a version that is gone
///               └ head
///
/// Entering and leaving cost O(1) and O(log n); no commit looks at all of them (R28).
// Sendable: everything is guarded by `lock`.
final class VersionRegistry: @unchecked Sendable {
  private let lock = Lock()
  private var pins: ContiguousArray<Pin> = []
  private var head = 0
  private var goneCount = 0
  private var watched: Set<UInt64> = []
  private var released: [UInt64] = []

  private struct Pin {
    let number: UInt64
    var isPinned = true
  }

  /// Enters a version; its number is higher than all before.
  func pin(_ number: UInt64) {
    lock.withLock { pins.append(Pin(number: number)) }
  }

  /// Takes a version out. May be called on any thread (R22).
  func unpin(_ number: UInt64) {
    lock.withLock {
      let place = firstPin(from: number)
      guard place < pins.count, pins[place].number == number else { return }
      pins[place].isPinned = false
      goneCount += 1
      while head < pins.count, !pins[head].isPinned { head += 1 }
      if goneCount * 2 > pins.count + 32 {
        pins.removeAll { !$0.isPinned }
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
      var place = firstPin(from: numbers.upperBound) - 1
      while place >= head, pins[place].number >= numbers.lowerBound {
        if pins[place].isPinned {
          watched.insert(pins[place].number)
          return pins[place].number
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

  /// The oldest version shown; `UInt64.max` if none is.
  var oldest: UInt64 { lock.withLock { head < pins.count ? pins[head].number : .max } }

  /// How many versions are shown.
  var count: Int { lock.withLock { pins.count - goneCount } }

  /// The first pin that is not below `number`.
  private func firstPin(from number: UInt64) -> Int {
    var low = head
    var high = pins.count
    while low < high {
      let middle = (low + high) / 2
      if pins[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
