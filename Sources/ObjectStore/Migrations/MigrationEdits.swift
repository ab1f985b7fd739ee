/// Keeps the unconfirmed edits of objects whose keys or attributes a migration changes.
///
/// A base row has the key of its object, and the values that the server has. The block changes only the object, so the key of
/// the base row follows, and a base value whose type has changed becomes unknown. The deletion of an object whose key has
/// another type or consists of other attributes now cannot be sent any more.
struct MigrationEdits {
  private let files: FileMigration
  private let sides: Migration.Sides

  init(_ files: FileMigration, _ sides: Migration.Sides) {
    self.files = files
    self.sides = sides
  }

  /// Adapts the base rows of all changed classes.
  ///
  /// - Throws: `valueTooLarge` for a compound key.
  /// - Complexity: O(objects of the changed classes that have base rows).
  func adapt() throws {
    let tables = Dictionary(sides.classes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for (table, known) in sides.classes.enumerated() {
      let baseName = known.name + ObjectSchema.baseSuffix
      guard let baseTable = tables[baseName], let oldName = files.classes[known.name]?.old.name,
        let oldBaseName = files.classes[baseName]?.old.name
      else { continue }
      let base = sides.classes[baseTable]
      let isWritten =
        files.mustWrite(known, sides.new.layout(table))
        || files.mustWrite(base, sides.new.layout(baseTable))
        || sides.new.version.loaded(sides.new.engine.table(table)) != nil
      guard isWritten, let oldBases = KeyedRows(oldBaseName, in: sides.old), oldBases.isPopulated
      else { continue }
      try MigrationKeys(sides.new).computeKeys(known, table)
      let forgotten = forgetValues(of: base, baseTable)
      guard let old = KeyedRows(oldName, in: sides.old),
        let new = KeyedRows(known.attributes, table, in: sides.new),
        let bases = KeyedRows(base.attributes, baseTable, in: sides.new)
      else { continue }
      move(oldBases, old, new, bases, keepsDeletions: hasSameKey(known, table)) { slot, baseSlot in
        endEdits(of: forgotten, slot, (known, table), baseSlot, (base, baseTable))
      }
    }
  }

  /// True if the attributes that form the key are the same, also if they have other names.
  private func hasSameKey(_ known: MigrationClass, _ table: Int) -> Bool {
    let layout = sides.new.layout(table)
    guard let former = files.classes[known.name]?.entry.attributes,
      let mapping = files.mapping(of: known.table(layout))
    else { return true }
    func position(_ attribute: FileAttribute) -> Int? {
      attribute.isPrimaryKey ? 0 : attribute.keyPart > 0 ? attribute.keyPart : nil
    }
    var positions: [Int: Int] = [:]
    for column in mapping.columns {
      positions[column.fileIndex] = position(
        known.attributes[column.column - layout.firstAttribute])
    }
    return former.indices.allSatisfy { position(former[$0]) == positions[$0] }
      && known.attributes.count { position($0) != nil } == positions.count
  }

  /// Gives base rows the keys of their objects, and deletes those whose object the block deleted.
  ///
  /// - Parameters:
  ///   - keepsDeletions: False to end all deletions.
  ///   - body: Called with each object that remains, and its base row.
  private func move(
    _ oldBases: KeyedRows, _ old: KeyedRows, _ new: KeyedRows, _ bases: KeyedRows,
    keepsDeletions: Bool, _ body: (_ slot: Int, _ baseSlot: Int) -> Void
  ) {
    guard let transaction = sides.new.transaction else { return }
    let writer = transaction.writer(bases.table)
    // The old and the new row of an object have one slot.
    var baseSlots = oldBases.slotsByKey
    for slot in old.slots {
      guard let baseSlot = baseSlots.removeValue(forKey: old.key(slot)) else { continue }
      if new.isLive(slot) {
        bases.copyKey(of: slot, new, to: baseSlot, writer)
        body(slot, baseSlot)
      } else {
        transaction.delete([(bases.table, baseSlot)])
      }
    }
    // The other base rows are deletions. One ends if the block gave its key to another object.
    if baseSlots.isEmpty { return }
    let taken = Set(new.slots.map(new.key))
    transaction.delete(
      baseSlots.filter {
        !keepsDeletions || old.kind != new.kind || taken.contains($0.key)
      }.map {
        (bases.table, $0.value)
      })
  }

  /// Ends the edits of attributes whose values the file has with another type, unless the block has given the object new
  /// ones.
  private func endEdits(
    of names: [String], _ slot: Int, _ known: (MigrationClass, table: Int), _ baseSlot: Int,
    _ base: (MigrationClass, table: Int)
  ) {
    guard !names.isEmpty, let transaction = sides.new.transaction else { return }
    let (rows, bases) = (transaction.writer(known.table), transaction.writer(base.table))
    for name in names {
      guard let attribute = known.0.attributes.firstIndex(where: { $0.name == name }),
        rows.isMissing(slot, attribute),
        let marks = base.0.attributes.firstIndex(where: {
          $0.name == name + ObjectSchema.marksSuffix
        })
      else { continue }
      bases.setWord(baseSlot, bases.firstAttribute + marks, 0)
    }
  }

  /// Makes the base values unknown that the file has with another type. Returns the names of their attributes.
  private func forgetValues(of base: MigrationClass, _ table: Int) -> [String] {
    let known = base.table(sides.new.layout(table))
    guard let missing = files.mapping(of: known)?.missing, !missing.isEmpty,
      let writer = sides.new.transaction?.writer(table)
    else { return [] }
    let names = Set(missing.map { base.attributes[$0].name + ObjectSchema.marksSuffix })
    let columns = base.attributes.indices.filter { names.contains(base.attributes[$0].name) }
    for slot in KeyedRows.liveSlots(table, sides.new) {
      for column in columns.map({ writer.firstAttribute + $0 }) {
        let marks = EditMarks(rawValue: writer.version.word(slot, column)).subtracting(.known)
        writer.setWord(slot, column, marks.rawValue)
      }
    }
    return missing.map { base.attributes[$0].name }
  }
}

/// The rows of a table with a primary key.
private struct KeyedRows {
  let table: Int
  let kind: ScalarKind
  let slots: [Int]
  private let handle: StoreHandle
  private let column: Int
  /// The columns of the attributes that form the key, by name.
  private let parts: [String: Int]

  /// Returns nil if the table has no key.
  init?(_ attributes: [FileAttribute], _ table: Int, in handle: StoreHandle) {
    guard let index = attributes.firstIndex(where: \.isPrimaryKey) else { return nil }
    let first = handle.layout(table).firstAttribute
    self.table = table
    self.handle = handle
    kind = attributes[index].kind ?? .int
    column = first + index
    parts = Dictionary(
      attributes.enumerated().filter { $1.keyPart > 0 }.map { ($1.name, first + $0) }
    ) { first, _ in first }
    slots = Self.liveSlots(table, handle)
  }

  /// Reads a class as the file stores it.
  init?(_ name: String, in old: StoreHandle) {
    guard let classes = old.core.side?.classes,
      let table = classes.firstIndex(where: { $0.name == name })
    else { return nil }
    self.init(classes[table].attributes, table, in: old)
  }

  var isPopulated: Bool { !slots.isEmpty }

  var slotsByKey: [MigrationKeys.Key: Int] {
    Dictionary(slots.map { (key($0), $0) }) { first, _ in first }
  }

  static func liveSlots(_ table: Int, _ handle: StoreHandle) -> [Int] {
    var slots: [Int] = []
    handle.tableVersion(table).forEachLive {
      slots.append($0)
      return true
    }
    return slots
  }

  func isLive(_ slot: Int) -> Bool { handle.tableVersion(table).isLive(slot) }

  func key(_ slot: Int) -> MigrationKeys.Key {
    MigrationKeys.Key(slot, column, kind, in: handle.tableVersion(table))
  }

  /// Copies the key of a row of the class, and the attributes that form it, to a row of its base table, which these are.
  func copyKey(of slot: Int, _ rows: KeyedRows, to baseSlot: Int, _ writer: TableWriter) {
    let pairs = parts.compactMap { name, column in rows.parts[name].map { ($0, column) } }
    let cells = handle.tableVersion(rows.table).columns(slot)
    let row = slot & ChunkLayout.mask
    for (from, to) in pairs + [(rows.column, column)] {
      switch writer.columnLayout(to).kind {
      case _ where cells[from].isNull(row): writer.setNull(baseSlot, to)
      case .bytes:
        Array(cells[from].bytes(ofWord: cells[from].word(row))).withUnsafeBytes {
          _ = writer.setText(baseSlot, to, $0)
        }
      default: writer.setWord(baseSlot, to, cells[from].word(row))
      }
    }
  }
}
