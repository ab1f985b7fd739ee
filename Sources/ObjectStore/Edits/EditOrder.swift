/// The edits of some classes in the order in which servers accept them: that of the first change of each object, but after
/// the creations that they wait for, and deletions last.
///
/// - Complexity: The first edit takes O(*n*) in the base rows, mostly, and all edits O(*n* log *n*), both in addition to
///   O(links) of the edits.
struct EditOrder: Sequence, IteratorProtocol {
  private let handle: StoreHandle
  private let classes: [(entry: ClassEntry, base: BaseLayout)]
  /// True to leave out edits that are in flight or rejected, and those that wait for them.
  private let isOffered: Bool
  /// The changes to visit, latest first.
  private var rest: [Change] = []
  private var isSorted = false
  /// The change with which the path began.
  private var began: Change?
  /// The visited changes whose edits wait for others.
  private var waiting: [Change] = []
  /// The edit being visited, after the edits that wait for it. A worklist, because chains of links may be long.
  private var path: [(row: Row, edit: EditCandidate, next: Int)] = []
  /// The base rows that were visited; true for those on the path.
  private var isOnPath: [Row: Bool] = [:]

  private typealias Row = EditQueue.Row
  private typealias Change = EditQueue.Change

  init(_ handle: StoreHandle, of entries: [ClassEntry], isOffered: Bool) {
    self.handle = handle
    self.isOffered = isOffered
    classes = entries.compactMap { entry in entry.base.map { (entry, $0) } }
    // Mostly the earliest edit can be taken, so it is found without listing and sorting the others.
    var first: Change?
    forEachChange { change in
      if first.map({ change < $0 }) ?? true { first = change }
    }
    rest = first.map { [$0] } ?? []
  }

  /// Creates the order of the edits that may be taken from the changes that an earlier one has left; nil to find them.
  init(
    _ handle: StoreHandle, of entries: [ClassEntry], resuming rest: consuming [EditQueue.Change]?
  ) {
    self.handle = handle
    isOffered = true
    classes = entries.compactMap { entry in entry.base.map { (entry, $0) } }
    isSorted = true
    if let rest { self.rest = rest } else { self.rest = sortedChanges() }
  }

  /// The changes whose edits were not returned and may be taken later; nil if not all changes were found.
  var left: [EditQueue.Change]? {
    guard isSorted else { return nil }
    // Mostly without a copy.
    if path.isEmpty, waiting.isEmpty { return rest }
    let unfinished = path.isEmpty ? nil : began
    return rest + [unfinished].compactMap(\.self) + waiting.reversed()
  }

  private func sortedChanges() -> [Change] {
    var changes: [Change] = []
    forEachChange { changes.append($0) }
    return changes.sorted(by: >)
  }

  @inline(__always)
  private func forEachChange(_ body: (Change) -> Void) {
    for number in classes.indices { forEachChange(of: number, body) }
  }

  private func forEachChange(of number: Int, _ body: (Change) -> Void) {
    let base = classes[number].base
    let bases = handle.tableVersion(base.table)
    let (session, state) = (base.column(.session), base.column(.state))
    let (order, rejection) = (base.column(.order), base.column(.rejection))
    let current = handle.engine.session
    bases.forEachChunk { slots in
      let columns = bases.columns(slots.lowerBound)
      for slot in slots {
        let row = slot & ChunkLayout.mask
        guard columns[TableLayout.liveColumn].byte(row) != 0,
          !isOffered || columns[session].word(row) != current && columns[rejection].isNull(row)
        else { continue }
        let isDeletion = (BaseState(rawValue: columns[state].word(row)) ?? .edited).isTombstone
        body(
          Change(
            row: Row(number: number, slot: slot), isDeletion: isDeletion,
            order: columns[order].word(row)))
      }
      return true
    }
  }

  mutating func next() -> EditCandidate? {
    while !path.isEmpty || beginPath() {
      let (row, edit, next) = path[path.count - 1]
      if next == edit.waitsFor.count {
        path.removeLast()
        isOnPath[row] = false
        return edit
      }
      path[path.count - 1].next += 1
      // The objects of a cycle wait for each other, so one of them comes first.
      guard let target = self.row(of: edit.waitsFor[next]), isOnPath[target] != true else {
        continue
      }
      if !enter(target), isOffered {
        // Everything on the path waits for an edit that cannot be taken.
        for step in path { isOnPath[step.row] = false }
        path = []
        if let began { waiting.append(began) }
      }
    }
    return nil
  }

  /// Begins a path with the next change; returns false if there is none.
  private mutating func beginPath() -> Bool {
    while true {
      if rest.isEmpty, !isSorted { (rest, isSorted) = (sortedChanges(), true) }
      guard let change = rest.popLast() else { return false }
      began = change
      if enter(change.row) { return true }
    }
  }

  /// Adds the edit of a row to the path; returns false if the row was visited or if its edit cannot be taken.
  private mutating func enter(_ row: Row) -> Bool {
    guard isOnPath.updateValue(false, forKey: row) == nil else { return false }
    let (entry, base) = classes[row.number]
    // Edits of a queue may have ended since.
    guard handle.tableVersion(base.table).isLive(row.slot),
      let edit = handle.candidate(entry, base, row.slot),
      !isOffered || handle.isOffered(edit)
    else { return false }
    if isOffered, edit.state == .edited, edit.isWaitingWhole(handle.tableVersion(base.table)) {
      if path.isEmpty, let began { waiting.append(began) }
      return false
    }
    isOnPath[row] = true
    path.append((row, edit, 0))
    return true
  }

  private func row(of object: (entry: ClassEntry, slot: Int)) -> Row? {
    guard let number = classes.firstIndex(where: { $0.entry === object.entry }) else { return nil }
    return handle.tableVersion(classes[number].base.table).find(
      keyOf: object.slot, in: handle.tableVersion(object.entry.table), object.entry.layout
    ).map { Row(number: number, slot: $0) }
  }
}
