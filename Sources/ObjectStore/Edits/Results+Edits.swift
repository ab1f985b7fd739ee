extension Results {
  /// Returns live results with the objects that have unconfirmed edits: those that were created, edited or rejected.
  ///
  ///     badge.count = store.objects(Order.self).edited.count
  ///
  /// Deleted objects are not in the results; ``Store/pendingEdits()`` has their deletions. Misuse if the class does not
  /// track edits. The condition `@edited` of a format has the same meaning.
  public var edited: Results { filtered(.edited) }

  /// Returns live results with the objects whose last upload the server rejected.
  ///
  /// Misuse if the class does not track edits. The condition `@rejected` of a format has the same meaning.
  public var rejected: Results { filtered(.rejected) }

  private func filtered(_ condition: EditCondition) -> Results {
    do {
      return try filter(StorePredicate(.edits(condition)))
    } catch {
      misuse("Results: \(error)")
    }
  }
}
