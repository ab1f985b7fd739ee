/// An ordered to-many attribute: `@Persisted var tags: List<String>`.
///
/// A `List` is a reference to the attribute, not a copy of its elements: reading it again shows
/// what the store holds by then, and changing it changes the object. The list of a managed object
/// changes only inside `write`.
///
/// - Complexity: count, subscript and append O(1); other changes O(n) of the list.
public struct List<Element: CollectionElement> {
  var box: CollectionBox<Element>?

  /// An empty list that belongs to no object.
  public init() {}

  public init(_ elements: some Sequence<Element>) {
    let box = CollectionBox<Element>()
    box.items = Array(elements)
    self.box = box
  }

  // MARK: - Changing

  public func append(_ element: Element) {
    guard let box else { misuse("List.append: this list belongs to no object; use List([…])") }
    guard let (object, column) = box.writablePlace(), let handle = object.handle else {
      box.items.append(element)
      return
    }
    handle.appendElement(object, column, element)
  }

  public func append(contentsOf elements: some Sequence<Element>) {
    for element in Array(elements) { append(element) }
  }

  public func insert(_ element: Element, at index: Int) {
    replace(index..<index, with: [element])
  }

  @discardableResult
  public func remove(at index: Int) -> Element {
    let element = self[index]
    replace(index..<index + 1, with: [])
    return element
  }

  public func removeAll() {
    replace(0..<count, with: [])
  }

  /// Moves one element; the others keep their order.
  public func move(from source: Int, to destination: Int) {
    var elements = Array(self)
    elements.insert(elements.remove(at: source), at: destination)
    assign(elements)
  }

  public func swapAt(_ i: Int, _ j: Int) {
    var elements = Array(self)
    elements.swapAt(i, j)
    assign(elements)
  }

  private func replace(_ range: Range<Int>, with new: [Element]) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      misuse("List range must be within 0..<\(count) (was \(range))")
    }
    var elements = Array(self)
    elements.replaceSubrange(range, with: new)
    assign(elements)
  }

  /// Replaces all elements.
  func assign(_ elements: [Element]) {
    guard let box else {
      if elements.isEmpty { return }
      misuse("List: this list belongs to no object; use List([…])")
    }
    if box.place == nil {
      box.items = elements
    } else {
      box.replaceManaged(elements)
    }
  }
}

// MARK: - Conformances

extension List: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { box?.count ?? 0 }

  public subscript(index: Int) -> Element {
    get {
      guard let box else { misuse("List index must be < 0 (was \(index))") }
      return box.element(index, "List")
    }
    nonmutating set {
      replace(index..<index + 1, with: [newValue])
    }
  }

  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    if box == nil { box = CollectionBox() }
    replace(range, with: Array(elements))
  }
}

extension List: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension List: CustomStringConvertible {
  public var description: String { "\(Array(self))" }
}

extension List: PersistableValue {
  public static var storageDefault: List { List() }

  public static var storageShape: AttributeShape {
    var shape = Element.elementShape
    shape.form = .list
    return shape
  }

  public static func storageRead(_ object: ObjectBase, _ column: Int) -> List {
    var list = List()
    list.box = CollectionBox(object, column)
    return list
  }

  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: List) {
    let target = storageRead(object, column)
    if let source = value.box, let mine = target.box, mine.isSame(as: source) { return }
    target.assign(Array(value))
  }

  public static func storageGet(
    _ stored: inout List, _ object: ObjectBase, _ offset: Int
  ) -> List {
    if stored.box == nil { stored.box = CollectionBox() }
    stored.box?.follow(object, offset)
    return stored
  }

  public static func storageSet(
    _ stored: inout List, _ value: List, _ object: ObjectBase, _ offset: Int
  ) {
    let target = storageGet(&stored, object, offset)
    if let source = value.box, target.box === source { return }
    target.assign(Array(value))
  }

  public static func storageExport(_ value: List, _ export: BatchExport) throws -> BatchCell {
    let mark = export.batch.beginElements()
    for element in value.box?.elements ?? [] {
      export.batch.appendElement(try element.elementExport(export))
    }
    return export.batch.endElements(mark)
  }

  public static func storageSentinel(_ round: Int, _ recorder: KeyPathRecorder) -> List { List() }

  public static func storageIsSentinel(
    _ value: List, _ round: Int, _ recorder: KeyPathRecorder
  ) -> Bool {
    value.box?.isRecorded(by: recorder) ?? false
  }
}
