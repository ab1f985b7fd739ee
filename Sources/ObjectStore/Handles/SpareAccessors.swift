import Synchronization

/// Unused accessors of a class, which save creating new ones.
///
/// The caller that takes an accessor is its only owner. A spare accessor shows no row and retains no store. A class
/// keeps a few, each in a cache line that the current thread selects, so that threads rarely contend for one.
struct SpareAccessors {
  private struct Entry: ~Copyable {
    let accessor = Atomic<Unmanaged<ObjectBase>?>(nil)
  }

  /// A power of two.
  private static let count = 8
  /// Two cache lines, because the processor prefetches the second one with the first.
  private static let stride = 128

  /// The type of the accessors; nil if none can be kept.
  private let type: ObjectBase.Type?
  private let memory: UnsafeMutableRawPointer

  /// - Parameter type: A class whose objects store only attributes, so that they can show any row; nil to keep no
  ///   accessors.
  init(_ type: ObjectBase.Type?) {
    self.type = type
    let count = type == nil ? 0 : Self.count
    memory = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    for index in 0..<count {
      (memory + index * Self.stride).bindMemory(to: Entry.self, capacity: 1).initialize(to: Entry())
    }
  }

  /// Releases the accessors. They must not be used afterwards.
  func deallocate() {
    for index in 0..<(type == nil ? 0 : Self.count) {
      let entry = entry(index)
      entry.pointee.accessor.exchange(nil, ordering: .acquiring)?.release()
      entry.deinitialize(count: 1)
    }
    memory.deallocate()
  }

  /// Takes an accessor, which shows no row; nil if there is none.
  @inline(__always)
  func take<T: ObjectBase>(_ type: T.Type) -> Unmanaged<T>? {
    guard type == self.type,
      let accessor = ownEntry.pointee.accessor.exchange(nil, ordering: .acquiring)
    else { return nil }
    return .fromOpaque(accessor.toOpaque())
  }

  /// Keeps the accessor, unless there are other references to it: in that case, it continues to show its row.
  @inline(__always)
  func giveBack<T: ObjectBase>(_ taken: Unmanaged<T>) {
    var accessor = taken.takeRetainedValue()
    guard T.self == type, isKnownUniquelyReferenced(&accessor) else { return }
    accessor.storage = nil
    accessor.owner = nil
    let kept = Unmanaged<ObjectBase>.passRetained(consume accessor)
    ownEntry.pointee.accessor.exchange(kept, ordering: .acquiringAndReleasing)?.release()
  }

  /// The entry of this thread, which other threads may share.
  @inline(__always)
  private var ownEntry: UnsafeMutablePointer<Entry> {
    let hash = UInt64(Lock.currentThread) &* 0x9E37_79B9_7F4A_7C15
    return entry(Int(truncatingIfNeeded: hash >> 32) & (Self.count - 1))
  }

  @inline(__always)
  private func entry(_ index: Int) -> UnsafeMutablePointer<Entry> {
    (memory + index * Self.stride).assumingMemoryBound(to: Entry.self)
  }
}
