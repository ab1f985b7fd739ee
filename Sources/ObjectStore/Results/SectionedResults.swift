public import Foundation

/// A live collection of sections of objects, one section for each value of an attribute.
///
///     for section in store.objects(Animal.self).sectioned(by: \.species) {
///       print(section.key, section.map(\.name))
///     }
///
/// Sections are sorted by their keys, ascending by default. Null is less than any other key. A loop visits the sections
/// that existed when it began. Each of them is live.
///
/// - Complexity: That of a sort by the key once per change of the store, then O(1).
public struct SectionedResults<Key: Hashable, Element: ObjectBase> {
  let results: Results<Element>
  let reader: OperandReader
  private let keyPath: KeyPath<Element, Key>
  private let isAscending: Bool
  private let cache = SectionCache<Key>()

  init(
    _ results: Results<Element>, _ reader: OperandReader, _ keyPath: KeyPath<Element, Key>,
    ascending isAscending: Bool
  ) {
    self.results = results
    self.reader = reader
    self.keyPath = keyPath
    self.isAscending = isAscending
  }

  /// The keys of the sections, in order.
  public var allKeys: [Key] { sections.inOrder.map(\.key) }

  var sections: Sections<Key> {
    let handle = results.handle
    results.noteSearch(reading: [reader.names])
    return cache.sections(handle.version, handle.transaction?.state) { makeSections() }
  }

  private func makeSections() -> Sections<Key> {
    let handle = results.handle
    let tables = QueryTables { [unowned handle] in handle.tableVersion($0) }
    let table = QueryTable(
      results.entry.table, results.entry.layout, tables, handle.transaction)
    let slots = results.slots
    let sorter = RowSorter([ResultsQuery.SortKey(reader: reader, ascending: isAscending)], table)
    var sections = Sections<Key>()
    for slots in sorter.groups(slots.all) {
      let object: Element = handle.object(results.entry, slots[0])
      sections.append(
        Sections.Section(
          key: object[keyPath: keyPath],
          identity: SectionIdentity(DistinctValue(reader, table.context(slots[0]))), slots: slots))
    }
    return sections
  }

  fileprivate func section(_ section: Sections<Key>.Section) -> ResultsSection<Key, Element> {
    ResultsSection(self, section.key, section.identity)
  }
}

@available(
  *, unavailable, message: "Results stay in the isolation of their store: pass frozen()"
)
extension SectionedResults: Sendable {}

extension SectionedResults: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { sections.inOrder.count }

  /// Accesses the section at `index`. An index outside `0..<count` is misuse.
  public subscript(index: Int) -> ResultsSection<Key, Element> {
    let sections = sections.inOrder
    guard sections.indices.contains(index) else {
      misuse("SectionedResults index must be in 0..<\(sections.count) (was \(index))")
    }
    return section(sections[index])
  }

  /// Accesses the object at the index path of a section and of an object in it, as changes report them. An index outside the
  /// sections or the section is misuse.
  public subscript(path: IndexPath) -> Element {
    guard path.count == 2 else {
      misuse("SectionedResults index path must have a section and an item (was \(path))")
    }
    return self[path[0]][path[1]]
  }

  /// Returns an iterator over the sections that exist now.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, Element>]> {
    sections.inOrder.map { section($0) }.makeIterator()
  }

  /// Returns the results of `transform` for the sections that exist when the call begins.
  public func map<T, E: Error>(
    _ transform: (ResultsSection<Key, Element>) throws(E) -> T
  ) throws(E) -> [T] {
    try mapByLoop(transform)
  }
}

extension SectionedResults: CustomStringConvertible {
  /// The types and the number of sections: `SectionedResults<String, Animal>(2)`.
  ///
  /// - Complexity: The same as `count`.
  public var description: String {
    "SectionedResults<\(Key.self), \(Element.self)>(\(count))"
  }
}

/// A live collection of the objects of one section, in the order of the results. Empty while no object has its key.
public struct ResultsSection<Key: Hashable, Element: ObjectBase> {
  /// The value that all objects of the section share.
  public let key: Key
  let whole: SectionedResults<Key, Element>
  private let identity: SectionIdentity

  fileprivate init(
    _ whole: SectionedResults<Key, Element>, _ key: Key, _ identity: SectionIdentity
  ) {
    self.whole = whole
    self.key = key
    self.identity = identity
  }

  var slots: [Int] { whole.sections[identity]?.slots ?? [] }

  /// Returns the current objects, readable in any isolation.
  public func frozen() -> FrozenResults<Element> {
    let handle = whole.results.handle
    let frozen = handle.isFrozen ? handle : handle.freeze()
    return FrozenResults(
      frozen, frozen.entry(ofTable: whole.results.entry.table), .sparse(slots))
  }
}

@available(
  *, unavailable, message: "Results stay in the isolation of their store: pass frozen()"
)
extension ResultsSection: Sendable {}

extension ResultsSection: Identifiable {
  /// The identity of a section in all versions: that of its key as the store compares it, so that two spellings of `é` are two
  /// sections.
  public struct ID: Hashable, Sendable {
    fileprivate let identity: SectionIdentity
  }

  /// The identity of the section.
  public var id: ID { ID(identity: identity) }
}

extension ResultsSection: RandomAccessCollection {
  /// Iterates over the objects that were in the section when the loop began.
  public typealias Iterator = _ResultsIterator<Element>

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { slots.count }

  /// Accesses the object at `index`. An index outside `0..<count` is misuse.
  public subscript(index: Int) -> Element {
    let slots = slots
    guard slots.indices.contains(index) else {
      misuse("ResultsSection index must be in 0..<\(slots.count) (was \(index))")
    }
    return whole.results.handle.object(whole.results.entry, slots[index])
  }

  /// Returns an iterator over the objects that are in the section now. Later insertions and deletions do not affect
  /// it.
  public func makeIterator() -> Iterator {
    Iterator(whole.results.handle, whole.results.entry, .sparse(slots))
  }

  /// Returns the results of `transform` for the objects that are in the section when the call begins.
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }
}

extension Results {
  /// Returns live sections of objects with equal values of an attribute, or of one reached over links.
  ///
  ///     let sections = store.objects(Animal.self).sorted(by: \.name).sectioned(by: \.species)
  ///     sections[0].key      // .cow
  ///     sections[0].count
  ///
  /// Sections are sorted by their keys, where null is less than any other key. The objects of a section are in the
  /// order of these results. A key path to anything but a stored attribute is misuse.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    do {
      let names = Element.attributeNames(for: keyPath)
      return SectionedResults(
        self, try QueryBinding.reader(names, handle.catalog, table: entry.table), keyPath,
        ascending: ascending)
    } catch {
      misuse("Results.sectioned: \(error)")
    }
  }
}

/// The sections of one version, in order, with a lookup by the value that their rows share.
struct Sections<Key> {
  struct Section {
    let key: Key
    let identity: SectionIdentity
    let slots: [Int]
  }

  private(set) var inOrder: [Section] = []
  private var indices: [SectionIdentity: Int] = [:]

  mutating func append(_ section: Section) {
    assert(indices[section.identity] == nil, "Two sections have the same key")
    assert(!section.slots.isEmpty, "A section is empty")
    indices[section.identity] = inOrder.count
    inOrder.append(section)
  }

  subscript(identity: SectionIdentity) -> Section? {
    indices[identity].map { inOrder[$0] }
  }
}

/// Caches the sections of the most recently read version.
private final class SectionCache<Key> {
  private var found: (version: Version, state: Transaction.State?, sections: Sections<Key>)?

  func sections(
    _ version: Version, _ state: Transaction.State?, _ make: () -> Sections<Key>
  ) -> Sections<Key> {
    if let found, found.version === version, found.state == state { return found.sections }
    let sections = make()
    found = (version, state, sections)
    return sections
  }
}
