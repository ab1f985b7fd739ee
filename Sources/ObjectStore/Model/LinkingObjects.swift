/// The objects that link to this one: the inverse of a link or a collection of links.
///
///     @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
///
/// Live and read-only; empty while the object is unmanaged. An origin stands in it once, however
/// often its list holds the object. The order is that of insertion of the origins.
///
/// - Complexity: the first read after a change O(matches), others O(1).
public struct LinkingObjects<Element: Object> {
  private let object: ObjectBase?
  private let column: Int

  init(_ object: ObjectBase?, _ column: Int) {
    self.object = object
    self.column = column
  }

  /// The object whose inverse links these are, and the attribute; nil for those of no object.
  var row: (object: ObjectBase, column: Int)? { object.map { ($0, column) } }

  /// The origins' class and their slots, ascending; nil while the object is unmanaged.
  private var origins: (handle: StoreHandle, entry: ClassEntry, slots: [Int])? {
    guard let object, let handle = object.handle, let storage = object.storage else { return nil }
    handle.noteOrigins(storage.pointee.table, column)
    guard let (entry, slots) = handle.originSlots(object, column)
    else { return nil }
    return (handle, entry, slots)
  }
}

extension LinkingObjects: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of origins.
  public var endIndex: Int { origins?.slots.count ?? 0 }
  /// The number of origins.
  public var count: Int { endIndex }
  /// Whether there is no origin.
  public var isEmpty: Bool { endIndex == 0 }

  /// The origin at `index`, which is in `0..<count`; else misuse. A loop is cheaper than indices.
  public subscript(index: Int) -> Element {
    let origins = origins
    guard let origins, origins.slots.indices.contains(index) else {
      misuse("LinkingObjects index must be < \(origins?.slots.count ?? 0) (was \(index))")
    }
    return origins.handle.object(origins.entry, origins.slots[index])
  }

  /// The results of `transform` for the origins that are there when it begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Walks the origins that are there now.
  public func makeIterator() -> IndexingIterator<[Element]> {
    guard let origins else { return [Element]().makeIterator() }
    return origins.slots.map { origins.handle.object(origins.entry, $0) }.makeIterator()
  }
}

extension LinkingObjects: PersistableValue {
  public static var _storageDefault: LinkingObjects { LinkingObjects(nil, 0) }

  public static var _storageShape: AttributeShape {
    AttributeShape(.linkingObjects, target: Element.self)
  }

  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> LinkingObjects {
    LinkingObjects(object, column)
  }

  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: LinkingObjects) {
    misuse("\(object.className): LinkingObjects cannot be assigned; change the links themselves")
  }

  public static func _storageExport(
    _ value: LinkingObjects, _ export: _BatchExport
  ) throws -> _BatchCell { .absent }

  public static func _storageSentinel(
    _ round: Int, _ recorder: _KeyPathRecorder
  ) -> LinkingObjects { _storageDefault }

  public static func _storageIsSentinel(
    _ value: LinkingObjects, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    value.object?.owner === recorder
  }
}
