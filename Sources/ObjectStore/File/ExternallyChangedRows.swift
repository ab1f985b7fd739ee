import Foundation
import StoreDatabase

/// Accepts the changes that other tools made to the rows of a file, if the store could have written these rows.
///
///     compare all classes ── all match ──▶ done
///       └ one differs ──▶ elements of deleted rows, gaps, JSON, reference counts ──▶ read all ──▶ checksums, COMMIT
///
/// Links to deleted rows are cleared when the linking class is loaded.
struct ExternallyChangedRows {
  private let database: Database
  private var catalog: FileCatalog

  typealias Damage = FileCatalog.Damage

  /// Accepts external changes and returns the updated catalog.
  /// - Throws: `Damage` for rows that the store could not have written. The file is then unchanged.
  /// - Complexity: O(rows of the file).
  static func accept(in database: Database, _ catalog: FileCatalog) throws -> FileCatalog {
    var rows = ExternallyChangedRows(database: database, catalog: catalog)
    if try rows.matchesChecksums() { return catalog }
    try database.execute("BEGIN IMMEDIATE")
    do {
      try rows.repair()
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    return rows.catalog
  }

  private var classes: [FileClass] { catalog.classes.values.sorted(byBytesOf: \.name) }

  private func matchesChecksums() throws -> Bool {
    do {
      for entry in classes { try FileCheck(database, entry).run() }
      return true
    } catch is Damage {
      return false
    }
  }

  private mutating func repair() throws {
    for entry in classes {
      for attribute in entry.attributes {
        if attribute.isCollection { try repairElements(attribute, of: entry) }
        if attribute.kind == .json { _ = try FileJSON.rewrite(attribute, of: entry, in: database) }
      }
    }
    try countReferences()
    let statements = try CatalogStatements(database)
    for entry in classes {
      var found = try FileCheck(database, entry).readExternallyChanged()
      found.mayDangle = found.attributes.contains { $0.target != nil }
      catalog.classes[entry.name] = found
      try statements.update(found)
    }
  }

  /// Deletes the elements of deleted rows and closes gaps between positions.
  private func repairElements(_ attribute: FileAttribute, of entry: FileClass) throws {
    let (name, table) = (
      FileNames.quoted(attribute.sqlName), FileNames.quoted(entry.sqlName)
    )
    try database.execute("DELETE FROM \(name) WHERE _row NOT IN (SELECT _row FROM \(table))")
    let gaps = try database.prepare(
      "SELECT 1 FROM \(name) GROUP BY _row HAVING min(position) <> 0 OR max(position) <> count(*) - 1"
    )
    let hasGaps = try gaps.step()
    gaps.reset()
    if !hasGaps { return }
    let (key, order) = attribute.form == .map ? (", key", "key") : ("", "position")
    try database.execute(
      """
      CREATE TEMP TABLE store_closed AS SELECT _row, \
      row_number() OVER (PARTITION BY _row ORDER BY \(order)) - 1 AS position\(key), value \
      FROM \(name);
      DELETE FROM \(name);
      INSERT INTO \(name) (_row, position\(key), value) \
      SELECT _row, position\(key), value FROM store_closed;
      DROP TABLE store_closed
      """)
  }

  // MARK: - Keyless objects

  /// Recounts references to keyless objects and deletes owned ones whose owner is gone, transitively.
  /// - Throws: `Damage` if an object is embedded more than once.
  private func countReferences() throws {
    let keyless = classes.filter { $0.identity != .keyed }
    for entry in keyless {
      try database.execute(
        """
        UPDATE \(FileNames.quoted(entry.sqlName)) SET _nested = ifnull(_nested, 0)
        """)
    }
    var isChanged = true
    while try isChanged || deleteCycles() {
      isChanged = false
      for entry in keyless {
        try countReferences(to: entry)
        let name = FileNames.quoted(entry.sqlName)
        let isOwned = entry.identity == .embedded ? "1" : "_nested = 1"
        let orphans = "FROM \(name) WHERE \(isOwned) AND _references = 0"
        let statement = try database.prepare("SELECT 1 \(orphans)")
        let hasOrphans = try statement.step()
        statement.reset()
        if hasOrphans {
          try database.execute("DELETE \(orphans)")
          for attribute in entry.attributes where attribute.isCollection {
            try repairElements(attribute, of: entry)
          }
        }
        isChanged = isChanged || hasOrphans
      }
    }
    for entry in classes { try repairMissing(of: entry) }
    for entry in keyless where entry.identity == .embedded {
      let statement = try database.prepare(
        "SELECT _row FROM \(FileNames.quoted(entry.sqlName)) WHERE _references > 1")
      if try statement.step() {
        throw Damage(
          details: "\(entry.name): row \(statement.int64(0)) is embedded more than once")
      }
    }
  }

  /// Deletes cycles of embedded objects that no other object owns. Returns true if there were any.
  private func deleteCycles() throws -> Bool {
    let embedded = Set(classes.filter { $0.identity == .embedded }.map(\.name))
    // The embedded rows that rows of other classes own, and those that each embedded row owns.
    var pending: [EmbeddedRow] = []
    var held: [EmbeddedRow: [EmbeddedRow]] = [:]
    for entry in classes {
      for attribute in entry.attributes {
        guard let target = attribute.target, embedded.contains(target) else { continue }
        let isRoot = !embedded.contains(entry.name)
        let column = FileNames.quoted(attribute.isCollection ? "value" : attribute.sqlName)
        let source = FileNames.quoted(attribute.isCollection ? attribute.sqlName : entry.sqlName)
        let statement = try database.prepare(
          "SELECT _row, \(column) FROM \(source) WHERE \(column) IS NOT NULL")
        while try statement.step() {
          let row = EmbeddedRow(name: target, row: statement.int64(1))
          if isRoot {
            pending.append(row)
          } else {
            held[EmbeddedRow(name: entry.name, row: statement.int64(0)), default: []].append(row)
          }
        }
      }
    }
    if held.isEmpty { return false }
    while let row = pending.popLast() {
      if let rows = held.removeValue(forKey: row) { pending += rows }
    }
    // The remaining rows own others but cannot be reached from a row of another class.
    for entry in classes where embedded.contains(entry.name) {
      let delete = try database.prepare(
        "DELETE FROM \(FileNames.quoted(entry.sqlName)) WHERE _row = ?")
      for row in held.keys where row.name == entry.name {
        delete.bind(1, row.row)
        try delete.run()
      }
      for attribute in entry.attributes where attribute.isCollection {
        try repairElements(attribute, of: entry)
      }
    }
    return !held.isEmpty
  }

  private struct EmbeddedRow: Hashable {
    let name: String
    let row: Int64
  }

  /// Normalizes the bits of missing attributes: removes those of the key and those beyond the last attribute, and trailing
  /// zero bytes.
  private func repairMissing(of entry: FileClass) throws {
    let name = FileNames.quoted(entry.sqlName)
    let statement = try database.prepare(
      "SELECT _row, _missing FROM \(name) WHERE typeof(_missing) = 'blob'")
    var repaired: [(row: Int64, bits: [UInt8])] = []
    while try statement.step() {
      let written = Array(statement.bytes(1))
      let bits = entry.missingBits(written)
      if bits != written || bits.isEmpty { repaired.append((statement.int64(0), bits)) }
    }
    let update = try database.prepare("UPDATE \(name) SET _missing = ? WHERE _row = ?")
    for (row, bits) in repaired {
      if bits.isEmpty {
        update.bindNull(1)
      } else {
        bits.withUnsafeBytes { update.bindBlobCopy(1, $0) }
      }
      update.bind(2, row)
      try update.run()
    }
  }

  private func countReferences(to target: FileClass) throws {
    let name = FileNames.quoted(target.sqlName)
    try database.execute("UPDATE \(name) SET _references = 0")
    for entry in classes {
      for attribute in entry.attributes where attribute.target == target.name {
        let column = FileNames.quoted(attribute.isCollection ? "value" : attribute.sqlName)
        let source = FileNames.quoted(attribute.isCollection ? attribute.sqlName : entry.sqlName)
        try database.execute(
          """
          UPDATE \(name) SET _references = _references + found.count FROM \
          (SELECT \(column) AS target, count(*) AS count FROM \(source) GROUP BY 1) AS found \
          WHERE found.target = \(name)._row
          """)
      }
    }
  }
}

extension FileClass {
  /// Returns the bits of a whole row and of attributes other than the key, without trailing zero bytes.
  fileprivate func missingBits(_ written: [UInt8]) -> [UInt8] {
    var bits = written
    for bit in 0..<8 * bits.count {
      let attribute = bit - 1
      let isRemoved =
        attribute >= attributes.count || attribute >= 0 && attributes[attribute].isPrimaryKey
      if isRemoved { bits[bit / 8] &= ~(1 << UInt8(bit % 8)) }
    }
    while bits.last == 0 { bits.removeLast() }
    return bits
  }
}

extension FileAttribute {
  /// True if a stored value could be one of the attribute's values.
  func holds(_ value: ElementValue) -> Bool {
    if value.isNull { return !isPrimaryKey && (!isCollection || isOptional) }
    if let kind { return kind.contains(value) }
    return (1...Int64(UInt32.max)).contains(Int64(bitPattern: value.word))
  }
}

extension ScalarKind {
  /// True if a value, which another tool may have written, is valid for this kind.
  func contains(_ value: ElementValue) -> Bool {
    if let range = signedRange { return range.contains(Int64(bitPattern: value.word)) }
    if let maximum = unsignedMaximum { return value.word <= maximum }
    switch self {
    case .float:
      let number = Double(bitPattern: value.word)
      return number.isNaN || Double(Float(number)) == number
    case .date: return Double(bitPattern: value.word).isFinite
    case .string: return String(validating: value.bytes, as: UTF8.self) != nil
    case .decimal:
      guard let text = String(validating: value.bytes, as: UTF8.self) else { return false }
      return Decimal(plain: text)?.description == text
    case .url:
      return String(validating: value.bytes, as: UTF8.self).flatMap { URL(string: $0) } != nil
    default: return true
    }
  }
}
