/// A live collection of the objects of a class that match a query: later reads show later commits.
///
///     let animals = store.objects(Animal.self)
///     for animal in animals { print(animal.name) }
///
/// Objects are in order of insertion, unless they are sorted or come from a list; see <doc:LiveResults>. A loop
/// visits the objects that matched when it began, and reads the current values of their attributes.
///
/// - Complexity: For all objects of a class, `count` is O(1), and `subscript` is O(1), or O(n) once per change if rows
///   were deleted. A query runs when it is first read after a commit or, in a write, after a change of rows or
///   attributes that it reads; then both are O(1).
public struct Results<Element: ObjectBase> {
  let handle: StoreHandle
  let entry: ClassEntry
  /// Nil for all objects of the class in order of insertion.
  let query: ResultsQuery?
  let cache = SlotCache()

  init(_ handle: StoreHandle, _ entry: ClassEntry, _ query: ResultsQuery? = nil) {
    self.handle = handle
    self.entry = entry
    self.query = query
  }

  private var version: TableVersion { handle.tableVersion(entry.table) }

  /// Reports to the handle's tracker that these rows are queried, and which additional attributes are read.
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

  /// The same as ``slots``, for callers that have already called ``noteSearch(reading:)``.
  private var knownSlots: SlotSequence {
    guard let query else { return cache.slots(version) }
    return cache.slots(handle, query, entry.table)
  }

  /// The first object, or nil if there is none.
  ///
  /// - Complexity: O(deleted rows before it) for all objects of a class. Once per change: with conditions only,
  ///   O(rows tested before the first match); for any other query, the cost of running it.
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

  /// The last object, or nil if there is none.
  public var last: Element? {
    let count = count
    return count == 0 ? nil : self[count - 1]
  }

  /// A Boolean value that indicates whether there are no objects.
  ///
  /// - Complexity: O(1) for all objects of a class, otherwise the same as ``first``.
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
  /// Iterates over the objects that matched when the loop began.
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

  /// Accesses the object at `index`. An index outside `0..<count` is misuse.
  public subscript(index: Int) -> Element {
    noteSearch()
    let count = knownCount
    guard index >= 0, index < count else {
      misuse("Results index must be in 0..<\(count) (was \(index))")
    }
    return handle.object(entry, query == nil ? cache.slot(index, version) : knownSlots[index])
  }

  /// Returns the results of `transform` for the objects that match when the call begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Returns an iterator over the objects that match now. Later insertions and deletions do not affect it.
  public func makeIterator() -> Iterator {
    Iterator(handle, entry, slots)
  }
}

extension Results: CustomStringConvertible {
  /// The class and the number of objects: `Results<Animal>(3)`.
  ///
  /// - Complexity: The same as `count`.
  public var description: String {
    "Results<\(Element.self)>(\(count))"
  }
}
