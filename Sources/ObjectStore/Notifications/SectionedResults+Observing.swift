import Foundation

extension SectionedResults {
  /// Calls `body` with the sections, and again whenever objects or sections are inserted, deleted, moved or modified.
  ///
  ///     token = sections.observe { change in
  ///       if case .update(_, let deletions, _, _, _, let newSections) = change { … }
  ///     }
  ///
  /// See ``Results/observe(isolation:_:)`` for modifications and the time of deliveries.
  ///
  /// A store that follows no actor follows `isolation`, the caller's actor, from now on.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  /// - Complexity: A delivery is O(n log n) if an attribute that the query or the sections read changed, else O(k)
  ///   for k changed objects.
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(SectionsChangeFinder(self, nil), on: isolation, body)
  }

  /// Calls `body` as ``observe(isolation:_:)`` does, but only changes of these attributes count as modifications of an object.
  /// A key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(
      SectionsChangeFinder(self, Element.paths(keyPaths)), on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence.
  public var changes: ObservedChanges<SectionedResultsChange<SectionedResults>> {
    ObservedChanges { SectionsChangeFinder(self, nil) }
  }
}

extension ResultsSection {
  /// Calls `body` with the objects of the section, and again whenever they change, as ``Results/observe(isolation:_:)`` does.
  ///
  /// When the section becomes empty, its objects are reported as deletions. Later insertions are reported, too.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<ResultsSection>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(SectionChangeFinder(self, nil), on: isolation, body)
  }

  /// Calls `body` as ``observe(isolation:_:)`` does, but only changes of these attributes count as modifications of an object.
  /// A key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<ResultsSection>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(SectionChangeFinder(self, Element.paths(keyPaths)), on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence.
  public var changes: ObservedChanges<CollectionChange<ResultsSection>> {
    ObservedChanges { SectionChangeFinder(self, nil) }
  }
}

/// The modified objects of sectioned results, and whether objects may have been inserted, deleted or moved.
private struct SectionsTouched {
  /// The changed attributes of each modified object.
  let changed: [Int: AttributeBits]
  let mayHaveMoved: Bool

  init<Key, Element>(
    _ sections: SectionedResults<Key, Element>, _ watched: WatchedAttributes,
    _ positionAttributes: WatchedAttributes, _ difference: VersionDifference
  ) {
    let results = sections.results
    let table = difference[results.entry.table]
    changed = watched.changed(difference)
    mayHaveMoved =
      results.query?.source.row != nil || !table.inserted.isEmpty || !table.deleted.isEmpty
      || !positionAttributes.changed(difference).isEmpty
  }
}

extension SectionedResults {
  fileprivate func watched(_ paths: [[String]]?) -> WatchedAttributes {
    do {
      return try WatchedAttributes(paths, results.handle, table: results.entry.table)
    } catch {
      misuse("SectionedResults: \(error)")
    }
  }

  /// The attributes that determine the section and the index of an object.
  fileprivate var positionAttributes: WatchedAttributes {
    watched((results.query?.dependencies ?? []) + [reader.names])
  }
}

private final class SectionsChangeFinder<Key: Hashable, Element: ObjectBase>:
  ChangeFinder<SectionedResultsChange<SectionedResults<Key, Element>>>
{
  private let whole: SectionedResults<Key, Element>
  private let watched: WatchedAttributes
  private let positionAttributes: WatchedAttributes
  private var sections: [Sections<Key>.Section] = []

  init(_ whole: SectionedResults<Key, Element>, _ paths: [[String]]?) {
    self.whole = whole
    watched = whole.watched(paths)
    positionAttributes = whole.positionAttributes
    super.init(whole.results.handle, from: nil)
  }

  override var observed: ObservedRows? {
    .query(table: whole.results.entry.table, whole.results.query)
  }

  override func initial() -> SectionedResultsChange<SectionedResults<Key, Element>>? {
    sections = whole.sections.inOrder
    return .initial(whole)
  }

  override func change(
    _ difference: VersionDifference
  ) -> SectionedResultsChange<SectionedResults<Key, Element>>? {
    let touched = SectionsTouched(whole, watched, positionAttributes, difference)
    if !touched.mayHaveMoved, touched.changed.isEmpty { return nil }
    let earlier = sections
    sections = whole.sections.inOrder
    let moved = SequenceDifference(earlier.map(\.identity), sections.map(\.identity))
    var paths = (deletions: [IndexPath](), insertions: [IndexPath](), modifications: [IndexPath]())
    for (old, new) in moved.kept(earlier.count) {
      let change = ChangedIndices(earlier[old].slots, sections[new].slots, touched.changed)
      paths.deletions += change.deletions.map { [old, $0] }
      paths.insertions += change.insertions.map { [new, $0] }
      paths.modifications += change.modifications.map { [old, $0] }
    }
    if moved.isEmpty, paths.deletions.isEmpty, paths.insertions.isEmpty,
      paths.modifications.isEmpty
    {
      return nil
    }
    return .update(
      whole, deletions: paths.deletions, insertions: paths.insertions,
      modifications: paths.modifications, sectionsToInsert: IndexSet(moved.insertions),
      sectionsToDelete: IndexSet(moved.deletions))
  }
}

private final class SectionChangeFinder<Key: Hashable, Element: ObjectBase>:
  ChangeFinder<CollectionChange<ResultsSection<Key, Element>>>
{
  private let section: ResultsSection<Key, Element>
  private let watched: WatchedAttributes
  private let positionAttributes: WatchedAttributes
  private var slots: [Int] = []

  init(_ section: ResultsSection<Key, Element>, _ paths: [[String]]?) {
    self.section = section
    watched = section.whole.watched(paths)
    positionAttributes = section.whole.positionAttributes
    super.init(section.whole.results.handle, from: nil)
  }

  override var observed: ObservedRows? {
    .query(table: section.whole.results.entry.table, section.whole.results.query)
  }

  override func initial() -> CollectionChange<ResultsSection<Key, Element>>? {
    slots = section.slots
    return .initial(section)
  }

  override func change(
    _ difference: VersionDifference
  ) -> CollectionChange<ResultsSection<Key, Element>>? {
    let touched = SectionsTouched(section.whole, watched, positionAttributes, difference)
    if !touched.mayHaveMoved, touched.changed.isEmpty { return nil }
    let earlier = slots
    slots = section.slots
    return ChangedIndices(earlier, slots, touched.changed).change(of: section)
  }
}
