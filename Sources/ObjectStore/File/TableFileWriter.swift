import StoreDatabase

/// The statements that write the rows of one class; good until a table changes.
final class RowStatements {
  let insert: Statement
  let delete: Statement
  private let database: Database
  private let sqlName: String
  private var updates: [AttributeBits: Statement] = [:]
  private var collections: [Int: CollectionStatements] = [:]
  private var unknown: [Int: (read: Statement, delete: Statement?)] = [:]
  private var keyClearing: Statement?
  private let keyName: String

  /// Of a collection's table.
  struct CollectionStatements {
    /// Deletes a row's elements from a position on.
    let delete: Statement
    let insert: Statement
  }

  /// The names of the engine's own columns.
  static let ownNames = ["_references", "_nested", "_defaults"]

  init(
    _ database: Database, _ entry: FileClass, _ columns: [FileMapping.Column]
  ) throws(DatabaseError) {
    self.database = database
    sqlName = FileNames.quoted(entry.sqlName)
    keyName = FileNames.quoted(entry.attributes.first(where: \.isPrimaryKey)?.sqlName ?? "_row")
    let own = entry.identity == .keyed ? [] : Self.ownNames
    let names = ["_row"] + own + columns.map(\.stored.sqlName)
    insert = try database.prepare(
      """
      INSERT INTO \(sqlName) (\(names.map(FileNames.quoted).joined(separator: ", "))) \
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      """)
    delete = try database.prepare("DELETE FROM \(sqlName) WHERE _row = ?")
  }

  /// Sets some columns, in order; the last parameter is the row.
  func update(_ columns: AttributeBits, _ names: [String]) throws(DatabaseError) -> Statement {
    if let known = updates[columns] { return known }
    // Whoever changes other attributes each time does not keep them all.
    if updates.count >= 64 { updates = [:] }
    let sets = names.map { "\(FileNames.quoted($0)) = ?" }.joined(separator: ", ")
    let statement = try database.prepare("UPDATE \(sqlName) SET \(sets) WHERE _row = ?")
    updates[columns] = statement
    return statement
  }

  /// Takes the key of a row away.
  func clearKey() throws(DatabaseError) -> Statement {
    if let known = keyClearing { return known }
    let statement = try database.prepare("UPDATE \(sqlName) SET \(keyName) = NULL WHERE _row = ?")
    keyClearing = statement
    return statement
  }

  /// Reads what a row holds of an attribute that its class does not have: a value, or the elements.
  func read(_ attribute: FileAttribute, _ place: Int) throws(DatabaseError) -> Statement {
    try unknownStatements(attribute, place).read
  }

  func deleteElements(_ attribute: FileAttribute, _ place: Int) throws(DatabaseError) -> Statement {
    try unknownStatements(attribute, place).delete ?? delete
  }

  private func unknownStatements(
    _ attribute: FileAttribute, _ place: Int
  ) throws(DatabaseError) -> (read: Statement, delete: Statement?) {
    if let known = unknown[place] { return known }
    let name = FileNames.quoted(attribute.sqlName)
    var statements: (read: Statement, delete: Statement?)
    if attribute.isCollection {
      let key = attribute.form == .map ? ", key" : ""
      statements = (
        try database.prepare(
          "SELECT value\(key) FROM \(name) WHERE _row = ? ORDER BY position"),
        try database.prepare("DELETE FROM \(name) WHERE _row = ?")
      )
    } else {
      statements = (
        try database.prepare("SELECT \(name) FROM \(sqlName) WHERE _row = ?"), nil
      )
    }
    unknown[place] = statements
    return statements
  }

  func collection(_ column: FileMapping.Column) throws(DatabaseError) -> CollectionStatements {
    if let known = collections[column.place] { return known }
    let name = FileNames.quoted(column.stored.sqlName)
    let isMap = column.stored.form == .map
    let statements = CollectionStatements(
      delete: try database.prepare("DELETE FROM \(name) WHERE _row = ? AND position >= ?"),
      insert: try database.prepare(
        "INSERT INTO \(name) (_row, position, value\(isMap ? ", key" : "")) "
          + "VALUES (?, ?, ?\(isMap ? ", ?" : ""))"))
    collections[column.place] = statements
    return statements
  }
}

/// Writes what is different between two versions of a table into its file, and keeps the checksums.
struct TableFileWriter {
  private let database: Database
  private let earlier: TableVersion
  private let later: TableVersion
  private let layout: TableLayout
  private let mapping: FileMapping
  private let statements: RowStatements
  private let values: FileValues
  private let scalars: [FileMapping.Column]
  private let collections: [FileMapping.Column]
  private let isKeyed: Bool
  /// What the file says of the class then.
  private(set) var entry: FileClass

  init(
    _ database: Database, _ entry: FileClass, _ mapping: FileMapping, _ layout: TableLayout,
    _ earlier: TableVersion, _ later: TableVersion, _ statements: RowStatements,
    _ values: FileValues
  ) {
    self.database = database
    self.entry = entry
    self.mapping = mapping
    self.layout = layout
    self.earlier = earlier
    self.later = later
    self.statements = statements
    self.values = values
    scalars = mapping.columns.filter { !$0.wanted.isCollection }
    collections = mapping.columns.filter { $0.wanted.isCollection }
    isKeyed = layout.identity == .keyed
  }

  /// - Parameter difference: of all columns but the first.
  mutating func write(_ difference: TableDifference) throws {
    for slot in difference.deleted {
      try forgetUnknown(slot)
      try deleteRow(slot)
      try forgetRow(slot)
    }
    // Keys may have been exchanged: none stands in the way of another.
    if let key = layout.keyColumn {
      for (slot, attributes) in difference.changed where attributes.has(key - 1) {
        let clear = try statements.clearKey()
        clear.bind(1, Int64(slot + 1))
        try clear.run()
      }
    }
    for slot in difference.inserted { try insertRow(slot) }
    for (slot, attributes) in difference.changed { try change(slot, attributes) }
    entry.nextRow = max(entry.nextRow, later.count + 1)
  }

  /// Writes the values of all rows into columns and tables that are new: the sums begin anew, too.
  mutating func rewrite(_ columns: [FileMapping.Column]) throws {
    if columns.isEmpty { return }
    var key = AttributeBits()
    let scalars = columns.filter { !$0.wanted.isCollection }
    for column in scalars { key.insert(column.column) }
    for column in columns { entry.attributes[column.place].sum = 0 }
    let update =
      scalars.isEmpty ? nil : try statements.update(key, scalars.map(\.stored.sqlName))
    var slots: [Int] = []
    later.forEachLive {
      slots.append($0)
      return true
    }
    for slot in slots {
      for (index, column) in scalars.enumerated() {
        let value = value(later, slot, column)
        if let update { bind(update, index + 1, value, column.wanted.type) }
        entry.attributes[column.place].sum &+= sum(slot, value, column)
      }
      update?.bind(scalars.count + 1, Int64(slot + 1))
      try update?.run()
      for column in columns where column.wanted.isCollection {
        try writeElements(
          slot, column, from: (0, { _ in .init() }), to: elements(later, slot, column))
      }
    }
  }

  // MARK: - Values

  @inline(__always)
  private func value(
    _ version: TableVersion, _ slot: Int, _ column: FileMapping.Column
  ) -> ElementValue {
    let cell = version.columns(slot)[column.column]
    let row = slot & ChunkLayout.mask
    if cell.isNull(row) { return ElementValue(isNull: true) }
    switch column.layout.kind {
    case .byte: return ElementValue(word: UInt64(cell.byte(row)))
    case .text: return ElementValue(bytes: cell.bytes(ofWord: cell.word(row)))
    case .link:
      let word = cell.word(row)
      return ElementValue(word: word, isNull: word == 0)
    case .word, .collection: return ElementValue(word: cell.word(row))
    }
  }

  private func sum(_ slot: Int, _ value: ElementValue, _ column: FileMapping.Column) -> UInt64 {
    Checksum.value(slot + 1, value, isBytes: column.wanted.type.isBytes)
  }

  private func bind(
    _ statement: Statement, _ parameter: Int, _ value: ElementValue, _ type: FileType
  ) {
    if value.isNull {
      statement.bindNull(parameter)
    } else {
      values.bind(statement, parameter, type, value)
    }
  }

  private func elements(
    _ version: TableVersion, _ slot: Int, _ column: FileMapping.Column
  ) -> (count: Int, element: (Int) -> ElementValue) {
    let cell = version.columns(slot)[column.column]
    let run = cell.run(slot & ChunkLayout.mask)
    return (
      Int(run.length),
      { index in
        var value = cell.element(run, index, column.layout)
        if column.layout.elementKind == .link, value.word == 0 { value.isNull = true }
        return value
      }
    )
  }

  // MARK: - The engine's own columns

  private func own(
    _ version: TableVersion, _ slot: Int
  ) -> (references: Int64, nested: Int64, defaults: [UInt8]) {
    let columns = version.columns(slot)
    let row = slot & ChunkLayout.mask
    var defaults: [UInt8] = []
    for column in mapping.columns
    where version.isDefault(slot, column.column - layout.firstAttribute) {
      while defaults.count <= column.place / 8 { defaults.append(0) }
      defaults[column.place / 8] |= 1 << UInt8(column.place % 8)
    }
    return (
      Int64(bitPattern: columns[TableLayout.referencesColumn].word(row)),
      Int64(columns[TableLayout.bornNestedColumn].byte(row)), defaults
    )
  }

  private mutating func addOwn(
    _ version: TableVersion, _ slot: Int, isAdded: Bool
  ) {
    let (references, nested, defaults) = own(version, slot)
    let place = UInt64(slot + 1)
    add(.references, Checksum.word(place, UInt64(bitPattern: references)), isAdded)
    add(.nested, Checksum.word(place, UInt64(nested)), isAdded)
    defaults.withUnsafeBytes { add(.defaults, Checksum.bytes(place, $0), isAdded) }
  }

  private mutating func add(
    _ column: FileClass.OwnColumn, _ sum: UInt64, _ isAdded: Bool
  ) {
    let old = entry.ownSums[column.rawValue]
    entry.ownSums[column.rawValue] = isAdded ? old &+ sum : old &- sum
  }

  private func bindOwn(_ statement: Statement, from parameter: Int, _ slot: Int) {
    let (references, nested, defaults) = own(later, slot)
    statement.bind(parameter, references)
    statement.bind(parameter + 1, nested)
    defaults.withUnsafeBytes { statement.bindBlobCopy(parameter + 2, $0) }
  }

  // MARK: - Rows

  private func deleteRow(_ slot: Int) throws(DatabaseError) {
    statements.delete.bind(1, Int64(slot + 1))
    try statements.delete.run()
  }

  /// Takes a row that is gone out of the sums and deletes its elements.
  private mutating func forgetRow(_ slot: Int) throws {
    entry.rowCount -= 1
    add(.row, Checksum.word(UInt64(slot + 1), 1), false)
    if !isKeyed { addOwn(earlier, slot, isAdded: false) }
    for column in scalars {
      entry.attributes[column.place].sum &-= sum(slot, value(earlier, slot, column), column)
    }
    for column in collections {
      try writeElements(
        slot, column, from: elements(earlier, slot, column), to: (0, { _ in .init() }))
    }
  }

  /// Takes what the class does not have any more of a row that is gone out of the sums.
  private mutating func forgetUnknown(_ slot: Int) throws {
    for place in mapping.unknown {
      let attribute = entry.attributes[place]
      let statement = try statements.read(attribute, place)
      statement.bind(1, Int64(slot + 1))
      var index = 0
      while try statement.step() {
        guard var value = values.read(statement, 0, attribute.type) else { continue }
        if attribute.form == .map { value.key = statement.bytes(1) }
        let isBytes = attribute.type.isBytes
        entry.attributes[place].sum &-=
          attribute.isCollection
          ? Checksum.element(slot + 1, index, value, isBytes: isBytes)
          : Checksum.value(slot + 1, value, isBytes: isBytes)
        index += 1
      }
      statement.reset()
      if attribute.isCollection {
        let delete = try statements.deleteElements(attribute, place)
        delete.bind(1, Int64(slot + 1))
        try delete.run()
      }
    }
  }

  private mutating func insertRow(_ slot: Int) throws(DatabaseError) {
    let insert = statements.insert
    insert.bind(1, Int64(slot + 1))
    var parameter = 2
    if !isKeyed {
      bindOwn(insert, from: parameter, slot)
      parameter += RowStatements.ownNames.count
    }
    for column in scalars {
      let value = value(later, slot, column)
      bind(insert, parameter, value, column.wanted.type)
      entry.attributes[column.place].sum &+= sum(slot, value, column)
      parameter += 1
    }
    try insert.run()
    entry.rowCount += 1
    add(.row, Checksum.word(UInt64(slot + 1), 1), true)
    if !isKeyed { addOwn(later, slot, isAdded: true) }
    for column in collections {
      try writeElements(
        slot, column, from: (0, { _ in .init() }), to: elements(later, slot, column))
    }
  }

  /// - Parameter attributes: what differs, counted from the second column.
  private mutating func change(_ slot: Int, _ attributes: AttributeBits) throws(DatabaseError) {
    let changed = scalars.filter { attributes.has($0.column - 1) }
    let isOwnChanged = (1..<layout.firstAttribute).contains { attributes.has($0 - 1) }
    if isOwnChanged {
      addOwn(earlier, slot, isAdded: false)
      addOwn(later, slot, isAdded: true)
    }
    for column in changed {
      let (old, new) = (value(earlier, slot, column), value(later, slot, column))
      entry.attributes[column.place].sum &-= sum(slot, old, column)
      entry.attributes[column.place].sum &+= sum(slot, new, column)
    }
    if isOwnChanged || !changed.isEmpty {
      var key = AttributeBits()
      for column in changed { key.insert(column.column) }
      if isOwnChanged { key.insert(0) }
      let own = isOwnChanged ? RowStatements.ownNames : []
      let update = try statements.update(key, own + changed.map(\.stored.sqlName))
      if isOwnChanged { bindOwn(update, from: 1, slot) }
      for (index, column) in changed.enumerated() {
        bind(update, own.count + index + 1, value(later, slot, column), column.wanted.type)
      }
      update.bind(own.count + changed.count + 1, Int64(slot + 1))
      try update.run()
    }
    for column in collections where attributes.has(column.column - 1) {
      try writeElements(
        slot, column, from: elements(earlier, slot, column), to: elements(later, slot, column))
    }
  }

  // MARK: - Collections

  /// Writes the elements from the first on that differs.
  private mutating func writeElements(
    _ slot: Int, _ column: FileMapping.Column,
    from old: (count: Int, element: (Int) -> ElementValue),
    to new: (count: Int, element: (Int) -> ElementValue)
  ) throws(DatabaseError) {
    var first = 0
    while first < min(old.count, new.count), old.element(first).equals(new.element(first)) {
      first += 1
    }
    let type = column.wanted.type
    func sum(_ index: Int, _ value: ElementValue) -> UInt64 {
      Checksum.element(slot + 1, index, value, isBytes: type.isBytes)
    }
    let statements = try statements.collection(column)
    if first < old.count {
      statements.delete.bind(1, Int64(slot + 1))
      statements.delete.bind(2, Int64(first))
      try statements.delete.run()
      for index in first..<old.count {
        entry.attributes[column.place].sum &-= sum(index, old.element(index))
      }
    }
    for index in first..<max(first, new.count) {
      let value = new.element(index)
      statements.insert.bind(1, Int64(slot + 1))
      statements.insert.bind(2, Int64(index))
      bind(statements.insert, 3, value, type)
      if column.stored.form == .map { statements.insert.bindText(4, value.key) }
      try statements.insert.run()
      entry.attributes[column.place].sum &+= sum(index, value)
    }
  }
}
