/// The objects that link to this one: the inverse of a link or of a collection of links.
///
///     @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
///
/// The collection is live and read-only, and empty while the object is unmanaged. It contains each linking object once,
/// even if a list of that object contains this one several times. Linking objects are in order of insertion into the
/// store.
///
/// - Complexity: `first` and `isEmpty` are O(log n). `count` and `subscript` are O(log n) if the linking attribute is a
///   link or a set; for a list or map, O(matches) for the first read after a change, then O(1). Backlinks are
///   maintained from the first write after the inverse was first read; until then, the first read after each change is
///   O(objects of the class).
public struct LinkingObjects<Element: Object> {
  private let object: ObjectBase?
  private let column: Int

  init(_ object: ObjectBase?, _ column: Int) {
    self.object = object
    self.column = column
  }

  /// The object that the elements link to, and the column of its inverse links; nil without an object.
  var row: (object: ObjectBase, column: Int)? { object.map { ($0, column) } }

  /// Nil while the object is unmanaged.
  private var origins: OriginRows? {
    guard let object, let handle = object.handle, let storage = object.storage else { return nil }
    handle.noteOrigins(storage.pointee.table, column)
    return handle.origins(object, column)
  }

  /// The rows of the linking objects.
  var slots: [Int] { origins?.slots ?? [] }
}

extension LinkingObjects: RandomAccessCollection {
  /// The index of the first object: 0.
  public var startIndex: Int { 0 }
  /// The number of linking objects.
  public var endIndex: Int { origins?.count ?? 0 }
  /// The number of linking objects.
  public var count: Int { endIndex }
  /// A Boolean value that indicates whether there are no linking objects.
  public var isEmpty: Bool { origins?.first == nil }
  /// The first linking object; nil if there is none.
  public var first: Element? {
    origins.flatMap { origins in origins.first.map { origins.object($0) } }
  }

  /// The linking object at `index`, which must be in `0..<count`. Iterating is cheaper than subscripting.
  public subscript(index: Int) -> Element {
    let origins = origins
    let count = origins?.count ?? 0
    guard let origins, index >= 0, index < count else {
      misuse("LinkingObjects index must be in 0..<\(count) (was \(index))")
    }
    return origins.object(origins[index])
  }

  /// Returns the results of `transform` for the objects that link to this one when the call begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Returns an iterator over the current linking objects.
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
