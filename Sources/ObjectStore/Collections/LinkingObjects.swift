/// The objects that link to this one: the inverse of a link or a collection of links.
///
///     @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
///
/// Live and read-only; empty while the object is unmanaged. An origin stands in it once, however
/// often its list holds the object. The order is that of insertion of the origins.
///
/// - Complexity: first and isEmpty O(log n). Count and subscript O(log n) for origins that link by a link or
///   a set; by a list or map O(matches) for the first read after a change, then O(1). Before the first
///   write after the inverse was first read, O(objects of the class) once per change.
public struct LinkingObjects<Element: Object> {
  private let object: ObjectBase?
  private let column: Int

  init(_ object: ObjectBase?, _ column: Int) {
    self.object = object
    self.column = column
  }

  /// The object whose inverse links these are, and the attribute; nil for those of no object.
  var row: (object: ObjectBase, column: Int)? { object.map { ($0, column) } }

  /// Nil while the object is unmanaged.
  private var origins: OriginRows? {
    guard let object, let handle = object.handle, let storage = object.storage else { return nil }
    handle.noteOrigins(storage.pointee.table, column)
    return handle.origins(object, column)
  }
}

extension LinkingObjects: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of origins.
  public var endIndex: Int { origins?.count ?? 0 }
  /// The number of origins.
  public var count: Int { endIndex }
  /// Whether there is no origin.
  public var isEmpty: Bool { origins?.first == nil }
  /// The first origin; nil if there is none.
  public var first: Element? {
    origins.flatMap { origins in origins.first.map { origins.object($0) } }
  }

  /// The origin at `index`, which is in `0..<count`; else misuse. A loop is cheaper than indices.
  public subscript(index: Int) -> Element {
    let origins = origins
    let count = origins?.count ?? 0
    guard let origins, index >= 0, index < count else {
      misuse("LinkingObjects index must be < \(count) (was \(index))")
    }
    return origins.object(origins[index])
  }

  /// The results of `transform` for the origins that are there when it begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Walks the origins that are there now.
  public func makeIterator() -> IndexingIterator<[Element]> {
    guard let origins else { return [Element]().makeIterator() }
    return origins.slots.map { origins.object($0) }.makeIterator()
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
