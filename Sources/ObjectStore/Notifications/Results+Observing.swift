extension Results {
  /// Calls `body` with the results, and then whenever others are among them, they come in another order, or
  /// one of them differs from what was told last.
  ///
  ///     token = animals.observe { change in
  ///       switch change {
  ///       case .initial(let animals): show(animals)
  ///       case .update(let animals, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// An object differs when an attribute of its own does, or an embedded object of its. Changes between two
  /// deliveries come as one; where nothing is different nothing is delivered. `body` runs in the isolation
  /// of the results' handle, never inside a write; see <doc:Notifications> for when.
  ///
  /// - Returns: The observation, which lasts as long as its token and the ``Store`` do.
  /// - Complexity: a delivery O(k · (log n + √n)) for k objects that differ, whatever the others, and with
  ///   a limit its count; O(n) and running the query behind a `distinct`, and for results of a list, a set
  ///   or inverse links.
  public func observe(
    _ body: @escaping (CollectionChange<Results>) -> Void
  ) -> ObservationToken {
    observe(paths: nil, body)
  }

  /// Calls `body` as ``observe(_:)`` does, where an object counts as different only for what the key paths
  /// lead to: `[\.name, \.owner?.name]`. A key path to what is no attribute is misuse.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    _ body: @escaping (CollectionChange<Results>) -> Void
  ) -> ObservationToken {
    observe(paths: Element.paths(keyPaths), body)
  }

  private func observe(
    paths: [[String]]?, _ body: @escaping (CollectionChange<Results>) -> Void
  ) -> ObservationToken {
    HandleObservers.add(changeFinder(paths), body)
  }

  /// What happens to the results, as ``observe(_:)`` tells it:
  ///
  ///     for await change in animals.changes { … }
  ///
  /// It ends when the ``Store`` goes and when the task is cancelled.
  public var changes: ObservedChanges<CollectionChange<Results>> {
    ObservedChanges { changeFinder(nil) }
  }

  private func changeFinder(_ paths: [[String]]?) -> RowsChangeFinder<Results> {
    RowsChangeFinder(self, handle, entry, query, cache, paths)
  }
}
