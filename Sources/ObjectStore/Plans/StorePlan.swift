import Foundation

/// The changes that a write would make, found by running the write and undoing it.
///
///     let plan = try store.plan { try importOrders(store) }
///     print(plan)         // ~ Order 7: note "a" → null, lines 2 → 3 elements
///                         // + Order 9
///                         // - Order 4
///     try plan.apply()
///
/// A plan retains the state before the write and the state after it, and reads values from them on demand. See
/// <doc:Plans>.
public final class StorePlan<Outcome> {
  /// The changes. If ``apply()`` throws ``PlannedChanges/Stale``, they become those that the write would make now.
  public private(set) var changes: PlannedChanges
  private let store: Store
  private let body: () throws -> Outcome

  fileprivate init(_ store: Store, _ body: @escaping () throws -> Outcome) throws {
    self.store = store
    self.body = body
    changes = try store.handle.undoing(body)
  }

  /// A Boolean value that indicates whether the write would change nothing.
  public var isEmpty: Bool { changes.isEmpty }

  /// Runs the write again and keeps its changes: in a transaction of its own, or as part of the open one.
  ///
  /// The changes of the second run are compared with ``changes``, with old and new values. New values that differ in each
  /// run are not compared: dates of the time of the run, and UUIDs, also as strings, that were not the key of an object.
  ///
  /// - Returns: The result of the write.
  /// - Throws: ``PlannedChanges/Stale`` if the changes differ; the errors of the write. Nothing is changed then.
  /// - Complexity: That of the write, and O(changes).
  @discardableResult
  public func apply() throws -> Outcome {
    var renewed: PlannedChanges?
    do {
      return try store.write {
        let (outcome, now) = try store.handle.changes(of: body)
        guard now.isSame(as: changes) else {
          renewed = now
          throw PlannedChanges.Stale(changes: now)
        }
        return outcome
      }
    } catch {
      if let renewed { changes = renewed }
      throw error
    }
  }
}

extension StorePlan: CustomStringConvertible {
  /// The description of ``changes``.
  public var description: String { changes.description }
}

extension PlannedChanges {
  /// The error of a plan that would no longer make the changes that it shows, for example because the store has changed.
  ///
  /// The plan then shows ``changes``, and ``StorePlan/apply()`` can be called again.
  public struct Stale: Error, CustomStringConvertible {
    /// The changes that the plan would make now.
    public let changes: PlannedChanges

    /// The reason and the changes.
    public var description: String {
      "the write would no longer make the changes of the plan; it would now make:\n\(changes)"
    }
  }
}

extension Store {
  /// Runs `body` as a write, undoes it, and returns the changes that it made.
  ///
  /// The store is unchanged afterwards: no version is created, no observer is notified of the changes, and nothing is
  /// written to a file. Objects that `body` creates become unmanaged or invalid. Inside a write, the plan contains the
  /// changes relative to the state of that write.
  ///
  /// - Parameter body: The write. It runs once now and once for each call of ``StorePlan/apply()``, so it should have no
  ///   other effects.
  /// - Throws: The errors of ``write(_:)``.
  /// - Complexity: That of the write, and O(changes).
  public func plan<Outcome>(
    _ body: @escaping () throws -> Outcome
  ) throws -> StorePlan<Outcome> {
    try StorePlan(self, body)
  }
}

// MARK: - Running and undoing

extension StoreHandle {
  /// Thrown to undo a write.
  private struct Undone: Error {}

  /// The state of the open write: the version from which it began if it has no changes yet.
  fileprivate func plannedState() -> Version {
    guard let transaction, writeDepth > 1 else { return version }
    settleEdits()
    return transaction.freeze()
  }

  /// Runs `body` in a write, undoes it, and returns its changes.
  fileprivate func undoing<R>(_ body: () throws -> R) throws -> PlannedChanges {
    var changes: PlannedChanges?
    do {
      try write {
        changes = try self.changes(of: body).changes
        throw Undone()
      }
    } catch is Undone {}
    guard let changes else { throw StoreError(.notWriting) }
    return changes
  }

  /// Runs `body` in the open write, and returns its result and its changes.
  fileprivate func changes<R>(
    of body: () throws -> R
  ) throws -> (result: R, changes: PlannedChanges) {
    let (before, start) = (plannedState(), Date())
    // A savepoint finds values that cannot be stored, and writes left open.
    let result = try write(body)
    settleEdits()
    guard let after = transaction?.freeze() else { throw StoreError(.notWriting) }
    let entries = core.allEntries()
    let changes = PlannedChanges(
      VersionDifference(before, after, engine),
      PlannedStates(
        before: StoreHandle(core, frozen: before, entries),
        after: StoreHandle(core, frozen: after, entries), runTime: start...max(start, Date())))
    return (result, changes)
  }
}
