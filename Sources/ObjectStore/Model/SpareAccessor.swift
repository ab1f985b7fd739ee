import Synchronization

/// An accessor that nobody uses at present, so that the next one who needs it need not make one.
///
/// Whoever takes it has it alone. While it rests it shows no row and keeps no store alive.
struct SpareAccessor: ~Copyable {
  /// Of the accessors that can be kept; nil for none.
  private let type: ObjectBase.Type?
  private let resting = Atomic<Unmanaged<ObjectBase>?>(nil)

  /// What an object stores beside its attributes stays in it: then it cannot show another row.
  init(_ model: ModelClass) {
    type = model.holdsOnlyAttributes ? model.type : nil
  }

  deinit {
    resting.exchange(nil, ordering: .acquiring)?.release()
  }

  /// The accessor, which shows no row; nil if somebody has it.
  @inline(__always)
  func take<T: ObjectBase>(_ type: T.Type) -> Unmanaged<T>? {
    guard type == self.type,
      let accessor = resting.exchange(nil, ordering: .acquiring)
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
    resting.exchange(kept, ordering: .acquiringAndReleasing)?.release()
  }
}
