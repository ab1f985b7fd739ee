// R31. The authors of the changes of a write. A user's changes to the objects of a class that tracks edits are edits: they are found by
// comparing the state at the end of a phase with the state at its beginning, so that setters do nothing for them. A phase
// ends when the author changes, when edits are read, and with the transaction.
//
//     begin ── user: order.note = "x" ──▶ decode ──▶ user: order.total = 2 ──▶ commit
//            phase 1, ends with edits     server         phase 2, ends with edits

/// The author of the changes of a write.
enum WriteAuthor {
  case user, server
}

/// A part of a transaction with one author.
struct WritePhase {
  var author: WriteAuthor
  /// The state at its beginning; nil for the state at the beginning of the transaction.
  var start: Version?
  /// The number of changes that the transaction had made by then.
  var startTicks = 0
  /// True if the server's updates go to base rows as they are applied, so that the phase needs no comparison.
  var isApplying = false
}

extension Transaction {
  /// Runs `body`, whose changes are those of an author.
  ///
  /// - Parameter isApplying: True if `body` changes objects that may have base rows only by applying batches and by
  ///   functions that handle base rows themselves.
  func run<R>(
    as author: WriteAuthor, isApplying: Bool = false, _ body: () throws -> R
  ) rethrows -> R {
    if edits.phase.isApplying { return try body() }
    let outer = edits.phase
    endPhase()
    startPhase(author, isApplying: isApplying)
    defer {
      endPhase()
      startPhase(outer.author, isApplying: false)
    }
    return try body()
  }

  /// Records the edits made so far in the open phase, and begins a new phase with the same author.
  func settlePhase() {
    guard !edits.phase.isApplying, changeTicks != edits.phase.startTicks,
      !engine.tablesWithBases.isEmpty
    else { return }
    endPhase()
    startPhase(edits.phase.author, isApplying: false)
  }

  /// Records the user's edits of the open phase, or moves the server's values of edited attributes to their base rows.
  func endPhase() {
    removeDeadLinks()
    dropRowsOfOtherClasses()
    guard !edits.phase.isApplying, changeTicks != edits.phase.startTicks else { return }
    let tables = engine.tablesWithBases
    if tables.isEmpty { return }
    let changes = PhaseChanges(self, since: edits.phase.start ?? previous)
    for table in tables {
      guard let base = table.base else { continue }
      let rows = changes.rows(of: table)
      if rows.isEmpty { continue }
      switch edits.phase.author {
      case .user: recordEdits(of: table, base, rows, changes)
      case .server: receiveChanges(of: table, base, rows, since: changes.start)
      }
    }
    if !edits.lostBaseLinks.isEmpty { addLostBaseLinks() }
    if !edits.returningLinks.isEmpty { addReturningLinks() }
  }

  private func startPhase(_ author: WriteAuthor, isApplying: Bool) {
    if engine.tablesWithBases.isEmpty {
      // A class that is first used in this phase may track edits.
      edits.phase = WritePhase(author: author, start: nil, startTicks: 0, isApplying: isApplying)
      return
    }
    seal()
    edits.phase = WritePhase(
      author: author, start: workingVersion(), startTicks: changeTicks, isApplying: isApplying)
  }
}
