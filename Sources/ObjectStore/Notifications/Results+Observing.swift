extension Results {
  /// Calls `body` with the results, and again whenever objects are inserted, deleted, moved or modified.
  ///
  ///     token = animals.observe { change in
  ///       switch change {
  ///       case .initial(let animals): show(animals)
  ///       case .update(let animals, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// An object is modified when one of its own attributes or an embedded object changes. Changes between two
  /// deliveries are merged into one, and without a net change nothing is delivered. `body` runs in the isolation of
  /// the results' handle, never inside a write; <doc:Notifications> describes when.
  ///
  /// A store that follows no actor follows `isolation`, the caller's actor, from now on.
  ///
  /// - Returns: A token. The observation ends when the token or the ``Store`` is released.
  /// - Complexity: A delivery is O(k · (log n + √n)) for k changed objects, plus the count of a limit. With
  ///   `distinct`, and for results of a list, a set or inverse links, it is O(n) plus the cost of the query.
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Results>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(nil), on: isolation, body)
  }

  /// Calls `body` as ``observe(isolation:_:)`` does, but only changes of these attributes, such as `[\.name, \.owner?.name]`,
  /// count as modifications of an object. A key path to anything but an attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<Results>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(Element.paths(keyPaths)), on: isolation, body)
  }

  /// The changes that ``observe(isolation:_:)`` would deliver, as an asynchronous sequence:
  ///
  ///     for await change in animals.changes { … }
  ///
  /// The sequence ends with the ``Store`` and when the task is cancelled.
  public var changes: ObservedChanges<CollectionChange<Results>> {
    ObservedChanges { changeFinder(nil) }
  }

  private func changeFinder(_ paths: [[String]]?) -> RowsChangeFinder<Results> {
    RowsChangeFinder(self, handle, entry, query, cache, paths)
  }
}
