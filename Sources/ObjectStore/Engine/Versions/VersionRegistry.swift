/// The live versions: each is registered when it is published and unregistered when its last reference is released.
///
///     numbers   3   ·   7   8   ·   9        ascending; · for a released version
///               └ head
///
/// Registering costs O(1) and unregistering O(log n), amortized; no commit iterates over all versions (R28).
// Sendable: all mutable properties are guarded by `lock`.
final class VersionRegistry: @unchecked Sendable {
  private let lock = Lock()
  private var entries: ContiguousArray<Entry> = []
  private var head = 0
  private var releasedCount = 0
  private var watched: Set<UInt64> = []
  private var released: [UInt64] = []

  private struct Entry {
    let number: UInt64
    var isLive = true
  }

  /// Registers a version, whose number must be higher than those of all earlier ones.
  func register(_ number: UInt64) {
    lock.withLock { entries.append(Entry(number: number)) }
  }

  /// Unregisters a version. May be called on any thread (R22).
  func unregister(_ number: UInt64) {
    lock.withLock {
      let index = firstEntry(from: number)
      guard index < entries.count, entries[index].number == number else { return }
      entries[index].isLive = false
      releasedCount += 1
      while head < entries.count, !entries[head].isLive { head += 1 }
      if releasedCount * 2 > entries.count + 32 {
        entries.removeAll { !$0.isLive }
        head = 0
        releasedCount = 0
      }
      if watched.remove(number) != nil { released.append(number) }
    }
  }

  /// Returns the newest live version whose number is in the range, and watches its release; nil if there is none.
  func watch(newestIn numbers: Range<UInt64>) -> UInt64? {
    lock.withLock {
      var index = firstEntry(from: numbers.upperBound) - 1
      while index >= head, entries[index].number >= numbers.lowerBound {
        if entries[index].isLive {
          watched.insert(entries[index].number)
          return entries[index].number
        }
        index -= 1
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
  var oldest: UInt64 { lock.withLock { head < entries.count ? entries[head].number : .max } }

  /// The number of live versions.
  var count: Int { lock.withLock { entries.count - releasedCount } }

  /// Returns the index of the first entry whose number is at least `number`.
  private func firstEntry(from number: UInt64) -> Int {
    (head..<entries.count).partitionPoint { entries[$0].number < number }
  }
}
