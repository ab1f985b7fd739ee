/// The live versions: each is registered when it is published and unregistered when its last reference is released.
///
///     numbers   3   ·   7   8   ·   9        ascending; · for a released version
///               └ head
///
/// Registering costs O(1), unregistering O(log n); no commit iterates over all versions (R28).
// Sendable: all mutable properties are guarded by `lock`.
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

  /// Registers a version, whose number must be higher than all before.
  func pin(_ number: UInt64) {
    lock.withLock { pins.append(Pin(number: number)) }
  }

  /// Unregisters a version. May be called on any thread (R22).
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

  /// Returns the newest live version whose number is in the range, and watches its release; nil if there is none.
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

  /// Returns the watched versions that were released since the last call.
  func takeReleased() -> [UInt64] {
    lock.withLock {
      if released.isEmpty { return [] }
      defer { released = [] }
      return released
    }
  }

  /// The number of the oldest live version; `UInt64.max` if there is none.
  var oldest: UInt64 { lock.withLock { head < pins.count ? pins[head].number : .max } }

  /// The number of live versions.
  var count: Int { lock.withLock { pins.count - goneCount } }

  /// Returns the index of the first entry whose number is at least `number`.
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
