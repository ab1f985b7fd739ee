import StoreDatabase

/// Writes the differences between two versions of a table to its file, and updates the checksums.
struct TableFileWriter {
  private let earlier: TableVersion
  private let later: TableVersion
  private let layout: TableLayout
  private let mapping: FileMapping
  private let statements: RowStatements
  private let values: FileValues
  private let rows: FileRowValues
  /// The class with current counts, but without the changes in ``sums``.
  private var old: FileClass
  /// The checksums of the attributes.
  private var sums: [UInt64]
  /// The elements to insert, by the index of the collection in the file.
  private var newElements: [Int: NewElements] = [:]

  /// Elements of the later version to insert into the table of one collection, several with one statement.
  private struct NewElements {
    let column: FileMapping.Column
    var parts: [(slot: Int, positions: Range<Int>)] = []
    var count = 0

    /// The number of elements after which they are inserted.
    static var limit: Int { 4_096 }
  }

  /// The class with its current counts and checksums.
  var entry: FileClass {
    var entry = old
    for fileIndex in sums.indices { entry.attributes[fileIndex].sum = sums[fileIndex] }
    return entry
  }

  init(
    _ entry: FileClass, _ layout: TableLayout, _ earlier: TableVersion, _ later: TableVersion,
    _ statements: RowStatements, _ values: FileValues, _ unseen: UnseenMissing?
  ) {
    old = entry
    sums = entry.attributes.map(\.sum)
    mapping = statements.mapping
    self.layout = layout
    self.earlier = earlier
    self.later = later
    self.statements = statements
    self.values = values
    rows = FileRowValues(mapping, layout, values, unseen)
  }

  /// - Parameter difference: The difference in all columns except the first.
  mutating func write(_ difference: TableDifference, _ progress: FileProgress?) throws {
    assert(difference.deleted.count <= old.rowCount, "More rows are deleted than the file has")
    if !difference.deleted.isEmpty, difference.deleted.count == old.rowCount {
      try deleteAllRows()
    } else {
      for slot in difference.deleted {
        try forgetUnknown(slot)
        try deleteRow(slot)
      }
    }
    // Rows may have exchanged keys: clear them first, so that no two collide.
    if let key = layout.keyColumn {
      for (slot, attributes) in difference.changed where attributes.has(key - 1) {
        let clear = try statements.clearKey()
        clear.bind(1, Int64(slot + 1))
        try clear.run()
      }
    }
    for slot in difference.inserted {
      try insertRow(slot)
      try progress?.step()
    }
    for (slot, attributes) in difference.changed { try change(slot, attributes) }
    try insertNewElements()
    old.nextRow = max(old.nextRow, later.count + 1)
    assert(
      old.rowCount == later.liveCount,
      "The file has \(old.rowCount) rows, the table \(later.liveCount)")
  }

  /// Writes the values of all rows to some columns and to empty tables of collections, and recomputes their checksums.
  mutating func rewrite(_ columns: [FileMapping.Column]) throws {
    if columns.isEmpty { return }
    var key = AttributeBits()
    let scalars = columns.filter { !$0.wanted.isCollection }
    for column in scalars { key.insert(column.column) }
    for column in columns { sums[column.fileIndex] = 0 }
    let update =
      scalars.isEmpty ? nil : try statements.update(key, scalars.map(\.stored.sqlName))
    let scalarColumns = scalars.map { FileMapping.ScalarColumn($0) }
    var slots: [Int] = []
    later.forEachLive {
      slots.append($0)
      return true
    }
    for slot in slots {
      for (index, column) in scalarColumns.enumerated() {
        let value = rows.value(later, slot, column)
        if let update { bind(update, index + 1, value, column.type) }
        sums[column.fileIndex] &+= sum(slot, value, column)
      }
      update?.bind(scalars.count + 1, Int64(slot + 1))
      try update?.run()
      for column in columns where column.wanted.isCollection {
        try writeElements(slot, column, from: .none, to: rows.elements(later, slot, column))
      }
    }
    try insertNewElements()
  }

  /// Writes the engine's own columns of all rows.
  mutating func rewriteOwn() throws {
    for own in [FileClass.OwnColumn.missing, .references, .nested] {
      old.ownSums[own.rawValue] = 0
    }
    var key = AttributeBits()
    key.insert(0)
    let update = try statements.update(key, RowStatements.ownNames(old.identity))
    var slots: [Int] = []
    later.forEachLive {
      slots.append($0)
      return true
    }
    for slot in slots {
      addOwn(later, slot, isAdded: true)
      let next = rows.own(later, slot).bind(update, from: 1, old.identity)
      update.bind(next, Int64(slot + 1))
      try update.run()
    }
  }

  @inline(__always)
  private func sum(
    _ slot: Int, _ value: ElementValue, _ column: FileMapping.ScalarColumn
  ) -> UInt64 {
    Checksum.value(slot + 1, value, isBytes: column.isBytes)
  }

  @inline(__always)
  private func bind(
    _ statement: Statement, _ parameter: Int, _ value: ElementValue, _ type: FileType
  ) {
    if value.isNull {
      statement.bindNull(parameter)
    } else {
      values.bind(statement, parameter, type, value)
    }
  }

  // MARK: - The engine's own columns

  private mutating func addOwn(_ version: TableVersion, _ slot: Int, isAdded: Bool) {
    rows.own(version, slot).forEachSum(UInt64(slot + 1), old.identity) {
      add($0, $1, isAdded)
    }
  }

  private mutating func add(
    _ column: FileClass.OwnColumn, _ sum: UInt64, _ isAdded: Bool
  ) {
    let before = old.ownSums[column.rawValue]
    old.ownSums[column.rawValue] = isAdded ? before &+ sum : before &- sum
  }

  // MARK: - Rows

  /// Deletes all rows. The checksums of an empty class are 0, so no value is read.
  private mutating func deleteAllRows() throws(DatabaseError) {
    try statements.deleteAll(old)
    old.rowCount = 0
    for own in old.ownSums.indices { old.ownSums[own] = 0 }
    for fileIndex in sums.indices { sums[fileIndex] = 0 }
  }

  /// Deletes a row and its elements, and subtracts them from the checksums.
  private mutating func deleteRow(_ slot: Int) throws {
    assert(earlier.isLive(slot), "Row \(slot) did not exist")
    statements.delete.bind(1, Int64(slot + 1))
    try statements.delete.run()
    old.rowCount -= 1
    add(.row, Checksum.word(UInt64(slot + 1), 1), false)
    addOwn(earlier, slot, isAdded: false)
    for column in rows.scalars {
      sums[column.fileIndex] &-= sum(slot, rows.value(earlier, slot, column), column)
    }
    for column in rows.collections {
      try writeElements(slot, column, from: rows.elements(earlier, slot, column), to: .none)
    }
  }

  /// Subtracts the values of a row to be deleted from the checksums of attributes that the class no longer has, and
  /// deletes the row's elements of such attributes.
  private mutating func forgetUnknown(_ slot: Int) throws {
    for fileIndex in mapping.unknown {
      let attribute = old.attributes[fileIndex]
      let statement = try statements.read(attribute, fileIndex)
      statement.bind(1, Int64(slot + 1))
      var index = 0
      while try statement.step() {
        guard var value = values.read(statement, 0, attribute.type) else { continue }
        if attribute.form == .map { value.key = statement.bytes(1) }
        let isBytes = attribute.type.isBytes
        sums[fileIndex] &-=
          attribute.isCollection
          ? Checksum.element(slot + 1, index, value, isBytes: isBytes)
          : Checksum.value(slot + 1, value, isBytes: isBytes)
        index += 1
      }
      statement.reset()
      if attribute.isCollection {
        let delete = try statements.deleteElements(attribute, fileIndex)
        delete.bind(1, Int64(slot + 1))
        try delete.run()
      }
    }
  }

  private mutating func insertRow(_ slot: Int) throws(DatabaseError) {
    assert(later.isLive(slot), "Row \(slot) does not exist")
    let insert = statements.insert
    insert.bind(1, Int64(slot + 1))
    var parameter = rows.own(later, slot).bind(insert, from: 2, old.identity)
    for column in rows.scalars {
      let value = rows.value(later, slot, column)
      bind(insert, parameter, value, column.type)
      sums[column.fileIndex] &+= sum(slot, value, column)
      parameter += 1
    }
    try insert.run()
    old.rowCount += 1
    add(.row, Checksum.word(UInt64(slot + 1), 1), true)
    addOwn(later, slot, isAdded: true)
    for column in rows.collections {
      try writeElements(slot, column, from: .none, to: rows.elements(later, slot, column))
    }
  }

  /// - Parameter attributes: The columns that differ. Bit 0 is the second column.
  private mutating func change(_ slot: Int, _ attributes: AttributeBits) throws(DatabaseError) {
    assert(earlier.isLive(slot) && later.isLive(slot), "Row \(slot) is not in both versions")
    let changed = rows.scalars.filter { attributes.has($0.column - 1) }
    let isOwnChanged = (1..<layout.firstAttribute).contains { attributes.has($0 - 1) }
    if isOwnChanged {
      addOwn(earlier, slot, isAdded: false)
      addOwn(later, slot, isAdded: true)
    }
    for column in changed {
      sums[column.fileIndex] &-= sum(slot, rows.value(earlier, slot, column), column)
      sums[column.fileIndex] &+= sum(slot, rows.value(later, slot, column), column)
    }
    if isOwnChanged || !changed.isEmpty {
      var key = AttributeBits()
      for column in changed { key.insert(column.column) }
      if isOwnChanged { key.insert(0) }
      let own = isOwnChanged ? RowStatements.ownNames(old.identity) : []
      let update = try statements.update(
        key, own + changed.map { old.attributes[$0.fileIndex].sqlName })
      if isOwnChanged { _ = rows.own(later, slot).bind(update, from: 1, old.identity) }
      for (index, column) in changed.enumerated() {
        bind(update, own.count + index + 1, rows.value(later, slot, column), column.type)
      }
      update.bind(own.count + changed.count + 1, Int64(slot + 1))
      try update.run()
    }
    for column in rows.collections where attributes.has(column.column - 1) {
      try writeElements(
        slot, column, from: rows.elements(earlier, slot, column),
        to: rows.elements(later, slot, column))
    }
  }

  // MARK: - Collections

  /// Writes the elements that differ from the old ones at the same positions. If few differ, their rows are updated;
  /// otherwise, all rows from the first difference on are deleted and inserted again.
  private mutating func writeElements(
    _ slot: Int, _ column: FileMapping.Column, from old: StoredElements, to new: StoredElements
  ) throws(DatabaseError) {
    if old.count == 0, new.count == 0 { return }
    let type = column.wanted.type
    let isBytes = type.isBytes
    let statements = try statements.collection(column)
    let first = old.commonPrefixCount(with: new)
    let last = isMostlyEqual(old, new, after: first) ? min(old.count, new.count) : first
    var index = first
    while index < last {
      let before = values.inFile(old[index], type)
      sums[column.fileIndex] &-= Checksum.element(slot + 1, index, before, isBytes: isBytes)
      let value = values.inFile(new[index], type)
      sums[column.fileIndex] &+= Checksum.element(slot + 1, index, value, isBytes: isBytes)
      bindElement(statements.update, 0, slot, index, value, column)
      try statements.update.run()
      index += 1
      index += old.equalCount(from: index, with: new)
    }
    if last < old.count {
      statements.delete.bind(1, Int64(slot + 1))
      statements.delete.bind(2, Int64(last))
      try statements.delete.run()
      for index in last..<old.count {
        let value = values.inFile(old[index], type)
        sums[column.fileIndex] &-= Checksum.element(slot + 1, index, value, isBytes: isBytes)
      }
    }
    if last < new.count { try insertElements(slot, last..<new.count, column) }
  }

  /// Inserts elements of the later version, now or with others.
  private mutating func insertElements(
    _ slot: Int, _ positions: Range<Int>, _ column: FileMapping.Column
  ) throws(DatabaseError) {
    var elements = newElements.removeValue(forKey: column.fileIndex) ?? NewElements(column: column)
    elements.parts.append((slot, positions))
    elements.count += positions.count
    if elements.count >= NewElements.limit {
      try insert(elements)
    } else {
      newElements[column.fileIndex] = elements
    }
  }

  private mutating func insertNewElements() throws(DatabaseError) {
    for elements in newElements.values { try insert(elements) }
    newElements = [:]
  }

  private mutating func insert(_ new: NewElements) throws(DatabaseError) {
    let column = new.column
    let type = column.wanted.type
    let single = try statements.collection(column).insert
    let manyCount = new.count / RowStatements.manyCount * RowStatements.manyCount
    let many = manyCount > 0 ? try statements.insertMany(column) : single
    let parameterCount = column.stored.form == .map ? 4 : 3
    var count = 0
    var sum: UInt64 = 0
    for (slot, positions) in new.parts {
      let elements = rows.elements(later, slot, column)
      for position in positions {
        let value = values.inFile(elements[position], type)
        sum &+= Checksum.element(slot + 1, position, value, isBytes: type.isBytes)
        if count < manyCount {
          let row = count % RowStatements.manyCount
          bindElement(many, row * parameterCount, slot, position, value, column)
          if row == RowStatements.manyCount - 1 { try many.run() }
        } else {
          bindElement(single, 0, slot, position, value, column)
          try single.run()
        }
        count += 1
      }
    }
    // SQLite has copies of some values.
    many.clearBindings()
    single.clearBindings()
    sums[column.fileIndex] &+= sum
  }

  /// True if so few elements differ from those at the same positions that updating their rows costs less than
  /// rewriting all of them.
  ///
  /// SQLite updates a row in 0.74 µs, and deletes and inserts one in 0.61 µs. Moving the rows after an element by
  /// updating their positions, which are part of the key, takes twice as long.
  private func isMostlyEqual(
    _ old: StoredElements, _ new: StoredElements, after first: Int
  ) -> Bool {
    let end = min(old.count, new.count)
    let limit = (end - first) * 3 / 4
    var differing = 0
    var index = first
    while index < end {
      differing += 1
      if differing > limit { return false }
      index += 1
      index += old.equalCount(from: index, with: new)
    }
    return true
  }

  /// Binds the parameters, after some others, that insert or update an element.
  @inline(__always)
  private func bindElement(
    _ statement: Statement, _ before: Int, _ slot: Int, _ position: Int, _ value: ElementValue,
    _ column: FileMapping.Column
  ) {
    statement.bind(before + 1, Int64(slot + 1))
    statement.bind(before + 2, Int64(position))
    bind(statement, before + 3, value, column.wanted.type)
    if column.stored.form == .map { statement.bindText(before + 4, value.key) }
  }
}
