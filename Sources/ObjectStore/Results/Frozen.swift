/// An immutable object of one version: `Sendable` and readable in any isolation.
///
///     let frozen = animal.frozen()
///     Task.detached { print(frozen.name, frozen.owner?.name ?? "–") }
///
/// It has the attributes of the object. A link returns a frozen object; a list or set of objects returns
/// ``FrozenResults``; a collection of values returns a standard Swift collection. A frozen object retains its
/// version.
///
/// A getter of the class runs on a temporary instance, which is reused for other rows afterwards unless the getter
/// lets it escape. Do not keep weak references to it; a `deinit` of the class cannot read the row.
@dynamicMemberLookup
// Sendable: it reads an immutable version, through an accessor that only one reader uses at a time.
public struct Frozen<T: ObjectBase>: @unchecked Sendable {
  let handle: StoreHandle
  // Unretained, because a retain would cost as much as the read. The handle keeps the class entry alive.
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

  /// A new accessor of the row, never reused for another row.
  package var object: T { handle.object(entry, slot) }

  /// Runs `body` with a pooled accessor that no other reader uses meanwhile: accessors are not shared between threads.
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

  /// The linked object in that version; nil if there is no link.
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, Target?>
  ) -> Frozen<Target>? {
    reading { $0[keyPath: keyPath].map { Frozen<Target>(handle, $0.slot) } }
  }

  /// The objects of a list in that version, in list order.
  ///
  /// - Complexity: O(1).
  public subscript<Target: ObjectBase>(
    dynamicMember keyPath: KeyPath<T, List<Target>>
  ) -> FrozenResults<Target> {
    reading { FrozenResults(handle, $0[keyPath: keyPath].snapshot) }
  }

  /// The objects that linked to this object in that version.
  ///
  /// - Complexity: O(objects that linked to this one) for the first access, and after an access to the inverse links of
  ///   another object of the version; otherwise O(1).
  public subscript<Target: Object>(
    dynamicMember keyPath: KeyPath<T, LinkingObjects<Target>>
  ) -> FrozenResults<Target> {
    reading { FrozenResults(handle, $0[keyPath: keyPath].slots) }
  }

  /// The values of a list in that version, in list order.
  ///
  /// - Complexity: O(n) at each access, to copy the values.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, List<Value>>
  ) -> [Value] {
    reading { Array($0[keyPath: keyPath]) }
  }

  /// The values of a list in that version, in list order. Null elements are nil.
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

  /// The elements of a set in that version, as a `Set`. Canonically equivalent strings become one element.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, MutableSet<Value>>
  ) -> Set<Value> {
    reading { Set($0[keyPath: keyPath]) }
  }

  /// The elements of a set in that version, as a `Set`. A null element is nil.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, MutableSet<Value?>>
  ) -> Set<Value?> {
    reading { Set($0[keyPath: keyPath]) }
  }

  /// The values of a map in that version, by key, as a `Dictionary`. Canonically equivalent keys become one key.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, Map<String, Value>>
  ) -> [String: Value] {
    reading { $0[keyPath: keyPath].dictionary }
  }

  /// The optional values of a map in that version, by key. A key with a nil value is present.
  public subscript<Value: ScalarValue>(
    dynamicMember keyPath: KeyPath<T, Map<String, Value?>>
  ) -> [String: Value?] {
    reading { $0[keyPath: keyPath].dictionary }
  }

  /// The objects of a map in that version, by key. The value of a key without a link is nil.
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

  /// Calls `body` with an accessor of the object, which must not escape.
  public func withObject<R: Sendable>(_ body: (T) throws -> R) rethrows -> R {
    try body(object)
  }
}

extension Frozen where T: ObjectProtocol {
  /// Returns false if the store did not know the server's value of an attribute; see ``ObjectProtocol/isKnown(_:)``.
  public func isKnown(_ attribute: PartialKeyPath<T>) -> Bool {
    reading { $0.isKnown(attribute) }
  }
}

/// An immutable collection of the objects of one version: `Sendable` and readable in any isolation.
// Sendable: see ``Frozen``.
public struct FrozenResults<T: ObjectBase>: @unchecked Sendable, RandomAccessCollection {
  let handle: StoreHandle
  // Unretained, as in ``Frozen``.
  private let knownEntry: Unmanaged<ClassEntry>
  let slots: SlotSequence

  init(_ handle: StoreHandle, _ slots: [Int]) {
    self.init(handle, handle.trustedEntry(T.self), .sparse(slots))
  }

  /// Creates results with the objects of a collection. A collection in the store is not copied.
  fileprivate init(_ handle: StoreHandle, _ elements: ElementSnapshot<T>) {
    let slots =
      elements.slice.map { .targets($0) } ?? SlotSequence.sparse(elements.elements.map(\.slot))
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

  /// Accesses the object at `index`. An index outside `0..<count` is misuse.
  public subscript(index: Int) -> Frozen<T> {
    guard index >= 0, index < slots.count else {
      misuse("FrozenResults index must be in 0..<\(slots.count) (was \(index))")
    }
    return Frozen(handle, knownEntry, slots[index])
  }
}

extension ObjectProtocol {
  /// Returns the current state of the object, readable in any isolation. Calling it on an unmanaged object is misuse.
  ///
  /// - Complexity: O(1) after the first call for a version outside a write, else O(classes of the store).
  public func frozen() -> Frozen<Self> {
    guard let handle, let storage else {
      misuse("\(Self.self).frozen(): the object is not managed")
    }
    let frozen = handle.isFrozen ? handle : handle.freeze()
    return Frozen(frozen, frozen.entry(ofTable: storage.pointee.table), slot)
  }
}

extension Results {
  /// Returns the current objects, readable in any isolation.
  public func frozen() -> FrozenResults<Element> {
    noteSearch()
    let frozen = handle.isFrozen ? handle : handle.freeze()
    return FrozenResults(
      frozen, frozen.entry(ofTable: entry.table),
      query == nil ? SlotSequence(frozen.tableVersion(entry.table)) : slots)
  }
}
