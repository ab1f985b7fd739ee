// Checks the objects of a migration before they are written.

/// Recounts references to keyless objects. Links of removed attributes are not counted.
struct MigrationReferences {
  private let files: FileMigration
  private let new: StoreHandle
  private let classes: [MigrationClass]

  init(_ files: FileMigration, _ sides: Migration.Sides) {
    self.files = files
    new = sides.new
    classes = sides.classes
  }

  /// The tables whose reference counts may differ from those in the file.
  private var recountedTables: [Int] {
    let lost = Set(
      classes.enumerated().flatMap { table, known in lostTargets(known, new.layout(table)) })
    return classes.indices.filter { table in
      let known = classes[table]
      guard known.identity != .keyed, let entry = files.classes[known.name]?.entry else {
        return false
      }
      return entry.identity == .keyed || lost.contains(known.name)
    }
  }

  /// Returns the target classes of the links that the migration removes from a class.
  private func lostTargets(_ known: MigrationClass, _ layout: TableLayout) -> [String] {
    guard files.mustWrite(known, layout), let entry = files.classes[known.name]?.entry,
      let mapping = files.mapping(of: known.table(layout))
    else { return [] }
    let kept = Set(mapping.columns.map(\.fileIndex))
    return entry.attributes.indices.filter { !kept.contains($0) }
      .compactMap { entry.attributes[$0].target }
  }

  /// Recounts the references.
  ///
  /// - Complexity: O(n) in the objects of the recounted tables and in the objects of classes that link to them.
  func count() {
    guard let transaction = new.transaction else { return }
    for table in recountedTables {
      var counts: [Int: Int] = [:]
      for incoming in new.engine.incoming(table) {
        let rows = new.tableVersion(incoming.table)
        let layout = new.layout(incoming.table).columns[incoming.column]
        rows.forEachLive { slot in
          rows.forEachTarget(slot, incoming.column, layout) { counts[$0, default: 0] += 1 }
          return true
        }
      }
      let writer = transaction.writer(table)
      for slot in liveSlots(table) {
        let difference = counts[slot, default: 0] - references(table, slot)
        if difference != 0 { _ = writer.add(slot, writer.layout.referencesColumn, difference) }
      }
    }
  }

  private func liveSlots(_ table: Int) -> [Int] {
    var slots: [Int] = []
    new.tableVersion(table).forEachLive {
      slots.append($0)
      return true
    }
    return slots
  }

  private func references(_ table: Int, _ slot: Int) -> Int {
    let rows = new.tableVersion(table)
    return Int(truncatingIfNeeded: rows.word(slot, new.layout(table).referencesColumn))
  }

  private func wasEmbedded(_ known: MigrationClass) -> Bool {
    files.classes[known.name]?.entry.identity == .embedded
  }

  /// Deletes the embedded objects that lost their owner because an attribute was removed.
  func deleteUnowned() {
    for table in recountedTables
    where classes[table].identity == .embedded && wasEmbedded(classes[table]) {
      let unowned = liveSlots(table).filter { references(table, $0) == 0 }
      new.transaction?.delete(unowned.map { (table, $0) })
    }
  }

  /// Returns the reasons why objects that were not embedded before cannot be embedded now.
  func mistakes(_ known: MigrationClass, _ table: Int) -> [String] {
    guard known.identity == .embedded, files.classes[known.name] != nil, !wasEmbedded(known)
    else { return [] }
    let counts = liveSlots(table).map { references(table, $0) }
    func mistake(_ text: String, _ isWrong: (Int) -> Bool) -> [String] {
      let count = counts.count(where: isWrong)
      let verb = count == 1 ? "has" : "have"
      return count == 0
        ? []
        : ["\(known.name): the class is now embedded, but \(count) of its objects \(verb) \(text)"]
    }
    return mistake("no owner") { $0 == 0 } + mistake("more than one owner") { $0 > 1 }
  }
}
