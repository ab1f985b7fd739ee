/// The objects of a class, or some of them, live: reading it later shows later commits.
///
///     let animals = store.objects(Animal.self)
///     for animal in animals { print(animal.name) }
///
/// The order is that of insertion, unless they are sorted or come from a list; see <doc:LiveResults>. A loop runs over the objects that were there when it began;
/// their attributes are read as they are by then.
///
/// - Complexity: count O(1); subscript O(1), or O(n) once per change in a class with deleted rows.
public struct Results<Element: ObjectBase> {
  let handle: StoreHandle
  let entry: ClassEntry
  /// What it shows of the class; nil for all in order of insertion.
  let query: ResultsQuery?
  let cache = SlotCache()

  init(_ handle: StoreHandle, _ entry: ClassEntry, _ query: ResultsQuery? = nil) {
    self.handle = handle
    self.entry = entry
    self.query = query
  }

  private var version: TableVersion { handle.tableVersion(entry.table) }

  /// Tells the handle's tracker that these rows are looked for, and what else of them is read.
  func noteSearch(reading paths: @autoclosure () -> [[String]] = []) {
    guard let tracker = handle.tracker else { return }
    tracker.findRows(entry.table, by: (query?.dependencies ?? []) + paths())
    switch query?.source {
    case .elements(let cell)?: tracker.readAttribute(cell.table, cell.slot, cell.column)
    case .origins(let cell)?: handle.noteOrigins(cell.table, cell.column)
    case .table?, nil: break
    }
  }

  /// The rows as the handle shows them now.
  var slots: SlotSequence {
    noteSearch()
    return knownSlots
  }

  /// ``slots`` for who has said that they are looked for.
  private var knownSlots: SlotSequence {
    guard let query else { return cache.slots(version) }
    return cache.slots(handle, query, entry.table)
  }

  /// The first object; nil if there is none.
  ///
  /// - Complexity: O(deleted rows before it); once per change, of a condition O(rows looked at before
  ///   one is found), and of any other query that of running it.
  public var first: Element? {
    noteSearch()
    if let query {
      return cache.first(handle, query, entry.table).map { handle.object(entry, $0) }
    }
    var slot: Int?
    version.forEachLive {
      slot = $0
      return false
    }
    return slot.map { handle.object(entry, $0) }
  }

  /// The last object; nil if there is none.
  public var last: Element? {
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  /// Whether there is none.
  ///
  /// - Complexity: as ``first``.
  public var isEmpty: Bool {
    noteSearch()
    return query.map { cache.first(handle, $0, entry.table) == nil } ?? (version.liveCount == 0)
  }
}

@available(
  *, unavailable, message: "Results stay in the isolation of their store: pass frozen()"
)
extension Results: Sendable {}

extension Results: RandomAccessCollection {
  /// Walks the objects that were there when the loop began.
  public typealias Iterator = _ResultsIterator<Element>

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { count }
  /// The number of objects.
  public var count: Int {
    noteSearch()
    return knownCount
  }

  private var knownCount: Int { query == nil ? version.liveCount : knownSlots.count }

  /// The object at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Element {
    noteSearch()
    let count = knownCount
    guard index >= 0, index < count else {
      misuse("Results index must be < \(count) (was \(index))")
    }
    return handle.object(entry, query == nil ? cache.slot(index, version) : knownSlots[index])
  }

  /// The results of `transform` for the objects that are there when it begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Walks over the objects that are there now, also if some are added or deleted meanwhile.
  public func makeIterator() -> Iterator {
    Iterator(handle, entry, slots)
  }
}

extension Results: CustomStringConvertible {
  /// The class and how many objects there are: `Results<Animal>(3)`.
  ///
  /// - Complexity: that of `count`.
  public var description: String {
    "Results<\(Element.self)>(\(count))"
  }
}

/// Walks the rows that were live when the loop began.
public struct _ResultsIterator<Element: ObjectBase>: IteratorProtocol {
  private let handle: StoreHandle
  private let entry: ClassEntry
  private let slots: SlotSequence
  private var index = 0

  init(_ handle: StoreHandle, _ entry: ClassEntry, _ slots: SlotSequence) {
    self.handle = handle
    self.entry = entry
    self.slots = slots
  }

  public mutating func next() -> Element? {
    guard index < slots.count else { return nil }
    defer { index += 1 }
    return handle.object(entry, slots[index])
  }
}
