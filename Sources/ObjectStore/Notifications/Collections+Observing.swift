extension _BoxedCollection {
  /// Calls `body` with the collection, and again whenever elements are inserted, deleted, moved or modified.
  ///
  ///     token = farm.animals.observe { change in … }
  ///
  /// An object is modified when one of its own attributes or an embedded object changes. A value of a list is modified
  /// when another value replaces it, and a pair of a map when its value changes. The indices of a map are those of its
  /// pairs in the order of their keys. When the object that has the collection is deleted, all elements are reported as
  /// deletions, once. Observing a collection of an unmanaged object is misuse. <doc:Notifications> describes when
  /// `body` is called.
  ///
  /// A store that follows no actor follows `isolation`, the caller's actor, from now on.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  /// - Complexity: A delivery is O(n) if the collection or an object of the class changed. For values, it is a memory
  ///   comparison, plus O(m log m) for the m elements between the first and the last difference.
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Self>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(nil), on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence:
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
      return ElementChangeFinder(self, handle, row, Self._storageForm, paths)
    }
    return RowsChangeFinder(
      self, handle, handle.entry(ofTable: layout.targetTable),
      ResultsQuery(of: .elements(of: row)), nil, paths)
  }
}

extension List where Element: ObjectBase {
  /// Calls `body` as `observe(isolation:_:)` does, but only changes of these attributes count as modifications of an object. A
  /// key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<List>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(Element.paths(keyPaths)), on: isolation, body)
  }
}

extension MutableSet where Element: ObjectBase {
  /// Calls `body` as `observe(isolation:_:)` does, but only changes of these attributes count as modifications of an object. A
  /// key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<MutableSet>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(Element.paths(keyPaths)), on: isolation, body)
  }
}

extension Map {
  /// Calls `body` as `observe(isolation:_:)` does, but only changes of these attributes count as modifications of an object. A
  /// key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Value>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Map>) -> Void
  ) -> ObservationToken where Value: ObjectBase {
    HandleObservers.add(changeFinder(Value.paths(keyPaths)), on: isolation, body)
  }

  /// Calls `body` as `observe(isolation:_:)` does, but only changes of these attributes count as modifications of an object. A
  /// key path to anything but an attribute is misuse.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Map>) -> Void
  ) -> ObservationToken where Value == T? {
    HandleObservers.add(changeFinder(T.paths(keyPaths)), on: isolation, body)
  }
}

extension LinkingObjects {
  /// Calls `body` with the objects that link to this one, and again whenever they change, as ``Results/observe(isolation:_:)``
  /// does.
  ///
  /// When the object that they link to is deleted, all are reported as deletions, once. Observing inverse links of an
  /// unmanaged object is misuse.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  /// - Complexity: A delivery is O(matches).
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<LinkingObjects>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder, on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence.
  public var changes: ObservedChanges<CollectionChange<LinkingObjects>> {
    ObservedChanges { changeFinder }
  }

  private var changeFinder: ChangeFinder<CollectionChange<LinkingObjects>> {
    let results = _results
    return RowsChangeFinder(self, results.handle, results.entry, results.query, nil, nil)
  }
}
