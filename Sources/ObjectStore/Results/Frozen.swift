/// An object as it was in one version: immutable, `Sendable`, readable anywhere.
///
///     let frozen = animal.frozen()
///     Task.detached { print(frozen.name, frozen.owner?.name ?? "–") }
///
/// It reads like the object; links lead to frozen objects, lists and sets of objects
/// to ``FrozenResults``, collections of values to Swift's own. It keeps its version alive.
///
/// The object that a getter of the class runs on shows other rows afterwards, unless the getter lets it out: nothing
/// should refer to it weakly, and a `deinit` of the class does not see the row.
@dynamicMemberLookup
// Sendable: it reads an immutable version through an accessor that nobody else has meanwhile.
public struct Frozen<T: ObjectBase>: @unchecked Sendable {
  let handle: StoreHandle
  // Not counted, which would cost as much as the read: the handle knows the class for as long as it lives.
  private let knownEntry: Unmanaged<ClassEntry>
  let slot: Int

  init(_ handle: StoreHandle, _ slot: Int) {
    self.init(handle, handle.trustedEntry(T.self), slot)
  }

  fileprivate init(_ handle: StoreHandle, _ entry: ClassEntry, _ slot: Int) {
    self.init(handle, .passUnretained(entry), slot)
  }

  @inline(__always)
  fileprivate init(_ handle: StoreHandle, _ entry: Unmanaged<ClassEntry>, _ slot: Int) {
    self.handle = handle
    knownEntry = entry
    self.slot = slot
  }

  var entry: ClassEntry { knownEntry.takeUnretainedValue() }

  /// An accessor of its own, for good.
  package var object: T { handle.object(entry, slot) }

  /// Reads through an accessor that nobody else has meanwhile: accessors are not shared between threads.
  /// R22.
  @inlinable @inline(__always)
  func reading<R>(_ body: (T) -> R) -> R {
    let accessor = takeAccessor()
    let result = accessor._withUnsafeGuaranteedRef { body($0) }
    giveBack(accessor)
    return result
  }

  @usableFromInline
  func takeAccessor() -> Unmanaged<T> {
    knownEntry._withUnsafeGuaranteedRef { entry in
      guard let spare = entry.spares.take(T.self) else { return .passRetained(object) }
      spare._withUnsafeGuaranteedRef { handle.show(entry, slot, by: $0) }
      return spare
    }
  }

  @usableFromInline
  func giveBack(_ accessor: Unmanaged<T>) {
    knownEntry._withUnsafeGuaranteedRef { $0.spares.giveBack(accessor) }
  }

  /// The attribute's value in that version.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: KeyPath<T, Value>) -> Value {
    reading { $0[keyPath: keyPath] }
  }

  /// The linked object in that version; nil for no link.
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, Target?>
  ) -> Frozen<Target>? {
    reading { $0[keyPath: keyPath].map { Frozen<Target>(handle, $0.slot) } }
  }

  /// The objects of a list in that version, in order.
  ///
  /// - Complexity: O(1).
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, List<Target>>
  ) -> FrozenResults<Target> {
    reading { FrozenResults(handle, $0[keyPath: keyPath].snapshot) }
  }

  /// The objects that linked here in that version.
  ///
  /// - Complexity: O(objects that linked here), at each call.
  public subscript<Target: Object>(
    dynamicMember keyPath: KeyPath<T, LinkingObjects<Target>>
  ) -> FrozenResults<Target> {
    reading { FrozenResults(handle, $0[keyPath: keyPath].map(\.slot)) }
  }

  /// The values of a list in that version, in order.
  ///
  /// - Complexity: O(n), at each call: the values are copied.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, List<Value>>
  ) -> [Value] {
    reading { Array($0[keyPath: keyPath]) }
  }

  /// The values of a list in that version, in order; nil for a null.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, List<Value?>>
  ) -> [Value?] {
    reading { Array($0[keyPath: keyPath]) }
  }

  /// The objects of a set in that version, in order of insertion into the store.
  ///
  /// - Complexity: O(1).
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, MutableSet<Target>>
  ) -> FrozenResults<Target> {
    reading { FrozenResults(handle, $0[keyPath: keyPath].snapshot) }
  }

  /// The elements of a set in that version: a `Set` of Swift's, in which texts that differ in
  /// their normal form alone are one.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, MutableSet<Value>>
  ) -> Set<Value> {
    reading { Set($0[keyPath: keyPath]) }
  }

  /// The values of a map in that version, by key: a `Dictionary` of Swift's, in which keys that
  /// differ in their normal form alone are one.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, Map<String, Value>>
  ) -> [String: Value] {
    reading { $0[keyPath: keyPath].dictionary }
  }

  /// The same of a map whose values may be nil: a key that has none is in it.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, Map<String, Value?>>
  ) -> [String: Value?] {
    reading { $0[keyPath: keyPath].dictionary }
  }

  /// The objects of a map in that version, by key; nil for a key that leads to none.
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, Map<String, Target?>>
  ) -> [String: Frozen<Target>?] {
    reading {
      $0[keyPath: keyPath].dictionary.mapValues { $0.map { Frozen<Target>(handle, $0.slot) } }
    }
  }

  /// The objects of a map in that version, by key.
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, Map<String, Target>>
  ) -> [String: Frozen<Target>] {
    reading { $0[keyPath: keyPath].dictionary.mapValues { Frozen<Target>(handle, $0.slot) } }
  }

  /// Calls `body` with the object as an accessor, which must not leave it.
  public func withObject<R: Sendable>(_ body: (T) throws -> R) rethrows -> R {
    try body(object)
  }
}

/// Objects as they were in one version: immutable and `Sendable`.
// Sendable: see ``Frozen``.
public struct FrozenResults<T: ObjectBase>: @unchecked Sendable, RandomAccessCollection {
  let handle: StoreHandle
  // As in ``Frozen``.
  private let knownEntry: Unmanaged<ClassEntry>
  let slots: SlotSequence

  init(_ handle: StoreHandle, _ slots: [Int]) {
    self.init(handle, handle.trustedEntry(T.self), .sparse(slots))
  }

  /// The objects of a collection, without a copy of it where it is one of the store's.
  fileprivate init(_ handle: StoreHandle, _ elements: ElementSnapshot<T>) {
    let slots =
      elements.run.map { .targets($0) } ?? SlotSequence.sparse(elements.elements.map(\.slot))
    self.init(handle, handle.trustedEntry(T.self), slots)
  }

  init(_ handle: StoreHandle, _ entry: ClassEntry, _ slots: SlotSequence) {
    self.handle = handle
    knownEntry = .passUnretained(entry)
    self.slots = slots
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { slots.count }

  /// The object at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Frozen<T> {
    guard index >= 0, index < slots.count else {
      misuse("FrozenResults index must be < \(slots.count) (was \(index))")
    }
    return Frozen(handle, knownEntry, slots[index])
  }
}

extension ObjectProtocol {
  /// The object as it is now, for any isolation. The object must be managed; misuse otherwise.
  ///
  /// - Complexity: O(1) while anything frozen of the same version is held, else O(classes of the store).
  public func frozen() -> Frozen<Self> {
    guard let handle, let storage else {
      misuse("\(Self.self).frozen(): the object is not managed")
    }
    let frozen = handle.isFrozen ? handle : handle.freeze()
    return Frozen(frozen, frozen.entry(ofTable: storage.pointee.table), slot)
  }
}

extension Results {
  /// The objects as they are now, for any isolation.
  public func frozen() -> FrozenResults<Element> {
    noteSearch()
    let frozen = handle.isFrozen ? handle : handle.freeze()
    return FrozenResults(
      frozen, frozen.entry(ofTable: entry.table),
      query == nil ? SlotSequence(frozen.tableVersion(entry.table)) : slots)
  }
}
