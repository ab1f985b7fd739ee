import Synchronization

/// Accessors of a class that nobody uses at present, so that those who need one need not make it.
///
/// Whoever takes one has it alone. While it rests it shows no row and keeps no store alive. There are a few, chosen
/// by the thread, so that threads seldom wait for each other's cache lines.
struct SpareAccessors {
  private struct Place: ~Copyable {
    let resting = Atomic<Unmanaged<ObjectBase>?>(nil)
  }

  /// A power of two.
  private static let count = 8
  /// A cache line, and the one that is fetched with it.
  private static let stride = 128

  /// Of the accessors that can be kept; nil for none.
  private let type: ObjectBase.Type?
  private let memory: UnsafeMutableRawPointer

  /// Of a class whose objects store nothing beside their attributes: that would stay in them, and they could not
  /// show another row. Nil: none can be kept.
  init(_ type: ObjectBase.Type?) {
    self.type = type
    let count = type == nil ? 0 : Self.count
    memory = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    for index in 0..<count {
      (memory + index * Self.stride).bindMemory(to: Place.self, capacity: 1).initialize(to: Place())
    }
  }

  /// Ends the accessors; nobody may use them any more.
  func deallocate() {
    for index in 0..<(type == nil ? 0 : Self.count) {
      let place = place(index)
      place.pointee.resting.exchange(nil, ordering: .acquiring)?.release()
      place.deinitialize(count: 1)
    }
    memory.deallocate()
  }

  /// An accessor, which shows no row; nil if there is none.
  @inline(__always)
  func take<T: ObjectBase>(_ type: T.Type) -> Unmanaged<T>? {
    guard type == self.type,
      let accessor = ownPlace.pointee.resting.exchange(nil, ordering: .acquiring)
    else { return nil }
    return .fromOpaque(accessor.toOpaque())
  }

  /// Keeps the accessor if nobody else refers to it: then it goes on to show its row.
  @inline(__always)
  func giveBack<T: ObjectBase>(_ taken: Unmanaged<T>) {
    var accessor = taken.takeRetainedValue()
    guard T.self == type, isKnownUniquelyReferenced(&accessor) else { return }
    accessor.storage = nil
    accessor.owner = nil
    let kept = Unmanaged<ObjectBase>.passRetained(consume accessor)
    ownPlace.pointee.resting.exchange(kept, ordering: .acquiringAndReleasing)?.release()
  }

  /// The place of this thread, and of some others.
  @inline(__always)
  private var ownPlace: UnsafeMutablePointer<Place> {
    let hash = UInt64(Lock.currentThread) &* 0x9E37_79B9_7F4A_7C15
    return place(Int(truncatingIfNeeded: hash >> 32) & (Self.count - 1))
  }

  @inline(__always)
  private func place(_ index: Int) -> UnsafeMutablePointer<Place> {
    (memory + index * Self.stride).assumingMemoryBound(to: Place.self)
  }
}
