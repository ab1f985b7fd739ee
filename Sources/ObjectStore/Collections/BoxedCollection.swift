/// The common interface of ``List``, ``MutableSet`` and ``Map``, which refer to a box with the elements of an
/// unmanaged object or of a row.
///
/// Do not conform your own types to this protocol.
nonisolated public protocol _BoxedCollection: PersistableValue {
  /// The type of the elements in the box; for a map, of the values.
  associatedtype BoxedElement: CollectionElement
  /// The kind of the collection.
  static var _storageForm: AttributeShape.Form { get }
  /// The box; nil for an attribute that has not been read yet.
  var _storageBox: _CollectionBox<BoxedElement>? { get set }
  /// Creates the collection of a box; nil for an attribute that has not been read yet.
  init(_storageBox: _CollectionBox<BoxedElement>?)
}

extension _BoxedCollection {
  public static var _storageDefault: Self { Self(_storageBox: nil) }

  public static var _storageShape: AttributeShape {
    var shape = BoxedElement._elementShape
    shape.form = _storageForm
    return shape
  }

  // MARK: - Managed

  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(_storageBox: _CollectionBox(object, column))
  }

  /// Copies the elements; assigning a collection to itself changes nothing.
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    let target = _storageRead(object, column)
    if let source = value._storageBox, target._storageBox?.isSame(as: source) ?? false { return }
    target.assignContents(of: value)
  }

  // MARK: - Unmanaged

  public static func _storageGet(_ stored: inout Self, _ object: ObjectBase, _ offset: Int) -> Self
  {
    if stored._storageBox == nil { stored._storageBox = _CollectionBox() }
    stored._storageBox?.follow(object, offset)
    return stored
  }

  public static func _storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int
  ) {
    let target = _storageGet(&stored, object, offset)
    if target._storageBox === value._storageBox { return }
    target.assignContents(of: value)
  }

  public static func _storageExport(_ value: Self, _ export: _BatchExport) throws -> _BatchCell {
    let mark = export.batch.beginElements()
    if let box = value._storageBox {
      if let owner = box.followedObject { export.record(box, of: owner) }
      let snapshot = box.snapshot
      for index in 0..<snapshot.count {
        if _storageForm == .map {
          export.batch.appendElement(try export.key(snapshot.key(index)))
        }
        export.batch.appendElement(try snapshot[index]._elementExport(export))
      }
    }
    return export.batch.endElements(mark)
  }

  /// Returns an empty collection for null. Accepts an array or set of elements in place of the collection type.
  public static func _storageValue(_ any: Any?) -> Self? {
    guard let any else { return Self(_storageBox: _CollectionBox()) }
    if let value = any as? Self { return value }
    guard _storageForm != .map, let elements = any as? any Sequence else { return nil }
    let box = _CollectionBox<BoxedElement>()
    for element in elements {
      guard let element = element as? BoxedElement else { return nil }
      box.items.append(element)
    }
    return Self(_storageBox: box)
  }

  // MARK: - Key paths

  public static func _storageSentinel(_ round: Int, _ recorder: _KeyPathRecorder) -> Self {
    _storageDefault
  }

  public static func _storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: _KeyPathRecorder
  ) -> Bool {
    value._storageBox?.isRecorded(by: recorder) ?? false
  }
}

extension _BoxedCollection {
  /// The current elements.
  var snapshot: ElementSnapshot<BoxedElement> {
    _storageBox?.snapshot ?? ElementSnapshot([], keys: [])
  }

  private func assignContents(of other: Self) {
    let snapshot = other.snapshot
    assignContents(snapshot.elements, keys: Self._storageForm == .map ? snapshot.keys : [])
  }

  /// Replaces all elements; `keys` are those of a map, sorted.
  func assignContents(_ elements: [BoxedElement], keys: [String] = []) {
    guard let box = _storageBox else {
      if elements.isEmpty { return }
      misuse("\(Self.self): this collection belongs to no attribute")
    }
    if box.row == nil {
      // Released after the change, because a `deinit` in user code may read the collection.
      let replaced = box.items
      box.items = elements
      box.keys = keys
      withExtendedLifetime(replaced) {}
    } else {
      box.replaceManaged(elements, keys: keys)
    }
  }
}
