/// The elements behind a ``List``, ``MutableSet`` or ``Map``: an array while its object is
/// unmanaged, the row's elements once it is managed.
///
/// A box made for an unmanaged object follows it: when the object is added to a store the same box
/// shows the row, and after a rollback the elements it had.
public final class CollectionBox<Element: CollectionElement> {
  /// Elements while unmanaged; for maps the values, in the order of `keys`.
  var items: [Element] = []
  /// A map's keys, sorted by their UTF-8 bytes.
  var keys: [String] = []
  /// The object whose attribute this is, while it was unmanaged when the box was made.
  private(set) weak var follower: ObjectBase?
  /// The managed object whose attribute this is.
  private let object: ObjectBase?
  /// Byte offset of the attribute in `follower`.
  private var offset = 0
  private let column: Int

  init() {
    object = nil
    column = 0
  }

  /// The collection of a managed object.
  init(_ object: ObjectBase, _ column: Int) {
    self.object = object
    self.column = column
  }

  func follow(_ object: ObjectBase, _ offset: Int) {
    if follower == nil {
      follower = object
      self.offset = offset
    }
  }

  /// The managed object and the column that hold the elements; nil while unmanaged.
  var place: (object: ObjectBase, column: Int)? {
    if let object {
      // A rollback made it unmanaged: the row this box showed is gone.
      guard object.storage != nil else { return nil }
      if object.storage?.pointee.epoch != object.epoch { refresh(object) }
      return (object, column)
    }
    guard let follower, follower.storage != nil else { return nil }
    return (follower, follower.locate(offset))
  }

  private func refresh(_ object: ObjectBase) {
    guard let storage = object.storage, let handle = object.handle else { return }
    handle.refresh(object, storage)
  }

  func isSame(as other: CollectionBox) -> Bool {
    if self === other { return true }
    guard let mine = place, let others = other.place else { return false }
    return mine.object == others.object && mine.column == others.column
  }

  /// Whether it was given out while a key path was recorded.
  func isRecorded(by recorder: KeyPathRecorder) -> Bool {
    object?.owner === recorder
  }

  // MARK: - Reading

  var count: Int {
    guard let (object, column) = place else { return items.count }
    return Int(object.columns[column].run(object.row).length)
  }

  /// - Parameter name: the collection's type, for the message of a wrong index.
  func element(_ index: Int, _ name: String) -> Element {
    guard let (object, column) = place else {
      guard items.indices.contains(index) else {
        misuse("\(name) index must be < \(items.count) (was \(index))")
      }
      return items[index]
    }
    let cell = object.columns + column
    let run = cell.pointee.run(object.row)
    guard index >= 0, index < Int(run.length) else {
      misuse("\(name) index must be < \(run.length) (was \(index))")
    }
    let layout = layout(object, column)
    let word = cell.pointee.elements.unsafelyUnwrapped[
      Int(run.offset) + index * layout.elementStride + (layout.collection == .map ? 1 : 0)]
    let isNull =
      layout.hasNullElements && cell.pointee.element(run, index, layout).isNull
    return Element.elementRead(word, isNull: isNull, cell, object, column)
  }

  func key(_ index: Int) -> String {
    guard let (object, column) = place else { return keys[index] }
    let cell = object.columns[column]
    let bytes = cell.element(cell.run(object.row), index, layout(object, column)).key
    return String(decoding: bytes, as: UTF8.self)
  }

  private func layout(_ object: ObjectBase, _ column: Int) -> ColumnLayout {
    guard let storage = object.storage, let handle = object.handle else {
      misuse("a collection without its store")
    }
    return handle.layout(storage.pointee.table).columns[column]
  }

  /// A map's keys, in order.
  var allKeys: [String] {
    guard place != nil else { return keys }
    return (0..<count).map { key($0) }
  }

  /// All elements, in order.
  var elements: [Element] {
    guard place != nil else { return items }
    return (0..<count).map { element($0, "collection") }
  }

  // MARK: - Writing

  /// The managed place, ready to be written; misuse outside a write.
  func writablePlace() -> (object: ObjectBase, column: Int)? {
    guard let place else { return nil }
    guard place.object.storage?.pointee.isWritable ?? false else {
      place.object.misuseOutsideWrite()
    }
    return place
  }

  /// Replaces all elements of a managed collection.
  func replaceManaged(_ new: [Element], keys: [String] = []) {
    guard let (object, column) = writablePlace(), let handle = object.handle else { return }
    handle.writeCollection(object, column, new, keys: keys)
  }
}
