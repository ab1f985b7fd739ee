/// The backing storage of a ``List``, ``MutableSet`` or ``Map``: an array while its object is unmanaged, the
/// elements in the row once it is managed.
///
/// A box created for an unmanaged object follows it. When the object is added to a store, the same box shows the row,
/// even if the object has been released since. After a rollback, the box shows its previous elements again.
public final class _CollectionBox<Element: CollectionElement> {
  /// The elements while unmanaged; for maps, the values in the order of `keys`.
  var items: [Element] = []
  /// The keys of a map, sorted by their UTF-8 bytes.
  var keys: [String] = []
  /// The object that owns the attribute, if it was unmanaged when the attribute was first read.
  private(set) weak var followedObject: ObjectBase?
  /// The managed object that owns the attribute.
  private var object: ObjectBase? {
    didSet { unretainedObject = object.map(Unmanaged.passUnretained) }
  }
  /// The same object. Reading an element through it retains nothing.
  @exclusivity(unchecked) private var unretainedObject: Unmanaged<ObjectBase>?
  /// The byte offset of the attribute in `followedObject`.
  private var offset = 0
  private var column: Int
  /// The row of `followedObject`, from `add` until a rollback.
  private var location: CollectionLocation?

  init() {
    object = nil
    column = 0
  }

  /// Creates the box of a managed object's attribute.
  init(_ object: ObjectBase, _ column: Int) {
    self.object = object
    self.column = column
    unretainedObject = .passUnretained(object)
  }

  func follow(_ object: ObjectBase, _ offset: Int) {
    if followedObject == nil {
      followedObject = object
      self.offset = offset
    }
  }

  /// The managed object and the column that hold the elements; nil while unmanaged.
  var row: (object: ObjectBase, column: Int)? {
    if let object {
      return prepareRead(object) ? (object, column) : nil
    }
    if let followedObject {
      return followedObject.storage == nil ? nil : (followedObject, followedObject.locate(offset))
    }
    guard let location else { return nil }
    let object = location.handle.accessor(location.entry, location.slot)
    self.object = object
    column = location.column
    return (object, column)
  }

  /// Makes the managed object show the current version. Returns false after a rollback that made it unmanaged: then the
  /// row of this box no longer exists.
  @inline(__always)
  private func prepareRead(_ object: ObjectBase) -> Bool {
    guard let storage = object.storage else { return false }
    let isFirstRead = storage.pointee.columnEpoch != object.epoch
    if isFirstRead { object.handle?.refresh(object, storage) }
    if isFirstRead || storage.pointee.isTracked { object.noteRead(column) }
    return true
  }

  func isSame(as other: _CollectionBox) -> Bool {
    if self === other { return true }
    guard let mine = row, let others = other.row else { return false }
    return mine.object == others.object && mine.column == others.column
  }

  /// True if the recorder returned this collection while recording a key path.
  func isRecorded(by recorder: _KeyPathRecorder) -> Bool {
    object?.owner === recorder
  }

  // MARK: - Reading

  var count: Int {
    if let unretainedObject {
      let count = unretainedObject._withUnsafeGuaranteedRef { managedCount($0) }
      return count ?? items.count
    }
    guard let (object, column) = row else { return items.count }
    return Int(object.slice(column).length)
  }

  private func managedCount(_ object: ObjectBase) -> Int? {
    prepareRead(object) ? Int(object.slice(column).length) : nil
  }

  /// - Parameter name: The collection's type, for the message about an index out of range.
  func element(_ index: Int, _ name: String) -> Element {
    if let unretainedObject {
      let element = unretainedObject._withUnsafeGuaranteedRef { object -> Element? in
        prepareRead(object) ? managedElement(index, name, object, column) : nil
      }
      if let element { return element }
    }
    if let (object, column) = row { return managedElement(index, name, object, column) }
    guard items.indices.contains(index) else {
      misuse("\(name) index must be in 0..<\(items.count) (was \(index))")
    }
    return items[index]
  }

  private func managedElement(
    _ index: Int, _ name: String, _ object: ObjectBase, _ column: Int
  ) -> Element {
    let current = object.columns + column
    let slice = object.slice(column)
    guard index >= 0, index < Int(slice.length) else {
      misuse("\(name) index must be in 0..<\(slice.length) (was \(index))")
    }
    let (handle, layout) = layout(object, column)
    let word = current.pointee.elementWord(slice, index, layout)
    let isNull =
      layout.hasNullElements && current.pointee.element(slice, index, layout).isNull
    return Element._elementRead(
      word, isNull: isNull, current, _ElementSource(handle, targetTable: layout.targetTable))
  }

  func key(_ index: Int) -> String {
    guard let (object, column) = row else { return keys[index] }
    let current = object.columns[column]
    let bytes = current.element(object.slice(column), index, layout(object, column).1).key
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The index of a key in a map, or the index at which it would be inserted.
  func index(ofKey key: String) -> (index: Int, isFound: Bool) {
    if let (object, column) = row, let handle = object.handle {
      return handle.index(ofKey: key, object, column)
    }
    let index = keys.indices.partitionPoint { keys[$0].precedesByBytes(key) }
    return (index, index < keys.count && keys[index].hasSameBytes(as: key))
  }

  /// True if a set contains the element.
  func contains(_ element: Element) -> Bool {
    guard let (object, column) = row, let handle = object.handle else {
      return items.contains { $0._elementEquals(element) }
    }
    return handle.index(of: element, object, column) != nil
  }

  private func layout(_ object: ObjectBase, _ column: Int) -> (StoreHandle, ColumnLayout) {
    guard let handle = object.handle, let layouts = object.storage?.pointee.layouts else {
      misuse("a managed collection has no store")
    }
    return (handle, layouts[column])
  }

  /// The current elements, for iteration.
  var snapshot: ElementSnapshot<Element> {
    guard let (object, column) = row else { return ElementSnapshot(items, keys: keys) }
    let (handle, layout) = layout(object, column)
    handle.noteLoop(object, column)
    return ElementSnapshot(
      RetainedSlice(object.columns[column], object.slice(column), layout), handle)
  }

  // MARK: - Writing

  /// Returns the managed row, after checking that it can be written; misuse outside a write.
  func writableRow() -> (object: ObjectBase, column: Int)? {
    guard let row else { return nil }
    guard row.object.storage?.pointee.isWritable ?? false else {
      row.object.misuseOutsideWrite()
    }
    return row
  }

  /// The time of the last change that the open write has made to objects of the same class, in ticks.
  var lastEdit: Int {
    guard let (object, _) = row, let storage = object.storage else { return 0 }
    return object.handle?.transaction?.writer(storage.pointee.table).times.last ?? 0
  }

  /// Makes one change, to the row if there is one, otherwise to the array.
  func edit(
    managed: (StoreHandle, ObjectBase, Int) -> Void, unmanaged: (inout [Element]) -> Void
  ) {
    if let (object, column) = writableRow(), let handle = object.handle {
      managed(handle, object, column)
    } else {
      unmanaged(&items)
    }
  }

  /// Replaces the elements of `range`, which is within the collection; for a map, also their keys.
  func replace(_ range: Range<Int>, with new: [Element], keys newKeys: [String] = []) {
    // Released after the change, because a `deinit` in user code may read the collection.
    var replaced: [Element] = []
    edit {
      $0.replaceElements($1, $2, range, with: new, keys: newKeys)
    } unmanaged: {
      if $0.count == keys.count { keys.replaceSubrange(range, with: newKeys) }
      replaced = Array($0[range])
      $0.replaceSubrange(range, with: new)
    }
    withExtendedLifetime(replaced) {}
  }

  /// Replaces all elements of a managed collection.
  func replaceManaged(_ new: [Element], keys: [String] = []) {
    guard let (object, column) = writableRow(), let handle = object.handle else { return }
    handle.writeCollection(object, column, new, keys: keys)
  }
}

extension ObjectBase {
  /// The elements of a collection of a managed object whose columns are up to date; empty after its row was deleted.
  @inline(__always)
  func slice(_ column: Int) -> CollectionSlice {
    columns[TableLayout.liveColumn].byte(row) == 0 ? .empty : columns[column].slice(row)
  }
}

// MARK: - Adding to a store

extension _CollectionBox: AttachableBox {
  func attach(to location: CollectionLocation) {
    self.location = location
    object = nil
  }

  func detach() {
    location = nil
    object = nil
  }
}
