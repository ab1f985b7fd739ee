/// What ``List``, ``MutableSet`` and ``Map`` have in common: they refer to a box, which shows the
/// elements of an unmanaged object or of a row.
///
/// Do not conform types of your own to it.
nonisolated public protocol BoxedCollection: PersistableValue {
  /// What the box holds: the elements, of a map the values.
  associatedtype BoxedElement: CollectionElement
  /// Which collection it is.
  static var storageForm: AttributeShape.Form { get }
  /// Nil for an attribute that nobody has read yet.
  var storageBox: CollectionBox<BoxedElement>? { get set }
  /// The collection of a box; nil for that of an attribute that nobody has read yet.
  init(storageBox: CollectionBox<BoxedElement>?)
}

extension BoxedCollection {
  public static var storageDefault: Self { Self(storageBox: nil) }

  public static var storageShape: AttributeShape {
    var shape = BoxedElement.elementShape
    shape.form = storageForm
    return shape
  }

  // MARK: - Managed

  public static func storageRead(_ object: ObjectBase, _ column: Int) -> Self {
    Self(storageBox: CollectionBox(object, column))
  }

  /// Copies the elements; assigning a collection to itself changes nothing.
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    let target = storageRead(object, column)
    if let source = value.storageBox, target.storageBox?.isSame(as: source) ?? false { return }
    target.assignContents(of: value)
  }

  // MARK: - Unmanaged

  public static func storageGet(_ stored: inout Self, _ object: ObjectBase, _ offset: Int) -> Self {
    if stored.storageBox == nil { stored.storageBox = CollectionBox() }
    stored.storageBox?.follow(object, offset)
    return stored
  }

  public static func storageSet(
    _ stored: inout Self, _ value: Self, _ object: ObjectBase, _ offset: Int
  ) {
    let target = storageGet(&stored, object, offset)
    if target.storageBox === value.storageBox { return }
    target.assignContents(of: value)
  }

  public static func storageExport(_ value: Self, _ export: BatchExport) throws -> BatchCell {
    let mark = export.batch.beginElements()
    if let box = value.storageBox {
      if let owner = box.follower { export.note(box, of: owner) }
      let snapshot = box.snapshot
      for index in 0..<snapshot.count {
        if storageForm == .map {
          export.batch.appendElement(try export.key(snapshot.key(index)))
        }
        export.batch.appendElement(try snapshot[index].elementExport(export))
      }
    }
    return export.batch.endElements(mark)
  }

  /// Null empties; a plain array or set of elements is as good as the collection itself.
  public static func storageValue(_ any: Any?) -> Self? {
    guard let any else { return Self(storageBox: CollectionBox()) }
    if let value = any as? Self { return value }
    guard storageForm != .map, let elements = any as? any Sequence else { return nil }
    let box = CollectionBox<BoxedElement>()
    for element in elements {
      guard let element = element as? BoxedElement else { return nil }
      box.items.append(element)
    }
    return Self(storageBox: box)
  }

  // MARK: - Key paths

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> Self {
    storageDefault
  }

  public static func storageIsSentinel(
    _ value: Self, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value.storageBox?.isRecorded(by: recorder) ?? false
  }
}

extension BoxedCollection {
  /// The elements as they are now.
  var snapshot: ElementSnapshot<BoxedElement> {
    storageBox?.snapshot ?? ElementSnapshot([], keys: [])
  }

  private func assignContents(of other: Self) {
    let snapshot = other.snapshot
    assignContents(snapshot.elements, keys: Self.storageForm == .map ? snapshot.keys : [])
  }

  /// Replaces everything; `keys` are a map's, sorted.
  func assignContents(_ elements: [BoxedElement], keys: [String] = []) {
    guard let box = storageBox else {
      if elements.isEmpty { return }
      misuse("\(Self.self): this collection belongs to no attribute")
    }
    if box.place == nil {
      box.items = elements
      box.keys = keys
    } else {
      box.replaceManaged(elements, keys: keys)
    }
  }
}
