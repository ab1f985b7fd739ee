/// An unordered to-many attribute without duplicates: `@Persisted var tags: MutableSet<String>`.
///
/// Like ``List`` it is a reference to the attribute. A managed set is kept sorted by the bytes of
/// its values; do not depend on the order.
///
/// - Complexity: `contains`, `insert` and `remove` O(n) of the set.
public struct MutableSet<Element: CollectionElement & Hashable> {
  var box: CollectionBox<Element>?

  /// An empty set that belongs to no object.
  public init() {}

  public init(_ elements: some Sequence<Element>) {
    let box = CollectionBox<Element>()
    box.items = Self.unique(elements)
    self.box = box
  }

  public var count: Int { box?.count ?? 0 }
  public var isEmpty: Bool { count == 0 }

  public func contains(_ element: Element) -> Bool {
    box?.elements.contains(element) ?? false
  }

  /// Adds an element; one that is there already changes nothing.
  public func insert(_ element: Element) {
    if contains(element) { return }
    assign((box?.elements ?? []) + [element])
  }

  public func insert(contentsOf elements: some Sequence<Element>) {
    assign((box?.elements ?? []) + Array(elements))
  }

  /// Removes an element; one that is not there changes nothing.
  public func remove(_ element: Element) {
    guard contains(element) else { return }
    assign((box?.elements ?? []).filter { $0 != element })
  }

  public func removeAll() { assign([]) }

  func assign(_ elements: [Element]) {
    guard let box else {
      if elements.isEmpty { return }
      misuse("MutableSet: this set belongs to no object; use MutableSet([…])")
    }
    if box.place == nil {
      box.items = Self.unique(elements)
    } else {
      box.replaceManaged(elements)
    }
  }

  private static func unique(_ elements: some Sequence<Element>) -> [Element] {
    var seen = Set<Element>()
    return elements.filter { seen.insert($0).inserted }
  }
}

// MARK: - Conformances

extension MutableSet: Sequence {
  /// Iterates over the elements as they are now.
  public func makeIterator() -> IndexingIterator<[Element]> {
    (box?.elements ?? []).makeIterator()
  }
}

extension MutableSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension MutableSet: CustomStringConvertible {
  public var description: String { "\(Array(self))" }
}

extension MutableSet: PersistableValue {
  public static var storageDefault: MutableSet { MutableSet() }

  public static var storageShape: AttributeShape {
    var shape = Element.elementShape
    shape.form = .set
    return shape
  }

  public static func storageRead(_ object: ObjectBase, _ column: Int) -> MutableSet {
    var set = MutableSet()
    set.box = CollectionBox(object, column)
    return set
  }

  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: MutableSet) {
    let target = storageRead(object, column)
    if let source = value.box, let mine = target.box, mine.isSame(as: source) { return }
    target.assign(Array(value))
  }

  public static func storageGet(
    _ stored: inout MutableSet, _ object: ObjectBase, _ offset: Int
  ) -> MutableSet {
    if stored.box == nil { stored.box = CollectionBox() }
    stored.box?.follow(object, offset)
    return stored
  }

  public static func storageSet(
    _ stored: inout MutableSet, _ value: MutableSet, _ object: ObjectBase, _ offset: Int
  ) {
    let target = storageGet(&stored, object, offset)
    if let source = value.box, target.box === source { return }
    target.assign(Array(value))
  }

  public static func storageExport(
    _ value: MutableSet, _ export: BatchExport
  ) throws -> BatchCell {
    let mark = export.batch.beginElements()
    for element in value.box?.elements ?? [] {
      export.batch.appendElement(try element.elementExport(export))
    }
    return export.batch.endElements(mark)
  }

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> MutableSet {
    MutableSet()
  }

  public static func storageIsSentinel(
    _ value: MutableSet, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value.box?.isRecorded(by: recorder) ?? false
  }
}
