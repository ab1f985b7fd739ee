extension _BoxedCollection {
  /// Calls `body` with the collection, and then whenever elements come, go, move or are different.
  ///
  ///     token = farm.animals.observe { change in … }
  ///
  /// An object in it differs when an attribute of its own does, or an embedded object of its; a value in a
  /// list where another was put in its place; a pair of a map where its key has another value. Indices of a
  /// map are those of its pairs in the order of their keys. When the object whose attribute this is is
  /// deleted, all elements are told as deletions, once. A collection of an object that is not managed cannot
  /// be observed: misuse. See <doc:Notifications> for when.
  ///
  /// - Returns: The observation, which lasts as long as its token and the ``Store`` do.
  /// - Complexity: a delivery O(n) if the collection or an object of the class is different; of values, a
  ///   comparison of memory, and O(m log m) for the m elements between the first and the last that differ.
  public func observe(_ body: @escaping (CollectionChange<Self>) -> Void) -> ObservationToken {
    HandleObservers.add(changeFinder(nil), body)
  }

  /// What happens to the collection, as ``observe(_:)`` tells it:
  ///
  ///     for await change in farm.animals.changes { … }
  public var changes: ObservedChanges<CollectionChange<Self>> {
    ObservedChanges { changeFinder(nil) }
  }

  fileprivate func changeFinder(_ paths: [[String]]?) -> ChangeFinder<CollectionChange<Self>> {
    guard let (object, column) = _storageBox?.row, let handle = object.handle,
      let storage = object.storage
    else { misuse("\(Self.self): only a collection of a managed object can be observed") }
    let row = ResultsSource.Cell(table: storage.pointee.table, slot: object.slot, column: column)
    let layout = handle.layout(row.table).columns[column]
    guard layout.elementKind == .link, Self._storageForm != .map else {
      return ElementChangeFinder(self, handle, row, Self._storageForm)
    }
    return RowsChangeFinder(
      self, handle, handle.entry(ofTable: layout.targetTable),
      ResultsQuery(of: .elements(of: row)), nil, paths)
  }
}

extension _BoxedCollection where BoxedElement: ObjectBase {
  fileprivate func observe(
    paths: [[String]], _ body: @escaping (CollectionChange<Self>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(paths), body)
  }
}

extension List where Element: ObjectBase {
  /// Calls `body` as `observe(_:)` does, where an object counts as different only for what the key paths
  /// lead to. A key path to what is no attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ body: @escaping (CollectionChange<List>) -> Void
  ) -> ObservationToken { observe(paths: Element.paths(keyPaths), body) }
}

extension MutableSet where Element: ObjectBase {
  /// Calls `body` as `observe(_:)` does, where an object counts as different only for what the key paths
  /// lead to. A key path to what is no attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], _ body: @escaping (CollectionChange<MutableSet>) -> Void
  ) -> ObservationToken { observe(paths: Element.paths(keyPaths), body) }
}

extension LinkingObjects {
  /// Calls `body` with the objects that link here, and then whenever others do or one of them is
  /// different, as ``Results/observe(_:)`` does. When the object they link to is deleted, all are told as
  /// deletions, once. Inverse links of an object that is not managed cannot be observed: misuse.
  ///
  /// - Returns: The observation, which lasts as long as its token and the ``Store`` do.
  /// - Complexity: a delivery O(matches).
  public func observe(
    _ body: @escaping (CollectionChange<LinkingObjects>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder, body)
  }

  /// What happens to them, as ``observe(_:)`` tells it.
  public var changes: ObservedChanges<CollectionChange<LinkingObjects>> {
    ObservedChanges { changeFinder }
  }

  private var changeFinder: ChangeFinder<CollectionChange<LinkingObjects>> {
    let results = _results
    return RowsChangeFinder(self, results.handle, results.entry, results.query, nil, nil)
  }
}
